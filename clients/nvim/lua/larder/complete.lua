-- Completes `RESOURCE/TEXT`, for example `character/ri`, to names of items; in a buffer with `b:larder_resource`, also
-- TEXT alone. The cache is searched first. If the cache has no match and the API's list has a filter for free text, the
-- list is searched.
local catalog = require('larder.catalog')
local connection = require('larder.connection')
local format = require('larder.format')
local query = require('larder.query')
local settings = require('larder.settings')
local M = {}

-- Returns the start (0-based), the resource name and the text to complete, which end the line `before` the cursor.
-- Returns nil if there is nothing to complete.
function M.target(before, default)
  local start, name, text = before:match('()([%w_.-]+)/([^%s/]*)$')
  if start then
    return start - 1, name, text
  end
  if default and default ~= '' then
    start, text = before:match('()([^%s%p]*)$')
    return start - 1, default, text
  end
end

-- Returns the column (0-based) at which the resource name `of` starts. `name` at `start` may have a prefix before `of`.
function M.start(before, start, name, of)
  -- If b:larder_resource names the resource, the line does not contain its name.
  return before:sub(start + 1, start + #name) == name and start + #name - #of or start
end

local function entries(resource, result)
  return vim.tbl_map(function(item)
    local lines = format.preview(resource, { item = item, source = result.source, fetchedAt = result.fetchedAt,
      stale = result.stale, fallback = result.fallback })
    local id = format.one_line(format.text(format.id(resource, item)))
    return { word = format.one_line(format.name(item)), id = id, info = table.concat(lines, '\n') }
  end, result.items)
end

-- Requests completions of `text`. Calls `callback(failure, entries, resource_name)`; each entry has `word`, `id` and
-- `info`. `name` may have a prefix before the resource name. Returns a function that cancels the request.
function M.ask(name, text, callback)
  local handle
  local cancelled = false
  catalog.load(function(failure, resources)
    local resource = resources and catalog.ending(name, resources)
    if cancelled or failure or not resource then
      return not cancelled and callback(failure, {}, name)
    end
    name = resource.name
    local scope = query.scope(resource)
    local params = vim.tbl_extend('force', scope, { limit = settings.current.limit })
    params.text = text ~= '' and text or nil
    local complete = #query.open_scope(resource, '') == 0
    if not complete then
      return callback(nil, {}, name)
    end
    handle = connection.request(name .. '/search', params, function(problem, result)
      local by_text = resource.list and (text == '' or resource.text)
      if problem or #result.items > 0 or not by_text then
        return callback(problem, problem and {} or entries(resource, result), name)
      end
      local filter = text ~= '' and { [resource.text] = text } or nil
      handle = connection.request(name .. '/list', vim.tbl_extend('force', scope, { filter = filter }),
        function(refusal, list)
          callback(refusal, refusal and {} or entries(resource, list), name)
        end)
    end)
  end)
  return function()
    cancelled = true
    if handle then
      handle.cancel()
    end
  end
end

local cancel -- a function that cancels the current completion, or nil

function M.cancel()
  if cancel then
    cancel()
    cancel = nil
    vim.api.nvim_create_augroup('larder_complete', { clear = true })
  end
end

-- The function for 'omnifunc' and 'completefunc'. It does not block. The menu opens when the reply arrives, unless the
-- cursor has moved.
function M.func(find_start, _)
  M.cancel()
  if find_start ~= 1 then
    return {}
  end
  local cursor = vim.api.nvim_win_get_cursor(0)
  local before = vim.api.nvim_get_current_line():sub(1, cursor[2])
  local start, name, text = M.target(before, vim.b.larder_resource)
  if not start then
    return -3
  end
  -- The event of the last typed key may arrive after this call, so only a changed position cancels the completion.
  local function is_here()
    local now = vim.api.nvim_win_get_cursor(0)
    return vim.fn.mode():sub(1, 1) == 'i' and now[1] == cursor[1] and now[2] == cursor[2]
  end
  local group = vim.api.nvim_create_augroup('larder_complete', { clear = true })
  vim.api.nvim_create_autocmd({ 'InsertLeave', 'CursorMovedI' }, { group = group, callback = function(event)
    if event.event == 'InsertLeave' or not is_here() then
      M.cancel()
    end
  end })
  cancel = M.ask(name, text, function(failure, found, of)
    cancel = nil
    vim.api.nvim_create_augroup('larder_complete', { clear = true })
    if failure then
      return require('larder.tell').failure(failure)
    end
    if not is_here() then
      return
    end
    vim.fn.complete(M.start(before, start, name, of) + 1, vim.tbl_map(function(entry)
      return { word = entry.word, menu = of .. ' ' .. entry.id, info = entry.info, dup = 1 }
    end, found))
  end)
  return -2
end

return M
