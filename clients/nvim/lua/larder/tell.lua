-- Shows messages in one line, so that Neovim never asks to press a key.
local M = {}

local function line(text)
  text = ('larder: ' .. text):gsub('%s+', ' ')
  local room = math.max(20, vim.o.columns - 12)
  if vim.fn.strdisplaywidth(text) > room then
    text = vim.fn.strcharpart(text, 0, room - 1) .. '…'
  end
  return text
end

-- Shows an error. `failure` is a string or a JSON-RPC error object.
function M.failure(failure)
  M.last = type(failure) == 'table' and failure.message or failure
  vim.notify(line(M.last), vim.log.levels.ERROR)
end

function M.note(text)
  M.last = text
  vim.notify(line(text), vim.log.levels.INFO)
end

return M
