vim9script
# What the catalog has, as `rpc.discover` tells it; what a person types as a request; items as text.

import './process.vim'

# Params that are not the name of a parent.
const KNOWN = ['id', 'ids', 'fields', 'cachePolicy', 'maxAge', 'page', 'filter', 'text', 'limit', 'offset', 'observer',
  'maxPages', 'workDoneToken']
# Filters that take what a person types, the best first.
const TEXTS = ['q', 'query', 'search', 'text', 'name', 'title']
const NAMES = ['name', 'title', 'label', 'subject', 'login', 'full_name', 'tag', 'message', 'summary', 'url']
const PLACES = {remote: 'the API', persistence: 'the file', shared: 'the shared level'}

var loaded: dict<dict<any>> = {}
var scopes: dict<dict<string>> = {} # by resource, the parents that were named last
process.OnEnd(() => {
  loaded = {}
})

def ReadResource(document: dict<any>, name: string, verbs: dict<any>): dict<any>
  var schemas = get(get(document, 'components', {}), 'schemas', {})
  var found = {
    name: name, get: has_key(verbs, 'get'), list: has_key(verbs, 'list'), filters: {}, scope: [], text: '',
    fields: get(get(schemas, 'item.' .. name, {}), 'required', []),
    # A larder of before says nothing of it.
    id_field: get(get(get(document, 'x-larder-resources', {}), name, {}), 'idField', 'id'),
  }
  for param in get(verbs, 'list', get(verbs, 'get', verbs.search)).params
    if param.name == 'filter'
      found.filters = get(param.schema, 'properties', {})
    elseif index(KNOWN, param.name) < 0
      add(found.scope, param.name)
    endif
  endfor
  found.text = get(copy(TEXTS)->filter((_, filter) => has_key(found.filters, filter)), 0, '')
  return found
enddef

def Read(document: dict<any>): dict<dict<any>>
  var verbs: dict<dict<any>> = {}
  for method in document.methods
    var parts = split(method.name, '/')
    if len(parts) == 2
      verbs[parts[0]] = extend(get(verbs, parts[0], {}), {[parts[1]]: method})
    endif
  endfor
  # Resources alone can be searched.
  return verbs->filter((_, of) => has_key(of, 'search'))->mapnew((name, of) => ReadResource(document, name, of))
enddef

# `Callback(failure, resources)`.
export def Load(Callback: func)
  if !empty(loaded)
    Callback({}, loaded)
    return
  endif
  process.Ask('rpc.discover', {}, (failure, document) => {
    if empty(failure)
      loaded = Read(document)
    endif
    Callback(failure, loaded)
  })
enddef

# What is known already: for what cannot wait.
export def Resources(): dict<dict<any>>
  return loaded
enddef

# The name of a resource that a text is, or ends in behind a dot: names may have dots, and so may what stands before
# one.
export def Ending(text: string): string
  var name = text
  while name != '' && !has_key(loaded, name)
    name = matchstr(name, '\.\zs.*')
  endwhile
  return name
enddef

export def Scope(resource: dict<any>): dict<string>
  return copy(get(scopes, resource.name, {}))
enddef

# The names of parents that the text leaves open.
export def OpenScope(resource: dict<any>, text: string): list<string>
  return copy(resource.scope)->filter((_, name) =>
    !has_key(Scope(resource), name) && text !~ '\%(^\|\s\)' .. name .. '=')
enddef

def Value(schema: dict<any>, text: string): any
  if index(['integer', 'number', 'boolean'], get(schema, 'type', '')) >= 0
    try
      return json_decode(text)
    catch
    endtry
  endif
  return text
enddef

# What a text asks for: `method`, `params` and `scope`, or `wrong`.
export def Request(resource: dict<any>, text: string): dict<any>
  var name: string = resource.name
  var [scope, filter, id, words] = [Scope(resource), {}, '', []]
  for word in split(text)
    var [_, key, value; _] = matchlist(word, '^\([[:alnum:]_.-]\+\)=\(.*\)$') ?? ['', '', '']
    if key == ''
      add(words, word)
    elseif index(resource.scope, key) >= 0
      scope[key] = value
    elseif has_key(resource.filters, key)
      filter[key] = Value(resource.filters[key], value)
    elseif key == 'id' && resource.get
      id = value
    else
      var takes = join(['id'] + resource.scope + sort(keys(resource.filters)), ', ')
      return {wrong: $"{name} has no '{key}'; it takes {takes}"}
    endif
  endfor
  scopes[name] = scope
  var rest = join(words)
  if id == '' && rest != '' && resource.get && !resource.list
    id = rest # there is nothing else to find it by
  endif
  if id != ''
    return {method: name .. '/get', params: extend({id: id}, scope), scope: scope}
  endif
  if resource.list && (rest == '' || (resource.text != '' && !has_key(filter, resource.text)))
    if rest != ''
      filter[resource.text] = rest
    endif
    return {method: name .. '/list', params: extend(empty(filter) ? {} : {filter: filter}, scope), scope: scope}
  endif
  # The API takes no text: what is in the cache does.
  var params: dict<any> = extend(empty(filter) ? {} : {filter: filter}, rest == '' ? {} : {text: rest})
  return {method: name .. '/search', params: extend(params, scope), scope: scope}
enddef

# The fewest digits that are the same number again: json_encode() writes 6 decimals. (Vim's %g counts decimals too.)
def Number(value: float): string
  var form = value != 0.0 && (abs(value) < 1.0e-4 || abs(value) >= 1.0e17) ? 'e' : 'f'
  for decimals in range(21)
    var text = printf('%.' .. decimals .. form, value)
    if str2float(text) == value
      return text
    endif
  endfor
  return json_encode(value)
enddef

def Encode(value: any): string
  if type(value) == v:t_float && !isinf(value)
    return Number(value)
  elseif type(value) == v:t_list
    return '[' .. mapnew(value, (_, element) => Encode(element))->join(',') .. ']'
  elseif type(value) == v:t_dict
    var names = sort(keys(value))
    return '{' .. mapnew(names, (_, name) => json_encode(name) .. ':' .. Encode(value[name]))->join(',') .. '}'
  endif
  return json_encode(value)
enddef

# A field's value as it is inserted: texts as they are, all else as JSON.
export def Text(value: any): string
  if value == null
    return ''
  endif
  return type(value) == v:t_string ? value : Encode(value)
enddef

export def OneLine(text: string): string
  return substitute(text, '[[:space:][:cntrl:]]\+', ' ', 'g')
enddef

export def Name(item: dict<any>): string
  for field in NAMES
    if type(get(item, field)) == v:t_string && item[field] != ''
      return OneLine(item[field])
    endif
  endfor
  return OneLine(Text(get(item, 'id', null)))
enddef

# The id that an item is asked for by; null where no member of it has that.
export def Id(resource: dict<any>, item: dict<any>): any
  return resource.id_field == null ? null : get(item, resource.id_field, null)
enddef

export def Label(resource: dict<any>, item: dict<any>): string
  var [id, name] = [OneLine(Text(Id(resource, item))), Name(item)]
  if id == ''
    id = OneLine(Text(get(item, 'id', get(item, 'number', null))))
  endif
  if name == ''
    return id
  endif
  return id == '' || id == name ? name : $'{id}  {name}'
enddef

def Age(moment: string): string
  # Both are read as if they were local: the difference is right wherever this is.
  var form = '%Y-%m-%dT%H:%M:%S'
  var then = strptime(form, strpart(moment, 0, 19))
  if then == 0
    return 'at an unknown time'
  endif
  var now = localtime()
  var passed = now - then - UTCOffset(now)
  for [seconds, unit] in [[86400, 'day'], [3600, 'hour'], [60, 'minute']]
    var count = passed / seconds
    if count >= 1
      return $'{count} {unit}{count == 1 ? "" : "s"} ago'
    endif
  endfor
  return 'just now'
enddef

# Seconds by which the local time is ahead of UTC.
def UTCOffset(moment: number): number
  var said = matchlist(strftime('%z', moment), '\([+-]\)\(\d\d\)\(\d\d\)')
  var [_, sign, hours, minutes; _] = said ?? ['', '+', '0', '0']
  var seconds = str2nr(hours) * 3600 + str2nr(minutes) * 60
  return sign == '-' ? -seconds : seconds
enddef

# Where a result came from, in one line.
export def Provenance(result: dict<any>): string
  if !has_key(result, 'source')
    return 'from the cache'
  endif
  var line = $'from {get(PLACES, result.source, result.source)}, {Age(result.fetchedAt)}'
  if get(result, 'stale', false)
    line ..= ', stale'
  endif
  return has_key(result, 'fallback') ? line .. '; the API failed: ' .. OneLine(result.fallback.message) : line
enddef

# The lines of a preview, and the names of the fields of those between the first and the last.
export def Preview(resource: dict<any>, result: dict<any>): list<list<string>>
  var item: dict<any> = result.item
  var rest = keys(item)->filter((_, name) => index(resource.fields, name) < 0)->sort()
  var names = copy(resource.fields)->filter((_, name) => has_key(item, name)) + rest
  var width = max(copy(names)->mapnew((_, name) => strdisplaywidth(OneLine(name))))
  var lines = names->mapnew((_, name) =>
    OneLine(name) .. repeat(' ', width - strdisplaywidth(OneLine(name))) .. '  ' .. OneLine(Text(item[name])))
  return [[trim(OneLine($'{resource.name} {Text(Id(resource, item))}'))] + lines + [Provenance(result)], names]
enddef
