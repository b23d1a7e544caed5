-- Captures the screens of an editor, which runs in Neovim's built-in terminal. Started by `screenshot`.
-- The variable LARDER_PLAN names the plan: the command, and steps. Each step has a text to wait for, whether to store
-- the screen then, and the keys to type.
local plan = vim.json.decode(table.concat(vim.fn.readfile(vim.env.LARDER_PLAN)))
local buffer = vim.api.nvim_create_buf(false, true)
-- The terminal has the size of its window.
local window = vim.api.nvim_open_win(buffer, true, {
  relative = 'editor', row = 0, col = 0, width = plan.columns, height = plan.lines, style = 'minimal',
})
local job = vim.fn.termopen(plan.editor, { env = plan.environment })

local function screen()
  return vim.api.nvim_buf_get_lines(buffer, 0, plan.lines, false)
end

local kept = {}
for _, step in ipairs(plan.steps) do
  local there = vim.wait(30000, function()
    return table.concat(screen(), '\n'):find(step['until'], 1, true) ~= nil
  end, 10)
  if not there then
    io.stderr:write(("'%s' never came:\n"):format(step['until']), table.concat(screen(), '\n'), '\n')
    vim.cmd('cquit!')
  end
  if step.keep then
    table.insert(kept, screen())
  end
  vim.fn.chansend(job, step.type)
end
vim.fn.writefile({ vim.json.encode(kept) }, plan.results)
vim.fn.jobstop(job)
vim.api.nvim_win_close(window, true)
vim.cmd('qall!')
