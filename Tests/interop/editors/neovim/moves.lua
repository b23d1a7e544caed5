-- Scenarios with requests whose answers are no longer needed. `child` is the editor: see driver.lua.
local expect = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':h') .. '/expect.lua')
local same, has = expect.same, expect.has
local scenarios = {}

-- The API does not answer requests for character 2. It answers location 1 as soon as that request has arrived.
local function held(child)
  child.lua([[vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'character/2 and more', 'end' })]])
  child.type('gg:LarderHover<CR>')
  child.wait('the request', function() return child.lua('return require("larder.connection").pid() or false') end)
  local gate = child.ask('location/get', { id = 1 }).result
  same(gate.item.id, 1)
  -- A blocked editor would not answer.
  same(child.lines()[2], 'end')
  same(child.ask('server/status').result.inFlight, 1, 'inFlight')
end

local function nothing_under_way(child)
  child.wait('the end of the request', function() return child.ask('server/status').result.inFlight == 0 end)
  same(child.windows(), 1, 'windows')
  same(child.lua('return require("larder.tell").last or false'), false, 'what was told')
end

function scenarios.unanswered_request_is_cancelled_by_moving(child)
  held(child)
  child.type('j')
  nothing_under_way(child)
end

function scenarios.unanswered_request_is_cancelled_by_another_item(child)
  held(child)
  child.type(':Larder character id=3<CR>')
  same(child.preview()[1], 'character 3')
  child.type('q')
  child.wait('the end of the preview', function() return child.windows() == 1 end)
  nothing_under_way(child)
end

function scenarios.unanswered_request_times_out(child)
  child.lua([[require('larder.catalog').load(function() loaded = true end)]])
  child.wait('the catalog', function() return child.lua('return loaded or false') end)
  child.lua([[require('larder.settings').current.timeout = 500]])
  child.type(':Larder character id=2<CR>')
  has(child.told(), 'no reply to character/get within 0.5 s')
end

function scenarios.unanswered_request_is_cancelled_by_stop(child)
  held(child)
  child.type(':LarderStop<CR>')
  nothing_under_way(child)
end

function scenarios.unanswered_request_is_cancelled_by_quitting(child)
  held(child)
  pcall(child.type, ':qall!<CR>') -- The editor may exit before it confirms the keys.
  child.wait('the end', function() return not pcall(child.mode) end)
end

function scenarios.unanswered_request_fails_if_the_process_ends(child)
  held(child)
  local pid = child.lua('return require("larder.connection").pid()')
  vim.loop.kill(pid, 'sigkill')
  has(child.told(), 'was killed by signal 9')
end

-- Telescope is not part of Neovim, so a fake module records how it is called.
function scenarios.unanswered_preview_is_cancelled_by_another_selection(child)
  child.lua([[
    local function module(name, content) package.loaded['telescope.' .. name] = content end
    module('actions', { select_default = { replace = function(_, act) choose = act end }, close = function() end })
    module('actions.state', { get_selected_entry = function() return selected end })
    module('config', { values = { generic_sorter = function() end } })
    module('finders', { new_table = function(given) return given end })
    module('previewers', { new_buffer_previewer = function(given) return given end })
    module('pickers', { new = function(_, given)
      return { find = function() picker = given; given.attach_mappings(0, function() end) end }
    end })
    function select_entry(index)
      selected = picker.finder.entry_maker(picker.finder.results[index])
      shown = vim.api.nvim_create_buf(false, true)
      picker.previewer.define_preview({ state = { bufnr = shown } }, selected)
    end
    function lines() return vim.api.nvim_buf_get_lines(shown, 0, -1, false) end]])
  child.type(':Larder character<CR>')
  child.wait('the picker', function() return child.lua('return picker ~= nil') end)
  -- An item from the list would be shown at once.
  child.ask('cache/remove', { resource = 'character', id = 2 })
  child.lua('select_entry(2)')
  same(child.ask('location/get', { id = 1 }).result.item.id, 1)
  same(child.ask('server/status').result.inFlight, 1, 'inFlight')
  same(child.lua('return { selected.display, lines()[1] }'), { '2  Morty Smith', 'character 2' })
  child.lua('select_entry(3)')
  nothing_under_way(child)
  child.lua('choose()')
  same(child.preview()[1], 'character 3')
end

-- The API does not answer requests for lists. The next key cancels the request of a completion.
function scenarios.unanswered_completion_is_cancelled_by_typing(child)
  child.lua([[vim.o.omnifunc = "v:lua.require'larder'.complete"]])
  child.type('icharacter/zz<C-x><C-o>')
  same(child.ask('location/get', { id = 1 }).result.item.id, 1)
  same(child.ask('server/status').result.inFlight, 1, 'inFlight')
  child.type('y')
  nothing_under_way(child)
  same(child.lines(), { 'character/zzy' })
end

return scenarios
