-- Runs a script in Neovim without a window, then exits: with code 0 if nothing failed.
-- `main(plan)` receives the contents of the JSON file named by an environment variable.
return function(variable, main)
  local ok, reason = xpcall(function()
    main(vim.json.decode(table.concat(vim.fn.readfile(vim.env[variable]))))
  end, debug.traceback)
  if ok then
    vim.cmd('qall!')
  end
  io.stderr:write(tostring(reason), '\n')
  vim.cmd('cquit!')
end
