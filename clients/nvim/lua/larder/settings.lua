-- The settings of the user, as in `require('larder').setup { ... }`.
local M = {}

local defaults = {
  command = vim.env.LARDER_BIN or 'larder', -- the program
  arguments = {}, -- command-line options, for example { '--catalog', 'github' }
  timeout = 30000, -- milliseconds until a request without a reply is cancelled
  limit = 20, -- maximum number of items in a completion
  border = 'rounded', -- border of the preview, see nvim_open_win()
  recents = true, -- whether searches are stored
  telescope = true, -- whether Telescope is used if it is installed
}

M.current = vim.deepcopy(defaults)

-- Adds the given settings to the current settings. If a setting is invalid, changes nothing and returns an error
-- message.
function M.take(given)
  for name, value in pairs(given or {}) do
    if defaults[name] == nil then
      local names = vim.tbl_keys(defaults)
      table.sort(names)
      return ("there is no setting '%s'; use one of %s"):format(tostring(name), table.concat(names, ', '))
    end
    -- A border may also be a list of eight parts.
    if type(value) ~= type(defaults[name]) and not (name == 'border' and type(value) == 'table') then
      return ("the setting '%s' must be a %s, not a %s"):format(name, type(defaults[name]), type(value))
    end
  end
  M.current = vim.tbl_extend('force', M.current, given or {})
end

return M
