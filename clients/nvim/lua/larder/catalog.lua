-- What the catalog has, as `rpc.discover` tells it: resources, what they are filtered by, and where they are.
local connection = require('larder.connection')
local M = {}

-- Params that are not the name of a parent.
local KNOWN = {
  id = true, ids = true, fields = true, cachePolicy = true, maxAge = true, page = true, filter = true, text = true,
  limit = true, offset = true, observer = true, maxPages = true, workDoneToken = true,
}
-- Filters that take what a person types, the best first.
local TEXTS = { 'q', 'query', 'search', 'text', 'name', 'title' }

local loaded, loading -- by resource; the callbacks that wait for it

local function resource_of(document, name, methods)
  local item = (document.components.schemas or {})['item.' .. name] or {}
  local resource = { name = name, fields = item.required or {}, filters = {}, schemas = {}, scope = {} }
  -- A larder of before says nothing of it.
  local told = (document['x-larder-resources'] or {})[name] or { idField = 'id' }
  resource.id_field = told.idField ~= vim.NIL and told.idField or nil
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
    -- Resources alone can be searched.
    if verbs.search then
      found[name] = resource_of(document, name, verbs)
    end
  end
  return found
end

-- `callback(failure, resources)`; asks once, and again after a failure.
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
    for _, waits in ipairs(waiting) do
      waits(failure, loaded)
    end
  end)
end

-- What is known already: for what cannot wait, as the completion of a command line.
function M.known()
  return loaded or {}
end

-- The resource whose name a text is, or ends in behind a dot: names may have dots, and so may what stands before one.
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
