-- The resources of the catalog with their filters and parents, read from `rpc.discover`.
local connection = require('larder.connection')
local MAX_WAIT = 1000 -- milliseconds
local M = {}

-- The names of the params that are not parents of a resource.
local KNOWN = {
  id = true, ids = true, fields = true, cachePolicy = true, maxAge = true, page = true, filter = true, text = true,
  limit = true, offset = true, observer = true, maxPages = true, workDoneToken = true,
}
-- The names of filters for free text, in order of preference.
local TEXTS = { 'q', 'query', 'search', 'text', 'name', 'title' }

local loaded, loading -- the resources by name; the callbacks that wait for the catalog

local function resource_of(document, name, methods)
  local item = (document.components.schemas or {})['item.' .. name] or {}
  local resource = { name = name, fields = item.required or {}, filters = {}, schemas = {}, scope = {} }
  -- Older versions of larder do not report the id field of a resource.
  local info = (document['x-larder-resources'] or {})[name] or { idField = 'id' }
  resource.id_field = info.idField ~= vim.NIL and info.idField or nil
  resource.get, resource.list = methods.get ~= nil, methods.list ~= nil
  for _, parameter in ipairs((methods.list or methods.get or methods.search).params) do
    if parameter.name == 'filter' then
      resource.schemas = parameter.schema.properties or {}
      resource.filters = vim.tbl_keys(resource.schemas)
      table.sort(resource.filters)
    elseif not KNOWN[parameter.name] then
      table.insert(resource.scope, parameter.name)
    end
  end
  for _, filter in ipairs(TEXTS) do
    if resource.schemas[filter] then
      resource.text = filter
      break
    end
  end
  return resource
end

local function read(document)
  local methods, found = {}, {}
  for _, method in ipairs(document.methods) do
    local name, verb = method.name:match('^(.*)/(.-)$')
    methods[name or ''] = methods[name or ''] or {}
    methods[name or ''][verb or ''] = method
  end
  for name, verbs in pairs(methods) do
    -- A name without a `search` method is not a resource.
    if verbs.search then
      found[name] = resource_of(document, name, verbs)
    end
  end
  return found
end

-- Loads the catalog if it is not loaded yet. Calls `callback(failure, resources)`.
function M.load(callback)
  if loaded then
    return callback(nil, loaded)
  end
  if loading then
    return table.insert(loading, callback)
  end
  loading = { callback }
  connection.request('rpc.discover', nil, function(failure, document)
    local waiting = loading or {}
    loading = nil
    loaded = not failure and read(document) or nil
    for _, notify in ipairs(waiting) do
      notify(failure, loaded)
    end
  end)
end

-- Returns the resources. Blocks until the catalog is loaded, but at most `MAX_WAIT`; then returns an empty table. For
-- command-line completion, which cannot continue in a callback.
function M.await()
  M.load(function() end)
  vim.wait(MAX_WAIT, function() return loaded or not loading end, 5)
  return loaded or {}
end

-- Returns the resource whose name is `text` or a suffix of `text` after a dot. Resource names may contain dots.
function M.ending(text, resources)
  while text and not resources[text] do
    text = text:match('^[^.]*%.(.*)$')
  end
  return text and resources[text]
end

function M.names(resources)
  local names = vim.tbl_keys(resources)
  table.sort(names)
  return names
end

function M.forget()
  loaded, loading = nil, nil
end

return M
