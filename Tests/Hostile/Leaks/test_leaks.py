"""A session with requests of every kind leaks no memory, according to LeakSanitizer."""

import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from harness import ROOT, Larder, eventually

HERE = pathlib.Path(__file__).parent
SCRATCH = ROOT / ".build" / "asan"
LEAKED = 23

# One worker builds the sanitized binary.
pytestmark = [pytest.mark.long, pytest.mark.xdist_group("leaks")]


@pytest.fixture(scope="session")
def sanitized():
    """A larder built with AddressSanitizer, which includes LeakSanitizer."""
    if sys.platform != "linux" or not shutil.which("swift"):
        pytest.skip("needs a Swift toolchain, and LeakSanitizer")
    build = ["swift", "build", "--quiet", "--sanitize=address", "--scratch-path", str(SCRATCH), "--product", "larder"]
    subprocess.run(build, cwd=ROOT, check=True)
    return SCRATCH / "debug" / "larder"


@pytest.fixture(scope="session")
def leak_check(tmp_path_factory):
    """A library that runs the leak check when the process exits."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not compiler:
        pytest.skip("needs a C compiler")
    library = tmp_path_factory.mktemp("leaks") / "leak_check.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, HERE / "leak_check.c"], check=True)
    return library


@pytest.fixture
def checked(home, upstream, sanitized, leak_check):
    """`checked(*options, env=...)` starts a process that is checked for leaks when it exits."""
    running = []

    def checked(*options, env=None):
        variables = {
            "LD_PRELOAD": str(leak_check),
            "ASAN_OPTIONS": "detect_leaks=1",
            "LSAN_OPTIONS": f"suppressions={HERE / 'leaks.txt'}:print_suppressions=0",
            "SWIFT_BACKTRACE": "enable=no",
            **(env or {}),
        }
        larder = Larder(home, *map(str, options), upstream=upstream, env=variables, program=sanitized)
        running.append(larder)
        return larder

    yield checked
    for larder in running:
        larder.close()


def report(larder):
    """Returns the exit code and the text on stderr."""
    code = larder.close()
    text = larder.stderr()
    assert "LEAK_CHECK_DONE" in text, text[-3000:]
    assert "LeakSanitizer has encountered a fatal error" not in text, text[-3000:]
    return code, text


def leaks(text):
    """Returns the leaks of a report, each with the innermost source lines of Larder that allocated it."""
    found = {}
    for leak in re.findall(r"^(?:Direct|Indirect) leak of .*?\n((?:    #.*\n)+)", text, re.MULTILINE):
        place = "\n".join(re.findall(r"/(Sources/\S+)", leak)[:6]) or leak
        found[place] = found.get(place, 0) + 1
    return "\n\n".join(f"{count} times:\n{place}" for place, count in found.items())


def read(larder):
    """Performs reads of every kind, from the API, from memory and from the cache file."""
    for policy in ["localFirst", "remoteFirst", "none", "localOnly"]:
        larder.call("character/get", id=1, cachePolicy=policy)
        larder.call("character/list", filter={"name": "Rick"}, cachePolicy=policy)
        larder.call("character/getMany", ids=list(range(1, 20)), cachePolicy="remoteFirst")
    larder.call("character/get", id=2, fields=["name"])
    larder.call("character/search", text="Morty", limit=5)
    larder.wait(larder.send("request/explain", {"method": "character/get", "params": {"id": 1}}))
    larder.call("recents/add", text="rick")
    for method in ["rpc.discover", "server/status", "cache/stats", "recents/list"]:
        larder.call(method)


def prefetch(larder):
    larder.wait(larder.send("character/prefetch", {"maxPages": 3, "workDoneToken": "t"}))


def fail(larder, upstream):
    """Causes errors of every kind: invalid messages and params, failures of the API, broken connections."""
    for line in ["{", "[]", '{"jsonrpc":"2.0","id":"x","method":"no/such"}', '{"jsonrpc":"2.0","id":"x","method":1}']:
        larder.write(line + "\n")
        larder.line()
    larder.fails("character/get", id="x")
    larder.fails("character/get", id=123_456_789)
    for fault in [{"status": 500}, {"status": 429}, {"status": 200, "body": "{"}, {"truncate": 10}, {"drop": True}]:
        upstream.fault("/api/character/3", **fault)
        larder.wait(larder.send("character/get", {"id": 3, "cachePolicy": "none"}))
        upstream.heal()


def cancel(larder, upstream):
    hold = upstream.hold("/api/character/7")
    for _ in range(3):
        first, second = (larder.send("character/get", {"id": 7, "cachePolicy": "remoteFirst"}) for _ in range(2))
        hold.wait()
        for id in (first, second):
            larder.cancel(id)
            assert larder.wait(id)["error"]["code"] == -32800
    hold.release()
    upstream.heal()


def observe(larder, upstream, name):
    larder.call("character/get", id=5)
    larder.call("character/observe", id=5, observer="one")
    larder.call("character/observe", page=1, observer="many")
    upstream.edit("character", 5, name=name)
    larder.call("character/get", id=5, cachePolicy="remoteFirst")
    assert larder.notification("character/changed")
    for name in ("one", "many"):
        larder.call("character/unobserve", observer=name)
    larder.call("cache/invalidate", resource="character", id=5)
    larder.call("cache/remove", resource="character", ids=[5, 6])


def reload(larder, catalog):
    for retries in (1, 2):
        before = larder.call("server/status")["loadedAt"]
        catalog(retries=retries)
        eventually(lambda: larder.call("server/status")["loadedAt"] > before, "the new catalog")
        larder.call("character/get", id=1)


def model_context_protocol(larder):
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "leaks", "version": "1"}}
    larder.call("initialize", **hello)
    larder.notify("notifications/initialized")
    for tool, arguments in [
        ("get_item", {"resource": "character", "id": 1}),
        ("list_items", {"resource": "character"}),
        ("search_cached", {"resource": "character", "text": "Rick"}),
        ("no_such_tool", {}),
    ]:
        larder.wait(larder.send("tools/call", {"name": tool, "arguments": arguments}))
    for method in ["tools/list", "resources/list", "resources/templates/list", "ping"]:
        larder.call(method)


def test_native_session_leaks_no_memory(checked, catalog, upstream):
    larder = checked("--catalog", catalog())
    for name in ["Pickle Rick", "Tiny Rick", "Doofus Rick"]:
        read(larder)
        prefetch(larder)
        fail(larder, upstream)
        cancel(larder, upstream)
        observe(larder, upstream, name)
    reload(larder, catalog)
    code, text = report(larder)
    assert code == 0, leaks(text)


def test_mcp_session_leaks_no_memory(checked, catalog):
    larder = checked("--catalog", catalog())
    model_context_protocol(larder)
    code, text = report(larder)
    assert code == 0, leaks(text)


def test_requests_in_flight_at_the_exit_leak_no_memory(checked, catalog, upstream):
    larder = checked("--catalog", catalog(), "--drain", "0.2")
    hold = upstream.hold("/api/character/7")
    id = larder.send("character/get", {"id": 7})
    hold.wait()
    larder.end_input()
    assert "error" in larder.wait(id)
    code, text = report(larder)
    hold.release()
    assert code == 0, leaks(text)


def test_leak_check_finds_a_deliberate_leak(checked, catalog):
    larder = checked("--catalog", catalog(), env={"LARDER_LEAK": "1"})
    assert larder.call("character/get", id=1)["source"] == "remote"
    code, text = report(larder)
    assert code == LEAKED and "ERROR: LeakSanitizer: detected memory leaks" in text, text[-3000:]
