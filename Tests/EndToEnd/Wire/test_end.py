"""The exit of the process: end of input in the middle of a message, death of the parent, a log pipe that is not
read."""

import json
import os
import pathlib
import random
import select
import signal
import subprocess
import sys
import threading
import time

import pytest

from harness import PATIENCE, Larder, binary, environment, eventually, request

# `make test` cuts the input at 40 random points, LARDER_SOAK=1 at 1000. The number of the run is the random seed.
RUNS = 1000 if os.environ.get("LARDER_SOAK") else 40


def framed(text, framing):
    return text + "\n" if framing == "newline" else f"Content-Length: {len(text.encode())}\r\n\r\n{text}"


def unframed(data):
    """Returns the messages of a complete output. Replies are lines if the input was too short to show its framing."""
    if not data.startswith(b"Content-Length: "):
        assert not data or data.endswith(b"\n")
        return [json.loads(line) for line in data.splitlines()]
    messages = []
    while data:
        head, _, rest = data.partition(b"\r\n\r\n")
        length = int(head.removeprefix(b"Content-Length: "))
        assert len(rest) >= length
        messages.append(json.loads(rest[:length]))
        data = rest[length:]
    return messages


class TestPartialLastMessages:
    WHOLE = request("recents/list", id=7).rstrip("\n")

    @pytest.mark.parametrize("cut", [1, 20, -1])
    def test_last_line_that_ends_within_a_message_is_a_parse_error(self, command, places, cut):
        done = command(*places, input=(self.WHOLE + "\n" + self.WHOLE[:cut]).encode())
        bad, good = sorted(done.messages, key=lambda one: one["id"] or 0)
        assert done.code == 0 and good["id"] == 7 and "result" in good
        assert bad["id"] is None and bad["error"]["code"] == -32700

    @pytest.mark.parametrize("end", ["", " ", "\r"])
    def test_single_request_without_a_newline_is_answered(self, command, places, end):
        done = command(*places, input=(self.WHOLE + end).encode())
        assert done.code == 0 and [one["id"] for one in done.messages] == [7]

    def test_first_line_that_ends_within_a_message_is_a_parse_error(self, command, places):
        done = command(*places, input=self.WHOLE[:-1].encode())
        assert done.code == 0 and [one["error"]["code"] for one in done.messages] == [-32700]

    @pytest.mark.parametrize("cut", [3, 17, 20, 30, -1])
    def test_last_framed_message_that_is_cut_is_an_invalid_request(self, command, places, cut):
        text = framed(self.WHOLE, "contentLength")
        done = command(*places, input=(text + text[:cut]).encode())
        bad, good = sorted(unframed(done.stdout), key=lambda one: one["id"] or 0)
        assert done.code == 0 and good["id"] == 7 and "result" in good
        assert bad["id"] is None and bad["error"]["code"] == -32600


def random_requests(rng):
    """Returns up to 200 JSON texts of requests and batches: hits, misses, cache changes, errors and notifications."""
    texts, id = [], 0

    def one():
        nonlocal id
        id += 1
        method, params = rng.choice(
            [
                ("recents/list", {}),
                ("server/status", {}),
                ("recents/add", {"text": str(id)}),
                ("cache/remove", {"resource": "character", "id": id % 60}),
                ("character/get", {"id": rng.randint(1, 60)}),
                ("character/get", {"id": rng.randint(1, 60), "cachePolicy": "none"}),
                ("character/get", {"id": rng.randint(1, 60), "cachePolicy": "localOnly"}),
                ("character/get", {"id": 99999}),
                ("character/get", {"id": "x"}),
                ("character/getMany", {"ids": [1, 2, id % 70], "workDoneToken": id}),
                ("character/list", {"page": rng.randint(1, 4)}),
                ("character/prefetch", {"maxPages": 2}),
                ("character/observe", {"id": 1}),
                ("no/such", {}),
                ("$/cancelRequest", {"id": max(1, id - 3)}),
            ]
        )
        message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
        if method == "$/cancelRequest" or rng.random() < 0.05:
            del message["id"]
        return message

    while id < rng.randint(1, 200):
        texts.append(json.dumps([one() for _ in range(rng.randint(1, 8))] if rng.random() < 0.2 else one()))
    return texts


def expected_ids(texts):
    """Returns the ids that need a reply, as JSON texts."""
    messages = [json.loads(text) for text in texts]
    flat = [one for message in messages for one in (message if isinstance(message, list) else [message])]
    return [json.dumps(one["id"]) for one in flat if "id" in one]


def write_slowly(process, data, rng):
    """Writes `data` in pieces of random size with random pauses, then closes the input."""
    while data:
        size = rng.choice([1, 50, 700, 20_000])
        process.stdin.write(data[:size])
        data = data[size:]
        if rng.random() < 0.2:
            time.sleep(rng.random() / 500)
    process.stdin.close()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_client_that_reads_after_the_end_of_input_gets_all_replies(home, places):
    """The client reads replies only after Larder has read all of its input. The replies are larger than a pipe and
    smaller than --max-queue."""
    count = 800
    asked = home / "asked"
    asked.write_text("".join(request("rpc.discover", id=id) for id in range(count)))
    with open(asked, "rb") as stdin, subprocess.Popen(
        [binary(), *places], stdin=stdin, stdout=subprocess.PIPE, env=environment(home)
    ) as process:
        position = f"pos:\t{asked.stat().st_size}\n"
        info = pathlib.Path(f"/proc/{process.pid}/fdinfo/0")
        eventually(lambda: position in info.read_text(encoding="ascii"), "the end of the input")
        lines = process.stdout.read().splitlines()
        assert process.wait(PATIENCE) == 0
    assert sorted(json.loads(line)["id"] for line in lines) == list(range(count))


@pytest.mark.parametrize("part", range(10))
def test_process_exits_with_valid_replies_if_the_input_ends_at_any_byte(home, places, upstream, part):
    for delay, times in ((0.03, 1), (0.01, 3)):
        for path in ("/api/character/1", "/api/character/2", "/api/character?page=2"):
            upstream.fault(path, delay=delay, times=times * RUNS)
    for seed in range(part, RUNS, 10):
        rng = random.Random(seed)
        framing = rng.choice(["newline", "contentLength"])
        texts = random_requests(rng)
        data = "".join(framed(text, framing) for text in texts).encode()
        # Two of three runs cut the input, mostly within a message.
        cut = rng.choice([len(data), rng.randrange(len(data)), rng.randrange(len(data))])
        wanted, whole = [], 0
        for text in texts:
            end = whole + len(framed(text, framing))
            # The last line may lack its newline.
            if end - (framing == "newline") > cut:
                break
            wanted += expected_ids([text])
            whole = end
        if data[whole:cut].strip():
            wanted.append("null")
        command = [binary(), *places, "--base-url", f"rickandmorty={upstream.url}"]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(home), bufsize=0
        ) as process:
            writer = threading.Thread(target=write_slowly, args=(process, data[:cut], rng))
            writer.start()
            out = b"".join(iter(lambda: process.stdout.read(1 << 16), b""))
            writer.join()
            code = process.wait(PATIENCE)
        replies = [
            one
            for message in unframed(out)
            for one in (message if isinstance(message, list) else [message])
            if "method" not in one
        ]
        found = sorted(json.dumps(one["id"]) for one in replies)
        assert (code, found) == (0, sorted(wanted)), f"run {seed}, {framing}, cut at {cut} of {len(data)}"
        broken = [one for one in replies if one.get("error", {}).get("code") in (-32700, -32603)]
        assert len(broken) <= 1 and all(one["id"] is None for one in broken), broken


class TestParentProcess:
    """Exit after the death of the parent. The tests keep stdin open."""

    @pytest.fixture
    def parent(self):
        with subprocess.Popen(["sleep", "600"]) as parent:
            yield parent
            parent.kill()

    @pytest.mark.parametrize("is_reaped", [True, False], ids=["reaped", "zombie"])
    def test_process_exits_after_the_death_of_the_parent(self, larder, parent, is_reaped):
        larder.call("initialize", processId=parent.pid)
        larder.alive()
        os.kill(parent.pid, signal.SIGKILL)
        if is_reaped:
            parent.wait()
        assert larder.process.wait(PATIENCE) == 0

    def test_parent_death_aborts_running_requests(self, start, catalog, upstream, parent):
        """Larder exits within 5 seconds of the parent's death, even if `--drain` allows more."""
        larder = start("--catalog", catalog(), "--drain", "1h")
        larder.call("initialize", processId=parent.pid)
        hold = upstream.hold("/api/character")
        asked = larder.send("character/get", {"id": 1})
        hold.wait()
        os.kill(parent.pid, signal.SIGKILL)
        assert larder.process.wait(PATIENCE) == 0
        assert larder.wait(asked)["error"]["code"] == -32800
        hold.release()

    def test_parent_death_ends_a_process_with_a_blocked_output(self, home, places, parent):
        """After the death of the parent, another process still holds the output pipe open but does not read from it."""
        with subprocess.Popen(
            [binary(), *places, "--max-queue", "64KiB"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(home),
            bufsize=0,
        ) as process:
            process.stdin.write(request("initialize", {"processId": parent.pid}).encode())
            assert b"serverInfo" in process.stdout.readline()
            stdin = process.stdin.fileno()
            os.set_blocking(stdin, False)
            poll = select.poll()
            poll.register(stdin, select.POLLOUT)
            while poll.poll(1000):
                os.write(stdin, request("server/status").encode())
            os.kill(parent.pid, signal.SIGKILL)
            assert process.wait(PATIENCE) == 0

    @pytest.mark.parametrize("number", [0, -1, 1 << 40, None])
    def test_invalid_parent_process_id_is_ignored(self, larder, number):
        larder.call("initialize", processId=number)
        larder.alive()

    def test_living_parent_does_not_delay_the_exit(self, larder):
        larder.call("initialize", processId=os.getpid())
        larder.end_input()
        assert larder.close() == 0

    @pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
    def test_repeated_initialize_watches_the_parent_once(self, larder):
        for _ in range(100):
            larder.call("initialize", processId=os.getpid())
        assert len(os.listdir(f"/proc/{larder.process.pid}/task")) < 50


class TestLogs:
    """Log lines that the client does not read. The cache and data folders lie below a file, so Larder logs warnings."""

    @pytest.fixture
    def broken(self, home):
        (home / "file").write_text("no folder")
        return ["--cache-dir", str(home / "file"), "--data-dir", str(home / "file"), "--log-level", "debug"]

    def test_full_log_pipe_does_not_block_replies(self, home, upstream, broken):
        read, write = os.pipe()
        os.set_blocking(write, False)
        try:
            while True:
                os.write(write, b"x")
        except BlockingIOError:
            os.set_blocking(write, True)
        command = [binary(), *broken, "--base-url", f"rickandmorty={upstream.url}"]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=write, env=environment(home)
        ) as process:
            for n in range(1, 3001):
                method, params = [("recents/add", {"text": "x"}), ("character/get", {"id": n % 60 + 1})][n % 2]
                process.stdin.write(request(method, params, n).encode())
            process.stdin.close()
            ids = [json.loads(line)["id"] for line in process.stdout]
            assert process.wait(PATIENCE) == 0
        assert sorted(ids) == list(range(1, 3001))
        os.close(write)
        os.close(read)

    def test_closed_log_pipe_does_not_stop_replies(self, home, upstream, broken):
        command = [binary(), *broken, "--base-url", f"rickandmorty={upstream.url}"]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(home)
        ) as process:
            process.stderr.close()
            for n in range(1, 101):
                process.stdin.write(request("character/get", {"id": n % 60 + 1}, n).encode())
            process.stdin.close()
            assert sorted(json.loads(line)["id"] for line in process.stdout) == list(range(1, 101))
            assert process.wait(PATIENCE) == 0

    def test_unusable_cache_and_data_folders_are_logged(self, home, upstream, broken):
        with Larder(home, *broken, upstream=upstream, cache_dir=home / "file", data_dir=home / "file") as larder:
            larder.call("character/get", id=1)
            larder.wait(larder.send("recents/add", {"text": "x"}))
        assert larder.stderr().startswith("larder: warning: ")


def test_notifications_of_a_client_that_closed_the_output_are_executed(home, start, places):
    """A client that closes the output still gets its earlier notifications executed."""
    adds = [{"jsonrpc": "2.0", "method": "recents/add", "params": {"text": f"t{number}"}} for number in range(5)]
    lines = [request("server/status"), *(json.dumps(add) + "\n" for add in adds)]
    with subprocess.Popen(
        [binary(), *places], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(home)
    ) as process:
        process.stdout.close()
        process.stdin.write("".join(lines).encode())
        process.stdin.close()
        assert process.wait(PATIENCE) == 0
    assert start().call("recents/list")["recents"] == ["t4", "t3", "t2", "t1", "t0"]
