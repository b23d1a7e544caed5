-- Lets the user pick items in Telescope, if it is installed. The previewer requests the selected item, and cancels the
-- request when the selection moves.
local connection = require('larder.connection')
local format = require('larder.format')
local preview = require('larder.preview')
local M = {}

function M.present()
  return (pcall(require, 'telescope.pickers'))
end

-- Returns two functions for Telescope's previewer: the first shows the selected item, the second cancels the request.
local function previewing(resource, request, result, get_request)
  local pending
  local function cancel()
    if pending then
      pending.cancel()
      pending = nil
    end
  end
  local function write(buffer, shown)
    if vim.api.nvim_buf_is_valid(buffer) then
      local lines, of = format.preview(resource, shown)
      vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
      preview.paint(buffer, lines, of)
    end
  end
  local function define(self, entry)
    cancel()
    local item, buffer = entry.value, self.state.bufnr
    write(buffer, { item = item, source = result.source, fetchedAt = result.fetchedAt, stale = result.stale })
    local whole = get_request(resource, item, request.scope)
    if whole then
      pending = connection.request(whole.method, whole.params, function(failure, got)
        pending = nil
        if not failure then
          write(buffer, got)
        elseif vim.api.nvim_buf_is_valid(buffer) then
          vim.api.nvim_buf_set_lines(buffer, -1, -1, false, { format.one_line(failure.message) })
        end
      end)
    end
  end
  return define, cancel
end

function M.pick(resource, request, result, from, pick, get_request)
  local actions, state = require('telescope.actions'), require('telescope.actions.state')
  local values = require('telescope.config').values
  local define, cancel = previewing(resource, request, result, get_request)
  local next_page = result.page and result.page.next
  local title = ('%s (%s)'):format(resource.name, format.provenance(result))
  if next_page and next_page ~= vim.NIL then
    title = title .. ', <C-n> in normal mode for the next page'
  end
  require('telescope.pickers').new({}, {
    prompt_title = title,
    finder = require('telescope.finders').new_table({
      results = result.items,
      entry_maker = function(item)
        local label = format.label(resource, item)
        return { value = item, display = label, ordinal = label }
      end,
    }),
    sorter = values.generic_sorter({}),
    previewer = require('telescope.previewers').new_buffer_previewer({
      title = resource.name, define_preview = define, teardown = cancel,
    }),
    attach_mappings = function(prompt, map)
      actions.select_default:replace(function()
        local entry = state.get_selected_entry()
        cancel()
        actions.close(prompt)
        if entry then
          pick.chosen(resource, entry.value, result, request.scope, from)
        end
      end)
      if next_page and next_page ~= vim.NIL then
        map('n', '<C-n>', function()
          cancel()
          actions.close(prompt)
          request.params.page = next_page
          pick.ask(resource, request, from)
        end)
      end
      return true
    end,
  }):find()
end

return M
