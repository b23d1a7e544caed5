"""Servers with untrusted certificates, and the settings for trusted authorities and client certificates."""

import json
import shutil
import ssl
import subprocess

import pytest

from answering import Answering, answer_of
from harness import ROOT

TLS = ROOT / "Fixtures" / "tls"
NAMES = ("CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR")


@pytest.fixture
def api():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS / "server.pem", TLS / "server.key")
    with Answering(tls=context) as server:
        server.say = answer_of({"id": 1})
        yield server


@pytest.fixture
def ask(start, api, home):
    """`ask(**variables)` starts a process with the given environment variables. Its API is the test's server."""
    thing = {"api": "a", "id": "integer", "rest": {"get": {"path": "/things/{id}"}}}
    catalog = {"larder": 1, "apis": {"a": {"baseURL": api.url, "retries": 2}}, "resources": {"thing": thing}}
    (home / "catalog.json").write_text(json.dumps(catalog))

    def ask(**variables):
        env = {**dict.fromkeys(NAMES, ""), **{name: str(value) for name, value in variables.items()}}
        return start("--catalog", home / "catalog.json", "--no-persistence", env=env, upstream=None)

    return ask


def refused(larder):
    error = larder.fails("thing/get", id=1)
    assert (error.kind, error.data["attempts"]) == ("network", 1), error
    assert "certificate" in error.message and "SSL_CERT_FILE" in error.message and "CURL_CA_BUNDLE" in error.message
    return error


def test_certificate_of_an_unknown_authority_is_refused_with_a_hint(ask, api):
    refused(ask())
    assert api.requests == []


@pytest.mark.parametrize("name", ["CURL_CA_BUNDLE", "SSL_CERT_FILE"])
def test_environment_variable_can_set_the_file_of_trusted_authorities(ask, name):
    assert ask(**{name: TLS / "authority.pem"}).call("thing/get", id=1)["item"] == {"id": 1}


@pytest.mark.skipif(not shutil.which("openssl"), reason="needs openssl to hash the file names")
def test_environment_variable_can_set_the_folder_of_trusted_authorities(ask, home):
    hashed = ["openssl", "x509", "-noout", "-hash", "-in", TLS / "authority.pem"]
    name = subprocess.run(hashed, check=True, capture_output=True, text=True).stdout.strip()
    (home / "authorities").mkdir()
    shutil.copy(TLS / "authority.pem", home / "authorities" / f"{name}.0")
    assert ask(SSL_CERT_DIR=home / "authorities").call("thing/get", id=1)["item"] == {"id": 1}
    # CURL_CA_BUNDLE overrides SSL_CERT_DIR.
    refused(ask(SSL_CERT_DIR=home / "authorities", CURL_CA_BUNDLE="/nowhere.pem"))


def test_variable_CURL_CA_BUNDLE_overrides_SSL_CERT_FILE(ask):
    larder = ask(CURL_CA_BUNDLE=TLS / "authority.pem", SSL_CERT_FILE="/nowhere.pem")
    assert larder.call("thing/get", id=1)["item"] == {"id": 1}


def test_error_names_the_missing_certificate_file(ask):
    assert "/nowhere.pem" in refused(ask(SSL_CERT_FILE="/nowhere.pem")).message


def test_certificate_for_another_host_is_refused(ask, api, home):
    path = home / "catalog.json"
    path.write_text(path.read_text().replace("127.0.0.1", "localhost"))
    refused(ask(SSL_CERT_FILE=TLS / "authority.pem"))


def test_catalog_can_set_the_trusted_authority_of_an_api(ask, home):
    path = home / "catalog.json"
    catalog = json.loads(path.read_text())
    catalog["apis"]["a"]["tls"] = {"caFile": str(TLS / "authority.pem")}
    path.write_text(json.dumps(catalog))
    larder = ask()
    assert larder.call("thing/get", id=1)["item"] == {"id": 1}
    assert larder.call("thing/get", id=1, cachePolicy="none")["item"] == {"id": 1}
    catalog["apis"]["a"]["tls"] = {"caFile": "/nowhere.pem"}
    path.write_text(json.dumps(catalog))
    error = ask(SSL_CERT_FILE=TLS / "authority.pem").fails("thing/get", id=1)
    assert (error.kind, error.data["attempts"]) == ("network", 0), error
    assert "'caFile' in 'tls' of the API cannot be read: /nowhere.pem: No such file or directory" in error.message


@pytest.mark.parametrize(("files", "named"), [
    ({"certFile": "none.pem"}, "'certFile' in 'tls' of the API cannot be read: {}/none.pem: No such file"),
    ({"certFile": "authority.pem", "keyFile": "no.key"}, "'keyFile' in 'tls' of the API cannot be read: {}/no.key: No"),
    ({"certFile": "authority.pem", "keyFile": "authority.pem"}, "'certFile' or 'keyFile' in 'tls' of the API cannot"),
])
def test_error_names_the_unusable_client_certificate_file(ask, home, files, named):
    path = home / "catalog.json"
    catalog = json.loads(path.read_text())
    catalog["apis"]["a"]["tls"] = {key: str(TLS / name) for key, name in {"caFile": "authority.pem", **files}.items()}
    path.write_text(json.dumps(catalog))
    error = ask().fails("thing/get", id=1)
    assert error.kind == "network" and error.data["attempts"] == 0 and named.format(TLS) in error.message, error


@pytest.mark.skipif(not shutil.which("openssl"), reason="needs openssl to create a certificate")
def test_client_certificate_is_sent_only_to_its_own_api(ask, api, home):
    path, own = home / "catalog.json", {"certFile": home / "me.pem", "keyFile": home / "me.key"}
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=me"]
    subprocess.run([*made, "-keyout", own["keyFile"], "-out", own["certFile"]], check=True, capture_output=True)
    catalog = json.loads(path.read_text())
    files = {"caFile": TLS / "authority.pem", **own}
    catalog["apis"]["a"]["tls"] = {key: str(name) for key, name in files.items()}
    path.write_text(json.dumps(catalog))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS / "server.pem", TLS / "server.key")
    context.load_verify_locations(own["certFile"])
    context.verify_mode = ssl.CERT_REQUIRED
    with Answering(tls=context) as strict:
        strict.say = answer_of({"id": 2})
        api.say = answer_of({"id": 1})
        text = path.read_text()
        path.write_text(text.replace(api.url, strict.url))
        assert ask().call("thing/get", id=1)["item"] == {"id": 2}
        path.write_text(text)
        api.say = b"HTTP/1.1 302 Found\r\nLocation: %s/things/1\r\nContent-Length: 0\r\n\r\n" % strict.url.encode()
        assert ask().fails("thing/get", id=1).kind == "network"
