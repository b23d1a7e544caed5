-- Assertions whose error messages show the actual value.
local M = {}

function M.same(found, expected, what)
  assert(vim.deep_equal(found, expected),
    ('%s is %s, not %s'):format(what or 'it', vim.inspect(found), vim.inspect(expected)))
end

function M.has(text, part)
  assert(text:find(part, 1, true), ('%s is not in %s'):format(part, text))
end

return M
