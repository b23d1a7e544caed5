-- Starts the larder process, writes its input, reads its output lines and reports its exit.
local uv = vim.uv or vim.loop
local M = {}

local MAX_LOG_LINES = 20 -- the message about the exit shows the last line

-- Returns a function that takes chunks of a stream and calls `take` with each complete line. The chunks of a line are
-- joined once, because a large reply consists of many chunks.
local function lines(take)
  local pieces = {}
  return function(chunk)
    local start = 1
    while true do
      local stop = chunk:find('\n', start, true)
      if not stop then
        pieces[#pieces + 1] = chunk:sub(start)
        return
      end
      pieces[#pieces + 1] = chunk:sub(start, stop - 1)
      local line = table.concat(pieces)
      pieces, start = {}, stop + 1
      take(line)
    end
  end
end

local function reason(command, code, signal, log)
  local how = signal ~= 0 and ('was killed by signal %d'):format(signal) or ('exited with code %d'):format(code)
  local last_line = log[#log] and (': ' .. log[#log]) or ''
  return ("'%s' %s%s"):format(command, how, last_line)
end

-- Starts the program. `on.line` is called with each line of output, and `on.ended` with a message about the exit. Both
-- run in libuv callbacks, where most editor functions are not allowed. If the start fails, returns nil and an error
-- message.
function M.start(command, arguments, on)
  local stdin, stdout, stderr = uv.new_pipe(false), uv.new_pipe(false), uv.new_pipe(false)
  local log, open = {}, 3 -- `open`: how many of stdout, stderr and the process are open
  local code, signal, handle, refusal

  local function close(thing)
    if thing and not thing:is_closing() then
      thing:close()
    end
  end

  -- Reports the exit after all output has been read.
  local function ended()
    open = open - 1
    if open == 0 then
      close(stdin)
      on.ended(reason(command, code, signal, log))
    end
  end

  handle, refusal = uv.spawn(command, { args = arguments, stdio = { stdin, stdout, stderr }, hide = true },
    function(c, s)
      code, signal = c, s
      close(handle)
      ended()
    end)
  if not handle then
    vim.tbl_map(close, { stdin, stdout, stderr })
    return nil, ("cannot start '%s': %s; put larder on the PATH, or set 'command'"):format(command, refusal)
  end

  local function read(pipe, take)
    local feed = lines(take)
    pipe:read_start(function(failure, chunk)
      if chunk and not failure then
        return feed(chunk)
      end
      close(pipe)
      ended()
    end)
  end
  read(stdout, on.line)
  read(stderr, function(line)
    log[#log + 1] = line
    if #log > MAX_LOG_LINES then
      table.remove(log, 1)
    end
  end)

  return {
    pid = handle:get_pid(),
    write = function(text)
      if not stdin:is_closing() then
        stdin:write(text)
      end
    end,
    -- Without input, the process sends its pending replies and exits.
    finish = function() close(stdin) end,
  }
end

return M
