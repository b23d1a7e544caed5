-- The item that the text below the cursor names: `character/2` anywhere, or an id alone where the resource is known.
local catalog = require('larder.catalog')
local origin = require('larder.origin')
local preview = require('larder.preview')
local query = require('larder.query')
local tell = require('larder.tell')
local M = {}

-- The resource and the id that a line names at a column (from 0), or right before it.
local function read(line, column, resources)
  local at = 1
  while true do
    local start, stop, name, id = line:find('([%w_.-]+)[/:]([%w_%%.-]+)', at)
    if not start or start > column + 1 then
      return
    end
    local resource = catalog.ending(name, resources)
    at = start + #name -- An id may be a name, as in `api/character/2`.
    if resource and at - #resource.name <= column + 1 and column <= stop then
      return resource, (id:gsub('%.$', ''))
    end
  end
end

-- `name` is the resource; else the text says it, else `b:larder_resource`.
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
      return tell.failure('the text here names no item: write RESOURCE/ID, or set b:larder_resource')
    end
    local open = query.open_scope(resource, '')
    if #open > 0 then
      local names = table.concat(open, ', ')
      return tell.failure(('%s needs %s: look for one with :Larder first'):format(resource.name, names))
    end
    -- Not through what a person may type: a list may have a filter `id`.
    local params = vim.tbl_extend('force', query.scope(resource), { id = named })
    preview.get(resource, { method = resource.name .. '/get', params = params }, from)
  end)
end

return M
