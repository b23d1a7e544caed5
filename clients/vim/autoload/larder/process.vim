vim9script
# Requests to one process, which is started by the first of them, and anew by the next one after its end. Vim's channels
# of mode `lsp` make and read the messages, with `Content-Length` headers.

const DEFAULTS = {
  command: empty($LARDER_BIN) ? 'larder' : $LARDER_BIN, # the program
  arguments: [], # its options, as ['--catalog', 'github']
  timeout: 30000, # milliseconds until a request without an answer is taken back
  limit: 20, # how many items a completion offers
  recents: true, # whether what was looked for is remembered
}

var job: any = null_job
var asked = 0 # how many requests there were: each is known by its number, since every process counts its own from 1
var pending: dict<dict<any>> = {} # by that number
var log: list<string> = []
var ended: list<func> = []
export var last = '' # what was said last

export def Setting(name: string): any
  return get(get(g:, 'larder', {}), name, DEFAULTS[name])
enddef

# One line for the user, whatever it is about: an error must not ask for a key to go on.
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

# Has `Act` called whenever the process has ended or was stopped.
export def OnEnd(Act: func)
  add(ended, Act)
enddef

def Answer(number: number, failure: dict<any>, result: any)
  if has_key(pending, number)
    var request = remove(pending, number)
    timer_stop(request.timer)
    request.Callback(failure, result)
  endif
enddef

# What was asked of that process: another one may run already.
def AllEnded(which: job, why: string)
  for Act in ended
    Act()
  endfor
  for number in keys(copy(pending)->filter((_, request) => request.job == which))
    Answer(str2nr(number), {message: why}, null)
  endfor
enddef

def Exited(which: job, code: number)
  if which == job
    job = null_job
    TellEnd(which, code, 100)
  endif
enddef

# What it said last may come only now, so it is read to its end; but not for ever, since others may hold the pipe.
def TellEnd(which: job, code: number, turns: number)
  timer_start(10, (_) => {
    if turns > 0 && index(['open', 'buffered'], ch_status(job_getchannel(which), {part: 'err'})) >= 0
      TellEnd(which, code, turns - 1)
      return
    endif
    var said = empty(log) ? '' : ': ' .. log[-1]
    var signal = job_info(which).termsig
    var how = empty(signal) ? $'with code {code}' : $'by signal {signal}'
    AllEnded(which, $"'{Setting('command')}' has ended {how}{said}")
  })
enddef

# Sends a message to a process that may just have ended, which its exit tells.
def Send(to: job, message: dict<any>, options: dict<any> = {}): any
  var sent: any = {}
  try
    sent = ch_sendexpr(to, message, options) ?? {}
  catch /:E\%(630\|631\|906\):/
    # So a process is that is not there.
  endtry
  return sent
enddef

# The process that runs, which is started where there is none; or null_job where it cannot be.
def Running(): job
  if job != null_job && job_status(job) == 'run'
    return job
  endif
  if !executable(Setting('command'))
    return null_job
  endif
  log = []
  var started = job_start([Setting('command')] + Setting('arguments'), {
    in_mode: 'lsp', out_mode: 'lsp', err_mode: 'nl', noblock: 1, stoponexit: 'term',
    err_cb: (_, line) => {
      log = (log + [line])[-20 :]
    },
    exit_cb: Exited,
  })
  job = started
  # One that has ended already is as good as one that runs: its exit answers.
  if job_status(started) == 'fail'
    job = null_job
    return null_job
  endif
  # With it, larder ends also where Vim is killed.
  Send(started, {method: 'initialize', params: {processId: getpid(), clientInfo: {name: 'Vim'}}},
    {callback: (_, _) => 0})
  return started
enddef

# Asks for something; returns the request's number at once, or 0 where nothing can be asked. `Callback(failure, result)`
# is called later, once, unless the request was cancelled; `failure` is empty where there is none.
export def Ask(method: string, params: dict<any>, Callback: func): number
  var running = Running()
  if running == null_job
    var what = $"'{Setting('command')}' cannot be started: put larder on the PATH, or set g:larder.command"
    timer_start(0, (_) => Callback({message: what}, null))
    return 0
  endif
  asked += 1
  var number = asked
  var sent = Send(running, {method: method, params: params}, {callback: (_, reply) => {
    Answer(number, get(reply, 'error', {}), get(reply, 'result', null))
  }})
  var timer = timer_start(Setting('timeout'), (_) => {
    var seconds = printf('%g', Setting('timeout') / 1000.0)
    Cancel(number, () => Callback({message: $'no answer to {method} within {seconds} s'}, null))
  })
  pending[number] = {job: running, id: sent->get('id', 0), Callback: Callback, timer: timer}
  return number
enddef

# Takes a request back, where it has no answer yet.
export def Cancel(number: number, Then: func = null_function)
  if has_key(pending, number)
    var request = remove(pending, number)
    timer_stop(request.timer)
    if job_status(request.job) == 'run'
      Send(request.job, {method: '$/cancelRequest', params: {id: request.id}})
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
  for Act in ended
    Act()
  endfor
enddef

export def Job(): any
  return job
enddef
