-- Completion of item names. It completes `RESOURCE/TEXT`, for example `character/ri`, or TEXT alone in a buffer with
-- `b:larder_resource`. The cache is searched first. If it has no match, the API's list is searched, if it has a filter
-- for text.
local catalog = require('larder.catalog')
local connection = require('larder.connection')
local format = require('larder.format')
local query = require('larder.query')
local settings = require('larder.settings')
local M = {}

-- Returns the start (0-based), resource name and text to complete in the line before the cursor; nil if there is none.
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

-- Returns where the resource name `of` starts. The written `name` at `start` may have a prefix before it.
function M.start(before, start, name, of)
  -- With b:larder_resource, the buffer contains no resource name.
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

-- Requests completions of `text`. `callback(failure, entries, name)` gets entries with `word`, `id` and `info`, and the
-- name of the resource without a prefix that `name` may have. Returns a function that cancels the request.
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

local cancel -- cancels the current completion

function M.cancel()
  if cancel then
    cancel()
    cancel = nil
    vim.api.nvim_create_augroup('larder_complete', { clear = true })
  end
end

-- For 'omnifunc' and 'completefunc'. Does not block: the menu opens with the reply, unless the cursor has moved.
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
  -- The event of the last typed key may arrive late, so this compares the cursor position.
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
