-- What a user may set: `require('larder').setup { ... }`.
local M = {}

local defaults = {
  command = vim.env.LARDER_BIN or 'larder', -- the program
  arguments = {}, -- its options, as { '--catalog', 'github' }
  timeout = 30000, -- milliseconds until a request without an answer is cancelled
  limit = 20, -- how many items a completion offers
  border = 'rounded', -- of the preview, as nvim_open_win takes it
  recents = true, -- whether what was looked for is remembered
  telescope = true, -- whether Telescope picks items where it is installed
}

M.current = vim.deepcopy(defaults)

-- Takes what is given over what was set before. Returns what is wrong with it, or nil; then nothing was taken.
function M.take(given)
  for name, value in pairs(given or {}) do
    if defaults[name] == nil then
      local names = vim.tbl_keys(defaults)
      table.sort(names)
      return ("there is no setting '%s'; there are %s"):format(tostring(name), table.concat(names, ', '))
    end
    -- A border may also be a list of its eight parts.
    if type(value) ~= type(defaults[name]) and not (name == 'border' and type(value) == 'table') then
      return ("the setting '%s' must be a %s, not a %s"):format(name, type(defaults[name]), type(value))
    end
  end
  M.current = vim.tbl_extend('force', M.current, given or {})
end

return M
