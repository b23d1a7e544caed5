-- Recent searches. Larder stores the newest searches of each resource for all clients, across restarts.
local connection = require('larder.connection')
local settings = require('larder.settings')
local M = {}

local known = {} -- the last received recent searches of each resource, for completion, which cannot wait

local function ask(method, name, params, callback)
  connection.request(method, vim.tbl_extend('force', { scope = name }, params), function(failure, result)
    known[name] = result and result.recents or known[name]
    if callback then
      callback(failure, known[name] or {})
    end
  end)
end

-- Stores a search. Errors are ignored, because the search itself still works.
function M.add(name, text)
  if settings.current.recents and text:match('%S') then
    ask('recents/add', name, { text = text })
  end
end

function M.list(name, callback)
  ask('recents/list', name, {}, callback)
end

function M.refresh(name)
  ask('recents/list', name, {})
end

function M.known(name)
  return known[name] or {}
end

return M
