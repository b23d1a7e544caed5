-- The program: started, written to, read line by line, and ended. It knows nothing of requests.
local uv = vim.uv or vim.loop
local M = {}

local KEPT = 20 -- lines of the log, the last of which says why a process has ended

-- A function that is given pieces of a stream and gives `take` the whole lines of it. Pieces are joined once a line
-- is whole: a reply of some MiB comes in many.
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
  local how = signal ~= 0 and ('by signal %d'):format(signal) or ('with code %d'):format(code)
  local said = log[#log] and (': ' .. log[#log]) or ''
  return ("'%s' has ended %s%s"):format(command, how, said)
end

-- Starts the program. `on.line` has each line of its output, `on.ended` why it is there no more; both are called in
-- the loop, where little of the editor may be used. Returns nil and the reason where it cannot be started.
function M.start(command, arguments, on)
  local stdin, stdout, stderr = uv.new_pipe(false), uv.new_pipe(false), uv.new_pipe(false)
  local log, open = {}, 3 -- both streams, and the process itself
  local code, signal, handle, refusal

  local function close(thing)
    if thing and not thing:is_closing() then
      thing:close()
    end
  end

  -- What was written before the end is read before the end is told.
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
    return nil, ("'%s' cannot be started (%s): put larder on the PATH, or set 'command'"):format(command, refusal)
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
    if #log > KEPT then
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
    -- The end of its input ends it, once it has answered.
    finish = function() close(stdin) end,
  }
end

return M
