vim9script
# The commands. Nothing else is loaded, and no process started, before one of them is used.

if exists('g:loaded_larder') || v:version < 900 || !has('channel') || !has('popupwin')
  finish
endif
g:loaded_larder = true

command! -nargs=* -complete=customlist,larder#CompleteCommand Larder larder#Open(<q-args>)
command! -nargs=? -complete=customlist,larder#CompleteCommand LarderRecents larder#Recents(<q-args>)
command! -nargs=? -complete=customlist,larder#CompleteCommand LarderHover larder#Hover(<q-args>)
command! -nargs=0 LarderStop larder#Stop()
