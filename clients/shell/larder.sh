# shellcheck shell=bash
# Functions over one larder process that stays open. Bash 4 or newer and larder-json.sh, which lies beside it.
#
#   source larder.sh
#   larder_start [option...]                          starts the process; the options are larder's own
#   larder_call METHOD [key=value... | JSON]          prints the result as one line of JSON
#   larder_lines METHOD [key=value... | JSON]         prints each item of the result as a line of JSON
#   larder_table FIELD,... METHOD [key=value...]      prints these fields of each item, in columns
#   larder_stop                                       lets it end; returns its exit code
#   larder_once [option...] METHOD [key=value... | JSON]   one request to a process of its own (`larder call`)
#   larder_kind CODE                                  the name of what went wrong, for a return of those above
#
# larder_lines and larder_table ask the process that runs, or one of their own where none does. A value is JSON where
# all of it is, else a string, as in `larder call`; filter.name=rick nests. A key that is given twice is refused.
# LARDER_BIN names the program (default: larder on PATH), LARDER_TIMEOUT the seconds that a call may take (default: 30).
# All of them also work in $(...), in pipelines and in background jobs; calls at once take turns, and the wait for the
# turn counts too. The process is a job of the shell: `wait` for the others by their ids, as a bare `wait` waits for it.
#
# An error goes to stderr, as one line of JSON. Returns: 0 a result; 2 the process does not run or gave no reply in
# time; 11 to 22 an error of the kind that larder_kind names (13 is notFound); 1 another error reply. larder_once
# returns larder's own exit codes besides, as 64 for wrong use.

case ${BASH_SOURCE[0]} in
    */*) _larder_folder=${BASH_SOURCE[0]%/*} ;;
    *) _larder_folder=. ;;
esac
# shellcheck source=clients/shell/larder-json.sh
source "$_larder_folder/larder-json.sh" || return 2

_larder_pid='' _larder_in='' _larder_out='' _larder_lock='' _larder_count=0

larder_start() {
    if _larder_runs; then
        echo 'larder: it runs already' >&2
        return 2
    fi
    _larder_close
    local program=${LARDER_BIN:-larder}
    if ! command -v -- "$program" >/dev/null; then
        printf 'larder: no program %s: put larder on PATH, or set LARDER_BIN\n' "$program" >&2
        return 2
    fi
    # A script that takes Ctrl-C goes on with the same process; one that it ends leaves it an end of its input.
    coproc _LARDER { trap '' INT; exec "$program" "$@"; }
    _larder_pid=$!
    # Bash closes a coprocess's own descriptors in subshells, and $(larder_call ...) is one. Copies stay open.
    exec {_larder_out}<&"${_LARDER[0]}" {_larder_in}>&"${_LARDER[1]}"
    eval "exec ${_LARDER[0]}<&- ${_LARDER[1]}>&-"
    # The lock is the process's own pipe where flock locks such: that ends with whoever holds it. Else it is a folder.
    _larder_lock=/dev/fd/$_larder_out
    if ! { flock -w 1 8 && ! flock -n 9; } 8<"$_larder_lock" 9<"$_larder_lock"; then
        _larder_lock=${TMPDIR:-/tmp}/larder-sh-$UID-$_larder_pid
        rmdir -- "$_larder_lock" || :
    fi 2>/dev/null
}

larder_call() {
    if (($# == 0)); then
        echo 'larder: larder_call METHOD [key=value... | JSON]' >&2
        return 2
    fi
    if ! _larder_runs; then
        echo 'larder: it does not run; larder_start starts it' >&2
        return 2
    fi
    local method=$1 params id
    shift
    _larder_params "$@" || return 2
    params=$_larder_json
    # The id tells this reply from that of an earlier call that was interrupted.
    id="$BASHPID-$((++_larder_count))"
    _larder_string "$method"
    # In a subshell, which leaves no lock behind when it is interrupted.
    (_larder_turn "$id" '{"jsonrpc":"2.0","id":"'"$id"'","method":'"$_larder_json${params:+,\"params\":$params}}")
}

# _larder_turn ID MESSAGE: sends a request when no other call is under way, and prints the reply.
_larder_turn() {
    local start='{"jsonrpc":"2.0","id":"'$1'",' unread='{"jsonrpc":"2.0","id":null,"error":' line reply code=0 writer
    local -i end
    _larder_now
    _larder_milliseconds "${LARDER_TIMEOUT:-30}"
    end=$((_larder_time + _larder_span))
    if ! _larder_locked "$end"; then
        printf 'larder: no reply within %s seconds: other calls are under way\n' "${LARDER_TIMEOUT:-30}" >&2
        return 2
    fi
    # What is there already answers a call that was given up.
    while read -r -t 0 -u "$_larder_out" && _larder_left "$end"; do
        IFS= read -r -t "$_larder_rest" -u "$_larder_out" _ || break
    done
    # In the background: a write waits where the process does not read, and kills the writer where it has just ended.
    { printf '%s\n' "$2" >&"$_larder_in"; } 2>/dev/null 9<&- &
    writer=$!
    while _larder_left "$end"; do
        IFS= read -r -t "$_larder_rest" -u "$_larder_out" line || code=$?
        ((code == 0)) || break
        case $line in
            "$start"'"result":'*)
                reply=${line:${#start}+9}
                _larder_print 1 "${reply%\}}"
                return 0
                ;;
            "$start"* | "$unread"*)
                # One that could not be read has no id; as calls take turns, it is this one.
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
        echo 'larder: the process has ended' >&2
    else
        printf 'larder: no reply within %s seconds\n' "${LARDER_TIMEOUT:-30}" >&2
    fi
    return 2
}

# _larder_locked END: waits for the turn; fails when that has not come at END. The subshell's end gives it back.
_larder_locked() {
    _larder_left "$1" || return 1
    if [[ $_larder_lock == /dev/fd/* ]]; then
        exec 9<"$_larder_lock"
        flock -w "$_larder_rest" 9
        return
    fi
    until mkdir -- "$_larder_lock" 2>/dev/null; do
        _larder_left "$1" || return 1
        sleep 0.05
    done
    # The signals by name: bash 4 leaves without the trap of EXIT when one of them ends it.
    trap 'rmdir -- "$_larder_lock"' EXIT
    trap 'exit 130' INT TERM HUP
}

# _larder_now: the time in milliseconds into _larder_time; whole seconds before bash 5.
_larder_now() {
    local now=${EPOCHREALTIME-}
    # It has a comma in place of the point in some languages.
    now=${now//[!0-9]/}
    if [[ $now ]]; then _larder_time=${now:0:${#now}-3}; else _larder_time=${SECONDS}000; fi
}

# _larder_milliseconds SECONDS: these, which may have decimals, into _larder_span.
_larder_milliseconds() {
    local pattern='^([0-9]*)(\.([0-9]*))?$' whole=30 part=''
    if [[ $1 =~ $pattern ]]; then whole=${BASH_REMATCH[1]} part=${BASH_REMATCH[3]}; fi
    part=${part}000
    _larder_span=$((10#0$whole * 1000 + 10#${part:0:3}))
}

# _larder_left END: the seconds until then into _larder_rest; fails when there are none.
_larder_left() {
    local -i left
    _larder_now
    left=$(($1 - _larder_time))
    ((left > 0)) || return 1
    printf -v _larder_rest '%d.%03d' $((left / 1000)) $((left % 1000))
}

larder_stop() {
    [[ $_larder_pid ]] || return 0
    local pid=$_larder_pid code=0
    exec {_larder_in}>&-
    _larder_in=''
    # It may still write; what nobody reads would keep it from ending.
    while IFS= read -r -t "${LARDER_TIMEOUT:-30}" -u "$_larder_out" _; do :; done
    _larder_close
    wait "$pid" 2>/dev/null || code=$?
    return "$code"
}

larder_once() {
    local told code=0
    # Its stdout goes where ours goes, and what it says on stderr is looked at first.
    { told=$("${LARDER_BIN:-larder}" call "$@" 2>&1 >&3 3>&-) || code=$?; } 3>&1
    [[ $told ]] && _larder_print 2 "$told"
    ((code == 1)) || return "$code"
    # The error is the last line; before it may stand some of the log.
    _larder_code "${told##*$'\n'}"
}

larder_lines() {
    local result item code=0
    result=$(_larder_ask "$@") || code=$?
    ((code == 0)) || return "$code"
    _larder_items "$result"
    for item in ${_larder_parts[@]+"${_larder_parts[@]}"}; do _larder_print 1 "$item"; done
}

larder_table() {
    if (($# < 2)); then
        echo 'larder: larder_table FIELD,... METHOD [key=value...]' >&2
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
    result=$(_larder_ask "$@" fields="[$quoted]") || code=$?
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

larder_kind() {
    local -a kinds=(invalidRequest invalidResponse notFound serverError decodingFailed unauthorized
        rateLimited network timeout notCached busy tooLarge)
    # Arithmetic would evaluate what is no number, with the commands that stand in it.
    [[ ${1-} =~ ^[0-9]{1,3}$ ]] || return 1
    local -i place=10#$1-11
    ((place >= 0 && place < ${#kinds[@]})) || return 1
    printf '%s\n' "${kinds[place]}"
}

# _larder_ask METHOD...: larder_call where a process runs, else larder_once.
_larder_ask() {
    if [[ $_larder_pid ]]; then larder_call "$@"; else larder_once "$@"; fi
}

# _larder_code ERROR: returns the code of an error's kind.
_larder_code() {
    local pattern='^\{"code":-310([0-9][0-9]),'
    [[ $1 =~ $pattern ]] && ((10#${BASH_REMATCH[1]} >= 1 && 10#${BASH_REMATCH[1]} <= 12)) || return 1
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
