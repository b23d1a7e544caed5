vim9script
# The commands. The first use of a command loads the rest of the plugin and starts the process.

if exists('g:loaded_larder') || v:version < 900 || !has('channel') || !has('popupwin')
  finish
endif
g:loaded_larder = true

command! -nargs=* -complete=customlist,larder#cmdline#Command Larder larder#Open(<q-args>)
command! -nargs=? -complete=customlist,larder#cmdline#Command LarderRecents larder#Recents(<q-args>)
command! -nargs=? -complete=customlist,larder#cmdline#Command LarderHover larder#Hover(<q-args>)
command! -nargs=0 LarderStop larder#Stop()
