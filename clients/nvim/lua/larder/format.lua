-- Formats items as text: one line per item in a list, one line per field in a preview, and the source of a result.
local json = require('larder.json')
local M = {}

local NAMES = { 'name', 'title', 'label', 'subject', 'login', 'full_name', 'tag', 'message', 'summary', 'url' }

local function is_null(value)
  return value == nil or value == vim.NIL
end

-- Formats a number with the fewest digits that parse to the same number. Lua itself would write only 14 digits.
local function number_text(value)
  for digits = 15, 16 do
    local text = ('%%.%dg'):format(digits):format(value)
    if tonumber(text) == value then
      return text
    end
  end
  return ('%.17g'):format(value)
end

-- Encodes a value as JSON. Its members keep their order.
local function encode(value)
  if type(value) == 'number' then
    return M.text(value)
  elseif type(value) ~= 'table' or next(value) == nil then
    -- Neovim escapes slashes, which makes URLs hard to read.
    return (vim.json.encode(value):gsub('\\(.)', function(mark) return mark == '/' and '/' or nil end))
  elseif value[1] ~= nil then
    return '[' .. table.concat(vim.tbl_map(encode, value), ',') .. ']'
  end
  local members = {}
  for _, name in ipairs(json.names(value)) do
    table.insert(members, encode(name) .. ':' .. encode(value[name]))
  end
  return '{' .. table.concat(members, ',') .. '}'
end

-- Returns the text to insert for a field: strings unchanged, other values as JSON.
function M.text(value)
  if type(value) == 'string' then
    return value
  elseif is_null(value) then
    return ''
  elseif type(value) == 'number' and value % 1 == 0 and math.abs(value) < 2 ^ 53 then
    return ('%d'):format(value)
  end
  if type(value) == 'number' then
    return number_text(value)
  end
  return type(value) == 'table' and encode(value) or tostring(value)
end

-- Replaces whitespace by single spaces: ids and field names may contain newlines, but buffer lines may not.
function M.one_line(text)
  return (text:gsub('[%s%c]+', ' '))
end

-- Returns a readable name of the item.
function M.name(item)
  for _, field in ipairs(NAMES) do
    if type(item[field]) == 'string' and item[field] ~= '' then
      return item[field]
    end
  end
  return M.text(item.id)
end

-- Returns the id with which `get` returns the item; nil if no field contains the id.
function M.id(resource, item)
  local id = resource.id_field and item[resource.id_field]
  return M.text(id) ~= '' and id or nil
end

function M.label(resource, item)
  local id = M.one_line(M.text(M.id(resource, item) or item.id or item.number))
  local name = M.one_line(M.name(item))
  if name == '' then
    return id
  end
  return id ~= '' and id ~= name and ('%s  %s'):format(id, name) or name
end

-- Returns the field names of an item: first the fields of the catalog, then all others, in their order.
function M.fields(resource, item)
  local names, seen = {}, {}
  for _, name in ipairs(vim.list_extend(vim.list_extend({}, resource.fields), json.names(item))) do
    if item[name] ~= nil and not seen[name] then
      table.insert(names, name)
      seen[name] = true
    end
  end
  return names
end

-- The least age of each unit, the seconds of the unit, and its name.
local UNITS = { { 172800, 86400, 'd' }, { 7200, 3600, 'h' }, { 120, 60, 'min' }, { 5, 1, 's' } }
local PLACES = {
  remote = 'the API', memory = 'the cache (memory)', persistence = 'the cache (disk)', shared = 'the shared level',
}
-- The number of characters of a field that a preview shows at most.
local LONGEST = 1000

-- Returns the age of a UTC time such as `2026-11-21T10:35:32.478Z` as text, for example '3 min old'.
function M.age(moment, now)
  local year, month, day, hour, minute, second = tostring(moment):match('^(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)')
  if not year then
    return 'of unknown age'
  end
  local parts = { year = year, month = month, day = day, hour = hour, min = minute, sec = second, isdst = false }
  local now_parts = os.date('!*t', now)
  now_parts.isdst = false
  -- Both times are read as local times, so their difference is correct in every time zone.
  local passed = os.difftime(os.time(now_parts), os.time(parts))
  for _, unit in ipairs(UNITS) do
    if passed >= unit[1] then
      return ('%d %s old'):format(math.floor(passed / unit[2]), unit[3])
    end
  end
  return 'just now'
end

-- Returns the source and age of a result in one line.
function M.provenance(result)
  if not result.source then
    return 'from the cache'
  end
  local line = ('from %s, %s'):format(PLACES[result.source] or result.source, M.age(result.fetchedAt))
  line = result.stale == true and line .. ', stale' or line
  return result.fallback and line .. '; the API failed: ' .. M.one_line(result.fallback.message) or line
end

-- Returns the lines of a preview, and a table from line numbers to field names. The line of a field starts with its
-- name, as `one_line` formats it.
function M.preview(resource, result)
  local lines, of, width = { M.one_line(resource.name .. ' ' .. M.text(M.id(resource, result.item))) }, {}, 0
  local names = M.fields(resource, result.item)
  for _, name in ipairs(names) do
    width = math.max(width, vim.fn.strdisplaywidth(M.one_line(name)))
  end
  for _, name in ipairs(names) do
    local shown = M.one_line(name)
    local pad = (' '):rep(width - vim.fn.strdisplaywidth(shown))
    local text = M.one_line(M.text(result.item[name]))
    if vim.fn.strchars(text) > LONGEST then
      text = vim.fn.strcharpart(text, 0, LONGEST) .. '…'
    end
    table.insert(lines, ('%s%s  %s'):format(shown, pad, text))
    of[#lines] = name
  end
  table.insert(lines, M.provenance(result))
  return lines, of
end

return M
