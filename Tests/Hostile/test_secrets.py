"""Secrets reach the API and nothing else, in whatever encoding the API repeats them."""

import base64
import json
import urllib.parse

import planted
import pytest

from answering import Answering, answer, answer_of
from harness import CASSETTES
from planted import encoded, forms

SECRET = 's3cr3t/+ é?>~"t0ken'
MARK = "***"


FORMS, ENCODED = forms(SECRET), encoded(SECRET)


def leaks(data):
    """Returns the encodings of the secret that appear in the given bytes."""
    return planted.leaks(data, SECRET)


@pytest.fixture
def api():
    with Answering() as server:
        yield server


@pytest.fixture
def catalog(api, home):
    """`catalog(**api_settings)` writes a catalog with things over REST and words over GraphQL. The API requires a
    secret."""

    def catalog(url=None, **of_the_api):
        paging = {"style": "page", "param": "page"}
        listing = {"path": "/things", "items": "items", "pagination": paging, "query": {"token": "${env:TOKEN}"}}
        shape = {"api": "a", "id": "integer", "fields": {"id": "integer"}}
        query = {"query": "query($id: ID!) { word(id: $id) { id } }", "item": "word"}
        settings = {"auth": {"basic": {"user": "somebody", "password": "${env:TOKEN}"}}, "retries": 0}
        value = {
            "larder": 1,
            "apis": {"a": {"baseURL": url or api.url, **settings, **of_the_api}},
            "resources": {
                "thing": {**shape, "rest": {"get": {"path": "/things/{id}"}, "list": listing}},
                "word": {**shape, "graphql": {"path": "/graphql", "get": query}},
            },
        }
        path = home / "catalog.json"
        path.write_text(json.dumps(value))
        return path

    return catalog


@pytest.fixture
def with_secret(start, catalog):
    """`with_secret(*args, token=..., **api_settings)` starts a process that knows the secret."""

    def with_secret(*args, token=SECRET, env=(), **of_the_api):
        options = ["--catalog", catalog(**of_the_api), "--log-level", "debug", *args]
        return start(*options, env={"TOKEN": token, **dict(env)}, upstream=None)

    return with_secret


def files(folder):
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", FORMS)
def test_no_error_contains_the_secret(with_secret, api, name):
    form, larder = FORMS[name], with_secret()
    seen = []
    faults = {"errors": [{"message": f"you said {SECRET}", "path": [SECRET, 1]}]}
    answers = [
        answer(f"Location: ftp://host/?{urllib.parse.quote(form, safe='%=+-_')}", status="302 F"),
        answer(f"Location: http://[{form.encode().decode('latin-1')}", status="302 F"),
        answer_of(form.encode()),
        answer(f"Retry-After: {form.encode().decode('latin-1')}", "Content-Length: 0", status="503 X"),
        answer("Content-Length: 900", body=form.encode()),
        form.encode(),
        answer_of(faults),
        answer_of({"errors": [{"message": f"you said {form}", "path": [form]}]}),
    ]
    for say in answers:
        api.say = say
        for method, params in [("thing/get", {"id": 1}), ("thing/list", {}), ("word/get", {"id": 1})]:
            seen.append(larder.fails(method, **params).args)
    assert any(MARK in str(args) for args in seen)
    assert leaks(seen) == [] and leaks(larder.stderr()) == []
    api.say = answer_of({})
    assert SECRET in base64.b64decode(api.requests[0].split(b"Basic ")[1].split(b"\r\n")[0]).decode()


@pytest.mark.parametrize("before", range(470, 501, 3))
def test_secret_is_redacted_before_a_message_is_cut(with_secret, api, before):
    """Messages are cut after 500 characters and paths after 200. Not even the start of the secret remains."""
    api.say = answer_of({"errors": [{"message": "x" * before + SECRET, "path": ["y" * (before - 300) + SECRET]}]})
    message = with_secret().fails("word/get", id=1).message
    assert "x" * before in message and "s3c" not in message


def test_explain_does_not_contain_the_secret(with_secret):
    larder = with_secret()
    seen = []
    for method, params in [("thing/get", {"id": 1}), ("thing/list", {}), ("word/get", {"id": 1})]:
        reply = larder.wait(larder.send("request/explain", {"method": method, "params": params}))
        seen.append(reply["result"])
    assert f"token={MARK}&" in seen[1]["requests"][0]["url"]
    assert leaks(seen) == []


@pytest.mark.parametrize("name", [*FORMS, *ENCODED])
def test_recorded_replies_do_not_contain_the_secret(with_secret, api, home, name):
    form = ENCODED[name] if name in ENCODED else FORMS[name].encode()
    wide = {"UTF-16 little-endian": "utf-16-le"}.get(name, "utf-16-be" if name.startswith("UTF-16") else "ascii")
    quote = '"'.encode(wide)
    value = FORMS.get(name, "").encode().decode("latin-1")
    fields = [f"ETag: {value}", f"Link: {value}"]
    larder = with_secret("--record", home / "tape", "--no-persistence")
    for say in (answer_of(b'{"id": 1, "said": "' + form + b'"}', *fields), answer_of(quote + form + quote, *fields)):
        api.say = say
        for method, params in [("thing/get", {"id": 1}), ("thing/list", {}), ("word/get", {"id": 1})]:
            larder.send(method, params)
            larder.line()
        saved = files(home / "tape")
        assert len(saved) == 3
        for path, data in saved.items():
            cassette = json.loads(data)["response"]
            body = base64.b64decode(cassette["bodyBase64"]) if "bodyBase64" in cassette else cassette["body"].encode()
            assert leaks(body) == [] and leaks(data) == [] and leaks(path) == []
            assert (MARK.encode() in body.replace(b"\0", b"")) and len(body) < 80


def test_recorded_replies_can_be_replayed_with_another_secret(with_secret, api, home):
    recording = with_secret("--record", home / "tape", "--no-persistence")
    api.say = answer_of({"items": [{"id": 1}]})
    assert recording.call("thing/list")["source"] == "remote"
    api.say = answer_of({"data": {"word": {"id": 1}}})
    assert recording.call("word/get", id=1)["source"] == "remote"
    replay = with_secret("--replay", home / "tape", "--no-persistence", token="another t0ken")
    assert replay.call("thing/list")["items"] == [{"id": 1}] and replay.call("word/get", id=1)["item"] == {"id": 1}


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("field", ["ETag", "Last-Modified"])
def test_etag_that_contains_the_secret_is_not_stored(with_secret, api, home, name, field):
    value = FORMS[name].encode().decode("latin-1")
    larder = with_secret()
    api.say = answer_of({"id": 1}, f'{field}: "{value}"')
    assert larder.call("thing/get", id=1)["source"] == "remote"
    assert larder.call("thing/get", id=1, maxAge=0)["source"] == "remote"
    assert b"If-None-Match" not in api.requests[1] and b"If-Modified-Since" not in api.requests[1]
    assert larder.close() == 0
    assert {path: leaks(data) for path, data in files(home / "cache").items() if leaks(data)} == {}


def test_etag_without_a_secret_is_stored(with_secret, api):
    larder = with_secret()
    api.say = answer_of({"id": 1}, 'ETag: "harmless"')
    larder.call("thing/get", id=1)
    larder.call("thing/get", id=1, maxAge=0)
    assert b'If-None-Match: "harmless"' in api.requests[1]


@pytest.mark.parametrize("value", ["20", "7.5e3", "12345678", "zq7xk-k"])
def test_warning_names_the_short_or_common_secret_that_cannot_be_redacted(with_secret, api, home, value):
    larder = with_secret("--record", home / "tape", "--no-persistence", token=value)
    said = {"items": [{"id": 820}, {"id": 1234567820}], "per": value}
    api.say = answer_of(said)
    assert larder.call("thing/list")["items"] == said["items"]
    assert larder.close() == 0
    assert "the environment variable 'TOKEN'" in larder.stderr() and larder.stderr().count("warning") == 1
    assert value not in larder.stderr()
    (cassette,) = (home / "tape").glob("*.json")
    assert json.loads(json.loads(cassette.read_bytes())["response"]["body"]) == said
    replay = with_secret("--replay", home / "tape", "--no-persistence", token=value)
    assert replay.call("thing/list")["items"] == said["items"]


def test_warning_names_the_file_of_a_short_secret(start, catalog, home):
    (home / "short").write_text("zq7xk\n")
    path = catalog(auth={"bearer": "${file:%s}" % (home / "short")})
    larder = start("--catalog", path, env={"TOKEN": SECRET}, upstream=None)
    larder.alive()
    assert f"the file '{home}/short'" in larder.stderr() and "zq7xk" not in larder.stderr()


def test_status_does_not_contain_the_secret(with_secret, home):
    (home / "s3cr3t-folder").write_text("no folder")
    larder = with_secret("--cache-dir", home / "s3cr3t-folder" / "x", token="s3cr3t-folder")
    larder.call("thing/search")
    assert "s3cr3t-folder" not in json.dumps(larder.call("server/status"))
    assert "s3cr3t-folder" not in larder.stderr()


PASSWORDS = ["pr0xy#P4ssw0rd", "pr0xy@P4ssw0rd", "pr0xy/P4ssw0rd", "pr0xy?P4ssw0rd", "pr0xy P4ssw0rd", "pr0xy:P4ssw0rd"]


@pytest.mark.parametrize("variable", ["http_proxy", "all_proxy", "ALL_PROXY"])
@pytest.mark.parametrize("form", ["http://user:%s@127.0.0.1:1", "user:%s@127.0.0.1:1", "odd://user:%s@127.0.0.1:1"])
@pytest.mark.parametrize("password", PASSWORDS)
def test_proxy_password_is_in_no_error(with_secret, variable, form, password):
    unset = {name: "" for name in ("http_proxy", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY")}
    larder = with_secret(env={**unset, variable: form % password})
    error = larder.fails("thing/get", id=1)
    larder.close()
    shown = json.dumps(error.args) + larder.stderr()
    assert error.kind == "network" and "pr0xy" not in shown and "P4ssw0rd" not in shown
    if any(mark in password for mark in "@/?#"):
        assert variable in error.message and "percent-encode" in error.message


def test_proxy_password_repeated_by_the_proxy_is_redacted(with_secret, api, home):
    def echo(request):
        sent = request.split(b"Proxy-Authorization: Basic ")[1].split(b"\r\n")[0].decode()
        assert base64.b64decode(sent) == b"user:pr0xy@P4ssw0rd"
        return answer_of({"id": 1, "said": [sent, "pr0xy@P4ssw0rd", "pr0xy%40P4ssw0rd"]}, f"Link: <{sent}>")

    proxy = f"http://user:pr0xy%40P4ssw0rd@127.0.0.1:{api.port}"
    larder = with_secret("--record", home / "tape", env={"http_proxy": proxy, "no_proxy": ""}, url="http://a.test")
    api.say = echo
    assert larder.call("thing/get", id=1)["source"] == "remote"
    (cassette,) = (home / "tape").glob("*.json")
    said = json.loads(json.loads(cassette.read_bytes())["response"]["body"])["said"]
    assert said == [MARK, MARK, MARK] and b"P4ssw0rd" not in cassette.read_bytes()


@pytest.mark.parametrize("password", PASSWORDS + ["pr0xy=P4ssw0rd"])
@pytest.mark.parametrize("form", ["rickandmorty=http://user:%s@host", "http://user:%s@host", "other=user:%s@host/x"])
def test_password_in_a_base_url_is_refused_and_not_shown(command, places, password, form):
    done = command("call", "server/status", "--base-url", form % password, "--replay", CASSETTES, *places)
    assert done.code == 64, done
    assert "pr0xy" not in repr(done) and "P4ssw0rd" not in repr(done)


@pytest.mark.parametrize("password", PASSWORDS)
def test_password_in_a_catalog_url_is_refused_and_not_shown(command, places, catalog, password):
    path = catalog(url=f"http://user:{password}@host")
    done = command("call", "server/status", "--catalog", path, *places, env={"TOKEN": SECRET})
    assert done.code == 78, done
    assert "pr0xy" not in repr(done) and "P4ssw0rd" not in repr(done)
