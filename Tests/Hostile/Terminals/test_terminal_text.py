"""Control characters in strings from APIs, catalogs and arguments: none of them reaches a terminal."""

import json
import os
import re
import shutil
import subprocess

import pytest

from answering import Answering, answer, answer_of
from harness import ROOT, binary, environment, run
from terminal import Terminal

RANGES = [(0x01, 0x1F), (0x7F, 0x9F), (0x61C, 0x61C), (0x200E, 0x200F), (0x2028, 0x202E), (0x2066, 0x2069)]
CONTROLS = [chr(code) for first, last in RANGES for code in range(first, last + 1)]
# A one-line string with each control character between letters.
HOSTILE = "".join(f"x{control}" for control in CONTROLS) + "x"
# The control sequences that Larder itself writes.
OWN = re.compile(r"\x1b\[[0-9;]*[mK]|\r\n|[\r\n\t]")


def controls(seen):
    return sorted(set(OWN.sub("", seen)) & set(CONTROLS))


@pytest.fixture
def api():
    with Answering() as server:
        yield server


@pytest.fixture
def catalog(home, api):
    """`catalog(**members)` writes a catalog whose API has a hostile name; `members` replace members of the catalog."""

    def catalog(**more):
        listing = {"path": "/things", "filters": {"state": "state"}}
        thing = {"api": HOSTILE, "id": "string", "rest": {"get": {"path": "/things/{id}"}, "list": listing}}
        apis = {HOSTILE: {"baseURL": api.url, "retries": 0}}
        path = home / "catalog.json"
        path.write_text(json.dumps({"larder": 1, "apis": apis, "resources": {"thing": thing}, **more}))
        return path

    return catalog


def on_terminal(home, *arguments, **streams):
    variables = environment(home, {"TERM": "xterm"})
    with Terminal([binary(), *map(str, arguments)], variables, echo=False, **streams) as larder:
        larder.end()
        return larder.seen


def refusal(text=HOSTILE):
    body = json.dumps({"message": text}).encode()
    return answer(f"Content-Length: {len(body)}", body=body, status="404 N")


@pytest.mark.parametrize("arguments", [
    ["get", "thing", "1"], ["call", "thing/get", "id=1"], ["list", "thing"], ["prefetch", "thing"],
    ["check", "--live", "CATALOG"], ["doctor"], ["get", "thing", HOSTILE], ["get", HOSTILE, "1"], [HOSTILE],
    ["call", HOSTILE], ["check", HOSTILE], ["--" + HOSTILE],
    ["cache", "path", "--cache-dir", "HOSTILE"],
    ["catalog", "show"], ["catalog", "types"], ["mcp", "config"], ["complete", "--", "get", ""],
    ["complete", "--", "--base-url", ""], ["complete", "--", "call", ""],
], ids=lambda arguments: " ".join("".join(filter(str.isprintable, word))[:20] for word in arguments))
@pytest.mark.parametrize("say", [refusal(), answer_of({"id": "1", HOSTILE: HOSTILE})], ids=["error", "answer"])
def test_terminal_output_has_no_control_characters_of_api_data(home, api, catalog, arguments, say):
    api.say = say
    path = catalog()
    own = {"CATALOG": path, "HOSTILE": home / "".join(filter(lambda letter: letter != "/", HOSTILE))}
    arguments = [own.get(word, word) for word in arguments]
    if "check" not in arguments:
        arguments = ["--catalog", path, *arguments]
    assert controls(on_terminal(home, *arguments)) == []


@pytest.mark.parametrize("words", [["get", ""], ["--base-url", ""], ["call", ""], ["list", "thing", "state="]])
def test_completions_have_no_control_characters(home, catalog, words):
    """The completion script reads the candidates from a pipe, and the shell displays them."""
    states = ["open", *("x" + control for control in CONTROLS)]
    listing = {"path": "/things", "filters": {"state": {"param": "state", "type": states}}}
    thing = {"api": HOSTILE, "id": "string", "rest": {"list": listing, "get": {"path": "/{id}"}}}
    done = run(home, "complete", "--", "--catalog", str(catalog(resources={"thing": thing})), *words)
    assert controls(done.stdout.decode()) == []
    assert done.stdout.count(b"\n") == len(done.stdout.decode().splitlines())
    assert words[-1] != "state=" or done.stdout == b"state=open\t\n"


@pytest.mark.parametrize("fault", [{HOSTILE: 1}, {"resources": {HOSTILE: 1}}])
def test_catalog_faults_have_no_control_characters(home, catalog, fault):
    path = catalog(**fault)
    for arguments in (["check", path], ["--catalog", path, "list", "thing"], ["--catalog", path, "doctor"]):
        assert controls(on_terminal(home, *arguments)) == []


@pytest.mark.parametrize("where", ["terminal", "file"])
@pytest.mark.parametrize("format", ["text", "json"])
def test_log_has_one_line_per_event_and_no_control_characters(home, catalog, where, format):
    """This also applies to log files, because they are read on a terminal later. Some programs treat U+2028 as a line
    end."""
    unset = {"baseURL": "http://127.0.0.1:9", "auth": {"bearer": "${env:NOT_SET}"}}
    options = ["--catalog", catalog(apis={HOSTILE: unset}), "--log-format", format]
    if where == "file":
        seen = run(home, *map(str, options)).stderr
    else:
        seen = on_terminal(home, *options, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    assert "\\u202e" in seen and controls(seen) == []
    lines = seen.splitlines()
    if format == "json":
        assert any(HOSTILE in json.loads(line)["message"] for line in lines)
    else:
        assert all(line.startswith("larder: ") for line in lines)


def test_output_into_a_pipe_keeps_control_characters(home, api, catalog):
    """Control characters are escaped only on terminals and in logs."""
    api.say = answer_of({"id": "1", "name": HOSTILE})
    done = run(home, "--catalog", str(catalog()), "get", "thing", "1")
    assert json.loads(done.stdout)["name"] == HOSTILE


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_shell_client_prints_no_control_characters(home, api, catalog, locale):
    item = {"id": "1", "name": HOSTILE, HOSTILE: 1}
    api.say = lambda request: answer_of([item]) if b"GET /things " in request else refusal()
    script = f"""
        source {ROOT}/clients/shell/larder.sh
        larder_table id,name thing/list
        larder_table id,$'\\u202ex' thing/list
        larder_start
        larder_table id,name thing/list
        larder_call thing/list
        larder_lines thing/list
        larder_call thing/get id=1
        larder_call thing/get $'\\u202e'
        larder_stop
        larder_once thing/list
        larder_once thing/get id=1
    """
    variables = {"TERM": "xterm", "LC_ALL": locale, "LARDER_BIN": binary(), "LARDER_CATALOG": str(catalog())}
    with Terminal(["bash", "-c", script], environment(home, variables), echo=False) as shell:
        shell.end()
        assert shell.seen.count("1   x") == 2 and shell.seen.count("\\u202e") >= 8, shell.seen
        assert controls(shell.seen) == []
