vim9script
# Requests to one larder process. The first request starts the process; after its exit, the next request starts another
# process. Each message is a line. Vim's channel mode `lsp` is not used, because it hides the text of the messages.

import './json.vim'

const DEFAULTS = {
  command: empty($LARDER_BIN) ? 'larder' : $LARDER_BIN, # the program
  arguments: [], # command-line options, for example ['--catalog', 'github']
  timeout: 30000, # milliseconds until a request without a reply is cancelled
  limit: 20, # maximum number of items in a completion
  recents: true, # whether searches are stored
}

var job: any = null_job
var last_number = 0 # the number of the last request, which is its id
var pending: dict<dict<any>> = {} # the requests without a reply, by number
var log: list<string> = []
var end_handlers: list<func> = []
export var last = '' # the last message

export def Setting(name: string): any
  return get(get(g:, 'larder', {}), name, DEFAULTS[name])
enddef

# Shows a message in one line, so that Vim never asks to press a key.
export def Tell(text: string, group = 'WarningMsg')
  last = text
  var line = substitute('larder: ' .. text, '[[:space:][:cntrl:]]\+', ' ', 'g')
  var room = max([20, &columns - 14])
  if strdisplaywidth(line) > room
    line = strcharpart(line, 0, room - 1) .. '…'
  endif
  redraw
  execute 'echohl' group
  echo line
  echohl None
enddef

# Registers a function that is called whenever the process has exited or was stopped.
export def OnEnd(Act: func)
  add(end_handlers, Act)
enddef

def Answer(number: number, failure: dict<any>, result: any)
  if has_key(pending, number)
    var request = remove(pending, number)
    timer_stop(request.timer)
    request.Callback(failure, result)
  endif
enddef

# Fails the pending requests of a process that has exited. Another process may already run.
def FailPending(which: job, reason: string)
  for Act in end_handlers
    Act()
  endfor
  for number in keys(copy(pending)->filter((_, request) => request.job == which))
    Answer(str2nr(number), {message: reason}, null)
  endfor
enddef

def Exited(which: job, code: number)
  if which == job
    job = null_job
    ReportExit(which, code, 100)
  endif
enddef

# Reports the exit with the last log line, which may arrive after the exit. The number of tries is limited, because
# another process may hold the log pipe open.
def ReportExit(which: job, code: number, tries: number)
  timer_start(10, (_) => {
    if tries > 0 && index(['open', 'buffered'], ch_status(job_getchannel(which), {part: 'err'})) >= 0
      ReportExit(which, code, tries - 1)
      return
    endif
    var last_line = empty(log) ? '' : ': ' .. log[-1]
    var signal = job_info(which).termsig
    var how = empty(signal) ? $'exited with code {code}' : $'was killed by signal {signal}'
    FailPending(which, $"'{Setting('command')}' {how}{last_line}")
  })
enddef

# Sends a message. Ignores the errors of a process that has just exited, because its exit is reported.
def Send(to: job, message: dict<any>)
  try
    ch_sendraw(to, json_encode(extend({jsonrpc: '2.0'}, message)) .. "\n")
  catch /:E\%(630\|631\|906\):/
    # The process has just exited.
  endtry
enddef

def Receive(line: string)
  var message: dict<any> = {}
  try
    message = json.Decode(line)
  catch
    # A line that is not JSON is not from larder.
  endtry
  var id = get(message, 'id', null)
  if type(id) == v:t_number
    Answer(id, get(message, 'error', {}), get(message, 'result', null))
  endif
enddef

# Returns the running process, or starts one. Returns null_job if the start fails.
def Running(): job
  if job != null_job && job_status(job) == 'run'
    return job
  endif
  if !executable(Setting('command'))
    return null_job
  endif
  log = []
  var started = job_start([Setting('command')] + Setting('arguments'), {
    in_mode: 'nl', out_mode: 'nl', err_mode: 'nl', noblock: 1, stoponexit: 'term',
    out_cb: (_, line) => Receive(line),
    err_cb: (_, line) => {
      log = (log + [line])[-20 :]
    },
    exit_cb: Exited,
  })
  job = started
  # A process that has already exited counts as running: its exit fails the request.
  if job_status(started) == 'fail'
    job = null_job
    return null_job
  endif
  # With this process id, larder exits even if Vim is killed.
  Send(started, {id: 0, method: 'initialize', params: {processId: getpid(), clientInfo: {name: 'Vim'}}})
  return started
enddef

# Sends a request. Returns its number, or 0 if no process can be started. `Callback(failure, result)` is called once,
# after this function has returned, unless the request is cancelled. `failure` is empty on success.
export def Ask(method: string, params: dict<any>, Callback: func): number
  var running = Running()
  if running == null_job
    var what = $"cannot start '{Setting('command')}'; put larder on the PATH, or set g:larder.command"
    timer_start(0, (_) => Callback({message: what}, null))
    return 0
  endif
  last_number += 1
  var number = last_number
  Send(running, {id: number, method: method, params: params})
  var timer = timer_start(Setting('timeout'), (_) => {
    var seconds = printf('%g', Setting('timeout') / 1000.0)
    Cancel(number, () => Callback({message: $'no reply to {method} within {seconds} s; raise g:larder.timeout'}, null))
  })
  pending[number] = {job: running, Callback: Callback, timer: timer}
  return number
enddef

# Cancels a request that has no reply yet, and then calls `Then`.
export def Cancel(number: number, Then: func = null_function)
  if has_key(pending, number)
    var request = remove(pending, number)
    timer_stop(request.timer)
    if job_status(request.job) == 'run'
      Send(request.job, {method: '$/cancelRequest', params: {id: number}})
    endif
    if Then != null_function
      Then()
    endif
  endif
enddef

export def Stop()
  var running = job
  job = null_job
  for number in keys(pending)
    Cancel(str2nr(number))
  endfor
  if running != null_job && job_status(running) == 'run'
    ch_close_in(running)
  endif
  for Act in end_handlers
    Act()
  endfor
enddef

export def Job(): any
  return job
enddef
