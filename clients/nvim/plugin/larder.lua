-- The commands. The first use of a command loads the rest of the plugin and starts the process.
if vim.g.loaded_larder or vim.fn.has('nvim-0.7') == 0 then
  return
end
vim.g.loaded_larder = true

local function command(name, description, nargs, act)
  vim.api.nvim_create_user_command(name, act, {
    desc = description,
    nargs = nargs,
    complete = nargs ~= 0 and function(...) return require('larder').complete_command(...) end or nil,
  })
end

command('Larder', 'pick an item of a resource', '*', function(o) require('larder').open(o.args) end)
command('LarderRecents', 'repeat a recent search', '?', function(o) require('larder').recents(o.args) end)
command('LarderHover', 'show the item under the cursor', '?', function(o) require('larder').hover(o.args) end)
command('LarderStop', 'stop the larder process', 0, function() require('larder').stop() end)

vim.api.nvim_create_autocmd('VimLeavePre', {
  callback = function()
    if package.loaded['larder.connection'] then
      require('larder.connection').stop()
    end
  end,
})
