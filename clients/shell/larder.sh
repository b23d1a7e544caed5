# shellcheck shell=bash
# Functions over one larder process that stays open. Bash 4 or newer; nothing else is needed.
#
#   source larder.sh
#   larder_start [option...]                          starts the process; the options are larder's own
#   larder_call METHOD [key=value... | JSON]          prints the result; an error goes to stderr, and returns 1
#   larder_stop                                       lets it end; returns its exit code
#   larder_once [option...] METHOD [key=value... | JSON]   one request to a process of its own (`larder call`)
#
# A value is JSON where it looks like it (a number, true, false, null, {...}, [...], "..."), else a string;
# filter.name=rick nests. LARDER_BIN names the program (default: larder on PATH), LARDER_TIMEOUT the seconds to wait
# for a reply (default: 30). larder_call also works in $(...) and in pipelines, one call at a time.
#
# Returns of larder_call: 0 a result, 1 an error reply, 2 the process does not run or gave no reply in time.

_larder_pid='' _larder_in='' _larder_out='' _larder_json='' _larder_count=0

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
    coproc _LARDER { exec "$program" "$@"; }
    _larder_pid=$!
    # Bash closes a coprocess's own descriptors in subshells, and $(larder_call ...) is one. Copies stay open.
    exec {_larder_out}<&"${_LARDER[0]}" {_larder_in}>&"${_LARDER[1]}"
    eval "exec ${_LARDER[0]}<&- ${_LARDER[1]}>&-"
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
    local method=$1 params id line start reply code
    shift
    _larder_params "$@" || return 2
    params=$_larder_json
    # The id tells this reply from that of an earlier call that was interrupted.
    id="$BASHPID-$((++_larder_count))"
    _larder_string "$method"
    method=$_larder_json
    # In a subshell: a write to a process that has just ended kills the writer.
    if ! (printf '{"jsonrpc":"2.0","id":"%s","method":%s%s}\n' "$id" "$method" "${params:+,\"params\":$params}" \
        >&"$_larder_in") 2>/dev/null; then
        echo 'larder: the process has ended' >&2
        return 2
    fi
    start='{"jsonrpc":"2.0","id":"'$id'",'
    while true; do
        code=0
        IFS= read -r -t "${LARDER_TIMEOUT:-30}" -u "$_larder_out" line || code=$?
        ((code == 0)) || break
        [[ ${line:0:${#start}} == "$start" ]] || continue
        reply=${line:${#start}}
        reply=${reply%\}}
        case $reply in
            '"result":'*)
                printf '%s\n' "${reply#'"result":'}"
                return 0
                ;;
            *)
                printf '%s\n' "${reply#'"error":'}" >&2
                return 1
                ;;
        esac
    done
    if ((code > 128)); then
        printf 'larder: no reply within %s seconds\n' "${LARDER_TIMEOUT:-30}" >&2
    else
        echo 'larder: the process has ended' >&2
    fi
    return 2
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
    "${LARDER_BIN:-larder}" call "$@"
}

_larder_runs() {
    [[ $_larder_pid && $_larder_in ]] && kill -0 "$_larder_pid" 2>/dev/null
}

_larder_close() {
    [[ $_larder_in ]] && exec {_larder_in}>&-
    [[ $_larder_out ]] && exec {_larder_out}<&-
    _larder_pid='' _larder_in='' _larder_out=''
    return 0
}

# The functions below leave their result in _larder_json: printing it would cost a subshell for each value.

# _larder_params [key=value... | JSON]: the params as one line of JSON; empty when there are none.
_larder_params() {
    local argument
    _larder_json=''
    if (($# == 1)) && [[ $1 =~ ^[[:space:]]*\{ ]]; then
        # A line break between tokens is white space, and within a string it is wrong anyway.
        _larder_json=${1//[$'\n\r']/ }
    elif (($# > 0)); then
        for argument in "$@"; do
            if [[ $argument != ?*=* ]]; then
                printf 'larder: expected key=value or one JSON object, got %s\n' "$argument" >&2
                return 2
            fi
        done
        _larder_object "$@"
    fi
}

# _larder_object path=value...: a JSON object; the paths that share a first part go into one object.
_larder_object() {
    local text='' entry head other
    local -a nested
    local -A seen=()
    for entry in "$@"; do
        head=${entry%%=*}
        head=${head%%.*}
        [[ ${seen[x$head]-} ]] && continue
        seen[x$head]=1
        nested=()
        _larder_string "$head"
        text+=${text:+,}$_larder_json:
        if [[ ${entry%%=*} == "$head" ]]; then
            _larder_value "${entry#*=}"
        else
            for other in "$@"; do
                [[ ${other%%=*} == "$head".* ]] && nested+=("${other#"$head".}")
            done
            _larder_object "${nested[@]}"
        fi
        text+=$_larder_json
    done
    _larder_json="{$text}"
}

# _larder_value TEXT: TEXT as it is where it looks like JSON, else as a JSON string.
_larder_value() {
    local number='^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$' quoted='^"([^"\]|\\.)*"$'
    if [[ $1 =~ $number || $1 =~ $quoted || $1 == true || $1 == false || $1 == null ||
        $1 == \{*\} || $1 == \[*\] ]]; then
        _larder_json=${1//[$'\n\r']/ }
    else
        _larder_string "$1"
    fi
}

# _larder_string TEXT: TEXT as a JSON string.
_larder_string() {
    local LC_ALL=C text=$1 rest character code
    text=${text//\\/\\\\}
    text=${text//\"/\\\"}
    while [[ $text == *[$'\x01'-$'\x1f']* ]]; do
        rest=${text#"${text%%[$'\x01'-$'\x1f']*}"}
        character=${rest:0:1}
        printf -v code '\\u%04x' "'$character"
        text=${text//"$character"/"$code"}
    done
    _larder_json=\"$text\"
}
