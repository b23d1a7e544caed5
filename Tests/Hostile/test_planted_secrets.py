"""A secret at each place of a catalog that can hold one.

The API repeats each secret in every encoding and by every means, and every method is called. Then all output, logs,
recordings and cache files are searched for the secrets.
"""

import json
import urllib.parse

import pytest

from answering import Answering, answer, answer_of
from harness import Larder, run
from planted import forms, in_base64, leaks

# One worker calls the methods for all tests.
pytestmark = pytest.mark.xdist_group("planted_secrets")

ODD, PLAIN = '/+ é?>~"x', "-0f3a"  # the second for secrets that must be a valid part of a URL
PLACES = {
    **{name: f"s3cr3t-{name}{ODD}" for name in ("bearer", "basic", "header", "query", "custom", "constant", "body")},
    **{name: f"s3cr3t-{name}{ODD}" for name in ("operation", "graphql", "key", "rule", "client")},
    **{name: f"s3cr3t-{name}{PLAIN}" for name in ("command", "token", "refresh")},
    **{name: f"s3cr3t-{name}{PLAIN}" for name in ("base", "proxy", "path")},
}
# Secrets that share an API with others, or belong to none.
WITHOUT = ("key", "token", "refresh")
RESOURCES = [name for name in PLACES if name not in WITHOUT] + ["keyed"]


class Recorded(Larder):
    """A Larder that records all of its output."""

    def __init__(self, *args, **options):
        self.written = []
        super().__init__(*args, **options)

    def _take(self, wanted, what):
        self.written.append(super()._take(wanted, what))
        return self.written[-1]


def environment():
    return {f"S_{name.upper()}": secret for name, secret in PLACES.items()}


def catalog(home, url, fault=""):
    """Writes a catalog with a secret at each place; the resources have the names of the places. `fault` is inserted
    into it."""
    (home / "basic").write_text(PLACES["basic"] + "\n", encoding="utf-8")
    (home / "key.pem").write_text(f"-----BEGIN PRIVATE KEY-----\n{PLACES['key']}\n-----END PRIVATE KEY-----\n")
    port = url.rpartition(":")[2]
    apis = {
        "bearer": {"auth": {"bearer": "${env:S_BEARER}"}},
        "basic": {"auth": {"basic": {"user": "somebody", "password": "${file:%s}" % (home / "basic")}}},
        "header": {"auth": {"apiKey": {"in": "header", "name": "X-Key", "value": "${env:S_HEADER}"}}},
        "query": {"auth": {"apiKey": {"in": "query", "name": "key", "value": "${env:S_QUERY}"}}},
        "custom": {"headers": {"X-Own": "it is ${env:S_CUSTOM} here"}},
        "base": {"baseURL": f"{url}/base/${{env:S_BASE}}"},
        "proxy": {"baseURL": "http://a.test", "proxy": f"http://me:${{env:S_PROXY}}@127.0.0.1:{port}"},
        "rule": {"errors": [{"when": "fault", "message": "fault"}], "headers": {"X-Own": "${env:S_RULE}"}},
        "graphql": {"headers": {"X-Own": "${env:S_GRAPHQL}"}},
        "command": {"auth": {"bearer": {"command": ["sh", "-c", "echo $S_COMMAND; echo $S_COMMAND >&2"]}}},
        "client": {
            "auth": {"oauth2": {
                "tokenURL": f"{url}/token", "clientID": "me", "clientSecret": "${env:S_CLIENT}",
                "refreshToken": "${env:S_REFRESH}",
            }}
        },
        "keyed": {
            "baseURL": url.replace("http:", "https:"),
            "tls": {"certFile": str(home / "key.pem"), "keyFile": str(home / "key.pem")},
        },
        **{name: {} for name in ("constant", "body", "operation", "path")},
    }
    apis = {name: {"baseURL": f"{url}/{name}", "retries": 0, "timeout": "3s", **api} for name, api in apis.items()}
    own = {
        "constant": {"query": {"token": ["a", "${env:S_CONSTANT}"]}},
        "body": {"method": "POST", "body": {"deep": {"key": "${env:S_BODY}", "all": ["is ${env:S_BODY}"]}}},
        "operation": {"headers": {"X-Own": "${env:S_OPERATION}"}},
    }
    resources = {}
    for name in apis:
        before = "/p/${env:S_PATH}" if name == "path" else ""
        more = own.get(name, {})
        id = {} if name != "body" else {"query": {"id": "{id}"}}
        ids = {} if name != "body" else {"query": {"ids": "{ids}"}}
        paging = {"style": "page", "param": "page", "more": "more"}
        if name in ("query", "constant", "base", "path"):
            paging = {"style": "nextURL", "next": "next", "previous": "previous"}
        elif name in ("header", "operation"):
            paging = {"style": "cursor", "param": "after", "next": "next", "previous": "previous"}
        filters = {"name": "name"}
        operations = {"rest": {
            "get": {"path": before + "/things/{id}", "item": "data", **more, **id},
            "getMany": {"path": before + "/things/many/{ids}", "items": "items", **more, **ids},
            "list": {"path": before + "/things", "items": "items", "pagination": paging, "filters": filters, **more},
        }}
        if name == "graphql":
            operations = {"graphql": {
                "path": "/graphql",
                "get": {"query": "query One($id: ID!) { data(id: $id) { id } }", "item": "data"},
                "getMany": {"query": "query Many($ids: [ID!]!) { items(ids: $ids) { id } }", "items": "items"},
                "list": {"query": "query All { items { id } }", "items": "items", "filters": filters},
            }}
        resources[name] = {
            "api": name, "scope": {"owner": {"type": "string", "default": "me"}}, "id": "integer",
            "fields": {"id": "integer", "state": ["open", "closed"], "size": "integer"},
            "onMismatch": "skip" if name in ("bearer", "header") else "fail", **operations, "cache": {"freshFor": 0},
        }
    path = home / "catalog.json"
    path.write_text(json.dumps({"larder": 1, "apis": apis, "resources": resources, **json.loads(fault or "{}")}))
    return path


def thing(id):
    return {"id": id, "state": "open", "size": 7}


GOOD = {"data": {**thing(1), "items": [thing(1), thing(2)]}, "items": [thing(1), thing(2)], "more": False, "next": None}


def ways(said):
    """Yields answers that repeat a text by every means of HTTP and JSON."""
    header = said.encode("utf-8").decode("latin-1").replace("\n", " ").replace("\r", " ")
    quoted = urllib.parse.quote(said, safe="%=+-_")
    words = [{"message": said}, {"error": {"message": said}}, {"detail": said}, {"errors": [{"message": said}]},
             {"name": [said], "other": said}, {"fault": said}]
    yield answer_of(GOOD, f"ETag: {header}", f"Last-Modified: {header}", f"Set-Cookie: a={header}", f"Link: <{header}>")
    for status, word in zip(("400 B", "401 U", "429 T", "500 S", "422 E", "403 F"), words):
        body = json.dumps(word).encode()
        yield answer(f"Content-Length: {len(body)}", f"Retry-After: {header}", body=body, status=status)
    for word in words:
        yield answer_of({**word, "error": said})
    yield answer_of({"data": {**thing(1), "state": said}, "items": [thing(1), {**thing(2), "state": said}]})
    yield answer_of({"data": {**thing(1), "size": said}, "items": [{**thing(1), "id": said}], "more": said})
    yield answer_of({**GOOD, "next": said})
    yield answer_of({**GOOD, "previous": said, "next": "x"})
    yield answer_of({**GOOD, "next": {"so": [said]}})
    yield answer_of({**GOOD, "next": f"?after={quoted}&key={quoted}&token={quoted}"})
    yield answer_of({**GOOD, "next": f"https://elsewhere.test/?{quoted}"})
    yield answer_of({**GOOD, "next": f"ftp://{header}"})
    yield answer_of({**GOOD, "next": "x" * 480 + said})
    yield answer_of({"items": [{**thing(1), "id": said}, {**thing(2), "id": said}], "data": {said: said}})
    yield answer(f"Location: ftp://host/?{quoted}", status="302 F")
    yield answer(f"Location: http://[{header}", status="302 F")
    yield answer(status=f"500 {header}")
    yield said.encode()
    yield answer_of(said.encode())
    yield answer("Content-Length: 9999", body=said.encode())


def drive(larder, resource):
    """Calls every method of a resource."""
    one, many = {"id": 1}, {"ids": [1, 2]}
    for policy in ("localFirst", "remoteFirst", "none"):
        for method, params in (("get", one), ("getMany", many), ("list", {}), ("list", {"filter": {"name": "x"}})):
            larder.wait(larder.send(f"{resource}/{method}", {**params, "cachePolicy": policy}))
    for method, params in (("prefetch", {}), ("search", {"text": "o"}), ("observe", {"id": 1, "observer": resource}),
                           ("get", {**one, "cachePolicy": "remoteFirst"}), ("unobserve", {"observer": resource})):
        larder.wait(larder.send(f"{resource}/{method}", params))


def drive_all(larder):
    for resource in RESOURCES:
        for method, params in (("get", {"id": 1}), ("getMany", {"ids": [1, 2]}), ("list", {}), ("prefetch", {})):
            asked = {"method": f"{resource}/{method}", "params": params}
            larder.wait(larder.send("request/explain", asked))
    for method, params in (("rpc.discover", None), ("server/status", None), ("cache/stats", None),
                           ("cache/invalidate", {"resource": "bearer", "scope": {"owner": "me"}}),
                           ("cache/remove", {"resource": "basic", "pages": True}), ("recents/list", None)):
        larder.wait(larder.send(method, params))


@pytest.fixture(scope="module")
def api():
    with Answering() as server:
        yield server


@pytest.fixture(scope="module")
def everything(api, tmp_path_factory):
    """All output, logs and files after the session, by name. `api.requests` has the requests that the API received."""
    home = tmp_path_factory.mktemp("planted")
    path = catalog(home, api.url)
    options = ["--catalog", str(path), "--log-level", "debug", "--record", str(home / "tape")]
    with Recorded(home, *options, env=environment()) as larder:
        larder.notify("$/setTrace", {"value": "verbose"})
        token = {"access_token": PLACES["token"], "token_type": "Bearer", "refresh_token": PLACES["refresh"]}
        api.say = lambda request: answer_of(token if request.startswith(b"POST /token") else GOOD)
        larder.call("client/get", id=1)
        larder.call("command/get", id=1)
        for resource in RESOURCES:
            secret = {"keyed": PLACES["key"], "client": PLACES["token"]}.get(resource) or PLACES[resource]
            for form in forms(secret).values():
                for say in [*ways(form)][:: 3 if form != secret else 1]:
                    api.say = say
                    larder.wait(larder.send(f"{resource}/list", {"cachePolicy": "remoteFirst"}))
                    larder.wait(larder.send(f"{resource}/get", {"id": 1, "cachePolicy": "remoteFirst"}))
            for say in ways(f"{secret} and {secret}"):
                api.say = say
                drive(larder, resource)
        api.say = answer_of(GOOD)
        drive_all(larder)
        # The token endpoint repeats its request, and the token of a command is refused.
        for say in ways(f"{PLACES['client']} {PLACES['refresh']} {PLACES['command']}"):
            api.say = say
            larder.call("cache/invalidate")
            for resource in ("client", "command"):
                drive(larder, resource)
    found = {"stdout": b"\n".join(larder.written + larder.left), "stderr": larder.stderr_path.read_bytes()}
    for file in home.rglob("*"):
        if file.is_file() and file.name not in ("catalog.json", "basic", "key.pem", "stderr"):
            found[str(file.relative_to(home))] = str(file.relative_to(home)).encode() + b"\n" + file.read_bytes()
    return found


def test_each_planted_secret_was_sent_to_the_api(everything, api):
    """Each secret that belongs in a request was sent to the API, and enough output exists to be searched."""
    sent = b"\n".join(api.requests)
    for name, secret in PLACES.items():
        if name == "client":
            # A client secret is form-encoded before it is sent (RFC 6749, section 2.3.1).
            assert ("Basic " + in_base64("s3cr3t-client", "me:")[:20]).encode() in sent
        elif name != "key":
            assert leaks(sent, secret), name
    assert everything["stdout"].count(b'"error"') > 1000 and b"***" in everything["stdout"]
    assert sum(name.startswith("tape") for name in everything) >= 3 * (len(RESOURCES) - 2)
    assert any("cache.sqlite" in name for name in everything)


@pytest.mark.parametrize("place", PLACES)
def test_planted_secret_is_in_no_output_log_or_file(everything, place):
    found = {name: leaks(data, PLACES[place]) for name, data in everything.items()}
    assert {name: leak for name, leak in found.items() if leak} == {}


@pytest.mark.parametrize("command", ["check", "check --live", "check --live --json", "catalog show", "catalog types"])
@pytest.mark.parametrize("fault", ["", '{"nonsense": 1}', '{"apis": {"a": {"baseURL": "http://${env:S_BASE}/?x"}}}'])
def test_catalog_commands_print_no_planted_secret(home, api, command, fault):
    # Larder cannot know a key that only libcurl reads, nor a token that was never issued.
    said = " ".join(secret for place, secret in PLACES.items() if place not in ("key", "token"))
    api.say = answer_of({"message": said, "id": said, "items": [{"id": 1, "state": said}], "next": said})
    path = catalog(home, api.url, fault)
    words = command.split()
    done = run(home, *words, *([str(path)] if words[0] == "check" else ["--catalog", str(path)]), env=environment())
    for place, secret in PLACES.items():
        assert leaks(done.stdout + done.stderr.encode(), secret) == [], (place, done)
