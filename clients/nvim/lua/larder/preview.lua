-- A floating window that shows one item: one line per field, and its source. <CR> inserts the field under the cursor.
local format = require('larder.format')
local origin = require('larder.origin')
local settings = require('larder.settings')
local tell = require('larder.tell')
local M = {}

local namespace = vim.api.nvim_create_namespace('larder')
local waiting = origin.waiting() -- for the request of the next item
local window -- the open preview window, or nil

-- Highlights the lines of a preview in any buffer.
function M.paint(buffer, lines, of)
  vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  for row = 1, #lines do
    local group = of[row] and 'Identifier' or row == 1 and 'Title' or 'Comment'
    local stop = of[row] and #format.one_line(of[row]) or #lines[row]
    vim.api.nvim_buf_set_extmark(buffer, namespace, row - 1, 0, { end_col = stop, hl_group = group })
  end
end

function M.close()
  if window and vim.api.nvim_win_is_valid(window) then
    vim.api.nvim_win_close(window, true)
  end
  window = nil
end

local function open_window(lines)
  local width = 20
  for _, line in ipairs(lines) do
    width = math.max(width, vim.fn.strdisplaywidth(line))
  end
  width = math.max(1, math.min(width, vim.o.columns - 4))
  local height = 0 -- A long line needs several rows.
  for _, line in ipairs(lines) do
    height = height + math.max(1, math.ceil(vim.fn.strdisplaywidth(line) / width))
  end
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable, vim.bo[buffer].bufhidden, vim.bo[buffer].filetype = false, 'wipe', 'larder'
  window = vim.api.nvim_open_win(buffer, true, {
    relative = 'cursor',
    row = 1,
    col = 0,
    width = width,
    height = math.max(1, math.min(height, vim.o.lines - 4)),
    style = 'minimal',
    border = settings.current.border,
  })
  vim.wo[window].wrap, vim.wo[window].cursorline = true, true
  return buffer
end

-- Shows the item of a result. `again(policy)` requests the item again; nil if the item has no id.
function M.show(resource, result, from, again)
  M.close()
  if vim.api.nvim_win_is_valid(from.window) then
    vim.api.nvim_set_current_win(from.window)
  end
  local lines, of = format.preview(resource, result)
  local buffer = open_window(lines)
  local this = window
  vim.w[this].larder_origin = from
  M.paint(buffer, lines, of)
  vim.api.nvim_win_set_cursor(window, { math.min(2, #lines), 0 })

  local function map(key, act)
    vim.keymap.set('n', key, act, { buffer = buffer, nowait = true, silent = true })
  end
  local function field()
    local name = of[vim.api.nvim_win_get_cursor(0)[1]]
    return name and format.text(result.item[name])
  end
  map('q', M.close)
  map('<Esc>', M.close)
  map('<CR>', function()
    local text = field()
    if text then
      M.close()
      local failure = origin.insert(from, text)
      return failure and tell.failure(failure)
    end
  end)
  map('y', function()
    if field() then
      vim.fn.setreg(vim.v.register, field())
      M.close()
    end
  end)
  map('r', function()
    if again then
      M.close()
      again('none')
    end
  end)
  -- This callback is scheduled, so another preview may already be open when it runs.
  vim.api.nvim_create_autocmd('WinLeave', { buffer = buffer, once = true, callback = vim.schedule_wrap(function()
    if window == this then
      M.close()
    end
  end) })
end

M.cancel = waiting.cancel

-- Requests an item and shows it, unless the cursor moves before the reply.
function M.get(resource, request, from, policy)
  local params = vim.tbl_extend('force', request.params, { cachePolicy = policy })
  waiting.ask(request.method, params, from, function(result)
    M.show(resource, result, from, function(new_policy) M.get(resource, request, from, new_policy) end)
  end)
end

return M
