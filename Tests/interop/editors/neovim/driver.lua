-- Drives a second Neovim, which has the plugin: types keys there and reads its state.
-- So prompts and insert mode behave as for a person, and a blocked editor is detected.
local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':h')
local PATIENCE = 30000

local function start(plan)
  local command = { vim.v.progpath, '--embed', '--headless', '-u', 'NONE', '-i', 'NONE', '-n',
    '--cmd', 'set lines=60 nomore runtimepath+=' .. plan.clients .. '/nvim' }
  -- `-u NONE` loads no plugins.
  vim.list_extend(command, { '-c', 'runtime! plugin/larder.lua' })
  local channel = vim.fn.jobstart(command, { rpc = true })
  assert(channel > 0, 'no second Neovim')
  local child = { channel = channel }

  function child.lua(code, ...)
    return vim.rpcrequest(channel, 'nvim_exec_lua', code, { ... })
  end
  function child.type(keys)
    vim.rpcrequest(channel, 'nvim_input', keys)
  end
  function child.mode()
    return vim.rpcrequest(channel, 'nvim_get_mode')
  end
  -- Waits until the condition returns a true value, and returns it.
  function child.wait(what, condition)
    local found
    local ok = vim.wait(PATIENCE, function()
      found = condition()
      return found
    end, 5)
    if not ok then
      local state = vim.inspect(child.mode())
      if not child.mode().blocking then
        state = state .. '\nmessages: ' .. child.lua('return vim.fn.execute("messages")')
          .. '\nscreen:\n' .. table.concat(child.screen(), '\n')
      end
      error('never: ' .. what .. '\n' .. state, 2)
    end
    return found
  end
  -- Answers a prompt of the editor. In mode `r` the text is the number of a choice, in mode `c` a line.
  function child.answer(mode, text)
    child.wait('a prompt ' .. mode, function() return child.mode().mode:sub(1, 1) == mode end)
    child.type(text .. '<CR>')
    child.wait('the end of the prompt', function()
      return not child.mode().blocking and child.lua('return chosen ~= nil')
    end)
    child.lua([[vim.schedule(chosen)
      chosen = nil]])
  end
  function child.preview()
    return child.wait('a preview', function()
      local lines = child.lua([[
        for _, window in ipairs(vim.api.nvim_list_wins()) do
          if vim.api.nvim_win_get_config(window).relative ~= '' then
            return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
          end
        end
        return false]])
      return lines
    end)
  end
  function child.windows()
    return child.lua('return #vim.api.nvim_list_wins()')
  end
  function child.lines()
    return child.lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)')
  end
  function child.told()
    return child.wait('a message', function() return child.lua('return require("larder.tell").last or false') end)
  end
  -- Sends a request to larder, independent of the plugin.
  function child.ask(method, params)
    child.lua([[
      local method, params = ...
      answered = nil
      require('larder.connection').request(method, params, function(failure, result)
        answered = { failure = failure, result = result }
      end)]], method, params)
    return child.wait('an answer to ' .. method, function() return child.lua('return answered or false') end)
  end
  function child.screen()
    return child.lua([[
      vim.cmd('redraw')
      local lines = {}
      for row = 1, vim.o.lines do
        local cells = {}
        for column = 1, vim.o.columns do
          cells[column] = vim.fn.screenstring(row, column)
        end
        lines[row] = (table.concat(cells):gsub('%s+$', ''))
      end
      return lines]])
  end
  function child.close()
    vim.fn.jobstop(channel)
  end

  -- The plugin gets the answer to a prompt only after this driver has seen its end: the next prompt may follow at once.
  child.lua([[
    for name, prompt in pairs(vim.ui) do
      vim.ui[name] = function(first, second, callback)
        local function held(...)
          local answer = { n = select('#', ...), ... }
          chosen = function() callback(unpack(answer, 1, answer.n)) end
        end
        if callback then
          return prompt(first, second, held)
        end
        callback, second = second, held
        return prompt(first, second)
      end
    end]])
  child.lua([[require('larder').setup { command = ..., arguments = select(2, ...) }]], plan.command, plan.arguments)
  return child
end

dofile(here .. '/../../neovim_script.lua')('LARDER_PLAN', function(plan)
  local child = start(plan)
  local file = vim.startswith(plan.scenario, 'unanswered') and 'moves.lua' or 'scenarios.lua'
  local scenario = dofile(here .. '/' .. file)[plan.scenario]
  local ok, reason = xpcall(scenario, debug.traceback, child, plan)
  pcall(child.close)
  assert(ok, reason)
end)
