"""A system that gives too little: descriptors, threads, memory. Every request gets a result, or an error that says what
there was too little of; the end of the input and signals end the process."""

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

# A user without other processes, because the limit counts the threads of all of them. One for each pytest worker.
LONELY = 61_789 + WORKER
DESCRIPTORS = range(4, 25)
THREADS = range(1, 11)
# How many bytes a list may take in memory, beside what a process takes anyway, for each byte of its body.
FACTOR = 12
CAUSES = ("ulimit -n", "ulimit -u")


def some(numbers, *quick):
    """All of them, of which only some are tried where nobody wants to wait."""
    return [pytest.param(n, marks=[] if n in quick else [pytest.mark.long]) for n in numbers]


def limited(kind, number):
    return lambda: resource.setrlimit(kind, (number, number))


@contextlib.contextmanager
def crowded(number):
    """A folder, a copy of the program there, and what makes a child another user who may have so many threads."""
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
    """Whether the reply is a result; an error must name what there is too little of."""
    reply = larder.wait(id)
    if "result" in reply:
        return True
    error = larder.refusal(reply)
    assert any(cause in error.message for cause in CAUSES), error
    return False


def everything(larder):
    """Asks for a bit of everything, one after the other and at once. Returns how many replies were results."""
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
def test_few_descriptors(home, start, number):
    with start(prepare=limited(resource.RLIMIT_NOFILE, number)) as larder:
        everything(larder)
        larder.alive()
        larder.end_input()
        assert larder.process.wait(20) == 0
    # The next one finds files, as far as they could be made.
    with start() as larder:
        larder.call("character/get", id=1)
        larder.call("recents/add", text="rick")
    with start(prepare=limited(resource.RLIMIT_NOFILE, number)) as larder:
        everything(larder)
        larder.process.send_signal(signal.SIGTERM)
        assert larder.process.wait(20) == 0


def test_enough_descriptors(start):
    """So that the test above is one of too few."""
    with start(prepare=limited(resource.RLIMIT_NOFILE, 64)) as larder:
        assert everything(larder) == 34


@pytest.mark.parametrize("number", some(THREADS, 1, 2, 3, 5))
def test_few_threads(upstream, number):
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
        # Without a thread that waits for signals, they do what they always do.
        assert larder.process.wait(20) == (0 if number > 1 else -signal.SIGTERM)
        larder.close()


def test_enough_threads(upstream):
    with crowded(200) as (home, options), Larder(home, upstream=upstream, **options) as larder:
        assert everything(larder) == 34


def test_a_slow_reader_without_threads(upstream):
    """Who has no thread to write for it waits until the client reads."""
    with crowded(1) as (home, options), Larder(home, upstream=upstream, **options) as larder:
        ids = [larder.send("rpc.discover") for _ in range(40)]
        assert not any(answered(larder, id) for id in ids)
        larder.alive()


def test_one_request_without_threads(upstream):
    """`larder call` says why it cannot."""
    with crowded(1) as (home, options):
        options["program"] = pathlib.Path(options["program"])
        with Larder(home, "call", "character/get", "id=1", upstream=upstream, **options) as larder:
            assert larder.process.wait(20) == 1
            assert "ulimit -u" in larder.stderr()


# Memory


@pytest.fixture
def things(home):
    """things(url, **of_the_api): a catalog of things that have nothing but an id."""

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
    """As many things as that, in about 14 bytes each."""
    return b"[" + b",".join(b'{"id":%d}' % number for number in range(count)) + b"]"


def peak(larder):
    """The most memory that the process had at any time, in bytes."""
    with open(f"/proc/{larder.process.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))


@pytest.mark.parametrize(
    "count, options",
    [
        # What is kept in memory is bounded by an option of its own.
        (200_000, ["--memory", "1MiB"]),
        pytest.param(1_000_000, [], marks=pytest.mark.long),
    ],
)
def test_a_list_of_very_many_items(upstream, start, things, count, options):
    large = body(count)
    options = ["--catalog", things(upstream.url), *options]
    with start(*options, upstream=None) as larder:
        upstream.fault("/things", status=200, body=b'[{"id":1}]')
        larder.call("thing/list", cachePolicy="none")
        before = peak(larder)
        upstream.fault("/things", status=200, body=large)
        assert len(larder.call("thing/list", page=2)["items"]) == count
        # By then it is in the file.
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
    """Answers with the first bytes of a body, and with the others when it is released."""

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
        pass  # Some clients leave early here.


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
        # The first to come takes all of the room.
        (False, 50_000),
        # Each takes a little of it before it is known how large it is.
        (False, 100),
    ],
)
def test_answers_wait_for_room(start, things, announced, first):
    """Many at once, of which only one at a time has room."""
    with Dripping(body(8000), first, announced) as server:
        options = ["--catalog", things(server.url), "--memory-in-flight", "150KiB"]
        with start(*options, upstream=None) as larder:
            ids = [larder.send("thing/list", {"filter": {"n": number}}) for number in range(1, 31)]
            for _ in ids:
                assert server.arrived.acquire(timeout=20)
            server.released.set()
            for id in ids:
                assert len(larder.wait(id)["result"]["items"]) == 8000


def test_an_answer_for_which_there_is_no_room_in_time(start, things):
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
            # All room has come back.
            assert len(larder.call("hastyThing/list", page=1)["items"]) == 8000


@pytest.mark.parametrize("packed", [False, True])
def test_an_answer_larger_than_all_may_be(upstream, start, things, packed):
    large = body(8000)
    answer = {"body": gzip.compress(large), "headers": {"Content-Encoding": "gzip"}} if packed else {"body": large}
    with start("--catalog", things(upstream.url), "--memory-in-flight", "64KiB", upstream=None) as larder:
        upstream.fault("/things", status=200, **answer)
        error = larder.fails("thing/list")
        assert error.kind == "tooLarge" and "--memory-in-flight" in error.message
        upstream.fault("/things", status=200, body=b'[{"id":1}]')
        assert len(larder.call("thing/list")["items"]) == 1


@pytest.mark.long
def test_little_memory(upstream, start, things):
    """Large lists at once, in an address space that has no room for all of them."""
    upstream.fail("/things", status=200, body=body(600_000))
    limit = 1536 << 20
    options = ["--catalog", things(upstream.url), "--memory", "1MiB", "--no-persistence", "--memory-in-flight", "24MiB"]
    with start(*options, "--max-queue", "16MiB", upstream=None, prepare=limited(resource.RLIMIT_AS, limit)) as larder:
        ids = [larder.send("thing/list", {"filter": {"n": number}}) for number in range(1, 25)]
        for id in ids:
            assert len(larder.wait(id)["result"]["items"]) == 600_000
        larder.alive()
