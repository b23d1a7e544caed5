-- Where the user was when something was asked for: what is inserted goes there, and what comes after the cursor has
-- moved on is not wanted any more.
local connection = require('larder.connection')
local tell = require('larder.tell')
local M = {}

-- In a preview this is where the one was from which it was asked for.
function M.here()
  return vim.w.larder_origin or {
    window = vim.api.nvim_get_current_win(),
    buffer = vim.api.nvim_get_current_buf(),
    cursor = vim.api.nvim_win_get_cursor(0),
  }
end

-- Whether the user is in the same window and elsewhere in it. Menus that open and close meanwhile do not count.
local function has_moved(from)
  if vim.api.nvim_get_current_win() ~= from.window then
    return false
  end
  local cursor = vim.api.nvim_win_get_cursor(0)
  return vim.api.nvim_get_current_buf() ~= from.buffer or cursor[1] ~= from.cursor[1] or cursor[2] ~= from.cursor[2]
end

-- Calls `leave` once the cursor moves on. Returns a function that ends the watch.
local function watch(from, leave)
  local group = vim.api.nvim_create_augroup('larder_origin', { clear = true })
  local over = false
  local function stop()
    if not over then
      over = true
      pcall(vim.api.nvim_del_augroup_by_id, group)
    end
  end
  vim.api.nvim_create_autocmd({ 'CursorMoved', 'CursorMovedI', 'BufEnter' }, {
    group = group,
    callback = function()
      if not over and has_moved(from) then
        stop()
        leave()
      end
    end,
  })
  return stop
end

-- What asks for one thing at a time that the user waits for: a newer request takes the place of the one under way.
-- `ask(method, params, from, callback)` calls `callback(result)` unless the cursor moves on; failures are told.
function M.waiting()
  local under_way
  local function cancel()
    if under_way then
      under_way.stop()
      under_way.handle.cancel()
      under_way = nil
    end
  end
  local function ask(method, params, from, callback)
    cancel()
    local this = {}
    under_way = this
    this.stop = watch(from, function()
      if under_way == this then
        cancel()
      end
    end)
    this.handle = connection.request(method, params, function(failure, result)
      this.stop()
      if under_way == this then
        under_way = nil
      end
      if failure then
        return tell.failure(failure)
      end
      callback(result)
    end)
  end
  return { ask = ask, cancel = cancel }
end

-- Puts the text behind the cursor, as `p` does, and the cursor at its end. Returns what is wrong, or nil.
function M.insert(from, text)
  if not vim.api.nvim_win_is_valid(from.window) or vim.api.nvim_win_get_buf(from.window) ~= from.buffer then
    return 'the window is gone in which this was asked for'
  elseif not vim.bo[from.buffer].modifiable then
    return 'the buffer cannot be changed'
  end
  vim.api.nvim_set_current_win(from.window)
  -- The buffer may have become shorter.
  local row = math.min(from.cursor[1], vim.api.nvim_buf_line_count(from.buffer))
  local length = #vim.api.nvim_buf_get_lines(from.buffer, row - 1, row, false)[1]
  vim.api.nvim_win_set_cursor(from.window, { row, math.min(from.cursor[2], length) })
  vim.api.nvim_put(vim.split(text, '\r?\n'), 'c', true, true)
end

return M
