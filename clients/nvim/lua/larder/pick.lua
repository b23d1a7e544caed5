-- Implements `:Larder`: the user picks a resource, then an item. No function blocks; each continues in a callback.
local catalog = require('larder.catalog')
local format = require('larder.format')
local origin = require('larder.origin')
local preview = require('larder.preview')
local query = require('larder.query')
local recents = require('larder.query.recents')
local settings = require('larder.settings')
local tell = require('larder.tell')
local M = {}

local waiting = origin.waiting() -- for the list request

local function get_request(resource, item, scope)
  local id = resource.get and format.id(resource, item)
  if not id then
    return nil
  end
  return { method = resource.name .. '/get', params = vim.tbl_extend('force', { id = id }, scope) }
end

-- Shows the chosen item. Items of a list may lack fields, so an item with an id is requested in full.
function M.chosen(resource, item, result, scope, from)
  local request = get_request(resource, item, scope)
  if request then
    return preview.get(resource, request, from)
  end
  local shown = { item = item, source = result.source, fetchedAt = result.fetchedAt, stale = result.stale }
  preview.show(resource, shown, from)
end

local function select_item(resource, request, result, from)
  local page = result.page or {}
  local next_page = page.next ~= vim.NIL and page.next or nil
  if #result.items == 0 and not next_page then
    local which = vim.endswith(request.method, '/search') and 'cached item' or 'item'
    return tell.note(("no %s of '%s' matches"):format(which, resource.name))
  end
  local telescope = settings.current.telescope and require('larder.telescope')
  if telescope and telescope.present() then
    return telescope.pick(resource, request, result, from, M, get_request)
  end
  local entries, more = vim.list_extend({}, result.items), {}
  if next_page then
    table.insert(entries, more)
  end
  vim.ui.select(entries, {
    prompt = ('%s (%s)'):format(resource.name, format.provenance(result)),
    kind = 'larder',
    format_item = function(entry)
      if entry ~= more then
        return format.label(resource, entry)
      end
      local pages = page.pages and page.pages ~= vim.NIL and (' of ' .. format.text(page.pages)) or ''
      return ('more: page %s%s'):format(format.one_line(format.text(next_page)), pages)
    end,
  }, function(entry)
    if not entry then
      return
    elseif entry == more then
      request.params.page = next_page
      return M.ask(resource, request, from)
    end
    M.chosen(resource, entry, result, request.scope, from)
  end)
end

-- Requests a list and lets the user choose an item. If a search of the cache has no match, fetches the first page of the
-- list and searches again.
function M.ask(resource, request, from)
  M.cancel()
  if request.params.id then
    return preview.get(resource, request, from)
  end
  waiting.ask(request.method, request.params, from, function(result)
    local list = request.list
    if not list or #result.items > 0 then
      return select_item(resource, request, result, from)
    end
    request.list = nil
    waiting.ask(resource.name .. '/list', list, from, function() M.ask(resource, request, from) end)
  end)
end

function M.cancel()
  waiting.cancel()
  preview.cancel()
end

-- Asks the user for the value of each parent that has no value yet.
local function with_scope(resource, text, callback)
  local name = query.open_scope(resource, text)[1]
  if not name then
    return callback(text)
  end
  vim.ui.input({ prompt = ('%s, %s: '):format(resource.name, name) }, function(value)
    if value and value:match('%S') then
      with_scope(resource, ('%s=%s %s'):format(name, value:gsub('%s', ''), text), callback)
    end
  end)
end

function M.search(resource, text, from)
  with_scope(resource, text, function(whole)
    local request, failure = query.request(resource, whole)
    if not request then
      return tell.failure(failure)
    end
    recents.add(resource.name, text)
    M.ask(resource, request, from)
  end)
end

local function ask_text(resource, from)
  recents.refresh(resource.name)
  vim.ui.input({
    prompt = resource.name .. ': ',
    completion = "customlist,v:lua.require'larder'.complete_query",
  }, function(text)
    if text then
      M.search(resource, text, from)
    end
  end)
end

-- Runs `:Larder`. `text` has the arguments of the command: none, a resource, or a resource and a search text.
function M.open(text)
  local from = origin.here()
  local name, rest = text:match('^%s*(%S*)%s*(.-)%s*$')
  catalog.load(function(failure, resources)
    if failure then
      return tell.failure(failure)
    end
    local names = catalog.names(resources)
    if name ~= '' then
      if not resources[name] then
        return tell.failure(("there is no resource '%s'; use one of %s"):format(name, table.concat(names, ', ')))
      end
      return M.search(resources[name], rest, from)
    end
    local function chosen(choice)
      if choice then
        M.current = choice -- the resource whose queries the prompt completes
        ask_text(resources[choice], from)
      end
    end
    if #names == 1 then
      return chosen(names[1])
    end
    vim.ui.select(names, { prompt = 'larder', kind = 'larder' }, chosen)
  end)
end

-- Runs `:LarderRecents`: lets the user repeat a recent search.
function M.open_recents(name)
  local from = origin.here()
  catalog.load(function(failure, resources)
    if failure then
      return tell.failure(failure)
    end
    local function show(choice)
      if not choice then
        return
      elseif not resources[choice] then
        local names = table.concat(catalog.names(resources), ', ')
        return tell.failure(("there is no resource '%s'; use one of %s"):format(choice, names))
      end
      recents.list(choice, function(problem, texts)
        if problem then
          return tell.failure(problem)
        elseif #texts == 0 then
          return tell.note('no recent searches in ' .. choice)
        end
        local shown = { prompt = choice .. ', recent searches', kind = 'larder', format_item = format.one_line }
        vim.ui.select(texts, shown, function(text)
          if text then
            M.search(resources[choice], text, from)
          end
        end)
      end)
    end
    if name ~= '' then
      return show(name)
    end
    vim.ui.select(catalog.names(resources), { prompt = 'larder, recent searches', kind = 'larder' }, show)
  end)
end

return M
