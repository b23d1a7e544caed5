vim9script
# Recent searches. Larder stores the newest searches of each resource for all clients, across restarts.

import './process.vim'

var known: dict<list<string>> = {} # the last received recent searches of each resource, for completion

# Sends a request about the recent searches of a resource. Calls `Callback(texts)`.
export def Ask(method: string, name: string, params: dict<any>, Callback: func = null_function)
  process.Ask('recents/' .. method, extend({scope: name}, params), (failure, result) => {
    known[name] = empty(failure) ? result.recents : Known(name)
    if Callback != null_function
      Callback(known[name])
    endif
  })
enddef

export def Known(name: string): list<string>
  return get(known, name, [])
enddef
