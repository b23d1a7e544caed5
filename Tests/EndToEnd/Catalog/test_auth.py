"""Tokens from a command or from an OAuth token endpoint, with a server that requires them."""

import base64
import json
import os
import signal
import threading
import urllib.parse

import pytest

from harness import eventually, run
from scripted import serving

FORM = "application/x-www-form-urlencoded"
# The substring of the planted secrets that no encoding changes.
MARK = "Pl4ntedS3cret"


class Server:
    """An API whose `/token` issues `MARK-access-N` and whose `/things/ID` requires a token from `good`."""

    def __init__(self):
        self.tokens, self.things, self.good = [], [], set()
        self.give = lambda form, count: (200, {"access_token": f"{MARK}-access-{count}", "expires_in": 3600})
        self.hold = None

    def answer(self, request):
        if request.method == "POST":
            assert request.headers["Content-Type"] == FORM
            form = dict(urllib.parse.parse_qsl(request.data.decode()))
            self.tokens.append({"authorization": request.headers.get("Authorization"), **form})
            status, value = self.give(form, len(self.tokens))
            return status, {}, value
        shown = request.headers.get("Authorization") or request.headers.get("X-Key") or request.query.get("key") or ""
        self.things.append(shown)
        if self.hold:
            self.hold.wait(30)
        if shown not in self.good:
            return 401, {}, {"message": f"{shown} is no good"}
        return 200, {}, {"id": int(request.path.rsplit("/", 1)[1])}


@pytest.fixture
def server():
    server = Server()
    with serving(server.answer, keeps_alive=True) as server.url:
        yield server


@pytest.fixture
def served(home, start, server):
    """`served(auth, *options)` starts Larder over that server; `served.path` is the catalog file."""

    def served(auth, *options, **api):
        catalog = {
            "larder": 1,
            "apis": {"a": {"baseURL": server.url, "auth": auth, **api}},
            "resources": {"thing": {"api": "a", "id": "integer", "rest": {"get": {"path": "/things/{id}"}}}},
        }
        served.path.write_text(json.dumps(catalog))
        return start("--catalog", served.path, "--log-level", "debug", *options, upstream=None)

    served.path = home / "catalog.json"
    return served


@pytest.fixture
def command(home):
    """`command(script)` returns the arguments that run the script; `command.ran()` returns how often it ran."""

    def command(script):
        path, log = home / "helper", home / "helper.log"
        path.write_text(f"#!/bin/sh\necho ran >> {log}\ncount=$(wc -l < {log})\n{script}\n")
        path.chmod(0o755)
        command.ran = lambda: len(log.read_text().splitlines()) if log.exists() else 0
        return [str(path), "a b"]

    return command


def bearer(token):
    return f"Bearer {token}"


def forms(secret):
    """Returns the encodings in which a secret could appear."""
    plain = secret.encode()
    encoded = {base64.b64encode(b"\0" * pad + plain)[4:-4] for pad in range(3)}
    return {plain, urllib.parse.quote(secret, safe="").encode(), json.dumps(secret)[1:-1].encode(), *encoded}


def nothing_leaked(home, larder, secrets, *more):
    """Checks that no secret is in a log, an output or a file. The catalog, the helper script and the cached items
    may contain one."""
    texts = [larder.stderr().encode(), *more]
    for path in home.rglob("*"):
        if path.is_file() and path.name not in ("catalog.json", "helper"):
            texts.append(path.read_bytes())
    for secret in secrets:
        for form in forms(secret):
            assert not any(form in text for text in texts), (secret, form)


def test_token_command_runs_once_and_its_first_line_is_the_token(served, server, command):
    words = command(f'echo "{MARK}-$1"; echo more')
    server.good = {bearer(f"{MARK}-a b")}
    larder = served({"bearer": {"command": words}})
    asked = [larder.send("thing/get", {"id": id}) for id in range(50)]
    assert [larder.wait(id)["result"]["item"]["id"] for id in asked] == list(range(50))
    assert command.ran() == 1 and larder.call("thing/get", id=99)["source"] == "remote" and command.ran() == 1


@pytest.mark.parametrize(
    "auth, shown",
    [
        (lambda t: {"apiKey": {"in": "header", "name": "X-Key", "value": t}}, lambda s: s),
        (lambda t: {"apiKey": {"in": "query", "name": "key", "value": t}}, lambda s: s),
        (
            lambda t: {"basic": {"user": "me", "password": t}},
            lambda s: "Basic " + base64.b64encode(f"me:{s}".encode()).decode(),
        ),
    ],
)
def test_token_is_sent_by_every_authentication_scheme(home, served, server, command, auth, shown):
    secret = f"{MARK}/+ &~1"
    larder = served(auth({"command": command(f"echo '{secret}'")}), "--record", home / "cassettes")
    server.good = {shown(secret)}
    assert larder.call("thing/get", id=1)["item"] == {"id": 1}
    plan = larder.send("request/explain", {"method": "thing/get", "params": {"id": 2}})
    plan = json.dumps(larder.wait(plan)["result"]).encode()
    server.good = set()
    refused = larder.fails("thing/get", id=2)
    assert refused.kind == "unauthorized" and "is no good" in refused.message
    status = json.dumps(larder.call("server/status")).encode()
    assert larder.close() == 0
    nothing_leaked(home, larder, [secret], plan, status, json.dumps([refused.message, refused.data]).encode())


def test_refused_token_is_renewed_once_for_all_requests(served, server, command):
    larder = served({"bearer": {"command": command(f"echo {MARK}-$count")}}, maxConcurrent=20)
    server.good = {bearer(f"{MARK}-1")}
    larder.call("thing/get", id=0)
    server.good = {bearer(f"{MARK}-2")}
    server.hold = threading.Event()
    asked = [larder.send("thing/get", {"id": id}) for id in range(1, 21)]
    eventually(lambda: len(server.things) == 21, "all requests were sent with the old token")
    server.hold.set()
    assert all(larder.wait(id)["result"]["source"] == "remote" for id in asked)
    assert command.ran() == 2 and len(server.things) == 41
    # A request that is refused again is sent twice at most.
    server.good = set()
    error = larder.fails("thing/get", id=50)
    assert (error.kind, error.data["attempts"]) == ("unauthorized", 2) and command.ran() == 3


def test_failed_token_command_is_reported_and_cached_items_are_returned(home, served, server, command):
    words = command(f"[ $count = 1 ] && echo {MARK}-1 && exit; echo half-{MARK}; echo half-{MARK} >&2; exit 7")
    larder = served({"bearer": {"command": words}})
    server.good = {bearer(f"{MARK}-1")}
    larder.call("thing/get", id=1)
    server.good = set()
    error = larder.fails("thing/get", id=2)
    assert error.kind == "unauthorized"
    place = served.path.read_text().index('{"command"') + 1
    where = f"the API 'a' ({served.path}:1:{place})"
    assert f"{where}: the command '{words[0]}' failed with exit code 7: ***" in error.message
    assert larder.call("thing/get", id=1, cachePolicy="remoteFirst")["fallback"]["data"]["kind"] == "unauthorized"
    larder.alive()
    larder.close()
    nothing_leaked(home, larder, [f"{MARK}-1", f"half-{MARK}"])


def test_token_command_inherits_no_secret_and_no_stdin(home, server, served, command, start):
    words = command(f'cat; ls -l /proc/self/fd | grep -c pipe > {home}/pipes; env > {home}/env; echo {MARK}')
    server.good = {bearer(MARK)}
    catalog = {
        "larder": 1,
        "apis": {"a": {"baseURL": server.url, "auth": {"bearer": {"command": words}}}},
        "resources": {"thing": {"api": "a", "id": "integer", "rest": {"get": {"path": "/things/{id}"}}}},
    }
    served.path.write_text(json.dumps(catalog))
    env = {"LARDER_SHARED_TOKEN": "shared", "LARDER_SHARED": "", "LARDER_VAR_HOST": "kept"}
    larder = start("--catalog", served.path, upstream=None, env=env)
    assert larder.call("thing/get", id=1)["item"] == {"id": 1}
    seen = (home / "env").read_text()
    assert "LARDER_SHARED" not in seen and "LARDER_VAR_HOST=kept" in seen
    larder.alive()


def test_hanging_token_command_does_not_block_other_requests(served, server, command):
    gate = served.path.parent / "gate"
    os.mkfifo(gate)
    words = command(f"cat < {gate}; echo {MARK}")
    server.good = {bearer(MARK)}
    larder = served({"bearer": {"command": words}}, timeout=0.3)
    error = larder.fails("thing/get", id=1)
    assert error.kind == "timeout" and "no token for the API 'a'" in error.message
    larder.alive()
    with open(gate, "w"):
        pass
    assert eventually(lambda: "result" in larder.wait(larder.send("thing/get", {"id": 1})), "the token")
    assert command.ran() == 1


def test_running_token_command_is_ended_when_larder_exits(home, served, command):
    words = command(f"echo $$ > {home}/pid; exec sleep 1000")
    larder = served({"bearer": {"command": words}}, "--drain", "0.1", timeout=60)
    larder.send("thing/get", {"id": 1})
    pid = int(eventually(lambda: (home / "pid").exists() and (home / "pid").read_text(), "the command to run"))
    larder.close()
    eventually(lambda: not os.path.exists(f"/proc/{pid}/exe"), "the command to end")


OAUTH = {"clientID": "me", "clientSecret": f"{MARK}-client"}


@pytest.mark.parametrize("place", ["header", "body"])
def test_oauth_token_is_requested_once_with_the_client_credentials(served, server, place):
    auth = {**OAUTH, "tokenURL": f"{server.url}/token", "in": place, "scope": "read all", "params": {"audience": "x"}}
    server.good = {bearer(f"{MARK}-access-1")}
    larder = served({"oauth2": auth})
    asked = [larder.send("thing/get", {"id": id}) for id in range(20)]
    assert all(larder.wait(id)["result"]["source"] == "remote" for id in asked)
    basic = "Basic " + base64.b64encode(f"me:{MARK}-client".encode()).decode()
    form = {"grant_type": "client_credentials", "scope": "read all", "audience": "x"}
    in_body = {"authorization": None, **form, "client_id": "me", "client_secret": f"{MARK}-client"}
    assert server.tokens == [in_body if place == "body" else {"authorization": basic, **form}]


def test_refresh_token_replaced_by_the_server_is_used_after_a_catalog_reload(home, served, server):
    def give(form, count):
        return 200, {"access_token": f"{MARK}-access-{count}", "refresh_token": f"{MARK}-refresh-{count}"}

    server.give = give
    auth = {"oauth2": {**OAUTH, "tokenURL": "${var:ID}/token", "refreshToken": f"{MARK}-refresh-0"}}
    larder = served(auth, "--var", f"ID={server.url}")
    server.good = {bearer(f"{MARK}-access-1")}
    larder.call("thing/get", id=1)
    before = larder.call("server/status")["loadedAt"]
    served.path.write_text(served.path.read_text() + "\n")
    larder.process.send_signal(signal.SIGHUP)
    eventually(lambda: larder.call("server/status")["loadedAt"] > before, "the catalog to be reloaded")
    larder.call("thing/get", id=2)
    assert len(server.tokens) == 1
    server.good = {bearer(f"{MARK}-access-2")}
    assert larder.call("thing/get", id=3)["item"] == {"id": 3}
    assert [token["refresh_token"] for token in server.tokens] == [f"{MARK}-refresh-0", f"{MARK}-refresh-1"]
    larder.close()
    nothing_leaked(home, larder, [f"{MARK}-access-1", f"{MARK}-access-2", f"{MARK}-refresh-1", f"{MARK}-client"])


def test_token_endpoint_error_is_shown_without_secrets(home, served, server):
    said = {"error": "invalid_client", "error_description": f"not {MARK}-client, nor me:{MARK}-client"}
    server.give = lambda form, count: (400, said)
    larder = served({"oauth2": {**OAUTH, "tokenURL": f"{server.url}/token"}})
    error = larder.fails("thing/get", id=1)
    assert error.kind == "unauthorized" and "; check both: invalid_client: not ***, nor ***" in error.message
    assert error.data["apiMessage"] == "invalid_client: not ***, nor ***"
    assert server.things == []
    larder.close()
    nothing_leaked(home, larder, [f"{MARK}-client"], json.dumps([error.message, error.data]).encode())


def test_replay_of_recorded_replies_needs_no_token(home, served, server, command):
    words = command(f"echo {MARK}")
    server.good = {bearer(MARK)}
    larder = served({"bearer": {"command": words}}, "--record", home / "cassettes")
    larder.call("thing/get", id=1)
    larder.close()
    replay = served({"bearer": {"command": words}}, "--replay", home / "cassettes", "--cache-dir", home / "other")
    assert replay.call("thing/get", id=1, cachePolicy="none")["item"] == {"id": 1}
    assert command.ran() == 1


def test_cached_items_and_check_need_no_token_command(home, served, server, command):
    words = command(f"echo {MARK}-$count")
    server.good = {bearer(f"{MARK}-1")}
    larder = served({"bearer": {"command": words}})
    larder.call("thing/get", id=1)
    larder.close()
    again = served({"bearer": {"command": words, "for": "1h"}})
    assert again.call("thing/get", id=1)["source"] == "persistence" and command.ran() == 1
    checked = run(home, "check", str(served.path))
    assert checked.code == 0 and command.ran() == 1
