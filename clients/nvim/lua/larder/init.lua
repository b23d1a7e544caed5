-- The public functions: commands, completion and `setup`.
local M = {}

local function lazy(name)
  return setmetatable({}, { __index = function(_, key) return require('larder.' .. name)[key] end })
end
local catalog, connection, pick, recents = lazy('catalog'), lazy('connection'), lazy('pick'), lazy('recents')

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

local function with_prefix(texts, beginning)
  return vim.tbl_filter(function(text) return vim.startswith(text:lower(), beginning:lower()) end, texts)
end

-- Completes the text prompt with the recent searches of the chosen resource.
function M.complete_recents(beginning)
  return with_prefix(recents.known(pick.current or ''), beginning)
end

-- Completes the arguments of `:Larder`: resources, then filters, parents and recent searches.
function M.complete_command(beginning, line)
  local known = catalog.await()
  local name = line:match('^%s*%S+%s+(%S+)%s')
  if not name then
    return with_prefix(catalog.names(known), beginning)
  end
  local resource = known[name]
  if not resource or line:match('^%s*LarderR') or line:match('^%s*LarderH') then
    return {}
  end
  recents.refresh(name)
  local words = vim.tbl_map(function(key) return key .. '=' end,
    vim.list_extend(vim.list_extend({}, resource.scope), resource.filters))
  return with_prefix(vim.list_extend(words, recents.known(name)), beginning)
end

return M
