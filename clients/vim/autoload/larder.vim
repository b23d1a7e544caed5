vim9script
# What the outside calls: the commands and the completions. Each step waits for nothing but its callback.

import './larder/process.vim'
import './larder/catalog.vim'
import './larder/preview.vim'
import './larder/complete.vim' as completion

var recents: dict<list<string>> = {} # by resource, what was heard last
var asked_for = '' # the resource whose texts the prompt completes

def Menu(title: string, entries: list<string>, Chosen: func)
  popup_menu(entries, {
    title: $' {title} ', maxheight: max([3, &lines - 6]), maxwidth: max([20, &columns - 6]), callback: (_, choice) => {
      # A popup that closes has its callback called before it is gone.
      if choice > 0
        timer_start(0, (_) => Chosen(choice - 1))
      endif
    }})
enddef

def Remember(method: string, name: string, params: dict<any>, Callback: func = null_function)
  process.Ask(method, extend({scope: name}, params), (failure, result) => {
    recents[name] = empty(failure) ? result.recents : get(recents, name, [])
    if Callback != null_function
      Callback(recents[name])
    endif
  })
enddef

# An item of a list may show less than there is: where it has an id, the whole one is asked for.
def Choose(resource: dict<any>, request: dict<any>, result: dict<any>, from: dict<any>)
  var page = get(result, 'page', {})
  var next = get(page, 'next', null)
  var entries = result.items->mapnew((_, item) => catalog.Label(resource, item))
  if next != null
    var pages = get(page, 'pages', null) == null ? '' : ' of ' .. catalog.Text(page.pages)
    add(entries, $'more: page {catalog.Text(next)}{pages}')
  endif
  if empty(entries)
    process.Tell($'no {resource.name} is like that')
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

def Ask(resource: dict<any>, request: dict<any>, from: dict<any>)
  if request.method =~ '/get$'
    preview.Get(resource, request.params, from)
  else
    preview.AskFor(request.method, request.params, from, (result) => Choose(resource, request, result, from))
  endif
enddef

def LookFor(resource: dict<any>, text: string, from: dict<any>)
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
    Remember('recents/add', resource.name, {text: text})
  endif
  Ask(resource, request, from)
enddef

# `Callback(resource)` with the one of that name, or the one that is chosen.
def WithResource(name: string, title: string, Callback: func)
  catalog.Load((failure, resources) => {
    var names = sort(keys(resources))
    if !empty(failure)
      process.Tell(failure.message, 'ErrorMsg')
    elseif name != '' && !has_key(resources, name)
      process.Tell($"there is no resource '{name}'; there are {join(names, ', ')}", 'ErrorMsg')
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
      LookFor(resource, rest, from)
      return
    endif
    asked_for = resource.name
    Remember('recents/list', resource.name, {}, (_) => {
      LookFor(resource, input(resource.name .. ': ', '', 'customlist,larder#CompleteRecents'), from)
    })
  })
enddef

export def Recents(name: string)
  var from = preview.Here()
  WithResource(name, 'larder, recent', (resource) => {
    Remember('recents/list', resource.name, {}, (texts) => {
      if empty(texts)
        process.Tell('nothing was looked for yet in ' .. resource.name)
      else
        Menu(resource.name .. ', again', texts, (choice) => LookFor(resource, texts[choice], from))
      endif
    })
  })
enddef

# The resource's name and the id that a line names at a column (from 0), or right before it; or nothing.
def Named(line: string, column: number): list<string>
  var at = 0
  while at <= column
    var [found, start, stop] = matchstrpos(line, '[[:alnum:]_.-]\+[/:][[:alnum:]_%-]\+', at)
    if start < 0
      break
    endif
    var text = matchstr(found, '^[^/:]*')
    var name = catalog.Ending(text)
    at = start + len(text) # An id may be a name, as in `api/character/2`.
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
      process.Tell('the text here names no item: write RESOURCE/ID, or set b:larder_resource', 'ErrorMsg')
    elseif !empty(catalog.OpenScope(resource, ''))
      var missing = join(catalog.OpenScope(resource, ''), ', ')
      process.Tell($'{of} needs {missing}: look for one with :Larder first', 'ErrorMsg')
    else
      preview.Get(resource, extend({id: which}, catalog.Scope(resource)), from)
    endif
  })
enddef

export def Stop()
  preview.Forget()
  process.Stop()
enddef

export def Complete(find_start: number, _: string): any
  return completion.Func(find_start)
enddef

def Beginning(texts: list<string>, beginning: string): list<string>
  return copy(texts)->filter((_, text) => tolower(text)->stridx(tolower(beginning)) == 0)
enddef

export def CompleteRecents(beginning: string, _: string, _: number): list<string>
  return Beginning(get(recents, asked_for, []), beginning)
enddef

# Behind `:Larder`: resources, then filters, parents, and what was looked for before. A command line cannot wait: before
# the catalog was read there is nothing, and it is asked for then.
export def CompleteCommand(beginning: string, line: string, _: number): list<string>
  catalog.Load((_, _) => 0)
  var known = catalog.Resources()
  var name = matchstr(line, '^\s*\S\+\s\+\zs\S\+\ze\s')
  if name == ''
    return Beginning(sort(keys(known)), beginning)
  elseif !has_key(known, name) || line =~ '^\s*Larder[RH]'
    return []
  endif
  Remember('recents/list', name, {})
  var words = (known[name].scope + sort(keys(known[name].filters)))->mapnew((_, key) => key .. '=')
  return Beginning(words + get(recents, name, []), beginning)
enddef
