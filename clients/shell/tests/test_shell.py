"""larder.sh against the real program."""

import json
import pathlib
import re
import shlex
import subprocess

import pytest

from harness import PATIENCE, binary, environment

README = pathlib.Path(__file__).resolve().parent.parent / "README.md"
SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "larder.sh"


@pytest.fixture
def bash(home, upstream, places):
    """bash(script): runs it with the functions at hand and $OPTIONS for larder_start, strictly."""
    options = " ".join(map(shlex.quote, ["--base-url", f"rickandmorty={upstream.url}", *places]))

    def bash(script, **env):
        text = f"set -euo pipefail\nsource {shlex.quote(str(SCRIPT))}\nOPTIONS=({options})\n{script}"
        return subprocess.run(
            ["bash", "-c", text],
            capture_output=True,
            text=True,
            env=environment(home, {"LARDER_BIN": binary(), **env}),
            timeout=PATIENCE + 10,
        )

    return bash


def lines(done, code=0):
    assert done.returncode == code, (done.stdout, done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_calls_over_one_process(bash, upstream):
    done = bash(
        """
        larder_start "${OPTIONS[@]}"
        larder_call character/get id=1
        larder_call character/get id=1
        larder_call server/status
        larder_stop
        """
    )
    first, second, status = lines(done)
    assert (first["source"], second["source"]) == ("remote", "memory")
    assert first["item"] == second["item"] and first["item"]["name"] == "Rick Sanchez"
    assert status["resources"] and done.stderr == ""
    assert upstream.count() == 1


def test_in_substitutions_and_pipelines(bash):
    done = bash(
        """
        larder_start "${OPTIONS[@]}"
        one=$(larder_call character/get id=1)
        two=$(larder_call character/get id=2)
        echo "$one"; echo "$two"
        larder_call character/get id=3 | cat
        larder_stop
        """
    )
    assert [one["item"]["id"] for one in lines(done)] == [1, 2, 3]


def test_params(bash):
    done = bash(
        r"""
        larder_start "${OPTIONS[@]}"
        larder_call character/list filter.name=rick filter.status=Dead page=1
        larder_call character/getMany '{"ids":
            [2, 1]}'
        larder_call character/getMany ids=[3,1] cachePolicy=localFirst
        larder_call recents/add text='a "quoted" \ back'$'\t''tab'$'\n''é☃ = & *'
        larder_call recents/add text='"7"'
        larder_call recents/add text='{oops'
        larder_stop
        """
    )
    page, many, short, odd, seven, oops = lines(done)
    assert page["items"] and all(item["status"] == "Dead" for item in page["items"])
    assert [item["id"] for item in many["items"]] == [2, 1]
    assert [item["id"] for item in short["items"]] == [3, 1]
    assert odd["recents"][0] == 'a "quoted" \\ back\ttab\né☃ = & *'
    assert seven["recents"][0] == "7" and oops["recents"][0] == "{oops"


def test_an_error_goes_to_stderr_and_returns_1(bash):
    done = bash(
        """
        larder_start "${OPTIONS[@]}"
        larder_call character/get id=99999 || echo $?
        larder_call no/such || echo $?
        larder_call recents/list
        larder_stop
        """
    )
    assert lines(done) == [1, 1, {"recents": []}]
    first, second = map(json.loads, done.stderr.splitlines())
    assert first["code"] == -31003 and first["data"]["kind"] == "notFound"
    assert second["code"] == -32601


def test_wrong_use(bash):
    done = bash(
        """
        larder_call recents/list || echo $?
        larder_start "${OPTIONS[@]}"
        larder_start "${OPTIONS[@]}" || echo $?
        larder_call || echo $?
        larder_call recents/add text || echo $?
        larder_call recents/list
        larder_stop
        larder_stop
        larder_call recents/list || echo $?
        """
    )
    assert lines(done) == [2, 2, 2, 2, {"recents": []}, 2]
    assert len(done.stderr.splitlines()) == 5


def test_it_starts_again(bash):
    done = bash(
        """
        larder_start "${OPTIONS[@]}"; larder_call character/get id=1; larder_stop
        larder_start "${OPTIONS[@]}"; larder_call character/get id=1; larder_stop
        """
    )
    assert [one["source"] for one in lines(done)] == ["remote", "persistence"]
    assert done.stderr == ""


def test_a_process_that_has_died(bash):
    done = bash(
        """
        larder_start "${OPTIONS[@]}"
        kill -9 $_larder_pid; wait $_larder_pid 2>/dev/null || true
        larder_call recents/list || echo $?
        larder_start "${OPTIONS[@]}"
        larder_call recents/list
        larder_stop
        """
    )
    assert lines(done) == [2, {"recents": []}]


def test_a_process_that_refuses_to_start(bash):
    done = bash(
        """
        larder_start --no-such-option
        larder_call recents/list || echo $?
        larder_stop || echo $?
        """
    )
    assert lines(done) == [2, 64]
    assert "--no-such-option" in done.stderr


def test_no_program(bash):
    done = bash("larder_start || echo $?", LARDER_BIN="/no/such/program")
    assert lines(done) == [2] and "LARDER_BIN" in done.stderr


def test_a_reply_that_takes_too_long(bash, upstream):
    upstream.hold("/api/character/1")
    done = bash(
        """
        larder_start --drain 0 "${OPTIONS[@]}"
        LARDER_TIMEOUT=0.2 larder_call character/get id=1 || echo $?
        larder_call character/get id=2
        larder_stop
        """
    )
    late, other = lines(done)
    assert late == 2 and other["item"]["id"] == 2


def test_one_shot(bash):
    done = bash(
        """
        larder_once "${OPTIONS[@]}" character/get id=1
        larder_once character/get id=99999 "${OPTIONS[@]}" || echo $?
        """
    )
    first, code = lines(done)
    assert first["item"]["id"] == 1 and code == 1


def test_the_end_of_the_script_ends_the_process(bash):
    done = bash('larder_start "${OPTIONS[@]}"; larder_call server/status')
    assert lines(done)[0]["pid"] > 0


def test_the_examples_of_the_readme(bash):
    examples = re.findall(r"^```bash\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)
    # Without options of their own, the examples would go out to the API itself.
    script = "\n".join(examples).replace("larder_start", 'larder_start "${OPTIONS[@]}"')
    script = script.replace("larder_once", 'larder_once "${OPTIONS[@]}"').replace("source clients/shell/larder.sh", "")
    get, page, many, once = lines(bash(script + 'echo "$name" >&2'))
    assert get["item"]["id"] == once["item"]["id"] == 1
    assert page["items"] and [item["id"] for item in many["items"]] == [1, 2, 3]
