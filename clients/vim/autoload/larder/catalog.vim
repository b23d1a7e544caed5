vim9script
# The resources of the catalog from `rpc.discover`, the conversion of typed text to a request, and items as text.

import './process.vim'
import './json.vim'

# The names of the params that are not parents of a resource.
const KNOWN = ['id', 'ids', 'fields', 'cachePolicy', 'maxAge', 'page', 'filter', 'text', 'limit', 'offset', 'observer',
  'maxPages', 'workDoneToken']
# The names of filters for free text, in order of preference.
const TEXTS = ['q', 'query', 'search', 'text', 'name', 'title']
const NAMES = ['name', 'title', 'label', 'subject', 'login', 'full_name', 'tag', 'message', 'summary', 'url']
const MAX_WAIT = 1.0 # seconds
const PLACES = {
  remote: 'the API', memory: 'the cache (memory)', persistence: 'the cache (disk)', shared: 'the shared level',
}
# The number of characters of a field that a preview shows at most.
const LONGEST = 1000

var loaded: dict<dict<any>> = {}
var scopes: dict<dict<string>> = {} # the parents of the last request to each resource
process.OnEnd(() => {
  loaded = {}
})

def ReadResource(document: dict<any>, name: string, verbs: dict<any>): dict<any>
  var schemas = get(get(document, 'components', {}), 'schemas', {})
  var found = {
    name: name, get: has_key(verbs, 'get'), list: has_key(verbs, 'list'), filters: {}, scope: [], text: '',
    fields: get(get(schemas, 'item.' .. name, {}), 'required', []),
    # Older versions of larder do not report the id field of a resource.
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
  # A name without a `search` method is not a resource.
  return verbs->filter((_, of) => has_key(of, 'search'))->mapnew((name, of) => ReadResource(document, name, of))
enddef

# Loads the catalog if it is not loaded yet. Calls `Callback(failure, resources)`.
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

# Returns the resources. Blocks until the catalog is loaded, but at most `MAX_WAIT`; then returns an empty dict. For
# command-line completion, which cannot continue in a callback.
export def Await(): dict<dict<any>>
  var done = false
  Load((_, _) => {
    done = true
  })
  var start = reltime()
  while !done && reltimefloat(reltime(start)) < MAX_WAIT
    # Vim runs callbacks while it sleeps.
    sleep 5m
  endwhile
  return loaded
enddef

# Returns the name of the resource that is `text` or a suffix of `text` after a dot; empty if there is none. Resource
# names may contain dots.
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

# Returns the names of the parents that have a value neither in the text nor from the last request.
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

# Converts typed text to a request with `method`, `params` and `scope`. For a search without a match, `list` has the params
# of the list. For invalid text, returns a dict whose member `wrong` is an error message.
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
      return {wrong: $"'{name}' has no filter '{key}'; use one of {takes}"}
    endif
  endfor
  scopes[name] = scope
  var rest = join(words)
  if id == '' && rest != '' && resource.get && !resource.list
    id = rest # without a list, the text can only be an id
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
  # The list has no filter for free text, so the cache is searched instead.
  var params: dict<any> = extend(empty(filter) ? {} : {filter: filter}, scope)
  var request = {method: name .. '/search', params: extendnew(params, rest == '' ? {} : {text: rest}), scope: scope}
  return extend(request, resource.list ? {list: params} : {})
enddef

# Formats a number with the fewest decimals that parse to the same number; json_encode() and %g lose digits.
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
    var members = json.Names(value)->mapnew((_, name) => json_encode(name) .. ':' .. Encode(value[name]))
    return '{' .. join(members, ',') .. '}'
  endif
  return json_encode(value)
enddef

# Returns the text to insert for a field: strings unchanged, other values as JSON.
export def Text(value: any): string
  if value == null
    return ''
  endif
  return type(value) == v:t_string ? value : Encode(value)
enddef

export def OneLine(text: string): string
  return substitute(text, '[[:space:][:cntrl:]]\+', ' ', 'g')
enddef

def Shortened(text: string): string
  return strcharlen(text) > LONGEST ? strcharpart(text, 0, LONGEST) .. '…' : text
enddef

export def Name(item: dict<any>): string
  for field in NAMES
    if type(get(item, field)) == v:t_string && item[field] != ''
      return OneLine(item[field])
    endif
  endfor
  return OneLine(Text(get(item, 'id', null)))
enddef

# Returns the id with which `get` returns the item; null if no field contains the id.
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
  # The time is UTC but parsed as local time, so the offset is subtracted below.
  var form = '%Y-%m-%dT%H:%M:%S'
  var then = strptime(form, strpart(moment, 0, 19))
  if then == 0
    return 'of unknown age'
  endif
  var now = localtime()
  var passed = now - then - UTCOffset(now)
  for [least, seconds, unit] in [[172800, 86400, 'd'], [7200, 3600, 'h'], [120, 60, 'min'], [5, 1, 's']]
    if passed >= least
      return $'{passed / seconds} {unit} old'
    endif
  endfor
  return 'just now'
enddef

# Returns the offset of local time from UTC in seconds.
def UTCOffset(moment: number): number
  var found = matchlist(strftime('%z', moment), '\([+-]\)\(\d\d\)\(\d\d\)')
  var [_, sign, hours, minutes; _] = found ?? ['', '+', '0', '0']
  var seconds = str2nr(hours) * 3600 + str2nr(minutes) * 60
  return sign == '-' ? -seconds : seconds
enddef

# Returns the source and age of a result in one line.
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

# Returns the lines of a preview, and the field names of all lines but the first (title) and the last (source). The
# fields of the catalog come first. All fields keep their order.
export def Preview(resource: dict<any>, result: dict<any>): list<list<string>>
  var item: dict<any> = result.item
  var rest = json.Names(item)->filter((_, name) => index(resource.fields, name) < 0)
  var names = copy(resource.fields)->filter((_, name) => has_key(item, name)) + rest
  var width = max(copy(names)->mapnew((_, name) => strdisplaywidth(OneLine(name))))
  var lines = names->mapnew((_, name) =>
    OneLine(name) .. repeat(' ', width - strdisplaywidth(OneLine(name))) .. '  ' .. Shortened(OneLine(Text(item[name]))))
  return [[trim(OneLine($'{resource.name} {Text(Id(resource, item))}'))] + lines + [Provenance(result)], names]
enddef
