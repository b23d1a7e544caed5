"""The `key=value` params of larder.sh, compared with `larder call`."""

import json
import shlex

from running import lines

VALUES = [
    " 5 ", "[1, 2] ", '"a\nb"', r'"\ud800"', r'"\ud83d\ude00"', '"é"', "[1 2]", "01", "1e5", "nul", "null",

    "[draft] foo]", "", " ", r'"\/"', r'"\x"', "[]",
    "{}", '[[],[1,{"a" : [true]}],{"b":{}}]', '{"a":}', '{"a":1,}', "[1,]", "[,1]",
    '{"a"}', "{1:2}", "[1}", "1 2", "-", "-0", "1.", ".5", '"a"b', "[1,\n2]", '{"a]":"}"}', '"\x7f"', "]", "1,",
    "{oops", "a:1", '["a",1,null,{"b":"c"}]', "[" * 600 + "]" * 600, "\u00a01",
]  # fmt: skip



def test_param_values_are_json_or_strings_as_in_larder_call(bash, command, places):
    """`recents/add` accepts strings, given as plain text or as JSON strings, and refuses other JSON values."""
    script = ['larder_start "${OPTIONS[@]}"']
    for scope, text in enumerate(VALUES):
        given = f"scope=of{scope} {shlex.quote(f'text={text}')}"
        script.append(f"larder_call recents/add {given} 2>/dev/null || echo null")
    ours = lines(bash("\n".join([*script, "larder_stop"])))
    for scope, (text, result) in enumerate(zip(VALUES, ours)):
        asked = command("call", "recents/add", f"scope=other{scope}", f"text={text}", *places)
        assert result == (json.loads(asked.stdout) if asked.code == 0 else None), text
    unchanged = [text for text, result in zip(VALUES, ours) if result == {"recents": [text]}]
    assert {"[draft] foo]", "[1 2]", "01", "{oops", "nul"} <= {*unchanged}
    assert not {"null", "[]", "1e5", "[1,\n2]", '"\x7f"'} & {*unchanged}


def test_repeated_param_name_is_refused(bash, command, places):
    cases = [
        (["id=1", "id=2"], "id"), (["filter.name=a", "page=1", "filter.name=b"], "filter.name"),
        (['filter={"name":"a"}', "filter.status=b"], "filter"), (["filter.status=b", "filter=1"], "filter"),
        (["a.b.c=1", "a.b=2"], "a.b"), (["a.b=1", "a.b.c=2"], "a.b"),
    ]  # fmt: skip
    calls = [f"larder_call character/get {' '.join(map(shlex.quote, words))} || echo $?" for words, _ in cases]
    script = "\n".join(calls)
    done = bash(f'larder_start "${{OPTIONS[@]}}"\n{script}\nlarder_stop')
    assert lines(done) == [2] * len(cases)
    assert done.stderr.splitlines() == [f"larder: '{key}' is given twice; pass it once" for _, key in cases]
    for words, key in cases:
        asked = command("call", "character/get", *words, *places)
        assert asked.code == 64 and f"'{key}' is given twice" in asked.stderr, asked


def test_params_that_are_invalid_json_are_refused(bash):
    done = bash("""larder_start "${OPTIONS[@]}"; larder_call character/get '{"id": 1' || echo $?; larder_stop""")
    assert lines(done) == [2]
    assert done.stderr == """larder: '{"id": 1' is not a JSON object; correct it, or write key=value\n"""


def test_long_list_of_ids_is_encoded_fast(bash):
    """If bash parsed each character by itself, this would take many seconds."""
    done = bash("_larder_value \"[$(seq -s, 1 50000)]\"; printf '%s' \"$_larder_json\"")
    assert lines(done) == [[*range(1, 50001)]]
