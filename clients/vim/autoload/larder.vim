vim9script
# The public functions: commands and completion in insert mode. Requests do not block; functions continue in callbacks.

import './larder/process.vim'
import './larder/catalog.vim'
import './larder/preview.vim'
import './larder/complete.vim' as completion
import './larder/cmdline.vim'
import './larder/recents.vim'

def Menu(title: string, entries: list<string>, Chosen: func)
  popup_menu(entries, {
    title: $' {title} ', maxheight: max([3, &lines - 6]), maxwidth: max([20, &columns - 6]), callback: (_, choice) => {
      # Vim calls this function before it removes the popup, so a timer handles the choice after that.
      if choice > 0
        timer_start(0, (_) => Chosen(choice - 1))
      endif
    }})
enddef

# Lets the user choose an item of a list and shows the item. Items of a list may lack fields, so an item with an id is
# requested in full.
def Choose(resource: dict<any>, request: dict<any>, result: dict<any>, from: dict<any>)
  var page = get(result, 'page', {})
  var next = get(page, 'next', null)
  var entries = result.items->mapnew((_, item) => catalog.Label(resource, item))
  if next != null
    var pages = get(page, 'pages', null) == null ? '' : ' of ' .. catalog.Text(page.pages)
    add(entries, $'more: page {catalog.Text(next)}{pages}')
  endif
  if empty(entries)
    var which = request.method =~ '/search$' ? 'cached item' : 'item'
    process.Tell($"no {which} of '{resource.name}' matches")
    return
  endif
  Menu($'{resource.name}, {catalog.Provenance(result)}', entries, (choice) => {
    var item = get(result.items, choice, {})
    if choice == len(result.items)
      Ask(resource, extendnew(request, {params: extendnew(request.params, {page: next})}), from)
    elseif resource.get && catalog.Id(resource, item) != null
      preview.Get(resource, extend({id: catalog.Id(resource, item)}, request.scope), from)
    else
      preview.Show(resource, extendnew(result, {item: item}), from)
    endif
  })
enddef

# Sends a request. If a search of the cache has no match, fetches the first page of the list and searches again.
def Ask(resource: dict<any>, request: dict<any>, from: dict<any>)
  if request.method =~ '/get$'
    preview.Get(resource, request.params, from)
    return
  endif
  preview.AskFor(request.method, request.params, from, (result) => {
    if has_key(request, 'list') && empty(result.items)
      var list = remove(request, 'list')
      preview.AskFor(resource.name .. '/list', list, from, (_) => Ask(resource, request, from))
    else
      Choose(resource, request, result, from)
    endif
  })
enddef

def Search(resource: dict<any>, text: string, from: dict<any>)
  var whole = text
  for name in catalog.OpenScope(resource, text)
    var value = input($'{resource.name}, {name}: ')
    if value =~ '^\s*$'
      return
    endif
    whole = $'{name}={substitute(value, "\\s", "", "g")} {whole}'
  endfor
  var request = catalog.Request(resource, whole)
  if has_key(request, 'wrong')
    process.Tell(request.wrong, 'ErrorMsg')
    return
  endif
  if process.Setting('recents') && text =~ '\S'
    recents.Ask('add', resource.name, {text: text})
  endif
  Ask(resource, request, from)
enddef

# Calls `Callback(resource)` with the resource `name`. If `name` is empty, the user chooses the resource.
def WithResource(name: string, title: string, Callback: func)
  catalog.Load((failure, resources) => {
    var names = sort(keys(resources))
    if !empty(failure)
      process.Tell(failure.message, 'ErrorMsg')
    elseif name != '' && !has_key(resources, name)
      process.Tell($"there is no resource '{name}'; use one of {join(names, ', ')}", 'ErrorMsg')
    elseif name != '' || len(names) == 1
      Callback(resources[name ?? names[0]])
    else
      Menu(title, names, (choice) => Callback(resources[names[choice]]))
    endif
  })
enddef

export def Open(text: string)
  var from = preview.Here()
  var [_, name, rest; _] = matchlist(text, '^\s*\(\S*\)\s*\(.\{-}\)\s*$')
  WithResource(name, 'larder', (resource) => {
    if name != ''
      Search(resource, rest, from)
      return
    endif
    cmdline.prompted = resource.name
    recents.Ask('list', resource.name, {}, (_) => {
      Search(resource, input(resource.name .. ': ', '', 'customlist,larder#cmdline#Prompt'), from)
    })
  })
enddef

export def Recents(name: string)
  var from = preview.Here()
  WithResource(name, 'larder, recent searches', (resource) => {
    recents.Ask('list', resource.name, {}, (texts) => {
      if empty(texts)
        process.Tell('no recent searches in ' .. resource.name)
      else
        Menu(resource.name .. ', recent searches', texts, (choice) => Search(resource, texts[choice], from))
      endif
    })
  })
enddef

# Returns the resource name and the id that a line names at a column (0-based) or directly before this column. Returns
# an empty list if no item is named there.
def Named(line: string, column: number): list<string>
  var at = 0
  while at <= column
    var [found, start, stop] = matchstrpos(line, '[[:alnum:]_.-]\+[/:][[:alnum:]_%-]\+', at)
    if start < 0
      break
    endif
    var text = matchstr(found, '^[^/:]*')
    var name = catalog.Ending(text)
    at = start + len(text) # The id of this match may be the resource of the next one, as in `api/character/2`.
    if name != '' && at - len(name) <= column && column <= stop
      return [name, found[len(text) + 1 :]]
    endif
  endwhile
  return []
enddef

export def Hover(name: string)
  var from = preview.Here()
  var [line, column, id] = [getline('.'), col('.') - 1, expand('<cword>')]
  var default = name == '' ? get(b:, 'larder_resource', '') : name
  catalog.Load((failure, resources) => {
    if !empty(failure)
      process.Tell(failure.message, 'ErrorMsg')
      return
    endif
    var found = Named(line, column)
    var [of, which] = name == '' && !empty(found) ? found : [default, id]
    var resource = get(resources, of, {})
    if empty(resource) || !resource.get || which == ''
      process.Tell('no item at the cursor; write RESOURCE/ID, or set b:larder_resource', 'ErrorMsg')
    elseif !empty(catalog.OpenScope(resource, ''))
      var missing = join(catalog.OpenScope(resource, ''), ', ')
      process.Tell($"'{of}' needs a value for {missing}; pick an item with :Larder first", 'ErrorMsg')
    else
      preview.Get(resource, extend({id: which}, catalog.Scope(resource)), from)
    endif
  })
enddef

export def Stop()
  preview.CancelPending()
  process.Stop()
enddef

export def Complete(find_start: number, _: string): any
  return completion.Func(find_start)
enddef
