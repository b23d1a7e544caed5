-- `:Telescope larder`
return require('telescope').register_extension({
  exports = { larder = function() require('larder').open('') end },
})
