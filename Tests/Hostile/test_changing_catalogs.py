"""Catalogs and secret files that change, disappear, reappear or become invalid while Larder runs.

Each request gets one answer, according to one catalog. Entries cached under another catalog are never served.
"""

import json
import os
import threading
import types

import pytest

from harness import eventually
from scripted import serving


@pytest.fixture
def api():
    """An API that returns the credentials of each request. It answers only while `api.gate` is set."""

    api = types.SimpleNamespace(asked=[], gate=threading.Event())
    api.gate.set()

    def answer(request):
        shown = request.headers.get("Authorization")
        api.asked.append((request.target, shown))
        api.gate.wait(20)
        found = {"id": int(request.target.rpartition("/")[2]), "who": shown or "nobody"}
        return 200, {}, {**found, "owner": request.target.split("/")[1]}

    with serving(answer, keeps_alive=True) as api.url:
        yield api
        api.gate.set()


@pytest.fixture
def put(home, api):
    """`put(**thing_settings)` atomically replaces the catalog; `put.secret(text)` replaces the secret file."""
    path, secret = home / "catalog.json", home / "secret"

    def replace(target, text):
        new = home / "new"
        new.write_text(text, encoding="utf-8")
        new.replace(target)

    def text(names=("thing",), auth=True, **more):
        bearer = {"auth": {"bearer": "${file:%s}" % secret}} if auth else {}
        get = {"get": {"path": "/all/{id}"}}
        fields = {"id": "integer", "who": "string"}
        thing = {"api": "a", "id": "integer", "fields": fields, "rest": get, **more}
        apis = {"a": {"baseURL": api.url, "retries": 0, **bearer}}
        return json.dumps({"larder": 1, "apis": apis, "resources": {name: thing for name in names}})

    def put(*args, **more):
        replace(path, text(*args, **more))
        return path

    put.text, put.path, put.secret_path = text, path, secret
    put.secret = lambda value: replace(secret, value)
    put.secret("first-secret-01")
    put()
    return put


@pytest.fixture
def larder(start, put):
    return start("--catalog", put.path, upstream=None)


def loaded(larder, change):
    """Makes a change and waits until it is served."""
    before = larder.call("server/status")["loadedAt"]
    change()
    eventually(lambda: larder.call("server/status")["loadedAt"] > before, "the change to be loaded")


def degraded(larder, part):
    def parts():
        return [found for found in larder.call("server/status")["degraded"] if found["part"] == part]

    return eventually(parts, f"{part} to be degraded")


def who(larder, id=1, **more):
    found = larder.call("thing/get", id=id, **more)
    return found["item"]["who"], found["source"]


def test_cache_entries_are_separate_for_each_credential(larder, put):
    assert who(larder) == ("Bearer first-secret-01", "remote")
    loaded(larder, lambda: put.secret("second-secret-02"))
    assert larder.fails("thing/get", id=1, cachePolicy="localOnly").kind == "notCached"
    assert who(larder) == ("Bearer second-secret-02", "remote")
    loaded(larder, lambda: put.secret("first-secret-01"))
    assert who(larder) == ("Bearer first-secret-01", "memory")


def test_cache_entries_are_separate_for_each_declaration_of_a_resource(larder, put):
    who(larder)
    loaded(larder, lambda: put(fields={"id": "integer", "who": ["Bearer first-secret-01", "x"], "new": "string?"}))
    assert larder.call("thing/get", id=1)["item"] == {"id": 1, "who": "Bearer first-secret-01", "new": None}
    loaded(larder, lambda: put(scope={"owner": "string"}, rest={"get": {"path": "/{owner}/{id}"}}))
    assert "'owner' is missing" in larder.fails("thing/get", id=1).message
    assert larder.fails("thing/get", id=1, owner="me", cachePolicy="localOnly").kind == "notCached"
    assert larder.call("thing/get", id=1, owner="me")["source"] == "remote"
    assert larder.call("thing/search")["count"] == 1
    loaded(larder, put)
    assert who(larder) == ("Bearer first-secret-01", "memory")


@pytest.mark.parametrize("what", ["gone", "a folder", "a pipe", "too large", "no text", "empty"])
def test_previous_secret_stays_in_use_if_its_file_becomes_unusable(larder, put, api, what):
    assert who(larder)[1] == "remote"

    def spoil():
        path = put.secret_path
        path.unlink()
        if what == "a folder":
            path.mkdir()
        elif what == "a pipe":
            os.mkfifo(path)
        elif what == "too large":
            path.write_text("x" * 70_000)
        elif what == "no text":
            path.write_bytes(b"\xff\xfe\xff-no-text")
        elif what == "empty":
            path.write_text("")

    spoil()
    reasons = eventually(lambda: larder.call("server/status")["degraded"], "the fault to be reported")
    assert any(str(put.secret_path) in found["reason"] or "'bearer'" in found["reason"] for found in reasons)
    assert who(larder) == ("Bearer first-secret-01", "memory"), "cached entries are still served"
    asked = len(api.asked)
    reply = larder.wait(larder.send("thing/get", {"id": 2}))
    if "error" in reply:
        assert reply["error"]["data"]["kind"] == "unauthorized" and len(api.asked) == asked
    else:
        assert reply["result"]["item"]["who"] == "Bearer first-secret-01", "the previous secret stays in use"
    if put.secret_path.is_dir():
        put.secret_path.rmdir()
    put.secret("third-secret-03")
    eventually(lambda: not larder.call("server/status")["degraded"], "all is well")
    assert who(larder, 3) == ("Bearer third-secret-03", "remote")


@pytest.mark.parametrize("what", ["gone", "a folder", "a pipe", "cut", "empty", "no text", "another user's", "NULs"])
def test_previous_catalog_stays_in_use_if_the_new_one_is_unusable(larder, put, what):
    who(larder)
    text = put.text(names=("thing", "more"))
    put.path.unlink()
    if what == "a folder":
        put.path.mkdir()
    elif what == "a pipe":
        os.mkfifo(put.path)
    elif what == "cut":
        put.path.write_text(text[: len(text) // 2])
    elif what == "empty":
        put.path.write_text("")
    elif what == "no text":
        put.path.write_bytes(b'{"larder": 1, "\xff": 2}')
    elif what == "another user's":
        put.path.write_text(text)
        put.path.chmod(0o666)
    elif what == "NULs":
        put.path.write_bytes(b"\0" * 5000)
    found = degraded(larder, "catalog")
    assert "the previous one stays in use" in found[0]["reason"]
    assert who(larder) == ("Bearer first-secret-01", "memory")
    assert who(larder, 2)[1] == "remote"
    if put.path.is_dir():
        put.path.rmdir()
    put(names=("thing", "more"))
    eventually(lambda: larder.call("server/status")["resources"] == ["thing", "more"], "the new catalog to be served")
    assert larder.call("server/status")["degraded"] == []


def test_catalog_written_in_several_steps_is_loaded_when_complete(larder, put):
    """Some editors write into the file itself. Larder may read any intermediate state, but serves only the complete
    catalog."""
    who(larder)
    text = put.text(names=("thing", "more"))
    with open(put.path, "r+", encoding="utf-8") as file:
        file.truncate(0)
        for start in range(0, len(text), 40):
            file.write(text[start : start + 40])
            file.flush()
            assert larder.call("server/status")["resources"] == ["thing"]
            who(larder)
    eventually(lambda: larder.call("server/status")["resources"] == ["thing", "more"], "the new catalog to be served")


def test_each_request_during_many_catalog_changes_uses_a_single_catalog(larder, put, api):
    """Each request has one answer, according to the catalog before or after a change, never a mixture."""
    sent = {}
    for round in range(60):
        put.secret(f"secret-number-{round:04}")
        put(names=("thing", "more") if round % 2 else ("thing",))
        for id in range(5):
            params = {"id": round * 5 + id, "cachePolicy": "none"}
            sent[larder.send("thing/get", params)] = params["id"]
            sent[larder.send("more/get", params)] = params["id"]
    for asked, id in sent.items():
        reply = larder.wait(asked)
        if "error" in reply:
            assert reply["error"]["code"] == -32601
        else:
            assert reply["result"]["item"]["id"] == id
            assert reply["result"]["item"]["who"].startswith("Bearer secret-number-") or round == 0 or (
                reply["result"]["item"]["who"] == "Bearer first-secret-01"
            )
    larder.alive()


def test_request_in_flight_is_answered_by_the_catalog_it_started_with(larder, put, api):
    api.gate.clear()
    asked = larder.send("thing/get", {"id": 1})
    eventually(lambda: api.asked, "the request to be sent")
    loaded(larder, lambda: (put.secret("second-secret-02"), put(names=("other",))))
    assert larder.fails("thing/get", id=1).code == -32601
    other = larder.send("other/get", {"id": 1})
    eventually(lambda: len(api.asked) == 2, "the second request to be sent")
    api.gate.set()
    assert larder.wait(asked)["result"]["item"]["who"] == "Bearer first-secret-01"
    assert larder.wait(other)["result"]["item"]["who"] == "Bearer second-secret-02"
    loaded(larder, lambda: (put.secret("first-secret-01"), put()))
    assert who(larder) == ("Bearer first-secret-01", "memory"), "a late answer is cached under its own fingerprint"


def test_observer_is_notified_if_its_resource_disappears(larder, put, api):
    larder.call("thing/get", id=1)
    larder.call("thing/observe", id=1, observer="mine")
    loaded(larder, lambda: put(names=("other",)))
    assert larder.notification("thing/changed") == {"observer": "mine", "gone": True}
    loaded(larder, put)
    # The first observer has ended, so its name can be reused.
    larder.call("thing/observe", id=1, observer="mine")
    larder.call("cache/remove", resource="thing", id=1)
    assert larder.notification("thing/changed")["gone"] is True
    assert larder.call("thing/unobserve", observer="mine") == {"observer": "mine"}
    larder.alive()
