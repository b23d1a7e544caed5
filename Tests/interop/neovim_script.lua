-- Runs a script of a Neovim without a window, which ends with it: with code 0 where nothing failed.
-- `main(plan)` has what stands in the file that a variable of the environment names.
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
