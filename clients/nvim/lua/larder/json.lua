-- Decodes messages. Keeps what Lua tables lose: the order of an object's members, and the digits of large integers.
local M = {}

local orders = setmetatable({}, { __mode = 'k' }) -- the names of the members of decoded objects, in order
local MAX_BYTES = 1000000 -- longer messages are only decoded, because their order would take too long
local AS_ARRAY = { ['{'] = '[', ['}'] = ']', [':'] = ',' }

-- Applies `change` to the parts of a JSON text that are not strings.
local function outside_strings(text, change)
  local parts, at = {}, 1
  while at <= #text do
    local quote = text:find('"', at, true) or #text + 1
    parts[#parts + 1] = change(text:sub(at, quote - 1))
    -- A quote after an odd number of backslashes does not end the string.
    local stop = quote
    repeat
      stop = text:find('"', stop + 1, true) or #text
    until stop == #text or #text:sub(quote, stop - 1):match('\\*$') % 2 == 0
    parts[#parts + 1] = text:sub(quote, stop)
    at = stop + 1
  end
  return table.concat(parts)
end

-- Converts integers with more than 14 digits to strings, because Lua would lose digits. Larder accepts string ids.
local function keep_integers(text)
  if not text:find(('%d'):rep(15)) then
    return text
  end
  return outside_strings(text, function(part)
    return (part:gsub('%-?%d[%d.eE+-]*', function(number)
      return number:find('^%-?' .. ('%d'):rep(15) .. '+$') and '"' .. number .. '"' or nil
    end))
  end)
end

-- Stores the order of the members of all objects in `value`. `flat` is the same value with each object as an array of
-- names and values.
local function store(value, flat)
  if type(value) ~= 'table' or type(flat) ~= 'table' then
    return
  end
  if value[1] ~= nil then
    for index, element in ipairs(value) do
      store(element, flat[index])
    end
    return
  end
  orders[value] = {}
  for index = 1, #flat, 2 do
    table.insert(orders[value], flat[index])
    store(value[flat[index]], flat[index + 1])
  end
end

-- Decodes a message; raises an error if it is not JSON. The order of members is stored only for items in
-- messages of up to `MAX_BYTES`.
function M.decode(line)
  local text = keep_integers(line)
  local message = vim.json.decode(text)
  local result = type(message) == 'table' and message.result
  if type(result) == 'table' and (result.item or result.items) and #line <= MAX_BYTES then
    store(message, vim.json.decode(outside_strings(text, function(part) return (part:gsub('[{}:]', AS_ARRAY)) end)))
  end
  return message
end

-- Returns the names of the members of an object in the order of the message; sorted if the order is not stored.
function M.names(object)
  local names = orders[object]
  if not names then
    names = vim.tbl_keys(object)
    table.sort(names)
  end
  return names
end

return M
