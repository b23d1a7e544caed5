# shellcheck shell=bash
# JSON encoding, JSON decoding and tables for larder.sh. Needs only bash 4 or newer.

_larder_json='' _larder_parts=()

# The functions below store their results in _larder_json. To print them, each call would need a subshell.

# _larder_params [key=value... | JSON]: stores the params as one line of JSON, or an empty string if there are none.
_larder_params() {
    local argument
    _larder_json=''
    if (($# == 1)) && [[ $1 =~ ^[[:space:]]*\{ ]]; then
        if ! _larder_is_json "$1"; then
            _larder_print 2 "larder: '$1' is not a JSON object; correct it, or write key=value"
            return 2
        fi
        # Valid JSON has line breaks only between tokens, so each line break can become a space.
        _larder_json=${1//[$'\n\r']/ }
    elif (($# > 0)); then
        for argument in "$@"; do
            if [[ $argument != ?*=* ]]; then
                _larder_print 2 "larder: '$argument' is not a param; write key=value or one JSON object"
                return 2
            fi
        done
        _larder_refuse_repeated "$@" || return
        _larder_object "$@"
    fi
}

# _larder_refuse_repeated path=value...: fails if a path is repeated, or if both a and a longer path such as a.b occur.
_larder_refuse_repeated() {
    local entry path outer twice
    local -A given=() inner=()
    for entry in "$@"; do
        path=${entry%%=*} outer=${entry%%=*} twice=''
        [[ ${given[x$path]-}${inner[x$path]-} ]] && twice=$path
        while [[ $outer == *.* ]]; do
            outer=${outer%.*}
            inner[x$outer]=1
            [[ ${given[x$outer]-} ]] && twice=$outer
        done
        if [[ $twice ]]; then
            _larder_print 2 "larder: '$twice' is given twice; pass it once"
            return 2
        fi
        given[x$path]=1
    done
}

# _larder_object path=value...: stores a JSON object. Paths such as a.b and a.c form a nested object.
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

# _larder_value TEXT: stores TEXT unchanged if it is JSON, otherwise as a JSON string, as in `larder call`.
_larder_value() {
    if _larder_is_json "$1"; then
        _larder_json=${1//[$'\n\r']/ }
    else
        _larder_string "$1"
    fi
}

# _larder_is_json TEXT: succeeds if TEXT is a JSON value (RFC 8259).
_larder_is_json() {
    local LC_ALL=C rest=$1 open='' expected=value closed pattern
    local pair='[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}' # a lone surrogate is invalid
    local code="[0-9abcefABCEF][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2}|$pair"
    local text=$'"([^"\\\x01-\x1f]|\\\\(["\\/bfnrt]|u('$code')))*"'
    local space=$'[ \t\n\r]*' plain="($text|-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?|true|false|null)"
    # One match consumes many values of an array, because an array of ids may be long.
    local key="^$text$space:" value="^$plain" values="^$plain($space,$space$plain)*"
    while true; do
        [[ $rest == [$' \t\n\r']* && $rest =~ ^$space ]] && rest=${rest:${#BASH_REMATCH[0]}}
        if [[ $expected == next && ! $open ]]; then
            [[ ! $rest ]]
            return
        fi
        case $expected$rest in
            'next,'*)
                rest=${rest:1} expected=value
                [[ $open == *\{ ]] && expected=key
                ;;
            'next]'* | 'element]'* | 'next}'* | 'member}'*)
                closed=${open:${#open}-1}${rest:0:1}
                [[ $closed == '[]' || $closed == '{}' ]] || return 1
                rest=${rest:1} open=${open%?} expected=next
                ;;
            'value['* | 'element['*) rest=${rest:1} open+='[' expected=element ;;
            'value{'* | 'element{'*) rest=${rest:1} open+='{' expected=member ;;
            key* | member*)
                [[ $rest =~ $key ]] || return 1
                rest=${rest:${#BASH_REMATCH[0]}} expected=value
                ;;
            value* | element*)
                pattern=$value
                [[ $open == *\[ ]] && pattern=$values
                [[ $rest =~ $pattern ]] || return 1
                rest=${rest:${#BASH_REMATCH[0]}} expected=next
                ;;
            *) return 1 ;;
        esac
        ((${#open} <= 512)) || return 1 # the nesting limit of larder
    done
}

# _larder_string TEXT: stores TEXT as a JSON string.
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

# The functions below parse the JSON that larder writes, which has no white space between tokens. They use
# ${...[@]+...}, because bash before 4.4 treats an empty array as unset.

# _larder_items RESULT: stores the items of a result in _larder_parts, or the result itself if it has no items.
_larder_items() {
    local member
    _larder_split "$1"
    for member in ${_larder_parts[@]+"${_larder_parts[@]}"}; do
        case $member in
            '"items":['* | '"recents":['* | '"syncs":['*)
                _larder_split "${member#*:}"
                return
                ;;
            '"item":'*)
                _larder_parts=("${member#*:}")
                return
                ;;
        esac
    done
    _larder_parts=("$1")
}

# _larder_split JSON: stores the elements of an array, or the members of an object, in _larder_parts.
_larder_split() {
    # With LC_ALL=C, bash counts bytes instead of characters, which is many times faster.
    local LC_ALL=C rest=${1:1:${#1}-2} part='' plain character
    local -i depth=0 isText=0
    _larder_parts=()
    while [[ $rest ]]; do
        if ((isText)); then plain=${rest%%[\"\\]*}; else plain=${rest%%[][\{\},\"]*}; fi
        part+=$plain
        rest=${rest:${#plain}}
        character=${rest:0:1}
        case $character in
            '"') isText=!isText ;;
            \\) character=${rest:0:2} ;;
            '[' | '{') depth+=1 ;;
            ']' | '}') depth+=-1 ;;
            ,)
                if ((depth == 0)); then
                    _larder_parts+=("$part")
                    part='' rest=${rest:1}
                    continue
                fi
                ;;
        esac
        part+=$character
        rest=${rest:${#character}}
    done
    [[ ! $part ]] || _larder_parts+=("$part")
}

# _larder_field ITEM PATH: stores the value of a field in _larder_json, or null if there is no such field. A path such
# as origin.name selects a nested field.
_larder_field() {
    local head=$2 member
    # A field name may contain a dot, so longer names are tried first.
    while true; do
        _larder_json=null
        [[ $1 == \{* ]] || return 0
        _larder_string "$head"
        local key=$_larder_json
        _larder_json=null
        _larder_split "$1"
        for member in ${_larder_parts[@]+"${_larder_parts[@]}"}; do
            [[ ${member:0:${#key}+1} == "$key:" ]] || continue
            member=${member:${#key}+1}
            if [[ $head == "$2" ]]; then _larder_json=$member; else _larder_field "$member" "${2#"$head".}"; fi
            return 0
        done
        [[ $head == *.* ]] || return 0
        head=${head%.*}
    done
}

# _larder_visible TEXT: stores TEXT with JSON escapes for the characters that affect a terminal: control characters (C0
# except newlines, DEL, C1), line and paragraph separators, and bidirectional controls. larder itself escapes the same
# characters.
_larder_visible() {
    local LC_ALL=C character bytes control
    local -i code
    _larder_json=$1
    control=$'[\x01-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c'
    control+=$'|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xef\xbf[\xb9-\xbb]'
    [[ $_larder_json =~ $control ]] || return 0
    for code in {1..9} {11..31} {127..159} 1564 8206 8207 {8232..8238} {8294..8297} {65529..65531}; do
        if ((code < 0x80)); then
            printf -v bytes '\\x%02x' "$code"
        elif ((code < 0x800)); then
            printf -v bytes '\\x%02x\\x%02x' $((0xc0 | code >> 6)) $((0x80 | code & 0x3f))
        else
            printf -v bytes '\\x%02x\\x%02x\\x%02x' $((0xe0 | code >> 12)) $((0x80 | code >> 6 & 0x3f)) \
                $((0x80 | code & 0x3f))
        fi
        printf -v character '%b' "$bytes"
        printf -v bytes '\\u%04x' "$code"
        _larder_json=${_larder_json//"$character"/"$bytes"}
    done
}

# _larder_print DESCRIPTOR TEXT: prints lines of text. On a terminal, _larder_visible escapes them.
_larder_print() {
    _larder_json=$2
    [[ ! -t $1 ]] || _larder_visible "$2"
    printf '%s\n' "$_larder_json" >&"$1"
}

# _larder_text JSON: stores a value as readable text: a string without quotes, null as an empty string. _larder_visible
# escapes the text.
_larder_text() {
    local text=$1
    if [[ $text == \"*\" ]]; then
        text=${text:1:${#text}-2}
        text=${text//\\\"/\"}
        text=${text//\\\//\/}
        text=${text//\\\\/\\}
    elif [[ $text == null ]]; then
        text=''
    fi
    _larder_visible "${text//$'\n'/\\n}"
}

# _larder_columns COUNT CELL...: prints rows of COUNT cells, each column as wide as its widest cell.
_larder_columns() {
    local -i count=$1 place=0 width
    local -a widths=()
    local cell line=''
    shift
    for cell in "$@"; do
        width=${#cell}
        ((width > ${widths[place % count]:-0})) && widths[place % count]=$width
        place+=1
    done
    place=0
    for cell in "$@"; do
        if ((++place % count)); then
            # printf pads by bytes, but the width is in characters.
            printf -v cell '%s%*s' "$cell" $((${widths[(place - 1) % count]:-0} - ${#cell} + 2)) ''
            line+=$cell
        else
            printf '%s\n' "$line$cell"
            line=''
        fi
    done
}
