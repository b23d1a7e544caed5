-- Shows the item that the text under the cursor names: `character/2`, or an id alone if the resource is known.
local catalog = require('larder.catalog')
local origin = require('larder.origin')
local preview = require('larder.preview')
local query = require('larder.query')
local tell = require('larder.tell')
local M = {}

-- Returns the resource and the id that a line names at a column (0-based) or directly before this column.
local function read(line, column, resources)
  local at = 1
  while true do
    local start, stop, name, id = line:find('([%w_.-]+)[/:]([%w_%%.-]+)', at)
    if not start or start > column + 1 then
      return
    end
    local resource = catalog.ending(name, resources)
    at = start + #name -- The id of this match may be the resource of the next one, as in `api/character/2`.
    if resource and at - #resource.name <= column + 1 and column <= stop then
      return resource, (id:gsub('%.$', ''))
    end
  end
end

-- Shows the item under the cursor. `name` is the resource name; if it is empty, the text or b:larder_resource names it.
function M.open(name)
  local from = origin.here()
  local line, column = vim.api.nvim_get_current_line(), vim.api.nvim_win_get_cursor(0)[2]
  local id = vim.fn.expand('<cword>')
  local default = vim.b.larder_resource
  catalog.load(function(failure, resources)
    if failure then
      return tell.failure(failure)
    end
    local resource, named = read(line, column, resources)
    if name ~= '' or not resource then
      resource, named = resources[name ~= '' and name or default or ''], id
    end
    if not resource or not resource.get or named == '' then
      return tell.failure('no item at the cursor; write RESOURCE/ID, or set b:larder_resource')
    end
    local open = query.open_scope(resource, '')
    if #open > 0 then
      local names = table.concat(open, ', ')
      return tell.failure(("'%s' needs a value for %s; pick an item with :Larder first"):format(resource.name, names))
    end
    -- `query.request` is not used here, because it takes `id` as a filter if the list has a filter named `id`.
    local params = vim.tbl_extend('force', query.scope(resource), { id = named })
    preview.get(resource, { method = resource.name .. '/get', params = params }, from)
  end)
end

return M
