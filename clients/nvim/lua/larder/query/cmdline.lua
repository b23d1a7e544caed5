-- Completes the arguments of the commands, and the query at the prompt of `:Larder`.
local catalog = require('larder.catalog')
local recents = require('larder.query.recents')
local settings = require('larder.settings')
local M = {}

local function with_prefix(texts, beginning)
  return vim.tbl_filter(function(text) return vim.startswith(text:lower(), beginning:lower()) end, texts)
end

-- Returns `name=VALUE` for each value that the catalog lists for a filter or parent, like completion in a shell. The
-- program makes no requests for this, and takes about 20 ms.
local function values(resource, name)
  local command = vim.list_extend({ settings.current.command, 'complete', '--' }, settings.current.arguments)
  local words = {}
  for _, line in ipairs(vim.fn.systemlist(vim.list_extend(command,
    { resource.list and 'list' or 'get', resource.name, name .. '=' }))) do
    -- A query cannot contain a value with a space.
    table.insert(words, line:match('^(%S+)\t'))
  end
  return words
end

-- Returns the completions for a word of a query: parents and filters, or their values.
local function words(resource, beginning)
  local name = beginning:match('^([%w_.-]+)=')
  if name then
    return with_prefix(values(resource, name), beginning)
  end
  local names = vim.list_extend(vim.list_extend({}, resource.scope), resource.filters)
  return with_prefix(vim.tbl_map(function(key) return key .. '=' end, names), beginning)
end

-- Completes an argument of a command. For `:Larder`, also completes the query and recent searches.
function M.command(beginning, line)
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
  return vim.list_extend(words(resource, beginning), with_prefix(recents.known(name), beginning))
end

-- Completes the text of a prompt for the resource `name`: recent searches, and the last word of the query.
function M.prompt(name, text)
  local resource = catalog.await()[name]
  local head, beginning = text:match('^(.-)(%S*)$')
  local found = with_prefix(recents.known(name), text)
  for _, word in ipairs(resource and words(resource, beginning) or {}) do
    table.insert(found, head .. word)
  end
  return found
end

return M
