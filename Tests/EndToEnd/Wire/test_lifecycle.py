"""Start, handshake, shutdown and exit."""

import json
import os
import select
import signal
import subprocess

import pytest

from harness import PATIENCE, binary, environment, request


def test_initialize_reports_server_version_and_capabilities(larder, command):
    result = larder.call("initialize", processId=os.getpid(), clientInfo={"name": "tests"})
    assert result["serverInfo"]["name"] == "larder"
    assert result["serverInfo"]["version"] in command("--version").stdout.decode()
    capabilities = result["capabilities"]
    assert set(capabilities["cachePolicies"]) == {"localFirst", "remoteFirst", "none", "localOnly"}
    for name in ("character", "location", "episode"):
        assert name in json.dumps(capabilities["resources"])
    larder.notify("initialized", {})
    assert larder.call("character/get", id=1)["item"]["id"] == 1


def test_one_request_piped_from_a_shell_is_answered(home, upstream):
    line = '{"jsonrpc":"2.0","id":1,"method":"character/get","params":{"id":1}}'
    script = f"echo '{line}' | \"$0\" --base-url rickandmorty={upstream.url}"
    done = subprocess.run(
        ["sh", "-c", script, binary()], capture_output=True, env=environment(home), timeout=PATIENCE
    )
    assert done.returncode == 0, done
    reply = json.loads(done.stdout)
    assert reply["id"] == 1 and reply["result"]["item"]["name"] == "Rick Sanchez"
    assert (home / "xdg-cache" / "larder" / "cache.sqlite").exists()


def test_session_without_input_exits_with_code_0(command, places):
    done = command(*places)
    assert (done.code, done.stdout) == (0, b""), done


def test_process_with_closed_stdin_exits_with_code_0(home, places):
    done = subprocess.run(
        ["sh", "-c", '"$0" "$@" <&-', binary(), *places], capture_output=True, env=environment(home), timeout=PATIENCE
    )
    assert (done.returncode, done.stdout) == (0, b""), done


@pytest.mark.parametrize("closed", [">&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_descriptors_of_closed_standard_streams_are_not_reused(home, places, upstream, closed):
    """A file or connection opened later must not get the descriptor of a closed standard stream.

    If stderr is open, Larder reports replies that it could not write.
    """
    lines = "".join(request("character/get", {"id": n}, n) for n in range(1, 9))
    command = [binary(), *places, "--base-url", f"rickandmorty={upstream.url}"]
    done = subprocess.run(
        ["sh", "-c", f'"$0" "$@" {closed}', *command],
        input=lines.encode(), capture_output=True, env=environment(home), timeout=PATIENCE,
    )
    assert (done.returncode, done.stdout) == (0 if "<" in closed else 74, b"")
    assert done.stderr.startswith(b"larder: error: cannot write replies to stdout: " if closed == ">&-" else b"")
    assert upstream.count() <= (0 if "<" in closed else 8)
    assert all(one["method"] == "GET" for one in upstream.requests())


class TestShutdown:
    def test_requests_after_shutdown_are_refused(self, larder):
        assert larder.wait(larder.send("shutdown")) == {"jsonrpc": "2.0", "id": 1, "result": None}
        assert larder.fails("recents/list").code == -32600
        assert larder.fails("character/get", id=1).code == -32600
        larder.notify("exit")
        assert larder.process.wait(PATIENCE) == 0

    def test_exit_without_shutdown_has_code_1(self, larder):
        larder.alive()
        larder.notify("exit")
        assert larder.process.wait(PATIENCE) == 1

    def test_requests_before_shutdown_are_answered(self, larder, upstream):
        hold = upstream.hold("/api/character/1")
        early = larder.send("character/get", {"id": 1})
        hold.wait()
        larder.call("shutdown")
        hold.release()
        assert larder.wait(early)["result"]["item"]["id"] == 1

    def test_end_of_input_after_shutdown_exits_with_code_0(self, larder):
        larder.call("shutdown")
        assert larder.close() == 0


class TestEndOfInput:
    def test_requests_in_flight_are_answered_after_the_end_of_input(self, larder, upstream):
        hold = upstream.hold("/api/character")
        ids = [larder.send("character/get", {"id": n}) for n in range(1, 51)]
        hold.wait()
        larder.end_input()
        hold.release()
        for id in ids:
            assert larder.wait(id)["result"]["item"]["id"] == id
        assert larder.close() == 0
        assert larder.left == []

    def test_batch_in_flight_is_answered_after_the_end_of_input(self, larder, upstream):
        hold = upstream.hold("/api/character")
        larder.write(json.dumps([json.loads(request("character/get", {"id": n}, n)) for n in (1, 2)]) + "\n")
        hold.wait(2)
        larder.end_input()
        hold.release()
        assert sorted(one["id"] for one in json.loads(larder.line())) == [1, 2]
        assert larder.close() == 0

    def test_request_slower_than_the_drain_time_gets_an_error(self, start, upstream):
        larder = start("--drain", "1")
        hold = upstream.hold("/api/character")
        ids = [larder.send("character/get", {"id": n}) for n in (1, 2, 3)]
        hold.wait()
        larder.end_input()
        for id in ids:
            assert "error" in larder.wait(id)
        assert larder.close() == 0
        assert larder.left == []

    def test_answer_fetched_while_draining_is_cached(self, start, upstream):
        first = start()
        hold = upstream.hold("/api/character/1")
        first.send("character/get", {"id": 1})
        hold.wait()
        first.end_input()
        hold.release()
        assert first.close() == 0
        assert start().call("character/get", id=1)["source"] == "persistence"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_requests_in_flight_are_answered_after_a_termination_signal(larder, upstream, number):
    hold = upstream.hold("/api/character/1")
    asked = larder.send("character/get", {"id": 1})
    hold.wait()
    larder.process.send_signal(number)
    hold.release()
    assert larder.wait(asked)["result"]["item"]["id"] == 1
    assert larder.process.wait(PATIENCE) == 0


def test_signal_ends_a_process_with_a_blocked_output(home, places):
    command = [binary(), *places, "--drain", "1s", "--max-queue", "1MiB"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(home)
    ) as process:
        os.set_blocking(process.stdin.fileno(), False)
        # Write until Larder accepts no more: its reader has stopped.
        while select.select([], [process.stdin], [], 1)[1]:
            try:
                os.write(process.stdin.fileno(), request("rpc.discover").encode() * 100)
            except BlockingIOError:
                pass
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0


def test_unread_replies_at_the_end_of_input_give_an_error_exit_code(home, places):
    command = [binary(), *places, "--drain", "1s"]
    requests = request("rpc.discover").encode() * 30
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(home)
    ) as process:
        process.stdin.write(requests)
        process.stdin.close()
        assert process.wait(PATIENCE) == 74
        assert b"replies are lost: the client did not read them in the time that --drain sets" in process.stderr.read()


def test_second_signal_ends_the_process_at_once(larder, upstream):
    hold = upstream.hold("/api/character/1")
    larder.send("character/get", {"id": 1})
    hold.wait()
    # The system merges two signals sent at once. Send the second until it arrives separately.
    while larder.process.poll() is None:
        larder.process.send_signal(signal.SIGTERM)
    assert larder.process.returncode == -signal.SIGTERM
    hold.release()


def test_process_exits_when_the_parent_named_in_initialize_exits(larder):
    with subprocess.Popen(["sleep", "600"]) as parent:
        larder.call("initialize", processId=parent.pid)
        parent.kill()
    assert larder.process.wait(PATIENCE) == 0


def test_closed_output_ends_the_process(home, places):
    process = subprocess.Popen(
        [binary(), *places],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(home),
    )
    process.stdout.close()
    process.stdin.write(request("recents/list").encode())
    process.stdin.flush()
    code = process.wait(PATIENCE)
    noise = process.stderr.read()
    process.stderr.close()
    process.stdin.close()
    assert (code, noise) == (0, b"")


def test_client_that_writes_all_requests_before_it_reads_gets_all_replies(home, places):
    """The client writes 100,000 requests before it reads the first reply. No pipe holds so many in either direction."""
    count = 100_000
    with subprocess.Popen(
        [binary(), *places],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment(home),
    ) as process:
        try:
            process.stdin.write(b"".join(request("recents/list", id=id).encode() for id in range(count)))
            process.stdin.close()
        except BrokenPipeError:
            process.stdin = None
            pytest.fail(f"exit code {process.wait(PATIENCE)}, output ends with {process.stdout.read()[-2000:]}")
        ids = [json.loads(line)["id"] for line in process.stdout]
        assert process.wait(PATIENCE) == 0
    assert sorted(ids) == list(range(count))


def test_stdout_contains_only_replies(start):
    larder = start("--log-level", "debug")
    larder.call("character/get", id=1)
    larder.fails("character/get", id=99999)
    larder.alive()
