# shellcheck shell=bash
# Functions that use one running larder process. They need bash 4 or newer and larder-json.sh in the same folder.
#
#   source larder.sh
#   larder_start [option...]                          starts the process; the options are larder's own
#   larder_call METHOD [key=value... | JSON]          prints the result as one line of JSON
#   larder_lines METHOD [key=value... | JSON]         prints each item of the result as a line of JSON
#   larder_table FIELD,... METHOD [key=value...]      prints a table with these fields of each item
#   larder_sql QUERY [VALUE...]                       runs SQL over the cache; prints each row as a line of JSON
#   larder_stop                                       stops the process; returns its exit code
#   larder_once [option...] METHOD [key=value... | JSON]   calls a method in a new process (`larder call`)
#   larder_kind CODE                                  prints the error kind for a return code of these functions
#
# larder_lines, larder_table and larder_sql use the running process. If none runs, they start one for the call. The
# values of larder_sql replace the parameters `?` of the query, and are sent as strings. For the other functions, a value
# that is valid JSON is sent as JSON, any other value as a string, as in `larder call`. filter.name=rick sets a nested key. A
# repeated key is refused. LARDER_BIN names the program (default: larder on PATH). LARDER_TIMEOUT is the number of
# seconds that a call may take. The default is 30, but RESOURCE/sync and RESOURCE/prefetch have no default limit. All
# functions also work in $(...), in pipelines and in background jobs. Concurrent calls run one after the other, and the
# time in the queue counts towards LARDER_TIMEOUT. The larder process is a job of the shell, so a bare `wait` also waits
# for the process. Wait for background calls by their ids instead.
#
# An error is printed to stderr as one line of JSON. Return codes: 0 for a result; 2 for invalid arguments, no running
# process or no reply within LARDER_TIMEOUT; 11 to 26 for an error kind that larder_kind names (13 is notFound); 1 for
# other error replies. larder_once also returns larder's exit codes, for example 64 for wrong use.

case ${BASH_SOURCE[0]} in
    */*) _larder_folder=${BASH_SOURCE[0]%/*} ;;
    *) _larder_folder=. ;;
esac
# shellcheck source=clients/shell/larder-json.sh
source "$_larder_folder/larder-json.sh" || return 2

_larder_pid='' _larder_in='' _larder_out='' _larder_lock='' _larder_count=0
_larder_year=31536000 # the seconds of a year

larder_start() {
    if _larder_runs; then
        echo 'larder: larder_start refused: the process is already running; call larder_stop first' >&2
        return 2
    fi
    _larder_close
    local program=${LARDER_BIN:-larder}
    if ! command -v -- "$program" >/dev/null; then
        printf "larder: there is no program '%s'; put larder on PATH, or set LARDER_BIN\n" "$program" >&2
        return 2
    fi
    # The process ignores Ctrl-C, so a script that handles SIGINT can continue to use it. When the script exits, the
    # input of the process is closed, and the process exits too.
    coproc _LARDER { trap '' INT; exec "$program" "$@"; }
    _larder_pid=$!
    # In subshells such as $(larder_call ...), bash closes the descriptors of a coprocess, but not copies of them.
    exec {_larder_out}<&"${_LARDER[0]}" {_larder_in}>&"${_LARDER[1]}"
    eval "exec ${_LARDER[0]}<&- ${_LARDER[1]}>&-"
    # A lock serializes the calls. If flock can lock a pipe, the lock is on the output pipe of the process, because the
    # system releases such a lock when its holder exits. Otherwise the lock is a folder.
    _larder_lock=/dev/fd/$_larder_out
    if ! { flock -w 1 8 && ! flock -n 9; } 8<"$_larder_lock" 9<"$_larder_lock"; then
        _larder_lock=${TMPDIR:-/tmp}/larder-sh-$UID-$_larder_pid
        rmdir -- "$_larder_lock" || :
    fi 2>/dev/null
}

larder_call() {
    if (($# == 0)); then
        echo 'larder: METHOD is missing; usage: larder_call METHOD [key=value... | JSON]' >&2
        return 2
    fi
    if ! _larder_runs; then
        echo 'larder: the process is not running; call larder_start first' >&2
        return 2
    fi
    local method=$1 params id limit=${LARDER_TIMEOUT:-30}
    # Reading a whole list may take long. `read` and `flock` need a limit, but a year never passes.
    case $method in
        */sync | */prefetch) limit=${LARDER_TIMEOUT:-$_larder_year} ;;
    esac
    shift
    _larder_params "$@" || return 2
    params=$_larder_json
    # The id distinguishes the reply to this call from a late reply to an interrupted call.
    id="$BASHPID-$((++_larder_count))"
    _larder_string "$method"
    # The exit of this subshell releases the lock, also after a signal.
    params='{"jsonrpc":"2.0","id":"'"$id"'","method":'"$_larder_json${params:+,\"params\":$params}}"
    (_larder_exchange "$id" "$params" "$limit")
}

# _larder_exchange ID MESSAGE SECONDS: waits for the lock, sends a request and prints the reply. Fails after SECONDS.
_larder_exchange() {
    local start='{"jsonrpc":"2.0","id":"'$1'",' unread='{"jsonrpc":"2.0","id":null,"error":' line reply code=0 writer
    local -i end
    _larder_now
    _larder_milliseconds "$3"
    end=$((_larder_time + _larder_span))
    if ! _larder_acquire "$end"; then
        printf 'larder: request not sent within %s seconds: other calls are running; retry, or raise LARDER_TIMEOUT\n' \
            "$3" >&2
        return 2
    fi
    # Output that is already in the pipe is the reply to a call that timed out or was interrupted.
    while read -r -t 0 -u "$_larder_out" && _larder_remaining "$end"; do
        IFS= read -r -t "$_larder_seconds" -u "$_larder_out" _ || break
    done
    # The write runs in the background: it blocks if the process does not read, and SIGPIPE kills it after the exit of
    # the process.
    { printf '%s\n' "$2" >&"$_larder_in"; } 2>/dev/null 9<&- &
    writer=$!
    while _larder_remaining "$end"; do
        IFS= read -r -t "$_larder_seconds" -u "$_larder_out" line || code=$?
        ((code == 0)) || break
        case $line in
            "$start"'"result":'*)
                reply=${line:${#start}+9}
                _larder_print 1 "${reply%\}}"
                return 0
                ;;
            "$start"* | "$unread"*)
                # An error without an id means that larder could not read the request. Calls are serialized, so it is
                # the request of this call.
                reply=${line#*'"error":'}
                reply=${reply%\}}
                _larder_print 2 "$reply"
                _larder_code "$reply"
                return
                ;;
        esac
    done
    kill "$writer" 2>/dev/null || :
    if ((code == 1)); then
        echo 'larder: the process has exited; call larder_start again' >&2
    else
        printf 'larder: no reply within %s seconds; raise LARDER_TIMEOUT\n' "$3" >&2
    fi
    return 2
}

# _larder_acquire END: acquires the lock; fails if another call holds it until END. The subshell's exit releases it.
_larder_acquire() {
    _larder_remaining "$1" || return 1
    if [[ $_larder_lock == /dev/fd/* ]]; then
        exec 9<"$_larder_lock"
        flock -w "$_larder_seconds" 9
        return
    fi
    until mkdir -- "$_larder_lock" 2>/dev/null; do
        _larder_remaining "$1" || return 1
        sleep 0.05
    done
    # Signals need their own trap, because bash 4 does not run the EXIT trap if a signal kills it.
    trap 'rmdir -- "$_larder_lock"' EXIT
    trap 'exit 130' INT TERM HUP
}

# _larder_now: stores the time in milliseconds in _larder_time. Before bash 5, the time is precise to one second.
_larder_now() {
    local now=${EPOCHREALTIME-}
    # In some locales, EPOCHREALTIME has a comma instead of a point.
    now=${now//[!0-9]/}
    if [[ $now ]]; then _larder_time=${now:0:${#now}-3}; else _larder_time=${SECONDS}000; fi
}

# _larder_milliseconds SECONDS: stores SECONDS, which may have decimals, as milliseconds in _larder_span.
_larder_milliseconds() {
    local pattern='^([0-9]*)(\.([0-9]*))?$' whole=30 part=''
    if [[ $1 =~ $pattern ]]; then whole=${BASH_REMATCH[1]} part=${BASH_REMATCH[3]}; fi
    part=${part}000
    _larder_span=$((10#0$whole * 1000 + 10#${part:0:3}))
}

# _larder_remaining END: stores the seconds until END in _larder_seconds; fails if END has passed.
_larder_remaining() {
    local -i left
    _larder_now
    left=$(($1 - _larder_time))
    ((left > 0)) || return 1
    printf -v _larder_seconds '%d.%03d' $((left / 1000)) $((left % 1000))
}

larder_stop() {
    [[ $_larder_pid ]] || return 0
    local pid=$_larder_pid code=0
    exec {_larder_in}>&-
    _larder_in=''
    # The process may still write. Its output is read, because a full pipe would keep the process from exiting.
    while IFS= read -r -t "${LARDER_TIMEOUT:-30}" -u "$_larder_out" _; do :; done
    _larder_close
    wait "$pid" 2>/dev/null || code=$?
    return "$code"
}

larder_once() {
    local errors code=0
    # This captures stderr and leaves stdout as it is.
    { errors=$("${LARDER_BIN:-larder}" call "$@" 2>&1 >&3 3>&-) || code=$?; } 3>&1
    [[ $errors ]] && _larder_print 2 "$errors"
    ((code == 1)) || return "$code"
    # The error is the last line; log lines may precede it.
    _larder_code "${errors##*$'\n'}"
}

larder_lines() {
    local result item code=0
    result=$(_larder_request "$@") || code=$?
    ((code == 0)) || return "$code"
    _larder_items "$result"
    for item in ${_larder_parts[@]+"${_larder_parts[@]}"}; do _larder_print 1 "$item"; done
}

larder_table() {
    if (($# < 2)); then
        echo 'larder: arguments are missing; usage: larder_table FIELD,... METHOD [key=value...]' >&2
        return 2
    fi
    local result code=0 list=$1 field item quoted=''
    local -a fields=() items=() cells=()
    shift
    IFS=, read -r -a fields <<<"$list"
    for field in "${fields[@]}"; do
        _larder_string "$field"
        quoted+=${quoted:+,}$_larder_json
    done
    # cache/syncs returns all fields, and refuses params.
    [[ " $* " == *' cache/syncs '* ]] || set -- "$@" fields="[$quoted]"
    result=$(_larder_request "$@") || code=$?
    ((code == 0)) || return "$code"
    _larder_items "$result"
    items=(${_larder_parts[@]+"${_larder_parts[@]}"})
    for field in "${fields[@]}"; do
        _larder_visible "$field"
        cells+=("$_larder_json")
    done
    for item in ${items[@]+"${items[@]}"}; do
        for field in "${fields[@]}"; do
            _larder_field "$item" "$field"
            _larder_text "$_larder_json"
            cells+=("$_larder_json")
        done
    done
    _larder_columns "${#fields[@]}" "${cells[@]}"
}

larder_sql() {
    if (($# == 0)); then
        echo 'larder: QUERY is missing; usage: larder_sql QUERY [VALUE...]' >&2
        return 2
    fi
    local result sql value values='' name names code=0 row='' piece text quotes
    local -i place max=100000
    local -a columns=()
    local -A seen=()
    _larder_string "$1"
    sql=$_larder_json
    shift
    for value in "$@"; do
        _larder_string "$value"
        values+=${values:+,}$_larder_json
    done
    result=$(_larder_request cache/query "{\"sql\":$sql,\"params\":[$values],\"maxRows\":$max}") || code=$?
    ((code == 0)) || return "$code"
    # In a JSON string, a quote always follows a backslash, so these delimiters do not occur in values.
    names=${result%%'],"rows":['*}
    _larder_split "${names#'{"columns":'}]"
    for name in ${_larder_parts[@]+"${_larder_parts[@]}"}; do
        # An object has each key once.
        text=$name place=1
        while [[ ${seen[x$text]-} ]]; do text="${name%\"}_$((++place))\""; done
        seen[x$text]=1
        columns+=("$text")
    done
    # The rows are read one by one: to split a long result takes a time that grows with the square of its length. Values
    # are strings, numbers or null, so a bracket outside of a string ends a row, or all rows.
    while IFS= read -r -d ']' piece; do
        row+=$piece
        [[ $row ]] || break
        quotes=${row//\\\\/}
        quotes=${quotes//\\\"/}
        quotes=${quotes//[!\"]/}
        row+=']'
        ((${#quotes} % 2 == 0)) || continue
        _larder_split "${row#,}"
        text='' place=0
        for value in ${_larder_parts[@]+"${_larder_parts[@]}"}; do
            text+=${text:+,}${columns[place]}:$value
            place+=1
        done
        _larder_print 1 "{$text}"
        row=''
    done <<<"${result:${#names}+10}"
    if [[ $result == *'],"truncated":true,'* ]]; then
        printf 'larder: there are more rows; only the first %d are printed; narrow the query\n' "$max" >&2
    fi
}

larder_kind() {
    local -a kinds=(invalidRequest invalidResponse notFound serverError decodingFailed unauthorized
        rateLimited network timeout notCached busy tooLarge notReplayed '' notSynced queryLimit)
    # Only digits are allowed, because bash would run commands in a string that it evaluates as arithmetic.
    [[ ${1-} =~ ^[0-9]{1,3}$ ]] || return 1
    local -i place=10#$1-11
    ((place >= 0 && place < ${#kinds[@]})) && [[ ${kinds[place]} ]] || return 1
    printf '%s\n' "${kinds[place]}"
}

# _larder_request METHOD...: runs larder_call if a process runs, otherwise larder_once.
_larder_request() {
    if [[ $_larder_pid ]]; then larder_call "$@"; else larder_once "$@"; fi
}

# _larder_code ERROR: returns the return code for the kind of an error, or 1 for an error without a kind.
_larder_code() {
    local pattern='^\{"code":-310([0-9][0-9]),'
    [[ $1 =~ $pattern ]] && ((10#${BASH_REMATCH[1]} >= 1 && 10#${BASH_REMATCH[1]} <= 16)) || return 1
    return $((10 + 10#${BASH_REMATCH[1]}))
}

_larder_runs() {
    [[ $_larder_pid && $_larder_in ]] && kill -0 "$_larder_pid" 2>/dev/null
}

_larder_close() {
    [[ $_larder_in ]] && exec {_larder_in}>&-
    [[ $_larder_out ]] && exec {_larder_out}<&-
    _larder_pid='' _larder_in='' _larder_out='' _larder_lock=''
    return 0
}
