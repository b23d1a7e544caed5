vim9script
# Vim's channels. `LARDER_VIM_MODE=lsp` uses Vim's own `Content-Length` framing; `nl` uses lines.

set encoding=utf-8
const WAIT = 30000  # milliseconds until a missing reply is a failure
const LSP = $LARDER_VIM_MODE == 'lsp'

var channel: channel
var last_id = 0
var replies: dict<any> = {}  # those that came before they were asked for, by id
var exit_code = -1

def Check(holds: bool, what: string)
  if !holds
    throw what
  endif
enddef

# Sends a request; returns its id.
def Send(method: string, params: any): number
  var request = {method: method, params: params}
  if LSP
    return ch_sendexpr(channel, request, {callback: (_, reply) => {
      replies[reply.id] = reply
    }}).id
  endif
  last_id += 1
  ch_sendraw(channel, json_encode(extend(request, {jsonrpc: '2.0', id: last_id})) .. "\n")
  return last_id
enddef

def Notify(method: string, params: any)
  var message = {method: method, params: params}
  if LSP
    ch_sendexpr(channel, message)
  else
    ch_sendraw(channel, json_encode(extend(message, {jsonrpc: '2.0'})) .. "\n")
  endif
enddef

def Reply(id: number): dict<any>
  while !has_key(replies, id)
    if LSP
      # Vim runs callbacks while it sleeps.
      sleep 1m
    else
      var line = ch_readraw(channel, {timeout: WAIT})
      Check(line != '', 'no reply to request ' .. id)
      var reply = json_decode(line)
      replies[reply.id] = reply
    endif
  endwhile
  return remove(replies, id)
enddef

# Sends a request and returns its reply. In mode `lsp`, one function of Vim does both.
def Ask(method: string, params: any): dict<any>
  var reply = LSP
    ? ch_evalexpr(channel, {method: method, params: params}, {timeout: WAIT})
    : Reply(Send(method, params))
  Check(!empty(reply), 'no reply to ' .. method)
  return reply
enddef

def Call(method: string, params: any): any
  var reply = Ask(method, params)
  Check(has_key(reply, 'result'), string(reply))
  return reply.result
enddef

def Session(plan: dict<any>): dict<any>
  var mode = LSP ? 'lsp' : 'nl'
  var job = job_start(plan.command, {in_mode: mode, out_mode: mode, err_mode: 'nl', exit_cb: (_, code) => {
    exit_code = code
  }})
  channel = job_getchannel(job)

  var seen: dict<any> = {initialize: Call('initialize', {processId: getpid(), capabilities: {}})}
  Notify('initialized', {})
  seen.get = Call('character/get', {id: 1})
  seen.list = Call('character/list', {page: 1})

  var held = Send('character/get', {id: 2, cachePolicy: 'none'})
  seen.gate = Call('location/get', {id: 1})
  Notify('$/cancelRequest', {id: held})
  seen.cancelled = Reply(held).error

  seen.notFound = Ask('character/get', {id: 99999}).error
  seen.recents = Call('recents/add', {text: plan.text})
  seen.shutdown = Call('shutdown', null)
  Notify('exit', null)
  while job_status(job) != 'dead'
    sleep 1m
  endwhile
  seen.exitCode = job_info(job).exitval
  return seen
enddef

try
  Check(has('channel') && has('patch-8.2.4684'), 'this Vim has no channels of mode lsp')
  var plan = json_decode(join(readfile($LARDER_INTEROP)))
  writefile([json_encode(Session(plan))], plan.results)
catch
  writefile([v:throwpoint .. ': ' .. v:exception], '/dev/stderr')
  cquit!
endtry
qall!
