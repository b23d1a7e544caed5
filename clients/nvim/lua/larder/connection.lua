-- Requests to one larder process. The first request starts the process; after its exit, the next request starts another
-- process.
local json = require('larder.json')
local settings = require('larder.settings')
local process = require('larder.process')
local uv = vim.uv or vim.loop
local M = {}

local current -- { process, pending = { [id] = handle } }, or nil
local last_id = 0

-- Whether all params are valid UTF-8. A buffer may contain invalid UTF-8, but larder could not read the id of a request
-- with such text.
local function is_utf8(params)
  local line = vim.json.encode(params)
  return not line:find('[\245-\255]') and not line:find('\244[\144-\191]') and pcall(vim.fn.json_encode, line)
end

local function send(to, message)
  message.jsonrpc = '2.0'
  to.process.write(vim.json.encode(message) .. '\n')
end

-- Removes a request from the pending requests. Returns whether it was pending.
local function settle(on, handle)
  if on.pending[handle.id] ~= handle then
    return false
  end
  on.pending[handle.id] = nil
  handle.timer:stop()
  handle.timer:close()
  return true
end

local function answer(on, handle, failure, result)
  if settle(on, handle) then
    vim.schedule(function()
      -- The request may have been cancelled after its reply was scheduled.
      if not handle.cancelled then
        handle.callback(failure, result)
      end
    end)
  end
end

local function receive(on, line)
  local ok, message = pcall(json.decode, line)
  if not ok or type(message) ~= 'table' then
    return
  end
  local handle = message.id and on.pending[message.id]
  if handle then
    answer(on, handle, message.error, message.result)
  end
end

local function open()
  local on = { pending = {} }
  local failure
  on.process, failure = process.start(settings.current.command, settings.current.arguments, {
    line = function(line) receive(on, line) end,
    ended = function(reason)
      if current == on then
        current = nil
      end
      for _, handle in pairs(vim.tbl_extend('force', {}, on.pending)) do
        answer(on, handle, { message = reason, data = { kind = 'ended' } })
      end
    end,
  })
  if not on.process then
    return nil, failure
  end
  current = on
  -- With this process id, larder exits even if the editor is killed.
  M.request('initialize', { processId = vim.fn.getpid(), clientInfo = { name = 'Neovim' } }, function() end)
  return on
end

-- Sends a request without blocking. `callback(failure, result)` is called once from the main loop. Returns a handle,
-- whose function `cancel` cancels the request and prevents the call.
function M.request(method, params, callback)
  local on, failure = current, nil
  if not on then
    on, failure = open()
  end
  local handle = { callback = callback, cancel = function() end }
  if not on then
    vim.schedule(function() callback({ message = failure, data = { kind = 'notStarted' } }) end)
    return handle
  end
  if params and not is_utf8(params) then
    local failure_of_text = { message = 'request not sent: the text is not UTF-8', data = { kind = 'notText' } }
    vim.schedule(function() callback(failure_of_text) end)
    return handle
  end
  last_id = last_id + 1
  handle.id, handle.timer = last_id, uv.new_timer()
  on.pending[handle.id] = handle

  function handle.cancel()
    handle.cancelled = true
    if settle(on, handle) then
      send(on, { method = '$/cancelRequest', params = { id = handle.id } })
    end
  end

  handle.timer:start(settings.current.timeout, 0, vim.schedule_wrap(function()
    if on.pending[handle.id] ~= handle then
      return
    end
    handle.cancel()
    local seconds = settings.current.timeout / 1000
    local text = ('no reply to %s within %g s; raise the setting timeout'):format(method, seconds)
    callback({ message = text, data = { kind = 'timeout' } })
  end))
  -- An empty Lua table would be encoded as an array.
  local given = params and next(params) ~= nil and params or nil
  send(on, { id = handle.id, method = method, params = given })
  return handle
end

-- Stops the process. Cancels pending requests without calling their callbacks.
function M.stop()
  local on = current
  current = nil
  if on then
    for _, handle in pairs(vim.tbl_extend('force', {}, on.pending)) do
      handle.cancel()
    end
    on.process.finish()
  end
end

-- Returns the process id, or nil if no process runs.
function M.pid()
  return current and current.process.pid
end

return M
