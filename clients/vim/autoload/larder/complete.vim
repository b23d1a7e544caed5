vim9script
# Completion of item names for `RESOURCE/TEXT`, or TEXT alone with `b:larder_resource`. Does not block: the menu opens
# when the reply arrives, unless the cursor has moved.

import './process.vim'
import './catalog.vim'

var pending = 0
var place: list<number> = []

def Target(before: string): list<any>
  var found = matchlist(before, '\([[:alnum:]_.-]\+\)/\([^[:space:]/]*\)$')
  if !empty(found)
    return [len(before) - len(found[0]), found[1], found[2], true]
  endif
  var text = matchstr(before, '\k*$')
  return exists('b:larder_resource') ? [len(before) - len(text), b:larder_resource, text, false] : []
enddef

def CancelPending()
  augroup larder_complete
    autocmd!
  augroup END
  process.Cancel(pending)
  pending = 0
  place = []
enddef

# The event of the last typed key may arrive after this call, so only a changed position cancels the completion.
def Moved()
  if [bufnr(), line('.'), col('.')] != place
    CancelPending()
  endif
enddef

def Offer(resource: dict<any>, start: number, items: list<any>)
  CancelPending()
  if mode()[0] == 'i' && !empty(items)
    complete(start + 1, items->mapnew((_, item) => ({
      word: catalog.Name(item),
      menu: catalog.OneLine($'{resource.name} {catalog.Text(catalog.Id(resource, item))}'),
      dup: 1,
    })))
  endif
enddef

def Failed(failure: dict<any>)
  CancelPending()
  process.Tell(failure.message, 'ErrorMsg')
enddef

def Ask(resource: dict<any>, start: number, text: string)
  var scope = catalog.Scope(resource)
  var searched = extend(text == '' ? {} : {text: text}, extend({limit: process.Setting('limit')}, scope))
  pending = process.Ask(resource.name .. '/search', searched, (failure, result) => {
    if !empty(failure)
      Failed(failure)
    elseif !empty(result.items) || !resource.list || (text != '' && resource.text == '')
      Offer(resource, start, result.items)
    else
      # The cache has no match, so the list of the API is searched.
      var listed = extend(text == '' ? {} : {filter: {[resource.text]: text}}, scope)
      pending = process.Ask(resource.name .. '/list', listed, (refusal, list) => {
        if empty(refusal)
          Offer(resource, start, list.items)
        else
          Failed(refusal)
        endif
      })
    endif
  })
enddef

# The function for 'omnifunc' and 'completefunc'.
export def Func(find_start: number): any
  CancelPending()
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
    autocmd InsertLeave * CancelPending()
  augroup END
  catalog.Load((failure, resources) => {
    if !empty(failure)
      Failed(failure)
      return
    endif
    var name = catalog.Ending(target[1])
    if !empty(place) && name != '' && empty(catalog.OpenScope(resources[name], ''))
      # A prefix before the resource name stays unchanged. If b:larder_resource names the resource, there is no prefix.
      var prefix = len(target[1]) - len(name)
      Ask(resources[name], target[0] + (target[3] ? prefix : 0), target[2])
    endif
  })
  return -2
enddef
