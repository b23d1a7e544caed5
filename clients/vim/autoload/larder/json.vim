vim9script
# Decodes messages, and keeps what Vim's dicts lose: the order of an object's members.

# The key under which a dict stores the names of its members in order. It is not valid UTF-8, so no message contains it.
const ORDER = "\xff"
const MAX_BYTES = 1000000 # longer messages are only decoded, because their order would take most of a second

# Returns a JSON text with each object as an array of names and values.
def Flat(text: string): string
  var parts = split(text, '"', true)
  var in_string = false
  for [index, part] in items(parts)
    if !in_string
      parts[index] = tr(part, '{}:', '[],')
      in_string = true
    else
      # A quote after an odd number of backslashes does not end the string.
      in_string = strpart(part, len(part) - 1) == '\' && len(matchstr(part, '\\\+$')) % 2 == 1
    endif
  endfor
  return join(parts, '"')
enddef

# Stores the order of the members of all dicts in `value`. `flat` is the same value with lists instead of dicts.
def Store(value: any, flat: any)
  if type(value) == v:t_list
    for [index, element] in items(value)
      Store(element, flat[index])
    endfor
  elseif type(value) == v:t_dict
    var names: list<string> = []
    for index in range(0, len(flat) - 1, 2)
      add(names, flat[index])
      Store(value[flat[index]], flat[index + 1])
    endfor
    value[ORDER] = names
  endif
enddef

# Decodes a message. The order of members is stored only for items in messages of up to `MAX_BYTES`.
export def Decode(line: string): dict<any>
  var message = json_decode(line)
  if len(line) <= MAX_BYTES && line =~ '"result":{"items\?":'
    Store(message, json_decode(Flat(line)))
  endif
  return message
enddef

# Returns the names of the members of a dict in the order of the message; sorted if the order is not stored.
export def Names(value: dict<any>): list<string>
  return has_key(value, ORDER) ? copy(value[ORDER]) : sort(keys(value))
enddef
