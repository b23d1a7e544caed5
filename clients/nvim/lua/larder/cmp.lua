-- A source of completions for nvim-cmp. Users add `{ name = 'larder' }` to the sources in the settings of nvim-cmp.
local complete = require('larder.complete')
local Source = {}
Source.__index = Source

function Source.new()
  return setmetatable({}, Source)
end

function Source:get_debug_name()
  return 'larder'
end

function Source:get_trigger_characters()
  return { '/' }
end

function Source:get_keyword_pattern()
  return [[\k\+\/\k*]]
end

function Source:complete(params, callback)
  -- The request for the previous text is obsolete.
  if self.cancel then
    self.cancel()
    self.cancel = nil
  end
  local context = params.context
  local start, name, text = complete.target(context.cursor_before_line, vim.b.larder_resource)
  if not start then
    return callback({ items = {}, isIncomplete = false })
  end
  local line, stop = context.cursor.row - 1, #context.cursor_before_line
  -- nvim-cmp expects positions of the Language Server Protocol, in UTF-16 units.
  local function column(bytes)
    local _, units = vim.str_utfindex(context.cursor_before_line, bytes)
    return units
  end
  self.cancel = complete.ask(name, text, function(_, found, of)
    self.cancel = nil
    start = complete.start(context.cursor_before_line, start, name, of)
    name = of
    local range = {
      start = { line = line, character = column(start) },
      ['end'] = { line = line, character = column(stop) },
    }
    local items = vim.tbl_map(function(entry)
      return {
        label = entry.word,
        labelDetails = { description = name .. ' ' .. entry.id },
        filterText = context.cursor_before_line:sub(start + 1, stop) .. ' ' .. entry.word,
        documentation = entry.info,
        textEdit = { range = range, newText = entry.word },
      }
    end, found)
    callback({ items = items, isIncomplete = true })
  end)
end

return Source
