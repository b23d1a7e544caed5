vim9script
# The steps of scenarios: functions that type in Vim and read its screen. Vim runs in its own terminal.

export const PLAN: dict<any> = json_decode(join(readfile($LARDER_PLAN)))
const PATIENCE = 30.0 # seconds until what is missing is a failure

import (PLAN.clients .. '/vim/autoload/larder/process.vim') as process
import (PLAN.clients .. '/vim/autoload/larder/preview.vim') as preview

export def Same(found: any, expected: any)
  if type(found) != type(expected) || found != expected
    throw $'it is {string(found)}, not {string(expected)}'
  endif
enddef

export def Has(text: string, part: string)
  if stridx(text, part) < 0
    throw $'"{part}" is not in {text}'
  endif
enddef

export def Screen(): string
  redraw
  return range(1, &lines)->map((_, row) => range(1, &columns)->map((_, column) => screenstring(row, column))->join(''))
    ->map((_, line) => trim(line, ' ', 2))->join("\n")
enddef

export def Wait(what: string, Holds: func): any
  var start = reltime()
  while empty(Holds())
    if reltimefloat(reltime(start)) > PATIENCE
      throw $"never: {what}; last said: {process.last}; the screen:\n{Screen()}"
    endif
    # Vim runs callbacks while it sleeps.
    sleep 5m
  endwhile
  return Holds()
enddef

export def Type(keys: string)
  feedkeys(keys, 'xt')
enddef

# Types in insert mode, in which Vim itself must wait for keys. Each of `steps` has a condition to wait for, and the
# keys to type then. The last keys leave the mode.
export def TypeIn(keys: string, steps: list<list<any>>)
  var left = copy(steps)
  var turns = 0
  var failed = ''
  var timer = timer_start(5, (timer) => {
    turns += 1
    if empty(left) || turns > 4000
      failed = empty(left) ? '' : $'never: {left[0][0]}; the line: {getline(".")}'
      timer_stop(timer)
      feedkeys("\<Esc>\<Esc>", 't')
    elseif left[0][1]()
      feedkeys(remove(left, 0)[2], 't')
    endif
  }, {repeat: -1})
  feedkeys(keys, 'xt!')
  timer_stop(timer)
  if failed != ''
    throw failed
  endif
enddef

# Returns the lines of the open menu or preview.
export def Lines(): list<string>
  var ids = popup_list()->filter((_, id) => popup_getpos(id).visible == 1)
  return empty(ids) ? [] : getbufline(winbufnr(ids[0]), 1, '$')
enddef

export def Menu(first: string, keys: string)
  Wait('a menu with ' .. first, () => get(Lines(), 0, '') == first)
  Type(keys)
enddef

export def Item(title: string): list<string>
  Wait(title, () => preview.Popup() != 0 && get(Lines(), 0, '') == title)
  return Lines()
enddef

export def Told(): string
  Wait('a message', () => process.last != '')
  var said = process.last
  process.last = ''
  return said
enddef

export def Ask(method: string, params: dict<any> = {}): any
  var answers: list<any> = []
  process.Ask(method, params, (failure, result) => add(answers, empty(failure) ? result : failure))
  return Wait('an answer to ' .. method, () => answers[0 : 0])[0]
enddef
