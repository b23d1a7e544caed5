"""larder.sh with the real program."""

import json
import pathlib
import re

from running import lines

README = pathlib.Path(__file__).resolve().parent.parent / "README.md"
PROTOCOL = README.parents[2] / "docs" / "protocol.md"


def test_calls_of_a_script_use_one_process(bash, upstream):
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


def test_calls_work_in_substitutions_and_pipelines(bash):
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


def test_script_that_handles_ctrl_c_continues(bash):
    """The test sends SIGINT to both the script and the larder process, as Ctrl-C in a terminal does."""
    done = bash(
        """
        larder_start "${OPTIONS[@]}"
        trap 'echo interrupted' INT
        pid=$(larder_call server/status | grep -o '"pid":[0-9]*')
        kill -INT "${pid#*:}"
        kill -INT $$
        larder_call server/status | grep -o '"pid":[0-9]*' | grep -c "$pid"
        larder_stop
        """
    )
    assert (done.returncode, done.stdout) == (0, "interrupted\n1\n"), done


def test_params_may_be_nested_json_or_text(bash):
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
    page, many, short, special, seven, oops = lines(done)
    assert page["items"] and all(item["status"] == "Dead" for item in page["items"])
    assert [item["id"] for item in many["items"]] == [2, 1]
    assert [item["id"] for item in short["items"]] == [3, 1]
    assert special["recents"][0] == 'a "quoted" \\ back\ttab\né☃ = & *'
    assert seven["recents"][0] == "7" and oops["recents"][0] == "{oops"


def test_error_is_printed_on_stderr_and_sets_the_return_code(bash):
    done = bash(
        """
        larder_start "${OPTIONS[@]}"
        larder_call character/get id=99999 || echo $?
        larder_call no/such || echo $?
        larder_call character/get id=99999 2>/dev/null || larder_kind $? | sed 's/.*/"&"/'
        larder_call recents/list
        larder_stop
        """
    )
    assert lines(done) == [13, 1, "notFound", {"recents": []}]
    first, second = map(json.loads, done.stderr.splitlines())
    assert first["code"] == -31003 and first["data"]["kind"] == "notFound"
    assert second["code"] == -32601


def test_wrong_use_of_a_shell_function_returns_2_with_a_message(bash):
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


def test_larder_can_be_started_again_after_a_stop(bash):
    done = bash(
        """
        larder_start "${OPTIONS[@]}"; larder_call character/get id=1; larder_stop
        larder_start "${OPTIONS[@]}"; larder_call character/get id=1; larder_stop
        """
    )
    assert [one["source"] for one in lines(done)] == ["remote", "persistence"]
    assert done.stderr == ""


def test_killed_process_is_reported_and_can_be_restarted(bash):
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


def test_larder_call_fails_if_larder_refuses_an_option(bash):
    done = bash(
        """
        larder_start --no-such-option
        larder_call recents/list || echo $?
        larder_stop || echo $?
        """
    )
    assert lines(done) == [2, 64]
    assert "--no-such-option" in done.stderr


def test_missing_program_is_reported(bash):
    done = bash("larder_start || echo $?", LARDER_BIN="/no/such/program")
    assert lines(done) == [2] and "LARDER_BIN" in done.stderr


def test_call_with_a_late_reply_times_out_and_the_reply_is_skipped(bash, upstream):
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


def test_too_long_request_fails_at_once(bash):
    """The error reply has no id, because the server did not read the request."""
    done = bash(
        """
        larder_start --max-message 1KiB "${OPTIONS[@]}"
        printf -v long '%2000s' x
        larder_call recents/add text="$long" || echo $?
        larder_call recents/list
        larder_stop
        """,
        LARDER_TIMEOUT="600",
    )
    assert lines(done) == [1, {"recents": []}] and json.loads(done.stderr)["code"] == -32600


def test_concurrent_calls_are_serialized(bash, lock_path):
    done = bash(
        """
        PATH=$TURNS
        larder_start "${OPTIONS[@]}"
        jobs=()
        for id in {1..10}; do
            larder_call character/get id=$id fields='["id"]' & jobs+=($!)
        done
        for job in "${jobs[@]}"; do wait "$job"; done
        larder_stop
        """,
        TURNS=lock_path,
    )
    assert sorted(one["item"]["id"] for one in lines(done)) == list(range(1, 11)) and done.stderr == ""


def test_queued_call_times_out_and_the_lock_is_released(bash, lock_path, upstream):
    upstream.hold("/api/character/1")
    done = bash(
        """
        PATH=$TURNS
        larder_start --drain 0 "${OPTIONS[@]}"
        LARDER_TIMEOUT=10 larder_call character/get id=1 2>/dev/null & one=$!
        while _larder_now; (_larder_acquire $((_larder_time + 20))); do :; done
        LARDER_TIMEOUT=0.1 larder_call character/get id=2 || echo $?
        wait $one || echo $?
        larder_call character/get id=2 fields='["id"]'
        larder_stop
        """,
        TURNS=lock_path,
    )
    waited, held, two = lines(done)
    assert (waited, held, two["item"]["id"]) == (2, 2, 2) and "other calls are running" in done.stderr


def test_call_times_out_if_the_process_does_not_read(bash):
    """The request is larger than the pipe, so that the script blocks while it writes the request."""
    done = bash(
        """
        larder_start "${OPTIONS[@]}"
        kill -STOP $_larder_pid
        printf -v long '%200000s' x
        LARDER_TIMEOUT=0.2 larder_call recents/add text="$long" || echo $?
        kill -KILL $_larder_pid
        """
    )
    assert lines(done) == [2] and "no reply within 0.2 seconds" in done.stderr


def test_larder_once_prints_the_result_or_returns_an_error_code(bash):
    done = bash(
        """
        larder_once "${OPTIONS[@]}" character/get id=1
        larder_once character/get id=99999 "${OPTIONS[@]}" || echo $?
        """
    )
    first, code = lines(done)
    assert first["item"]["id"] == 1 and code == 13
    assert json.loads(done.stderr)["data"]["kind"] == "notFound"


def test_every_error_kind_has_its_own_return_code(bash):
    done = bash("for code in {10..27}; do larder_kind $code && echo $code; done; larder_kind 1 || echo none")
    *lines, none = done.stdout.splitlines()
    documented = re.findall(r"^\| -310(\d\d) \| `(\w+)`", PROTOCOL.read_text(encoding="utf-8"), re.M)
    assert none == "none" and len(lines) == 30
    assert [(kind, str(int(code) + 10)) for code, kind in documented] == list(zip(lines[::2], lines[1::2]))


def test_larder_kind_refuses_an_invalid_return_code(bash):
    done = bash(
        """
        for text in 'a[$(echo done >&2)0]' x 13x 0x0d '' ' ' -1 11+2 BASHPID-BASHPID+13 18446744073709551629; do
            larder_kind "$text" || echo $?
        done
        larder_kind || echo $?
        larder_kind 013
        """
    )
    assert done.stdout.splitlines() == 11 * ["1"] + ["notFound"] and done.stderr == "", done


def test_shell_function_larder_once_returns_64_for_wrong_arguments(bash):
    done = bash("larder_once --nonsense character/get || echo $?; larder_once character/get id || echo $?")
    assert lines(done) == [64, 64] and done.stderr.count("larder: ") == 2


def test_larder_process_exits_when_the_script_exits(bash):
    done = bash('larder_start "${OPTIONS[@]}"; larder_call server/status')
    assert lines(done)[0]["pid"] > 0


def test_shell_readme_examples_print_the_shown_output(bash):
    examples = re.findall(r"^```bash\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)
    # With these options, the examples do not use the real API.
    script = "\n".join(examples).replace("larder_start", 'larder_start "${OPTIONS[@]}"')
    script = script.replace("larder_once", 'larder_once "${OPTIONS[@]}"').replace("source clients/shell/larder.sh", "")
    done = bash(script + 'echo "$name" >&2')
    assert done.returncode == 0, done
    get, page, many, *rest = done.stdout.splitlines()
    assert json.loads(get)["item"]["id"] == json.loads(rest[-1])["item"]["id"] == 1
    assert json.loads(page)["items"] and [item["id"] for item in json.loads(many)["items"]] == [1, 2, 3]
    assert json.loads(rest[0])["id"] == 1 and "id  name          status" in rest
    assert "resource  items  complete" in rest and any(re.match(r"episode +\d+ +true$", line) for line in rest), rest
    assert "there is no such character" in rest
