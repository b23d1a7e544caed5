vim9script
# Items as completions of `RESOURCE/beginning of a word`, or of the beginning alone with `b:larder_resource`. The menu
# comes when the answer is there, if the cursor is where it was: nothing waits.

import './process.vim'
import './catalog.vim'

var under_way = 0
var place: list<number> = []

def Target(before: string): list<any>
  var found = matchlist(before, '\([[:alnum:]_.-]\+\)/\([^[:space:]/]*\)$')
  if !empty(found)
    return [len(before) - len(found[0]), found[1], found[2], true]
  endif
  var text = matchstr(before, '\k*$')
  return exists('b:larder_resource') ? [len(before) - len(text), b:larder_resource, text, false] : []
enddef

def Forget()
  augroup larder_complete
    autocmd!
  augroup END
  process.Cancel(under_way)
  under_way = 0
  place = []
enddef

# The event of the last key that was typed may come only now, so the cursor itself is looked at.
def Moved()
  if [bufnr(), line('.'), col('.')] != place
    Forget()
  endif
enddef

def Offer(resource: dict<any>, start: number, items: list<any>)
  Forget()
  if mode()[0] == 'i' && !empty(items)
    complete(start + 1, items->mapnew((_, item) => ({
      word: catalog.Name(item),
      menu: catalog.OneLine($'{resource.name} {catalog.Text(catalog.Id(resource, item))}'),
      dup: 1,
    })))
  endif
enddef

def Failed(failure: dict<any>)
  Forget()
  process.Tell(failure.message, 'ErrorMsg')
enddef

def Ask(resource: dict<any>, start: number, text: string)
  var scope = catalog.Scope(resource)
  var searched = extend(text == '' ? {} : {text: text}, extend({limit: process.Setting('limit')}, scope))
  under_way = process.Ask(resource.name .. '/search', searched, (failure, result) => {
    if !empty(failure)
      Failed(failure)
    elseif !empty(result.items) || !resource.list || (text != '' && resource.text == '')
      Offer(resource, start, result.items)
    else
      # The cache has nothing like it; the list may.
      var listed = extend(text == '' ? {} : {filter: {[resource.text]: text}}, scope)
      under_way = process.Ask(resource.name .. '/list', listed, (refusal, list) => {
        if empty(refusal)
          Offer(resource, start, list.items)
        else
          Failed(refusal)
        endif
      })
    endif
  })
enddef

# For 'omnifunc' and 'completefunc'.
export def Func(find_start: number): any
  Forget()
  if find_start == 0
    return []
  endif
  var target = Target(strpart(getline('.'), 0, col('.') - 1))
  if empty(target)
    return -3
  endif
  place = [bufnr(), line('.'), col('.')]
  augroup larder_complete
    autocmd CursorMovedI,TextChangedI * Moved()
    autocmd InsertLeave * Forget()
  augroup END
  catalog.Load((failure, resources) => {
    if !empty(failure)
      Failed(failure)
      return
    endif
    var name = catalog.Ending(target[1])
    if !empty(place) && name != '' && empty(catalog.OpenScope(resources[name], ''))
      # What stands before the name stays. With a resource that the buffer has set, no name stands there.
      var typed = len(target[1]) - len(name)
      Ask(resources[name], target[0] + (target[3] ? typed : 0), target[2])
    endif
  })
  return -2
enddef
