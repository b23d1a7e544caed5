-- Neovim's vim.lsp.rpc, the JSON-RPC part of its language client.

local function session(plan)
  local exit_code
  local dispatchers = { on_exit = function(code) exit_code = code end }
  -- Before Neovim 0.10, the program and its arguments were separate parameters. Neither version accepts the other form.
  local ok, client = pcall(vim.lsp.rpc.start, plan.command, dispatchers)
  if not ok then
    client = vim.lsp.rpc.start(plan.command[1], vim.list_slice(plan.command, 2), dispatchers)
  end

  local function wait(what, condition)
    assert(vim.wait(30000, condition, 5), 'no ' .. what)
  end

  local function ask(method, params)
    local done, failure, result
    client.request(method, params, function(...)
      done, failure, result = true, ...
    end)
    wait('reply to ' .. method, function() return done end)
    return result, failure
  end

  local function call(method, params)
    local result, failure = ask(method, params)
    assert(not failure, tostring(failure))
    return result
  end

  local seen = { initialize = call('initialize', { processId = vim.fn.getpid(), capabilities = vim.empty_dict() }) }
  client.notify('initialized', vim.empty_dict())
  seen.get = call('character/get', { id = 1 })
  seen.list = call('character/list', { page = 1 })

  -- Neovim does not return the error of a cancelled request. It is visible only in the log and in the last callback.
  local log = require('vim.lsp.log')
  log.debug = function(event, message)
    if event == 'rpc.receive' and message.error then
      seen.cancelled = message.error
    end
    return true
  end
  local replied
  local _, held = client.request('character/get', { id = 2, cachePolicy = 'none' }, function()
    error('a cancelled request was called back')
  end, function(id) replied = id end)
  seen.gate = call('location/get', { id = 1 })
  client.notify('$/cancelRequest', { id = held })
  wait('reply to the cancelled request', function() return replied end)
  assert(replied == held)
  log.debug = function() end

  local result
  result, seen.notFound = ask('character/get', { id = 99999 })
  assert(result == nil)
  seen.recents = call('recents/add', { text = plan.text })
  seen.shutdown = call('shutdown') or vim.NIL
  client.notify('exit')
  wait('end', function() return exit_code end)
  seen.exitCode = exit_code
  return seen
end

local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':h')
dofile(here .. '/neovim_script.lua')('LARDER_INTEROP', function(plan)
  local seen = vim.json.encode(session(plan))
  local file = assert(io.open(plan.results, 'w'))
  file:write(seen)
  file:close()
end)
