/// `larder completions SHELL`: prints a completion script for the shell. The script runs `larder complete` for each
/// completion.
enum CompletionScript {
    /// The supported shells.
    static let names = ["bash", "zsh", "fish"]

    /// Returns the script for a shell; nil for an unsupported shell.
    static func text(for shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": zsh
        case "fish": fish
        default: nil
        }
    }

    /// The completion script for bash 4 or newer. It works with and without the package bash-completion.
    private static let bash = #"""
        # Completions of larder for bash 4 or newer: source <(larder completions bash)

        # Splits the line up to the cursor into _larder_words and removes the quotes, because bash also splits words at
        # `=` and `:`. _larder_quote is the open quote at the cursor; _larder_head is the part of the word before it.
        # Fails within `$(`, `${`, `$'`, backquotes and parentheses, which have other quoting rules.
        _larder_split() {
            local line=${COMP_LINE:0:COMP_POINT} character next word='' quote='' begun=''
            local -i i
            _larder_words=()
            for ((i = 0; i < ${#line}; i++)); do
                character=${line:i:1} next=${line:i+1:1}
                if [[ $quote == "'" ]]; then
                    if [[ $character == "'" ]]; then quote=''; else word+=$character; fi
                elif [[ $character == \\ && $next ]]; then
                    i+=1
                    # Within double quotes, a backslash that escapes nothing is kept.
                    [[ ! $quote || $next == [\$\`\"\\] ]] || word+=\\
                    begun=1 word+=$next
                elif [[ $character == \` || $character$next == \$[\(\{\[] ]]; then
                    return 1
                elif [[ $quote ]]; then
                    if [[ $character == '"' ]]; then quote=''; else word+=$character; fi
                elif [[ $character == [\(\)] || $character$next == \$[\'\"] ]]; then
                    return 1
                elif [[ $character == [\'\"] ]]; then
                    begun=1 quote=$character _larder_head=$word
                elif [[ $character == [[:space:]] ]]; then
                    [[ $begun ]] && _larder_words+=("$word")
                    begun='' word=''
                elif [[ $character == [\;\&\|] ]]; then
                    # Another command starts here.
                    _larder_words=() begun='' word=''
                else
                    begun=1 word+=$character
                fi
            done
            _larder_words+=("$word")
            _larder_quote=$quote
        }

        # Quotes $value for the place at the cursor. Fails if that is not possible.
        _larder_escape() {
            case $_larder_quote in
                "'") [[ $value != *\'* ]] ;;
                '"')
                    value=${value//\\/\\\\}
                    value=${value//\$/\\\$}
                    value=${value//\`/\\\`}
                    value=${value//\"/\\\"}
                    # Within double quotes, a backslash before `!` would become part of the value.
                    [[ $- != *H* ]] || value=${value//'!'/\"\'!\'\"}
                    # Readline would take a quote at the end for the closing quote and not add one.
                    [[ $value != *\" ]] || value+='"'
                    ;;
                *) [[ $value != *[!A-Za-z0-9_./,:=@%+-]* ]] || printf -v value %q "$value" ;;
            esac
        }

        _larder() {
            local -a _larder_words=() shown=()
            local _larder_quote='' _larder_head='' line value current head breaks program kind
            local -i i width=0
            COMPREPLY=()
            _larder_split || return 0
            # Assignments before the program's name set its environment. Bash hides most of them from this function.
            while [[ ${#_larder_words[@]} -gt 1 && ${_larder_words[0]} == *([A-Za-z0-9_])=* ]]; do
                _larder_words=("${_larder_words[@]:1}")
            done
            ((${#_larder_words[@]} > 1)) || return 0
            program=${_larder_words[0]/#\~\//$HOME/}
            [[ ${program##*/} == "${1##*/}" ]] || return 0
            current=${_larder_words[${#_larder_words[@]} - 1]}
            # Readline replaces only the part of the word after the last of these characters.
            breaks=${COMP_WORDBREAKS//[^=:@]/}
            head=''
            if [[ $_larder_quote ]]; then
                head=$_larder_head
            elif [[ $breaks ]]; then
                head=${current%"${current##*["$breaks"]}"}
            fi
            while IFS= read -r line; do
                case $line in
                    $'\tfiles' | $'\tfolders')
                        compopt -o filenames
                        kind=-f
                        [[ $line == $'\tfolders' ]] && kind=-d
                        value=$current
                        [[ $value == --*=* ]] && value=${value#*=}
                        value=${value/#\~\//$HOME/}
                        while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen "$kind" -- "$value")
                        ;;
                    *)
                        value=${line%%$'\t'*}
                        [[ $value == *[=/] ]] && compopt -o nospace
                        value=${value#"$head"}
                        _larder_escape || continue
                        COMPREPLY+=("$value")
                        line=${line#*$'\t'}
                        shown+=("$line")
                        [[ $line && $value != *= ]] && ((${#value} > width)) && width=${#value}
                        ;;
                esac
            done < <("$program" complete -- "${_larder_words[@]:1}" 2>/dev/null)
            # Bash lists several ids with their names. It inserts only their common beginning, which has no name.
            [[ ! $kind && ! $_larder_quote && $COMP_TYPE != 37 && $COMP_TYPE != 42 ]] || return 0
            ((${#_larder_words[@]} > 3 && ${#shown[@]} > 1 && width + 4 < ${COLUMNS:-80})) || return 0
            for ((i = 0; i < ${#shown[@]}; i++)); do
                value=${COMPREPLY[i]}
                [[ ! ${shown[i]} || $value == *= || $value == -* ]] && continue
                printf -v line '%-*s  %s' "$width" "$value" "${shown[i]}"
                COMPREPLY[i]=${line:0:${COLUMNS:-80} - 2}
            done
        }

        complete -F _larder larder

        """#

    private static let zsh = #"""
        #compdef larder
        # Completions of larder for zsh: source <(larder completions zsh) after compinit; or save this as a file _larder
        # in a folder of $fpath.

        _larder() {
            local line value note looked=1
            local -a whole wholeNotes begun begunNotes kinds lines
            local -a assigned
            # $words omits assignments before the program's name. Pass those that select the catalog to the program.
            for value in "${(z)LBUFFER}"; do
                case $value in
                    (';'|'|'|'|&'|'||'|'&'|'&&'|'&|'|'&!') assigned=() note= ;;
                    ((LARDER|XDG)_*=*) [[ -n $note ]] || assigned+=("${(Q)value}") ;;
                    ([A-Za-z_]*=*) ;;
                    (*) note=${note:-$value} ;;
                esac
            done
            [[ $note == $words[1] ]] || assigned=()
            value=${${(Q)words[1]}/#\~\//$HOME/}
            value=$(
                exec 2>/dev/null
                (( $#assigned )) && export "${(@)assigned/=\~\//=$HOME/}"
                "$value" complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}"
            )
            lines=("${(@f)value}")
            for line in "${lines[@]}"; do
                value=${line%%$'\t'*} note=${line#*$'\t'}
                if [[ -z $value ]]; then
                    [[ -n $note ]] && kinds+=("$note")
                elif [[ $value == *[=/] ]]; then
                    begun+=("$value") begunNotes+=("$value${note:+  $note}")
                else
                    whole+=("$value") wholeNotes+=("$value${note:+  $note}")
                fi
            done
            (( $#whole )) && compadd -l -d wholeNotes -a whole && looked=0
            (( $#begun )) && compadd -S '' -l -d begunNotes -a begun && looked=0
            for note in "${kinds[@]}"; do
                [[ $PREFIX == --*=* ]] && compset -P '*='
                if [[ $note == folders ]]; then _files -/ && looked=0; else _files && looked=0; fi
            done
            return looked
        }

        if [[ ${funcstack[1]-} == _larder ]]; then
            _larder "$@"
        elif (( $+functions[compdef] )); then
            compdef _larder larder
        fi

        """#

    private static let fish = #"""
        # Completions of larder for fish: larder completions fish | source

        function __larder_complete
            set -l words (commandline -opc)
            set -l current (commandline -ct | string replace -ra '["\']' '')
            test (count $current) -eq 0; and set current ''
            set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
            for line in ($program complete -- $words[2..-1] $current 2>/dev/null)
                switch $line
                    case \tfiles \tfolders
                        # Always one element: an empty list would remove the path from the output too.
                        set -l head (string match -r -- '^--[^=]*=' $current; or echo)
                        set -l begun (string replace -r -- '^--[^=]*=' '' $current)
                        if test $line = \tfolders
                            set -f found (__fish_complete_directories $begun '')
                        else
                            set -f found (__fish_complete_path $begun)
                        end
                        for path in $found
                            echo -- $head$path
                        end
                    case '*'
                        echo -- $line
                end
            end
        end

        complete -c larder -f -a '(__larder_complete)'

        """#
}
