vim9script
# Completes the arguments of the commands, and the query at the prompt of `:Larder`.

import './process.vim'
import './catalog.vim'
import './recents.vim'

export var prompted = '' # the name of the resource whose queries the prompt completes

def WithPrefix(texts: list<string>, beginning: string): list<string>
  return copy(texts)->filter((_, text) => tolower(text)->stridx(tolower(beginning)) == 0)
enddef

# Returns `name=VALUE` for each value that the catalog lists for a filter or parent, like completion in a shell. The
# program makes no requests for this, and takes about 20 ms.
def Values(resource: dict<any>, name: string): list<string>
  var command = [process.Setting('command'), 'complete', '--'] + process.Setting('arguments')
  command += [resource.list ? 'list' : 'get', resource.name, name .. '=']
  # A query cannot contain a value with a space.
  return systemlist(mapnew(command, (_, word) => shellescape(word))->join())
    ->map((_, line) => matchstr(line, '^\S\+\ze\t'))->filter((_, word) => word != '')
enddef

# Returns the completions for a word of a query: parents and filters, or their values.
def Words(resource: dict<any>, beginning: string): list<string>
  var name = matchstr(beginning, '^[[:alnum:]_.-]\+\ze=')
  if name != ''
    return WithPrefix(Values(resource, name), beginning)
  endif
  var names = resource.scope + sort(keys(resource.filters))
  return names->mapnew((_, key) => key .. '=')->WithPrefix(beginning)
enddef

# Completes an argument of a command. For `:Larder`, also completes the query and recent searches.
export def Command(beginning: string, line: string, _: number): list<string>
  var known = catalog.Await()
  var name = matchstr(line, '^\s*\S\+\s\+\zs\S\+\ze\s')
  if name == ''
    return WithPrefix(sort(keys(known)), beginning)
  elseif !has_key(known, name) || line =~ '^\s*Larder[RH]'
    return []
  endif
  recents.Ask('list', name, {})
  return Words(known[name], beginning) + WithPrefix(recents.Known(name), beginning)
enddef

# Completes the text of the prompt: recent searches, and the last word of the query.
export def Prompt(text: string, _: string, _: number): list<string>
  var beginning = matchstr(text, '\S*$')
  var head = strpart(text, 0, len(text) - len(beginning))
  var words = Words(catalog.Await()[prompted], beginning)
  return WithPrefix(recents.Known(prompted), text) + words->mapnew((_, word) => head .. word)
enddef
