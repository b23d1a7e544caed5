-- The public functions: commands, completion and `setup`.
local M = {}

local function lazy(name)
  return setmetatable({}, { __index = function(_, key) return require('larder.' .. name)[key] end })
end
local catalog, connection, pick = lazy('catalog'), lazy('connection'), lazy('pick')

-- Applies settings (see settings.lua) and stops a running process. The next request starts a process with the new
-- settings.
function M.setup(given)
  local failure = require('larder.settings').take(given)
  if failure then
    return require('larder.tell').failure(failure)
  end
  if package.loaded['larder.connection'] then
    M.stop()
  end
  local ok, cmp = pcall(require, 'cmp')
  if ok and not M.source then
    M.source = cmp.register_source('larder', require('larder.cmp').new())
  end
end

function M.open(text)
  pick.open(text or '')
end

function M.recents(name)
  pick.open_recents(name or '')
end

function M.hover(name)
  require('larder.hover').open(name or '')
end

function M.stop()
  pick.cancel()
  connection.stop()
  catalog.forget()
end

-- The function for 'omnifunc' and 'completefunc': v:lua.require'larder'.complete
function M.complete(find_start, base)
  return require('larder.complete').func(find_start, base)
end

-- Completes the text prompt of the chosen resource.
function M.complete_query(text)
  return require('larder.query.cmdline').prompt(pick.current, text)
end

function M.complete_command(beginning, line)
  return require('larder.query.cmdline').command(beginning, line)
end

return M
