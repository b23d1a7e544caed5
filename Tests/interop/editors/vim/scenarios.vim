vim9script
# Scenarios in Vim: typed keys and the expected results.

import './steps.vim'

execute 'set runtimepath+=' .. steps.PLAN.clients .. '/vim'
set lines=50 columns=120 encoding=utf-8
runtime plugin/larder.vim
g:larder = {command: steps.PLAN.command, arguments: steps.PLAN.arguments}

import (steps.PLAN.clients .. '/vim/autoload/larder/process.vim') as process
import (steps.PLAN.clients .. '/vim/autoload/larder/catalog.vim') as texts
import (steps.PLAN.clients .. '/vim/autoload/larder/preview.vim') as preview
import (steps.PLAN.clients .. '/vim/autoload/larder/json.vim') as json

# The API does not answer requests for character 2. It answers location 1 as soon as that request has arrived.
def Held()
  setline(1, ['character/2 and more', 'end'])
  cursor(1, 1)
  LarderHover
  steps.Same(steps.Ask('location/get', {id: 1}).item.id, 1)
  steps.Same(steps.Ask('server/status').inFlight, 1)
enddef

def MoveOn()
  cursor(2, 1)
  # Keys typed by a script do not trigger this event.
  doautocmd CursorMoved
enddef

def NothingUnderWay()
  steps.Wait('the end of the request', () => steps.Ask('server/status').inFlight == 0)
  steps.Same(popup_list(), [])
  steps.Same(process.last, '')
enddef

def Scenario_pick()
  # These keys are for the prompt that follows the choice of a resource.
  Larder
  steps.Wait('resources', () => steps.Lines() == ['character', 'episode', 'location'])
  feedkeys("\<CR>", 'xt')
  feedkeys("rick\<CR>", 't')
  steps.Menu('1  Rick Sanchez', "j\<CR>")
  var lines = steps.Item('character 8')
  steps.Same(lines[2], 'name      Adjudicator Rick')
  steps.Has(lines[-1], 'from the cache (memory)')
enddef

def Scenario_pick_from_the_next_page()
  Larder character
  steps.Menu('1  Rick Sanchez', repeat('j', 20) .. "\<CR>")
  steps.Wait('the next page', () => get(steps.Lines(), 0, '')[0 : 2] == '21 ')
  steps.Type("j\<CR>")
  steps.Item('character 22')
enddef

def Scenario_renamed_id_field_is_used()
  Larder place
  steps.Menu('1  Earth (C-137)', "j\<CR>")
  var lines = steps.Item('place 2')
  steps.Has(join(lines, "\n"), 'id      Cluster')
enddef

def Scenario_undeclared_text_is_searched_after_the_list_is_fetched()
  Larder place bird
  steps.Menu('15  Bird World', "\<CR>")
  steps.Item('place 15')
  steps.Type('q')
  Larder place nowhere
  steps.Has(steps.Told(), "no cached item of 'place' matches")
enddef

def Scenario_undeclared_fields_keep_the_order_of_the_api()
  Larder place id=3
  var lines = steps.Item('place 3')
  steps.Same(lines[1 : -2]->mapnew((_, line) => matchstr(line, '^\S\+')),
    ['id', 'name', 'type', 'dimension', 'residents', 'url', 'created'])
enddef

def Scenario_members_keep_their_order()
  var line = '{"id":1,"result":{"item":{"z":"{\"b\":[}\\","y":[{"d":1,"c":[2]},null],"b":{"b":null,"a":true}}}}'
  var item = json.Decode(line).result.item
  steps.Same(texts.Preview({name: 'note', id_field: null, fields: ['b']}, {item: item})[1], ['b', 'z', 'y'])
  steps.Same([texts.Text(item.y), texts.Text(item.b)], ['[{"d":1,"c":[2]},null]', '{"b":null,"a":true}'])
  steps.Same(item.z, '{"b":[}\')
enddef

def Scenario_newlines_in_an_id_and_a_field_name()
  var resource = {name: 'note', id_field: 'id', fields: ['id', "first\nsecond"]}
  var item = {id: "a\nb", "first\nsecond": "one\ntwo"}
  var [lines, names] = texts.Preview(resource, {item: item, source: 'memory', fetchedAt: '2026-01-01T00:00:00Z'})
  steps.Same(lines[0 : 2], ['note a b', 'id            a b', 'first second  one two'])
  steps.Same(names, ['id', "first\nsecond"])
  steps.Same(texts.Label(resource, item), 'a b')
enddef

def Scenario_insert()
  setline(1, 'Who is ?')
  cursor(1, 7)
  setreg('"', 'kept')
  Larder character id=2
  steps.Item('character 2')
  steps.Type("j\<CR>")
  steps.Same(getline(1), 'Who is Morty Smith?')
  steps.Same([popup_list(), getreg('"')], [[], 'kept'])
enddef

def Scenario_yank_of_an_object_is_json()
  Larder character id=1
  steps.Item('character 1')
  steps.Type('jjjjjjy')
  steps.Same(json_decode(getreg('"')), {name: 'Earth (C-137)', url: 'https://rickandmortyapi.com/api/location/1'})
  steps.Same(popup_list(), [])
enddef

def Scenario_provenance()
  Larder character id=2
  steps.Has(steps.Item('character 2')[-1], 'from the API, just now')
  steps.Type('q')
  Larder character id=2
  steps.Has(steps.Item('character 2')[-1], 'from the cache (memory)')
  steps.Type('r')
  steps.Has(steps.Item('character 2')[-1], 'from the API')
enddef

def Scenario_history()
  Larder character rick
  steps.Menu('1  Rick Sanchez', "\<Esc>")
  Larder character status=Dead rick
  steps.Told() # there is no recording of that
  steps.Same(steps.Ask('recents/list', {scope: 'character'}).recents, ['status=Dead rick', 'rick'])
  LarderRecents character
  steps.Menu('status=Dead rick', "j\<CR>")
  steps.Menu('1  Rick Sanchez', "\<CR>")
  steps.Item('character 1')
enddef

def Scenario_hover()
  setline(1, 'see (api/character/2), and 3')
  cursor(1, 11)
  LarderHover
  steps.Item('character 2')
  steps.Type('q')
  b:larder_resource = 'location'
  cursor(1, 28)
  LarderHover
  steps.Item('location 3')
enddef

def Scenario_hover_at_the_cursor()
  setline(1, 'é,location/3,character/2')
  for [column, title] in [[4, 'location 3'], [13, 'location 3'], [15, 'character 2'], [25, 'character 2']]
    cursor(1, column)
    LarderHover
    steps.Item(title)
    steps.Type('q')
  endfor
  cursor(1, 1)
  LarderHover
  steps.Has(steps.Told(), 'no item at the cursor')
enddef

def Scenario_names_with_dots()
  var Resource = (path) => (
    {api: 'a', id: 'integer', fields: {id: 'integer', name: 'string'}, rest: {get: {path: path}}})
  var catalog = steps.PLAN.home .. '/catalog.json'
  writefile([json_encode({
    larder: 1, apis: {a: {baseURL: 'https://rickandmortyapi.com'}},
    resources: {'my.thing': Resource('/api/character/{id}'), thing: Resource('/api/location/{id}')},
  })], catalog)
  g:larder.arguments = ['--catalog', catalog] + steps.PLAN.arguments
  for [text, title] in [['my.thing/8', 'my.thing 8'], ['your.thing/3', 'thing 3'], ['a.my.thing/8', 'my.thing 8']]
    setline(1, text)
    cursor(1, 9)
    LarderHover
    steps.Item(title)
    steps.Type('q')
  endfor
  set omnifunc=larder#Complete completeopt=menuone,noinsert
  setline(1, '')
  steps.TypeIn("isee a.my.thing/Adju\<C-x>\<C-o>", [['a menu', () => pumvisible() == 1, "\<C-y>\<Esc>"]])
  steps.Same(getline(1), 'see a.Adjudicator Rick')
enddef

def Scenario_unanswered_request_is_cancelled_by_moving()
  Held()
  MoveOn()
  NothingUnderWay()
enddef

def Scenario_unanswered_request_is_cancelled_by_another_item()
  Held()
  Larder character id=3
  steps.Item('character 3')
  steps.Type('q')
  NothingUnderWay()
enddef

# Late output of the first process must not answer requests to the second.
def Scenario_unanswered_request_is_cancelled_by_stop()
  Held()
  LarderStop
  var failures: list<any> = []
  for _ in range(4)
    process.Ask('server/status', {}, (failure, _) => add(failures, failure))
  endfor
  steps.Wait('answers', () => len(failures) == 4)
  steps.Same(failures, repeat([{}], 4))
  NothingUnderWay()
enddef

def Scenario_unanswered_request_times_out()
  steps.Wait('the catalog', () => larder#cmdline#Command('ch', 'Larder ch', 9))
  g:larder.timeout = 500
  Larder character id=2
  steps.Has(steps.Told(), 'no reply to character/get within 0.5 s')
  g:larder.timeout = 30000
  NothingUnderWay()
  steps.Ask('location/get', {id: 1})
enddef

def Scenario_unanswered_request_fails_if_the_process_ends()
  Held()
  job_stop(process.Job(), 'kill')
  steps.Has(steps.Told(), 'was killed by signal kill')
enddef

def Scenario_unanswered_completion_is_cancelled_by_typing()
  set omnifunc=larder#Complete
  var gate = {asked: false, passed: false}
  steps.TypeIn("icharacter/zz\<C-x>\<C-o>", [
    ['the request', () => {
      if !gate.asked
        gate.asked = true
        process.Ask('location/get', {id: 1}, (_, _) => {
          gate.passed = true
        })
      endif
      return gate.passed
    }, 'y'],
    ['the key', () => getline('.') == 'character/zzy', "\<Esc>"],
  ])
  NothingUnderWay()
enddef

def Scenario_completion()
  set omnifunc=larder#Complete completeopt=menuone,noinsert
  var items: list<any> = []
  steps.TypeIn("isee character/rick\<C-x>\<C-o>", [['a menu', () => {
    items = complete_info(['items']).items
    return pumvisible() == 1
  }, "\<C-n>\<C-y>!\<Esc>"]])
  steps.Same([items[1].word, items[1].menu], ['Adjudicator Rick', 'character 8'])
  steps.Same(getline(1), 'see Adjudicator Rick!')
enddef

def Scenario_completion_of_a_known_resource()
  set omnifunc=larder#Complete completeopt=menuone,noinsert
  steps.Ask('character/get', {id: 8})
  b:larder_resource = 'character'
  steps.TypeIn("isee Adju\<C-x>\<C-o>", [['a menu', () => pumvisible() == 1, "\<C-y>\<Esc>"]])
  steps.Same(getline(1), 'see Adjudicator Rick')
enddef

def Scenario_first_tab_completes_the_resource()
  steps.Type(":Larder LOC\<Tab> id=15\<CR>")
  steps.Item('location 15')
enddef

def Scenario_completion_with_a_faulty_catalog_ends()
  g:larder.arguments = ['--catalog', '/nowhere.jsonc']
  steps.Same(larder#cmdline#Command('', 'Larder ', 7), [])
enddef

def Scenario_completion_of_the_command()
  steps.Same(larder#cmdline#Command('ch', 'Larder ch', 9), ['character'])
  steps.Same(larder#cmdline#Command('s', 'Larder character s', 18), ['species=', 'status='])
enddef

def Scenario_completion_of_filter_values()
  steps.Same(larder#cmdline#Command('status=', 'Larder character status=', 24),
    ['status=Alive', 'status=Dead', 'status=unknown'])
  steps.Same(larder#cmdline#Command('status=d', 'Larder character rick status=d', 30), ['status=Dead'])
  steps.Same(larder#cmdline#Command('name=', 'Larder character name=', 22), [])
enddef

def Scenario_completion_of_the_query()
  Larder
  steps.Wait('resources', () => steps.Lines() == ['character', 'episode', 'location'])
  feedkeys("\<CR>", 'xt')
  feedkeys("rick SPE\<Tab>Human status=d\<Tab>\<CR>", 't')
  steps.Told() # there is no recording of that
  steps.Same(steps.Ask('recents/list', {scope: 'character'}).recents, ['rick species=Human status=Dead'])
enddef

def Refused(command: string, part: string)
  execute command
  steps.Has(steps.Told(), part)
  steps.Same(popup_list(), [])
enddef

def Scenario_errors_are_one_line()
  Refused('Larder character id=99999', 'Character not found')
  Refused('Larder planet', "there is no resource 'planet'; use one of character, episode, location")
  Refused('Larder character colour=red', "'character' has no filter 'colour'; use one of id, gender, name")
  Refused('Larder character nobody at all', "no item of 'character' matches")
  Refused('LarderHover', 'no item at the cursor')
  Refused('LarderRecents episode', 'no recent searches in episode')
enddef

def Scenario_missing_program_is_reported()
  g:larder.command = 'no-such-program'
  Refused('Larder', "cannot start 'no-such-program'")
enddef

def Scenario_faulty_catalog_is_reported()
  var catalog = steps.PLAN.home .. '/broken.jsonc'
  writefile(['{'], catalog)
  g:larder.arguments = ['--catalog', catalog]
  Refused('Larder', $'exited with code 78: {catalog}:')
enddef

def Scenario_the_process_ends()
  steps.Ask('server/status')
  var first = process.Job()
  job_stop(first, 'kill')
  steps.Wait('the end', () => process.Job() == null_job)
  Larder character id=2
  steps.Item('character 2')
  steps.Type('q')
  var second = process.Job()
  steps.Same(job_status(second), 'run')
  LarderStop
  steps.Wait('the end', () => job_status(second) == 'dead')
  steps.Same(job_info(second).exitval, 0)
enddef

def Scenario_decimals_keep_their_digits()
  for text in ['52.5200065999999', '0.1', '0.30000000000000004', '1234567890123456.5', '-1e-07', '1e+100', '3',
      '123456789012345678', '[]', '{}', '[true,null,"a/\"b"]', '{"at":[{"lat":52.5200065999999,"long":0.1},null]}']
    steps.Same(texts.Text(json_decode(text)), text)
  endfor
  steps.Same(texts.Text(json_decode('"52.50"')), '52.50')
  steps.Same([texts.Text(1.0), texts.Text(0.0), texts.Text(5.0e-324)], ['1', '0', '5e-324'])
enddef

def Scenario_borders_of_a_long_text_are_visible()
  setline(1, repeat('x', &columns))
  for column in [1, 60, &columns]
    cursor(1, column)
    Larder character id=1
    steps.Item('character 1')
    var place = popup_getpos(preview.Popup())
    steps.Same(place.col + place.width - 1 <= &columns, true)
    redraw
    steps.Same(screenstring(place.line, place.col + place.width - 1), '╗')
    steps.Type('q')
  endfor
enddef

def Scenario_screen()
  Larder character id=2
  steps.Item('character 2')
  steps.Has(steps.Screen(), 'name      Morty Smith')
enddef

try
  execute 'Scenario_' .. steps.PLAN.scenario .. '()'
catch
  writefile(split(v:exception .. "\n" .. v:throwpoint, "\n"), steps.PLAN.home .. '/failure')
  cquit!
endtry
qall!
