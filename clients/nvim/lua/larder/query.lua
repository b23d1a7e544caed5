-- Converts the text that a user types after a resource name to a request: `rick`, `status=Dead rick`, `owner=apple
-- repo=swift`, `id=7`.
local settings = require('larder.settings')
local M = {}

local remembered = {} -- the parents of the last request to each resource

-- Converts the typed value of a filter to the type in the filter's schema; a string by default.
local function value_of(schema, text)
  if schema.type == 'integer' or schema.type == 'number' or schema.type == 'boolean' then
    local ok, value = pcall(vim.json.decode, text)
    return ok and value or text
  end
  return text
end

local function sort_words(resource, text)
  local asked = { scope = vim.deepcopy(remembered[resource.name] or {}), filter = {}, words = {} }
  for word in text:gmatch('%S+') do
    local name, value = word:match('^([%w_.-]+)=(.*)$')
    if not name then
      table.insert(asked.words, word)
    elseif vim.tbl_contains(resource.scope, name) then
      asked.scope[name] = value
    elseif name == 'id' and resource.get and not resource.schemas.id then
      asked.id = value
    elseif resource.schemas[name] then
      asked.filter[name] = value_of(resource.schemas[name], value)
    else
      local names = vim.list_extend(vim.list_extend({ 'id' }, resource.scope), resource.filters)
      return nil, ("'%s' has no filter '%s'; use one of %s"):format(resource.name, name, table.concat(names, ', '))
    end
  end
  return asked
end

-- Returns the names of the parents that have a value neither in the text nor from the last request.
function M.open_scope(resource, text)
  local asked = sort_words(resource, text)
  return vim.tbl_filter(function(name) return not (asked and asked.scope[name]) end, resource.scope)
end

-- Returns the parents of the last request to the resource.
function M.scope(resource)
  return vim.deepcopy(remembered[resource.name] or {})
end

-- Returns a request { method, params, scope, list }, or nil and an error message. `list` has the params of the list for a
-- search without a match; nil if there is no list.
function M.request(resource, text)
  local asked, failure = sort_words(resource, text)
  if not asked then
    return nil, failure
  end
  remembered[resource.name] = asked.scope
  local params, words = vim.deepcopy(asked.scope), table.concat(asked.words, ' ')
  if not asked.id and not resource.list and resource.get and words ~= '' then
    asked.id = words -- without a list, the text can only be an id
  end
  if asked.id then
    params.id = asked.id
    return { method = resource.name .. '/get', params = params, scope = asked.scope }
  end
  if resource.list and (words == '' or (resource.text and asked.filter[resource.text] == nil)) then
    if words ~= '' then
      asked.filter[resource.text] = words
    end
    params.filter = next(asked.filter) and asked.filter or nil
    return { method = resource.name .. '/list', params = params, scope = asked.scope }
  end
  -- The list has no filter for free text, so the cache is searched instead. In a search, `filter` compares fields.
  params.filter = next(asked.filter) and asked.filter or nil
  local list = resource.list and vim.deepcopy(params) or nil
  params.text, params.limit = words ~= '' and words or nil, settings.current.limit
  return { method = resource.name .. '/search', params = params, scope = asked.scope, list = list }
end

return M
