-- Scenarios in Neovim: typed keys and the expected results. `child` is the editor: see driver.lua.
local expect = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':h') .. '/expect.lua')
local same, has = expect.same, expect.has
local scenarios = {}

function scenarios.pick(child)
  child.type(':Larder<CR>')
  child.answer('r', '1') -- character, episode, location
  child.answer('c', 'rick')
  child.answer('r', '2')
  local lines = child.preview()
  same(lines[1], 'character 8')
  has(table.concat(lines, '\n'), 'Adjudicator Rick')
  has(lines[3], 'name')
  has(lines[#lines], 'from the cache (memory)')
end

function scenarios.pick_from_the_next_page(child)
  child.type(':Larder character<CR>')
  child.answer('r', '21')
  child.answer('r', '2')
  same(child.preview()[1], 'character 22')
end

function scenarios.renamed_id_field_is_used(child)
  child.type(':Larder place<CR>')
  child.answer('r', '2')
  local lines = child.preview()
  same(lines[1], 'place 2')
  has(table.concat(lines, '\n'), 'id      Cluster')
end

function scenarios.undeclared_text_is_searched_after_the_list_is_fetched(child)
  child.type(':Larder place bird<CR>')
  child.answer('r', '1')
  same(child.preview()[1], 'place 15')
  child.type('q:Larder place nowhere<CR>')
  has(child.told(), "no cached item of 'place' matches")
end

-- Returns the names of the fields in the lines of a preview.
local function names_in(lines)
  return vim.tbl_map(function(line) return line:match('^%S+') end, vim.list_slice(lines, 2, #lines - 1))
end

function scenarios.undeclared_fields_keep_the_order_of_the_api(child)
  child.type(':Larder place id=3<CR>')
  same(names_in(child.preview()), { 'id', 'name', 'type', 'dimension', 'residents', 'url', 'created' })
end

function scenarios.members_keep_their_order(child)
  local line = [=[{"id":1,"result":{"item":{"z":"{\"b\":[}\\","y":[{"d":1,"c":[2]},null],"b":{"b":null,"a":true}}}}]=]
  same(child.lua([[
    local item = require('larder.json').decode(...).result.item
    local format = require('larder.format')
    return { format.fields({ fields = { 'b' } }, item), format.text(item.y), format.text(item.b), item.z }]], line),
    { { 'b', 'z', 'y' }, '[{"d":1,"c":[2]},null]', '{"b":null,"a":true}', [[{"b":[}\]] })
end

function scenarios.newlines_in_an_id_and_a_field_name(child)
  child.lua([[
    local resource = { name = 'note', id_field = 'id', fields = { 'id', 'first\nsecond' } }
    local item = { id = 'a\nb', ['first\nsecond'] = 'one\ntwo' }
    local result = { item = item, source = 'memory', fetchedAt = '2026-01-01T00:00:00Z' }
    require('larder.preview').show(resource, result, require('larder.origin').here())
    label = require('larder.format').label(resource, item)]])
  local lines = child.preview()
  same({ lines[1], lines[2], lines[3] }, { 'note a b', 'id            a b', 'first second  one two' })
  same(child.lua('return label'), 'a b')
  child.type('j<CR>')
  child.wait('the text', function() return child.lines()[1] ~= '' end)
  same(child.lines(), { 'one', 'two' })
end

function scenarios.insert(child)
  child.lua([[vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'Who is ?' })]])
  child.type('06l:Larder character id=2<CR>')
  child.preview()
  child.type('j<CR>')
  child.wait('the text', function() return child.lines()[1] ~= 'Who is ?' end)
  same(child.lines(), { 'Who is Morty Smith?' })
  same(child.windows(), 1, 'windows')
end

function scenarios.insert_of_an_object_is_json(child)
  child.type(':Larder character id=1<CR>')
  child.preview()
  child.type('/origin<CR><CR>')
  child.wait('the text', function() return child.lines()[1] ~= '' end)
  same(child.lines(), { '{"name":"Earth (C-137)","url":"https://rickandmortyapi.com/api/location/1"}' })
end

function scenarios.yank_and_close(child)
  child.type(':Larder character id=2<CR>')
  child.preview()
  child.type('jy')
  child.wait('the end of the preview', function() return child.windows() == 1 end)
  same(child.lua('return vim.fn.getreg()'), 'Morty Smith')
  child.type(':Larder character id=2<CR>')
  child.preview()
  child.type('q')
  child.wait('the end of the preview', function() return child.windows() == 1 end)
end

function scenarios.provenance(child)
  child.type(':Larder character id=2<CR>')
  has(child.preview()[14], 'from the API, just now')
  child.type('q:Larder character id=2<CR>')
  child.wait('what memory has', function() return (child.preview()[14] or ''):find('from the cache (memory)', 1, true) end)
  child.type('r')
  child.wait('what the API has', function() return (child.preview()[14] or ''):find('from the API', 1, true) end)
end

function scenarios.history(child)
  child.type(':Larder character rick<CR>')
  child.answer('r', '0')
  child.type(':Larder character status=Dead rick<CR>')
  child.told() -- there is no recording of that
  same(child.ask('recents/list', { scope = 'character' }).result.recents, { 'status=Dead rick', 'rick' })
  child.type(':LarderRecents character<CR>')
  child.answer('r', '2')
  child.answer('r', '1')
  same(child.preview()[1], 'character 1')
  child.type('q:Larder<CR>')
  child.answer('r', '1')
  child.answer('c', 'RI<Tab>')
  child.answer('r', '2')
  same(child.preview()[1], 'character 8')
end

function scenarios.hover(child)
  child.lua([[vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'see (api/character/2), and 3' })]])
  child.type('010l:LarderHover<CR>')
  same(child.preview()[3]:match('%S+$'), 'Smith')
  child.type('q:let b:larder_resource = "location"<CR>$:LarderHover<CR>')
  child.wait('the other one', function() return child.preview()[1] == 'location 3' end)
end

function scenarios.hover_with_a_list_filter_of_that_name(child, plan)
  local catalog = plan.home .. '/catalog.json'
  local list = { path = '/api/location', items = 'results', filters = { id = 'id' } }
  vim.fn.writefile({ vim.json.encode({
    larder = 1,
    apis = { rickandmorty = { baseURL = 'https://rickandmortyapi.com' } },
    resources = { location = {
      api = 'rickandmorty', id = 'integer', fields = { id = 'integer', name = 'string' },
      rest = { get = { path = '/api/location/{id}' }, list = list },
    } },
  }) }, catalog)
  child.lua([[require('larder').setup { arguments = { '--catalog', ... } }]], catalog, unpack(plan.arguments))
  child.type('ilocation/15<Esc>:LarderHover<CR>')
  has(table.concat(child.preview(), '\n'), 'Bird World')
end

function scenarios.hover_at_the_cursor(child)
  child.lua([[vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'é,location/3,character/2' })]])
  for _, place in ipairs { { 2, 'location 3' }, { 11, 'location 3' }, { 13, 'character 2' }, { 23, 'character 2' } } do
    child.type((':call cursor(1, 1)<CR>%dl:LarderHover<CR>'):format(place[1]))
    child.wait(place[2], function() return child.preview()[1] == place[2] end)
    child.type('q')
    child.wait('the end of the preview', function() return child.windows() == 1 end)
  end
  child.type('0:LarderHover<CR>')
  has(child.told(), 'no item at the cursor')
end

function scenarios.names_with_dots(child, plan)
  local catalog = plan.home .. '/catalog.json'
  local function resource(path)
    return { api = 'a', id = 'integer', fields = { id = 'integer', name = 'string' }, rest = { get = { path = path } } }
  end
  vim.fn.writefile({ vim.json.encode({
    larder = 1,
    apis = { a = { baseURL = 'https://rickandmortyapi.com' } },
    resources = { ['my.thing'] = resource('/api/character/{id}'), thing = resource('/api/location/{id}') },
  }) }, catalog)
  child.lua([[require('larder').setup { arguments = { '--catalog', ... } }]], catalog, unpack(plan.arguments))
  local cases = { { 'my.thing/8', 'my.thing 8' }, { 'your.thing/3', 'thing 3' }, { 'a.my.thing/8', 'my.thing 8' } }
  for _, case in ipairs(cases) do
    child.lua('vim.api.nvim_buf_set_lines(0, 0, -1, false, { ... })', case[1])
    child.type('$:LarderHover<CR>')
    child.wait(case[2], function() return child.preview()[1] == case[2] end)
    child.type('q')
    child.wait('the end of the preview', function() return child.windows() == 1 end)
  end
  child.lua([[vim.o.omnifunc, vim.o.completeopt = "v:lua.require'larder'.complete", 'menuone,noinsert']])
  child.type('ccsee a.my.thing/Adju<C-x><C-o>')
  child.wait('a menu', function() return child.lua('return vim.fn.pumvisible() == 1') end)
  same(child.lua('return vim.fn.complete_info({ "items" }).items')[1].menu, 'my.thing 8')
  child.type('<C-y>')
  child.wait('the text', function() return child.lines()[1] == 'see a.Adjudicator Rick' end)
end

-- Replaces larder by a program with the same answer to every request. The plugin's first query is its second request.
local function answering(child, result)
  child.lua([[require('larder').setup { command = 'sh', arguments = { '-c', 'read a; read b; printf "%s\\n" "$1"; cat',
    'sh', ... } }]], ('{"jsonrpc":"2.0","id":2,"result":%s}'):format(result))
  return child.ask('thing/get', { id = 1 }).result
end

function scenarios.large_integers_keep_their_digits(child)
  local found = answering(child, [[{"id":-1234567890123456789,"odd":9007199254740993,"long":[123456789012345],]]
    .. [["short":12345678901234,"near":1234567890123456.5,"power":1e20,"text":"a \" 1234567890123456789 \\"}]])
  same({ found.id, found.odd, found.long[1] }, { '-1234567890123456789', '9007199254740993', '123456789012345' })
  same({ found.short, found.near, found.power }, { 12345678901234, 1234567890123456.5, 1e20 })
  same(found.text, [[a " 1234567890123456789 \]])
end

function scenarios.decimals_keep_their_digits(child)
  local found = answering(child, '{"id":52.5200065999999,"n":3,'
    .. '"at":{"long":[0.30000000000000004,-1e-7,null],"lat":1e100}}')
  local text = 'return require("larder.format").text(...)'
  same(child.lua(text, found.id), '52.5200065999999')
  same(child.lua(text, found.at), '{"lat":1e+100,"long":[0.30000000000000004,-1e-07,null]}')
  same({ child.lua(text, found.n), child.lua(text, 0.1), child.lua(text, 0.5) }, { '3', '0.1', '0.5' })
  same(child.lua(text, 1234567890123456.5), '1234567890123456.5')
end

function scenarios.invalid_utf8_is_not_sent(child)
  for _, bytes in ipairs { '\xff\xfe', '\xed\xa0\x80', '\xf5\x80\x80\x80', '\xf4\x90\x80\x80' } do
    child.lua(([[
      answered = nil
      require('larder.connection').request('recents/add', { text = "%s" }, function(failure)
        answered = failure.message
      end)]]):format(bytes))
    same(child.wait('an answer', function() return child.lua('return answered or false') end),
      'request not sent: the text is not UTF-8')
  end
  same(child.ask('recents/add', { text = 'é😀' }).result.recents, { 'é😀' })
end

function scenarios.second_preview_replaces_the_first(child)
  child.lua([[vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'Who is ?' })]])
  child.type('06l:Larder character id=2<CR>')
  child.preview()
  child.type(':Larder character id=3<CR>')
  child.wait('the other one', function() return child.preview()[1] == 'character 3' end)
  child.ask('server/status') -- waits for the pending work of the first preview
  same(child.windows(), 2, 'windows')
  child.type('j<CR>')
  child.wait('the text', function() return child.lines()[1] ~= 'Who is ?' end)
  same(child.lines(), { 'Who is Summer Smith?' })
end

local function completed(child, keys)
  child.lua([[vim.o.omnifunc, vim.o.completeopt = "v:lua.require'larder'.complete", 'menuone,noinsert']])
  child.type(keys .. '<C-x><C-o>')
  child.wait('a menu', function() return child.lua('return vim.fn.pumvisible() == 1') end)
end

function scenarios.completion(child)
  completed(child, 'isee character/rick')
  local items = child.lua('return vim.fn.complete_info({ "items" }).items')
  same({ items[2].word, items[2].menu }, { 'Adjudicator Rick', 'character 8' })
  has(items[2].info, 'Adjudicator Rick')
  child.type('<C-n><C-y>!')
  child.wait('the text', function() return child.lines()[1]:find('!', 1, true) end)
  same(child.lines(), { 'see Adjudicator Rick!' })
end

function scenarios.completion_of_a_known_resource(child)
  child.type(':let b:larder_resource = "character"<CR>:Larder character rick<CR>')
  child.answer('r', '0')
  completed(child, 'iAdju')
  child.type('<C-y>')
  child.wait('the text', function() return child.lines()[1] == 'Adjudicator Rick' end)
end

function scenarios.first_tab_completes_the_resource(child)
  child.type(':Larder LOC<Tab> id=15<CR>')
  same(child.preview()[1], 'location 15')
end

function scenarios.completion_with_a_faulty_catalog_ends(child)
  child.lua([[require('larder').setup { arguments = { '--catalog', '/nowhere.jsonc' } }]])
  same(child.lua('return require("larder").complete_command("", "Larder ")'), {})
end

function scenarios.completion_of_the_command(child)
  local complete = 'return require("larder").complete_command(...)'
  same(child.lua(complete, '', 'Larder '), { 'character', 'episode', 'location' })
  same(child.lua(complete, 's', 'Larder character s'), { 'species=', 'status=' })
end

function scenarios.completion_of_filter_values(child)
  local complete = 'return require("larder").complete_command(...)'
  same(child.lua(complete, 'status=', 'Larder character status='), { 'status=Alive', 'status=Dead', 'status=unknown' })
  same(child.lua(complete, 'status=d', 'Larder character rick status=d'), { 'status=Dead' })
  same(child.lua(complete, 'name=', 'Larder character name='), {})
end

function scenarios.completion_of_the_query(child)
  child.type(':Larder<CR>')
  child.answer('r', '1')
  child.answer('c', 'rick SPE<Tab>Human status=d<Tab>')
  child.told() -- there is no recording of that
  same(child.ask('recents/list', { scope = 'character' }).result.recents, { 'rick species=Human status=Dead' })
end

function scenarios.source_for_cmp(child)
  child.lua([[
    package.loaded.cmp = { register_source = function(name, source)
      registered = { name = name, source = source }
      return 1
    end }
    require('larder').setup {}
    registered.source:complete({ context = {
      cursor_before_line = 'é character/rick', cursor = { row = 1, col = 18 },
    } }, function(answer) offered = answer end)]])
  local offered = child.wait('an answer', function() return child.lua('return offered or false') end)
  same(child.lua('return registered.name'), 'larder')
  local item = offered.items[2]
  same({ item.label, item.textEdit.newText }, { 'Adjudicator Rick', 'Adjudicator Rick' })
  same(item.textEdit.range, { start = { line = 0, character = 2 }, ['end'] = { line = 0, character = 16 } })
end

function scenarios.errors_are_one_line(child)
  local function refused(keys, part)
    child.lua('require("larder.tell").last = nil')
    child.type(keys)
    has(child.told(), part)
    same(child.mode().blocking, false, 'blocking')
    same(child.windows(), 1, 'windows')
  end
  refused(':Larder character id=99999<CR>', 'Character not found')
  refused(':Larder planet<CR>', "there is no resource 'planet'; use one of character, episode, location")
  refused(':Larder character colour=red<CR>', "'character' has no filter 'colour'; use one of id, gender, name")
  refused(':Larder character nobody at all<CR>', "no item of 'character' matches")
  refused(':LarderHover<CR>', 'no item at the cursor')
  refused(':LarderRecents episode<CR>', 'no recent searches in episode')
  refused(':lua require("larder").setup { colour = 1 }<CR>', "there is no setting 'colour'")
  refused(':lua require("larder").setup { timeout = "long" }<CR>', "the setting 'timeout' must be a number")
end

function scenarios.missing_program_is_reported(child)
  child.lua([[require('larder').setup { command = 'no-such-program' }]])
  child.type(':Larder<CR>')
  has(child.told(), "cannot start 'no-such-program': ENOENT")
end

function scenarios.faulty_catalog_is_reported(child, plan)
  local catalog = plan.home .. '/broken.jsonc'
  vim.fn.writefile({ '{' }, catalog)
  child.lua([[require('larder').setup { arguments = { '--catalog', ... } }]], catalog)
  child.type(':Larder<CR>')
  has(child.told(), 'exited with code 78: ' .. catalog .. ':')
end

function scenarios.the_process_ends(child)
  child.ask('server/status')
  local pid = child.lua('return require("larder.connection").pid()')
  vim.loop.kill(pid, 'sigkill')
  child.wait('the end', function() return not child.lua('return require("larder.connection").pid() or false') end)
  child.type(':Larder character id=2<CR>')
  same(child.preview()[1], 'character 2')
  assert(child.lua('return require("larder.connection").pid()') ~= pid)
  child.type('q:LarderStop<CR>')
  child.wait('the end', function() return not child.lua('return require("larder.connection").pid() or false') end)
end

return scenarios
