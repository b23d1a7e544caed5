"""Processes with too few descriptors or threads, or with too little memory.

Every request gets a result, or an error that names the missing resource. The end of input and signals still end the
process.
"""

import contextlib
import gzip
import http.server
import json
import os
import pathlib
import resource
import shutil
import signal
import tempfile
import threading

import pytest

from harness import WORKER, Larder, binary

# The limit counts all threads of a user, so the process runs as a user without other processes. Each pytest worker has
# its own.
LONELY = 61_789 + WORKER
DESCRIPTORS = range(4, 25)
THREADS = range(1, 11)
# The maximum memory for a list in bytes, for each byte of its body, in addition to the memory of an idle process.
FACTOR = 12
CAUSES = ("ulimit -n", "ulimit -u")


def some(numbers, *quick):
    """Returns a test parameter for each number. Numbers that are not in `quick` are marked as long tests."""
    return [pytest.param(n, marks=[] if n in quick else [pytest.mark.long]) for n in numbers]


def limited(kind, number):
    return lambda: resource.setrlimit(kind, (number, number))


@contextlib.contextmanager
def crowded(number):
    """Yields a folder, and the options to run a copy of the program there as a user limited to the given number of
    threads."""
    if os.getuid() != 0:
        pytest.skip("only root may become a user without other processes")
    with tempfile.TemporaryDirectory() as place:
        home = pathlib.Path(place)
        home.chmod(0o777)
        program = shutil.copy(binary(), home / "larder")

        def prepare():
            os.setgroups([])
            os.setgid(LONELY)
            resource.setrlimit(resource.RLIMIT_NPROC, (number, number))
            os.setuid(LONELY)

        yield home, {"program": program, "prepare": prepare}


def answered(larder, id):
    """Returns whether the reply is a result. Fails if an error does not name the exhausted resource."""
    reply = larder.wait(id)
    if "result" in reply:
        return True
    error = larder.refusal(reply)
    assert any(cause in error.message for cause in CAUSES), error
    return False


def everything(larder):
    """Calls many methods one after the other and at once. Returns the number of results."""
    results, ids = 0, []
    for index, (method, params) in enumerate([
        ("server/status", None),
        ("character/get", {"id": 1}),
        ("character/get", {"id": 1}),
        ("character/get", {"id": 2, "cachePolicy": "none"}),
        ("character/list", {"page": 1}),
        ("character/getMany", {"ids": [1, 2, 3]}),
        ("recents/add", {"text": "rick"}),
        ("recents/list", None),
        ("cache/stats", None),
        ("character/search", {"text": "rick"}),
        ("cache/invalidate", None),
        ("character/get", {"id": 1}),
        ("cache/remove", None),
        ("rpc.discover", None),
    ]):
        ids.append(larder.send(method, params))
        if index < 6:
            results += answered(larder, ids.pop())
    ids += [larder.send("character/get", {"id": number}) for number in range(1, 21)]
    return results + sum(answered(larder, id) for id in ids)


@pytest.mark.parametrize("number", some(DESCRIPTORS, 4, 6, 9, 13, 20))
def test_requests_get_replies_if_few_descriptors_are_available(home, start, number):
    with start(prepare=limited(resource.RLIMIT_NOFILE, number)) as larder:
        everything(larder)
        larder.alive()
        larder.end_input()
        assert larder.process.wait(20) == 0
    # The next process uses the files as far as they could be created.
    with start() as larder:
        larder.call("character/get", id=1)
        larder.call("recents/add", text="rick")
    with start(prepare=limited(resource.RLIMIT_NOFILE, number)) as larder:
        everything(larder)
        larder.process.send_signal(signal.SIGTERM)
        assert larder.process.wait(20) == 0


def test_requests_succeed_if_enough_descriptors_are_available(start):
    """Control: with enough descriptors, every call returns a result."""
    with start(prepare=limited(resource.RLIMIT_NOFILE, 64)) as larder:
        assert everything(larder) == 34


@pytest.mark.parametrize("number", some(THREADS, 1, 2, 3, 5))
def test_requests_get_replies_if_few_threads_are_available(upstream, number):
    with crowded(number) as (home, options):
        with Larder(home, upstream=upstream, **options) as larder:
            results = everything(larder)
            assert 0 < results and (number > 1 or results < 34)
            larder.alive()
            larder.end_input()
            assert larder.process.wait(20) == 0
        larder = Larder(home, upstream=upstream, **options)
        everything(larder)
        larder.process.send_signal(signal.SIGTERM)
        # Without the signal thread, signals have their default action.
        assert larder.process.wait(20) == (0 if number > 1 else -signal.SIGTERM)
        larder.close()


def test_requests_succeed_if_enough_threads_are_available(upstream):
    with crowded(200) as (home, options), Larder(home, upstream=upstream, **options) as larder:
        assert everything(larder) == 34


def test_slow_client_gets_every_reply_if_no_thread_is_available(upstream):
    """If the process cannot start a writer thread, its input reader waits until the client reads."""
    with crowded(1) as (home, options), Larder(home, upstream=upstream, **options) as larder:
        ids = [larder.send("rpc.discover") for _ in range(40)]
        assert not any(answered(larder, id) for id in ids)
        larder.alive()


def test_call_command_names_the_process_limit_if_no_thread_is_available(upstream):
    """`larder call` cannot start without a thread, and reports the limit."""
    with crowded(1) as (home, options):
        options["program"] = pathlib.Path(options["program"])
        with Larder(home, "call", "character/get", "id=1", upstream=upstream, **options) as larder:
            assert larder.process.wait(20) == 1
            assert "ulimit -u" in larder.stderr()


# Memory


@pytest.fixture
def things(home):
    """`things(url, **api_settings)` writes a catalog of things that have only an id."""

    def things(url, **api):
        paging = {"style": "page", "param": "page", "pages": "pages"}
        listed = {"path": "/things", "items": "", "filters": {"n": "n"}, "pagination": paging}
        thing = {
            "api": "things",
            "id": "integer",
            "fields": {"id": "integer"},
            "rest": {"get": {"path": "/things/{id}"}, "list": listed},
        }
        path = home / "things.json"
        api = {"baseURL": url, "retries": 0, "maxConcurrent": 100, "timeout": "10m", **api}
        path.write_text(json.dumps({"larder": 1, "apis": {"things": api}, "resources": {"thing": thing}}))
        return path

    return things


def body(count):
    """Returns a list of `count` things, about 14 bytes each."""
    return b"[" + b",".join(b'{"id":%d}' % number for number in range(count)) + b"]"


def peak(larder):
    """Returns the peak memory of the process in bytes."""
    with open(f"/proc/{larder.process.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))


@pytest.mark.parametrize(
    "count, options",
    [
        # An option limits the size of the memory cache.
        (200_000, ["--memory", "1MiB"]),
        pytest.param(1_000_000, [], marks=pytest.mark.long),
    ],
)
def test_very_long_list_takes_bounded_memory(upstream, start, things, count, options):
    large = body(count)
    options = ["--catalog", things(upstream.url), *options]
    with start(*options, upstream=None) as larder:
        upstream.fault("/things", status=200, body=b'[{"id":1}]')
        larder.call("thing/list", cachePolicy="none")
        before = peak(larder)
        upstream.fault("/things", status=200, body=large)
        assert len(larder.call("thing/list", page=2)["items"]) == count
        # By now, the list is in the file.
        assert larder.call("cache/stats")["persistence"]["entries"] == count + 1
        assert peak(larder) - before < FACTOR * len(large)
        assert count < 1_000_000 or peak(larder) < FACTOR * len(large)
    with start(*options, "--offline", upstream=None) as larder:
        larder.fails("thing/list", page=3)
        before = peak(larder)
        found = larder.call("thing/list", page=2)
        assert found["source"] == "persistence" and len(found["items"]) == count
        assert peak(larder) - before < FACTOR * len(large)


class Dripping(http.server.ThreadingHTTPServer):
    """A server that sends the first bytes of a body, and the rest when the test releases it."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, payload, first, announced=True):
        super().__init__(("127.0.0.1", 0), DrippingHandler)
        self.payload, self.first, self.announced = payload, first, announced
        self.arrived, self.released = threading.Semaphore(0), threading.Event()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.released.set()
        self.shutdown()
        self.server_close()

    def handle_error(self, request, client_address):
        pass  # Some clients disconnect early in these tests.


class DrippingHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format, *args):
        pass

    def do_GET(self):
        server = self.server
        self.send_response(200)
        if server.announced:
            self.send_header("Content-Length", str(len(server.payload)))
        else:
            self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.write(server.payload[: server.first])
        server.arrived.release()
        server.released.wait(60)
        self.write(server.payload[server.first :])
        if not server.announced:
            self.wfile.write(b"0\r\n\r\n")

    def write(self, part):
        self.wfile.write(part if self.server.announced else b"%x\r\n%b\r\n" % (len(part), part))


@pytest.mark.parametrize(
    "announced, first",
    [
        (True, 50_000),
        # The first answer takes the whole budget.
        (False, 50_000),
        # Each answer takes a part of the budget before its size is known.
        (False, 100),
    ],
)
def test_api_replies_wait_for_the_memory_budget(start, things, announced, first):
    """Many API replies arrive at once, and the memory budget suffices for one at a time."""
    with Dripping(body(8000), first, announced) as server:
        options = ["--catalog", things(server.url), "--memory-in-flight", "150KiB"]
        with start(*options, upstream=None) as larder:
            ids = [larder.send("thing/list", {"filter": {"n": number}}) for number in range(1, 31)]
            for _ in ids:
                assert server.arrived.acquire(timeout=20)
            server.released.set()
            for id in ids:
                assert len(larder.wait(id)["result"]["items"]) == 8000


def test_api_reply_that_waits_too_long_for_the_memory_budget_fails(start, things):
    with Dripping(body(8000), 50_000) as server:
        catalog = things(server.url)
        declared = json.loads(catalog.read_text())
        declared["apis"]["hasty"] = {**declared["apis"]["things"], "timeout": "1s"}
        declared["resources"]["hastyThing"] = {**declared["resources"]["thing"], "api": "hasty"}
        catalog.write_text(json.dumps(declared))
        with start("--catalog", catalog, "--memory-in-flight", "150KiB", upstream=None) as larder:
            first = larder.send("thing/list", {"page": 1})
            assert server.arrived.acquire(timeout=20)
            ids = [larder.send("hastyThing/list", {"page": page}) for page in range(1, 5)]
            for id in ids:
                error = larder.refusal(larder.wait(id))
                assert error.kind == "busy" and "--memory-in-flight" in error.message
            server.released.set()
            assert len(larder.wait(first)["result"]["items"]) == 8000
            # The whole budget is free again.
            assert len(larder.call("hastyThing/list", page=1)["items"]) == 8000


@pytest.mark.parametrize("packed", [False, True])
def test_api_reply_above_the_memory_budget_is_refused(upstream, start, things, packed):
    large = body(8000)
    answer = {"body": gzip.compress(large), "headers": {"Content-Encoding": "gzip"}} if packed else {"body": large}
    with start("--catalog", things(upstream.url), "--memory-in-flight", "64KiB", upstream=None) as larder:
        upstream.fault("/things", status=200, **answer)
        error = larder.fails("thing/list")
        assert error.kind == "tooLarge" and "--memory-in-flight" in error.message
        upstream.fault("/things", status=200, body=b'[{"id":1}]')
        assert len(larder.call("thing/list")["items"]) == 1


@pytest.mark.long
def test_large_concurrent_lists_are_read_in_a_limited_address_space(upstream, start, things):
    """Requests many large lists at once, in an address space that is too small for all of them."""
    upstream.fail("/things", status=200, body=body(600_000))
    limit = 1536 << 20
    options = ["--catalog", things(upstream.url), "--memory", "1MiB", "--no-persistence", "--memory-in-flight", "24MiB"]
    with start(*options, "--max-queue", "16MiB", upstream=None, prepare=limited(resource.RLIMIT_AS, limit)) as larder:
        ids = [larder.send("thing/list", {"filter": {"n": number}}) for number in range(1, 25)]
        for id in ids:
            assert len(larder.wait(id)["result"]["items"]) == 600_000
        larder.alive()
