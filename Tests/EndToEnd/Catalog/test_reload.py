"""A catalog that changes while Larder runs."""

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
    """write(name, api): the catalog with one resource of that name, put in place of the one before in one step."""
    path = home / "catalog.jsonc"

    def write(name="figure", api="", text=CATALOG):
        new = home / "new.jsonc"
        new.write_text(text % {"name": name, "api": api}, encoding="utf-8")
        new.replace(path)
        return path

    return write


def serves(larder, *resources):
    return lambda: larder.call("server/status")["resources"] == list(resources)


def test_another_catalog_is_served(start, write):
    larder = start("--catalog", write("figure"))
    before = larder.call("server/status")["loadedAt"]
    name = larder.call("figure/get", id=1)["item"]["name"]
    write("person")
    eventually(serves(larder, "person"), "the new catalog")
    assert larder.call("person/get", id=1)["item"]["name"] == name
    assert larder.fails("figure/get", id=1).code == -32601
    assert larder.call("server/status")["loadedAt"] > before


def test_what_is_in_flight_and_what_is_observed_goes_on(start, write, upstream):
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


def test_what_is_observed_goes_on_under_another_fingerprint(start, write, upstream):
    larder = start("--catalog", write("figure"))
    larder.call("figure/get", id=2)
    larder.call("figure/observe", id=2, observer="mine")
    before = larder.call("server/status")["loadedAt"]
    write("figure", api='"headers": {"X-Version": "2"}')
    eventually(lambda: larder.call("server/status")["loadedAt"] > before, "the new catalog")
    upstream.edit("character", 2, name="Evil Morty")
    assert larder.call("figure/get", id=2)["source"] == "remote", "what was kept is another declaration's"
    assert larder.notification("figure/changed")["item"]["name"] == "Evil Morty"
    upstream.edit("character", 2, name="Good Morty")
    larder.call("figure/get", id=2, cachePolicy="remoteFirst")
    assert larder.notification("figure/changed")["item"]["name"] == "Good Morty"
    write("person")
    assert larder.notification("figure/changed") == {"observer": "mine", "gone": True}
    eventually(serves(larder, "person"), "the new catalog")
    larder.alive()


def test_one_with_faults_is_told_and_the_one_before_stays(start, write):
    larder = start("--catalog", write("figure"))
    larder.call("figure/get", id=1)
    path = write("person", api='"timeout": "soon"')
    degraded = eventually(lambda: larder.call("server/status")["degraded"], "the fault")
    assert [part["part"] for part in degraded] == ["catalog"]
    reason = degraded[0]["reason"]
    assert f"the previous catalog is still served: {path}:4:" in reason and "'timeout'" in reason
    assert larder.call("figure/get", id=1)["source"] == "memory"
    write("person")
    eventually(serves(larder, "person"), "the mended catalog")
    assert larder.call("server/status")["degraded"] == []


def test_the_file_of_a_secret_changes(start, home, write, upstream):
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


def test_a_secret_that_is_malformed_stops_its_api_alone(start, home, write):
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
    eventually(lambda: larder.call("server/status")["degraded"] == [], "the mended secret")
    secret.write_text("two-5f1d0c77\nlines-5f1d0c77\n", encoding="utf-8")
    eventually(lambda: larder.call("server/status")["degraded"], "the one that is malformed again")
    assert larder.call("figure/get", id=1, cachePolicy="none")["source"] == "remote"


def test_an_api_that_lacks_a_secret_and_goes(start, write):
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


def test_a_new_secret_that_is_too_short_is_told(start, home, write):
    secret = home / "token"
    secret.write_text("first-secret-5f1d0c77\n", encoding="utf-8")
    larder = start("--catalog", write(api='"auth": {"bearer": "${file:%s}"}' % secret))
    larder.call("server/status")
    assert "fewer than 8 characters" not in larder.stderr()
    secret.write_text("short\n", encoding="utf-8")
    eventually(lambda: "fewer than 8 characters" in larder.stderr(), "the warning")


def test_one_that_was_not_there_before(start, home, write):
    larder = start(env={"XDG_CONFIG_HOME": str(home / "config")})
    assert larder.call("server/status")["catalog"] == "built-in"
    folder = home / "config" / "larder"
    folder.mkdir(parents=True)
    write("figure").rename(folder / "catalog.jsonc")
    eventually(serves(larder, "figure"), "the new catalog")
    (folder / "catalog.jsonc").unlink()
    eventually(serves(larder, "character", "location", "episode"), "the built-in catalog")


def test_hanging_up_loads_it_at_once(start, write):
    larder = start("--catalog", write(), prepare=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))
    for _ in range(2):
        before = larder.call("server/status")["loadedAt"]
        # It is told to the millisecond, and loading may take less.
        since = larder.call("server/status")["uptime"]
        eventually(lambda: larder.call("server/status")["uptime"] > since + 0.002, "a later moment")
        larder.process.send_signal(signal.SIGHUP)
        eventually(lambda: larder.call("server/status")["loadedAt"] > before, "the catalog is loaded anew")
    larder.alive()
