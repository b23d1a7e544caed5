vim9script
# One item in a popup: a line a field, and where it came from. <CR> inserts the field of the line below the cursor.

import './process.vim'
import './catalog.vim'

var under_way = 0 # the request whose answer the user waits for
var origin: dict<any> = {} # where the user was when it was asked for
var popup = 0

# Where the user is: what is inserted goes there, and what comes after the cursor has moved on is not wanted any more.
export def Here(): dict<any>
  return {window: win_getid(), buffer: bufnr(), line: line('.'), column: col('.')}
enddef

def Moved(from: dict<any>)
  if win_getid() == from.window && Here() != from
    Forget()
  endif
enddef

export def Forget()
  augroup larder_origin
    autocmd!
  augroup END
  process.Cancel(under_way)
  under_way = 0
enddef

# Asks for what the user waits for. `Callback` has the result alone; errors are told.
export def AskFor(method: string, params: dict<any>, from: dict<any>, Callback: func)
  Forget()
  augroup larder_origin
    autocmd CursorMoved,CursorMovedI,BufEnter * Moved(origin)
  augroup END
  origin = from
  under_way = process.Ask(method, params, (failure, result) => {
    under_way = 0
    Forget()
    if empty(failure)
      Callback(result)
    else
      process.Tell(failure.message, 'ErrorMsg')
    endif
  })
enddef

# Puts the text behind the cursor, as `p` does.
def Insert(from: dict<any>, text: string)
  if winbufnr(from.window) != from.buffer || !win_gotoid(from.window)
    process.Tell('the window is gone in which this was asked for', 'ErrorMsg')
    return
  elseif !&modifiable
    process.Tell('the buffer cannot be changed', 'ErrorMsg')
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
    # An index of -1 would be that of the last one.
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

  popup = popup_create(lines, {
    line: 'cursor+1', col: 'cursor', pos: 'topleft', border: [], padding: [0, 1, 0, 1], wrap: false, cursorline: true,
    maxheight: max([3, &lines - 6]), maxwidth: max([20, &columns - 6]), mapping: false, filter: Keys,
  })
  win_execute(popup, 'call cursor(2, 1) | syntax match Identifier /^\k\+\ze  / | syntax match Title /\%1l.*/')
enddef

# Asks for an item and shows it, unless the cursor moves on before it is there.
export def Get(resource: dict<any>, params: dict<any>, from: dict<any>, policy = '')
  var asked = policy == '' ? params : extend({cachePolicy: policy}, params)
  AskFor(resource.name .. '/get', asked, from, (result) => {
    Show(resource, result, from, (fresh) => Get(resource, params, from, fresh))
  })
enddef
