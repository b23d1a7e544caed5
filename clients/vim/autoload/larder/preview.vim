vim9script
# A popup that shows one item: one line per field, and its source. <CR> inserts the field of the current line.

import './process.vim'
import './catalog.vim'

const FRAME = 5 # the columns of the borders, the padding and the scrollbar of the popup

var pending = 0 # the number of the request that the user waits for
var origin: dict<any> = {} # the cursor position at the time of the pending request
var popup = 0

# Returns the cursor position, at which fields are inserted. If the cursor moves away from this position, the request is
# cancelled.
export def Here(): dict<any>
  return {window: win_getid(), buffer: bufnr(), line: line('.'), column: col('.')}
enddef

def Moved(from: dict<any>)
  if win_getid() == from.window && Here() != from
    CancelPending()
  endif
enddef

export def CancelPending()
  augroup larder_origin
    autocmd!
  augroup END
  process.Cancel(pending)
  pending = 0
enddef

# Sends the request that the user waits for, and cancels the previous request. Calls `Callback` with the result, or
# shows the error.
export def AskFor(method: string, params: dict<any>, from: dict<any>, Callback: func)
  CancelPending()
  augroup larder_origin
    autocmd CursorMoved,CursorMovedI,BufEnter * Moved(origin)
  augroup END
  origin = from
  pending = process.Ask(method, params, (failure, result) => {
    pending = 0
    CancelPending()
    if empty(failure)
      Callback(result)
    else
      process.Tell(failure.message, 'ErrorMsg')
    endif
  })
enddef

# Inserts text after the cursor, like `p`.
def Insert(from: dict<any>, text: string)
  if winbufnr(from.window) != from.buffer || !win_gotoid(from.window)
    process.Tell('cannot insert: the original window was closed; copy the field with y', 'ErrorMsg')
    return
  elseif !&modifiable
    process.Tell('cannot insert: the buffer is not modifiable', 'ErrorMsg')
    return
  endif
  cursor(from.line, from.column)
  var saved = getreginfo('"')
  setreg('"', split(text, "\n", true), 'c')
  normal! ""pl
  setreg('"', saved)
enddef

export def Popup(): number
  return popup
enddef

export def Close()
  popup_close(popup)
  popup = 0
enddef

export def Show(resource: dict<any>, result: dict<any>, from: dict<any>, Again: func = null_function)
  Close()
  var [lines, names] = catalog.Preview(resource, result)

  def Keys(id: number, key: string): bool
    # The title line has no field; its index -1 would select the last name.
    var name = line('.', id) < 2 ? '' : get(names, line('.', id) - 2, '')
    if index(['j', "\<Down>", "\<C-n>"], key) >= 0
      win_execute(id, 'normal! j')
    elseif index(['k', "\<Up>", "\<C-p>"], key) >= 0
      win_execute(id, 'normal! k')
    elseif index(['q', "\<Esc>"], key) >= 0
      Close()
    elseif key == "\<CR>" && name != ''
      Close()
      Insert(from, catalog.Text(result.item[name]))
    elseif key == 'y' && name != ''
      setreg(v:register, catalog.Text(result.item[name]), 'c')
      Close()
    elseif key == 'r' && Again != null_function
      Close()
      Again('none')
    else
      return index(['j', 'k', 'y', 'r', "\<CR>"], key) >= 0
    endif
    return true
  enddef

  # Vim itself would move a wide popup to the left and widen it again, so that its right border would not be visible.
  var max_width = max([20, &columns - 6])
  var width = min([max_width, max(mapnew(lines, (_, line) => strdisplaywidth(line)))]) + FRAME
  var overhang = max([0, win_screenpos(0)[1] + wincol() - 2 + width - &columns])
  popup = popup_create(lines, {
    line: 'cursor+1', col: $'cursor-{overhang}', pos: 'topleft', border: [], padding: [0, 1, 0, 1], wrap: true,
    cursorline: true, maxheight: max([3, &lines - 6]), maxwidth: max_width, mapping: false, filter: Keys,
  })
  win_execute(popup, 'call cursor(2, 1) | syntax match Identifier /^\k\+\ze  / | syntax match Title /\%1l.*/')
enddef

# Requests an item and shows it, unless the cursor moves before the reply.
export def Get(resource: dict<any>, params: dict<any>, from: dict<any>, policy = '')
  var asked = policy == '' ? params : extend({cachePolicy: policy}, params)
  AskFor(resource.name .. '/get', asked, from, (result) => {
    Show(resource, result, from, (fresh) => Get(resource, params, from, fresh))
  })
enddef
