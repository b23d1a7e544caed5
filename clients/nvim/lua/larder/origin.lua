-- The cursor position at the time of a request. Fields are inserted at this position. If the cursor moves away from
-- this position, the request is cancelled.
local connection = require('larder.connection')
local tell = require('larder.tell')
local M = {}

-- Returns the current position. In a preview, returns the position from which the preview was opened.
function M.here()
  return vim.w.larder_origin or {
    window = vim.api.nvim_get_current_win(),
    buffer = vim.api.nvim_get_current_buf(),
    cursor = vim.api.nvim_win_get_cursor(0),
  }
end

-- Whether the cursor has moved within its window. A cursor in another window, such as a menu, does not count as moved.
local function has_moved(from)
  if vim.api.nvim_get_current_win() ~= from.window then
    return false
  end
  local cursor = vim.api.nvim_win_get_cursor(0)
  return vim.api.nvim_get_current_buf() ~= from.buffer or cursor[1] ~= from.cursor[1] or cursor[2] ~= from.cursor[2]
end

-- Calls `leave` once when the cursor moves. Returns a function that stops watching.
local function watch(from, leave)
  local group = vim.api.nvim_create_augroup('larder_origin', { clear = true })
  local stopped = false
  local function stop()
    if not stopped then
      stopped = true
      pcall(vim.api.nvim_del_augroup_by_id, group)
    end
  end
  vim.api.nvim_create_autocmd({ 'CursorMoved', 'CursorMovedI', 'BufEnter' }, {
    group = group,
    callback = function()
      if not stopped and has_moved(from) then
        stop()
        leave()
      end
    end,
  })
  return stop
end

-- Returns { ask, cancel } for one request at a time: a new request cancels the previous one. `ask(method, params, from,
-- callback)` calls `callback(result)` unless the cursor moves from `from`. Errors are shown to the user.
function M.waiting()
  local pending
  local function cancel()
    if pending then
      pending.stop()
      pending.handle.cancel()
      pending = nil
    end
  end
  local function ask(method, params, from, callback)
    cancel()
    local this = {}
    pending = this
    this.stop = watch(from, function()
      if pending == this then
        cancel()
      end
    end)
    this.handle = connection.request(method, params, function(failure, result)
      this.stop()
      if pending == this then
        pending = nil
      end
      if failure then
        return tell.failure(failure)
      end
      callback(result)
    end)
  end
  return { ask = ask, cancel = cancel }
end

-- Inserts text after the cursor position, like `p`, and moves the cursor to the end of the text. Returns an error
-- message or nil.
function M.insert(from, text)
  if not vim.api.nvim_win_is_valid(from.window) or vim.api.nvim_win_get_buf(from.window) ~= from.buffer then
    return 'cannot insert: the original window was closed; copy the field with y'
  elseif not vim.bo[from.buffer].modifiable then
    return 'cannot insert: the buffer is not modifiable'
  end
  vim.api.nvim_set_current_win(from.window)
  -- The buffer may have fewer lines than at the time of the request.
  local row = math.min(from.cursor[1], vim.api.nvim_buf_line_count(from.buffer))
  local length = #vim.api.nvim_buf_get_lines(from.buffer, row - 1, row, false)[1]
  vim.api.nvim_win_set_cursor(from.window, { row, math.min(from.cursor[2], length) })
  vim.api.nvim_put(vim.split(text, '\r?\n'), 'c', true, true)
end

return M
