-- What the outside calls: the commands, the completions, `setup`.
local M = {}

local function late(name)
  return setmetatable({}, { __index = function(_, key) return require('larder.' .. name)[key] end })
end
local catalog, connection, pick, recents = late('catalog'), late('connection'), late('pick'), late('recents')

-- Takes settings (see settings.lua). A process that runs with others is ended; the next request starts one with these.
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

-- For 'omnifunc' and 'completefunc': v:lua.require'larder'.complete
function M.complete(find_start, base)
  return require('larder.complete').func(find_start, base)
end

local function beginning_with(texts, beginning)
  return vim.tbl_filter(function(text) return vim.startswith(text:lower(), beginning:lower()) end, texts)
end

-- At the prompt for a text: what was looked for in the resource that was chosen.
function M.complete_recents(beginning)
  return beginning_with(recents.known(pick.current or ''), beginning)
end

-- Behind `:Larder`: resources, then filters, parents, and what was looked for before. A command line cannot wait, so
-- before the catalog was read there is nothing; it is asked for then.
function M.complete_command(beginning, line)
  catalog.load(function() end)
  local known = catalog.known()
  local name = line:match('^%s*%S+%s+(%S+)%s')
  if not name then
    return beginning_with(catalog.names(known), beginning)
  end
  local resource = known[name]
  if not resource or line:match('^%s*LarderR') or line:match('^%s*LarderH') then
    return {}
  end
  recents.refresh(name)
  local words = vim.tbl_map(function(key) return key .. '=' end,
    vim.list_extend(vim.list_extend({}, resource.scope), resource.filters))
  return beginning_with(vim.list_extend(words, recents.known(name)), beginning)
end

return M
