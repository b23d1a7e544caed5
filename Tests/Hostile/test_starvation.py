"""A system that gives too little: descriptors, threads, memory. Every request gets a result, or an error that says what
there was too little of; the end of the input and signals end the process."""

import contextlib
import os
import pathlib
import resource
import shutil
import signal
import tempfile

import pytest

from harness import Larder, binary

# A user that nobody is: the limit counts all that a user's processes have.
LONELY = 61_789
DESCRIPTORS = range(4, 25)
THREADS = range(1, 11)
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
