"""Reloading of a catalog that changes while Larder runs."""

import json
import signal

import pytest

from harness import eventually

CATALOG = """
{
  "larder": 1,
  "apis": {"rickandmorty": {"baseURL": "http://127.0.0.1:1", %(api)s}},
  "resources": {
    "%(name)s": {
      "api": "rickandmorty", "id": "integer", "fields": {"id": "integer", "name": "string"},
      "rest": {"get": {"path": "/api/character/{id}"}}
    }
  }
}
"""


@pytest.fixture
def write(home):
    """`write(name, api)` atomically replaces the catalog with one that has a resource of that name."""
    path = home / "catalog.jsonc"

    def write(name="figure", api="", text=CATALOG):
        new = home / "new.jsonc"
        new.write_text(text % {"name": name, "api": api}, encoding="utf-8")
        new.replace(path)
        return path

    return write


def serves(larder, *resources):
    return lambda: larder.call("server/status")["resources"] == list(resources)


def test_changed_catalog_is_reloaded_and_served(start, write):
    larder = start("--catalog", write("figure"))
    before = larder.call("server/status")["loadedAt"]
    name = larder.call("figure/get", id=1)["item"]["name"]
    write("person")
    eventually(serves(larder, "person"), "the new catalog")
    assert larder.call("person/get", id=1)["item"]["name"] == name
    assert larder.fails("figure/get", id=1).code == -32601
    assert larder.call("server/status")["loadedAt"] > before


def test_running_requests_and_observers_survive_a_reload(start, write, upstream):
    larder = start("--catalog", write("figure"))
    larder.call("figure/get", id=2)
    larder.call("figure/observe", id=2, observer="mine")
    hold = upstream.hold("/api/character/1")
    asked = larder.send("figure/get", {"id": 1})
    hold.wait()
    write("figure", api='"retries": 1')
    before = larder.call("server/status")["loadedAt"]
    eventually(lambda: larder.call("server/status")["loadedAt"] > before, "the new catalog")
    hold.release()
    assert larder.wait(asked)["result"]["item"]["id"] == 1
    upstream.edit("character", 2, name="Evil Morty")
    assert larder.call("figure/get", id=2, cachePolicy="remoteFirst")["source"] == "remote"
    change = json.loads(larder.line())
    assert change["method"] == "figure/changed" and change["params"]["item"]["name"] == "Evil Morty"
    assert larder.call("figure/unobserve", observer="mine") == {"observer": "mine"}


def test_observer_survives_a_reload_that_invalidates_cached_entries(start, write, upstream):
    larder = start("--catalog", write("figure"))
    larder.call("figure/get", id=2)
    larder.call("figure/observe", id=2, observer="mine")
    before = larder.call("server/status")["loadedAt"]
    write("figure", api='"headers": {"X-Version": "2"}')
    eventually(lambda: larder.call("server/status")["loadedAt"] > before, "the new catalog")
    upstream.edit("character", 2, name="Evil Morty")
    assert larder.call("figure/get", id=2)["source"] == "remote", "an entry of another fingerprint must not be used"
    assert larder.notification("figure/changed")["item"]["name"] == "Evil Morty"
    upstream.edit("character", 2, name="Good Morty")
    larder.call("figure/get", id=2, cachePolicy="remoteFirst")
    assert larder.notification("figure/changed")["item"]["name"] == "Good Morty"
    write("person")
    assert larder.notification("figure/changed") == {"observer": "mine", "gone": True}
    eventually(serves(larder, "person"), "the new catalog")
    larder.alive()


def test_faulty_catalog_is_reported_and_the_previous_one_stays_in_use(start, write):
    larder = start("--catalog", write("figure"))
    larder.call("figure/get", id=1)
    path = write("person", api='"timeout": "soon"')
    degraded = eventually(lambda: larder.call("server/status")["degraded"], "the fault")
    assert [part["part"] for part in degraded] == ["catalog"]
    reason = degraded[0]["reason"]
    assert f"the previous one stays in use: {path}:4:" in reason and "'timeout'" in reason
    assert larder.call("figure/get", id=1)["source"] == "memory"
    write("person")
    eventually(serves(larder, "person"), "the corrected catalog")
    assert larder.call("server/status")["degraded"] == []


def test_changed_secret_file_is_reloaded(start, home, write, upstream):
    secret = home / "token"
    secret.write_text("first-secret-5f1d0c77\n", encoding="utf-8")
    larder = start("--catalog", write(api='"auth": {"bearer": "${file:%s}"}' % secret))
    larder.call("figure/get", id=1, cachePolicy="none")
    before = larder.call("server/status")["loadedAt"]
    secret.write_text("second-secret-0c775f1d\n", encoding="utf-8")
    eventually(lambda: larder.call("server/status")["loadedAt"] > before, "the new secret")
    larder.call("figure/get", id=1, cachePolicy="none")
    sent = [request["headers"]["authorization"] for request in upstream.requests("/api/character/1")]
    assert sent == ["Bearer first-secret-5f1d0c77", "Bearer second-secret-0c775f1d"]


def test_api_with_a_malformed_secret_is_disabled_and_other_apis_work(start, home, write):
    secret = home / "token"
    secret.write_text("two-5f1d0c77\nlines-5f1d0c77\n", encoding="utf-8")
    other = CATALOG.replace('"apis": {', """"apis": {
    "other": {"baseURL": "http://127.0.0.1:1", "auth": {"bearer": "${file:%(secret)s}"}},""")
    larder = start("--catalog", write("figure", text=other.replace("%(secret)s", str(secret))))
    assert larder.call("figure/get", id=1)["source"] == "remote"
    (part,) = larder.call("server/status")["degraded"]
    assert part["part"] == "api other" and "'bearer' must be one non-empty line of text" in part["reason"]
    assert "fix the value of" in part["reason"] and "5f1d0c77" not in part["reason"] + larder.stderr()
    secret.write_text("one-line-5f1d0c77\n", encoding="utf-8")
    eventually(lambda: larder.call("server/status")["degraded"] == [], "the corrected secret")
    secret.write_text("two-5f1d0c77\nlines-5f1d0c77\n", encoding="utf-8")
    eventually(lambda: larder.call("server/status")["degraded"], "the malformed secret")
    assert larder.call("figure/get", id=1, cachePolicy="none")["source"] == "remote"


def test_removed_api_is_no_longer_reported_as_degraded(start, write):
    lacking = CATALOG.replace('"apis": {', """"apis": {
    "%(other)s": {"baseURL": "http://127.0.0.1:1", "auth": {"bearer": "${env:NOT_SET_5F1D}"}},""")

    def degraded():
        return [part["part"] for part in larder.call("server/status")["degraded"]]

    larder = start("--catalog", write("figure", text=lacking.replace("%(other)s", "old")))
    assert degraded() == ["api old"]
    write("figure", text=lacking.replace("%(other)s", "new"))
    eventually(lambda: degraded() == ["api new"], "the renamed API")
    write("person")
    eventually(serves(larder, "person"), "the catalog without it")
    assert degraded() == []


def test_short_new_secret_causes_a_warning(start, home, write):
    secret = home / "token"
    secret.write_text("first-secret-5f1d0c77\n", encoding="utf-8")
    larder = start("--catalog", write(api='"auth": {"bearer": "${file:%s}"}' % secret))
    larder.call("server/status")
    assert "fewer than 8 characters" not in larder.stderr()
    secret.write_text("short\n", encoding="utf-8")
    eventually(lambda: "fewer than 8 characters" in larder.stderr(), "the warning")


def test_default_catalog_is_loaded_when_created_and_unloaded_when_deleted(start, home, write):
    larder = start(env={"XDG_CONFIG_HOME": str(home / "config")})
    assert larder.call("server/status")["catalog"] == "built-in"
    folder = home / "config" / "larder"
    folder.mkdir(parents=True)
    write("figure").rename(folder / "catalog.jsonc")
    eventually(serves(larder, "figure"), "the new catalog")
    (folder / "catalog.jsonc").unlink()
    eventually(serves(larder, "character", "location", "episode"), "the built-in catalog")


def test_hangup_signal_reloads_the_catalog_at_once(start, write):
    larder = start("--catalog", write(), prepare=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))
    for _ in range(2):
        before = larder.call("server/status")["loadedAt"]
        # Timestamps have milliseconds, and a reload may take less than one.
        since = larder.call("server/status")["uptime"]
        eventually(lambda: larder.call("server/status")["uptime"] > since + 0.002, "a later moment")
        larder.process.send_signal(signal.SIGHUP)
        eventually(lambda: larder.call("server/status")["loadedAt"] > before, "the catalog to be reloaded")
    larder.alive()
