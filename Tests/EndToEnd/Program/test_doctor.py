"""`larder doctor`: checks everything that Larder needs and suggests fixes."""

import contextlib
import json
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Shared"))
from redis_server import TLS, RedisServer  # noqa: E402
from ways import Silent  # noqa: E402

SECRET = {"LARDER_SHARED_SECRET": "0123456789abcdef"}


@pytest.fixture
def doctor(command, places, upstream):
    """`doctor(*options, env=...)` returns the results of doctor's checks by subject, and the exit code."""

    def doctor(*args, **options):
        base = ["--base-url", f"rickandmorty={upstream.url}"] if "--catalog" not in args else []
        done = command("doctor", "--json", *args, *base, *places, **options)
        findings = json.loads(done.stdout)
        assert all(set(finding) == {"kind", "what", "message"} for finding in findings), done
        assert done.stderr == "", done
        return Findings(findings, done.code)

    return doctor


class Findings:
    def __init__(self, findings, code):
        self.findings, self.code = findings, code

    def __getitem__(self, what):
        """Returns the most severe result of doctor's checks for a subject, and all messages for it."""
        of = [finding for finding in self.findings if finding["what"] == what]
        kinds = [finding["kind"] for finding in of]
        worst = next((kind for kind in ("fault", "warning", "ok") if kind in kinds), None)
        return worst, "\n".join(finding["message"] for finding in of)


def test_doctor_reports_no_faults_for_a_healthy_setup(doctor, command, places, upstream):
    found = doctor()
    assert found.code == 0 and {finding["kind"] for finding in found.findings} == {"ok"}, found.findings
    assert [finding["what"] for finding in found.findings] == [
        "cache file", "catalog", "secrets", "network", "network", "shared level",
    ]
    assert "cache.sqlite" in found["cache file"][1]
    assert found["catalog"][1] == "built-in: 3 resources of 1 API"
    assert found["network"][1].startswith("libcurl/") and f"({upstream.url}) is reachable" in found["network"][1]
    assert found["shared level"][1].startswith("off")
    done = command("doctor", "--base-url", f"rickandmorty={upstream.url}", *places)
    assert done.code == 0 and done.stdout.decode().splitlines()[1] == (
        "ok       catalog: built-in: 3 resources of 1 API"
    ), done


def test_doctor_reports_an_unusable_cache_file_as_a_fault(doctor, command):
    done = command("doctor", "--offline", "--cache-dir", "/dev/null/none")
    assert done.code == 1 and done.stdout.startswith(b"fault    cache file: "), done
    assert b"--cache-dir" in done.stdout.splitlines()[0]
    assert doctor("--no-persistence")["cache file"] == (
        "ok", "not used (--no-persistence): cached data is lost when the process exits",
    )


def test_doctor_gives_the_advice_for_an_untrusted_cache_file_once(command, tmp_path):
    folder = tmp_path / "shared"
    folder.mkdir()
    file = folder / "cache.sqlite"
    file.touch()
    file.chmod(0o666)
    done = command("doctor", "--cache-dir", folder)
    line = next(line for line in done.stdout.decode().splitlines() if "cache file: " in line)
    assert line.startswith("fault") and line.count("--cache-dir") == 1, done



def test_doctor_reports_other_problems_even_if_the_catalog_is_faulty(doctor, home):
    path = home / "faulty.jsonc"
    path.write_text('{"larder": 1, "apis": {}, "resources": {"a": {"api": "b"}}}')
    found = doctor("--catalog", path)
    assert found.code == 1 and found["catalog"][0] == "fault" and "faulty.jsonc:1:" in found["catalog"][1]
    assert found["cache file"][0] == "ok" and found["shared level"][0] == "ok"
    assert doctor("--catalog", home / "none.jsonc")["catalog"][0] == "fault"


def test_doctor_warns_about_a_missing_secret_and_names_its_api(doctor, catalog, upstream):
    path = catalog(baseURL=upstream.url, auth={"bearer": "${env:HUB_TOKEN}"})
    found = doctor("--catalog", path)
    assert found.code == 0 and found["catalog"][0] == "ok", found.findings
    assert found["secrets"][0] == "warning" and "HUB_TOKEN" in found["secrets"][1]
    assert "no requests are sent to the API 'rickandmorty'" in found["secrets"][1]
    token = "s3cr3t-0b51c9d2"
    found = doctor("--catalog", path, env={"HUB_TOKEN": token})
    kind, message = found["secrets"]
    assert kind == "ok" and message.startswith("all secrets of the catalog are set; run 'larder check --live'"), message
    assert token not in str(found.findings)
    assert all(token not in str(request) for request in upstream.requests())


def test_base_url_option_replaces_an_incomplete_base_url(doctor, command, catalog, upstream, places):
    path = catalog(baseURL="https://${var:HUB_HOST}/${env:HUB_PATH}")
    assert doctor("--catalog", path)["secrets"][0] == "warning"
    reached = ["--catalog", path, "--base-url", f"rickandmorty={upstream.url}"]
    found = doctor(*reached)
    assert found.code == 0 and {finding["kind"] for finding in found.findings} == {"ok"}, found.findings
    done = command("call", "character/get", "id=1", *reached, *places)
    assert (done.code, done.stderr, done.messages[0]["item"]["id"]) == (0, "", 1), done


def test_doctor_warns_about_an_unreachable_api(doctor, catalog):
    found = doctor("--catalog", catalog(baseURL="http://127.0.0.1:1"))
    assert found.code == 0 and found["network"][0] == "warning"
    assert "the API 'rickandmorty' (http://127.0.0.1:1): the API was not reached: " in found["network"][1]
    assert "--base-url" in found["network"][1] and "https_proxy" in found["network"][1]


def test_offline_doctor_sends_no_request(doctor, catalog, home):
    path = catalog(baseURL="http://127.0.0.1:1")
    (home / "cassettes").mkdir()
    for words in (["--offline"], ["--replay", home / "cassettes"]):
        found = doctor("--catalog", path, *words, env={"LARDER_SHARED": "redis://127.0.0.1:1"})
        assert found.code == 0
        for what in ("network", "shared level"):
            assert found[what][0] == "ok" and words[0] in found[what][1]


QUIET = dict.fromkeys(("CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"), "")
WRONG = {"LARDER_SHARED_PASSWORD": "the wrong one"}


def forbidden(right):
    """Returns a Redis server whose user lacks only the given right."""
    server = RedisServer()
    server("ACL", "SETUSER", "default", f"-{right}")
    return server


# For each fault: how to create it, the URL and environment to use, and the expected parts of the message.
FAULTS = {
    "nobody listens": (
        contextlib.nullcontext, lambda _: ("redis://127.0.0.1:1", {}),
        ["Connection refused", "redis-server --save '' --appendonly no"]),
    "no socket": (
        contextlib.nullcontext, lambda _: ("unix:///nowhere/socket", {}), ["redis-server --save '' --appendonly no"]),
    # Without a name server, the lookup takes too long to fail.
    "a name that is none": (
        contextlib.nullcontext, lambda _: ("redis://nowhere.invalid:6379", {}), ["getent hosts NAME"]),
    "an unknown authority": (
        lambda: RedisServer(tls=True), lambda server: (server.url(), {}),
        ["certificate", "SSL_CERT_FILE, SSL_CERT_DIR or CURL_CA_BUNDLE"]),
    "a certificate for another host": (
        lambda: RedisServer(tls=True),
        lambda server: (
            server.url().replace("127.0.0.1", "localhost"), {"SSL_CERT_FILE": str(TLS / "authority.pem")}),
        ["certificate must be for the host of --shared"]),
    "no TLS": (
        lambda: RedisServer(), lambda server: (server.url().replace("redis:", "rediss:"), {}),
        ["Check that the server uses TLS"]),
    "a wrong password": (
        lambda: RedisServer("--requirepass", "right"), lambda server: (server.url(), WRONG),
        ["refuses the user or the password", "LARDER_SHARED_PASSWORD_FILE"]),
    "no password": (
        lambda: RedisServer("--requirepass", "right"), lambda server: (server.url(), {}),
        ["asks for a password", "LARDER_SHARED_PASSWORD_FILE"]),
    "an unknown user": (
        lambda: RedisServer(), lambda server: (server.url("nobody"), WRONG), ["ACL LIST in redis-cli shows"]),
    "no right to greet": (
        lambda: forbidden("ping"), lambda server: (server.url(), {}), ["lacks +ping;", "ACL SETUSER"]),
    "no right to read": (
        lambda: forbidden("mget"), lambda server: (server.url(), {}),
        ["lacks +mget;", "ACL SETUSER", "name and +mget"]),
    "no right to run scripts": (
        lambda: forbidden("eval"), lambda server: (server.url(), {}),
        ["lacks +eval;", "ACL SETUSER", "larder reads from the shared level"]),
    "a cluster": (
        lambda: RedisServer("--cluster-enabled", "yes"), lambda server: (server.url(), {}), ["cluster-enabled no"]),
    "a replica": (
        lambda: RedisServer("--replicaof", "127.0.0.1", "1"), lambda server: (server.url(), {}),
        ["must name the primary"]),
    "no Redis": (
        lambda: Silent(b"HTTP/1.1 400 Bad Request\r\n\r\n"), lambda server: (server.url(), {}), ["usual port is 6379"]),
    "no answer": (
        lambda: Silent(), lambda server: (server.url(), {}), ["no reply", ". Check that the server is running"]),
}


class TestSharedLevel:
    def test_doctor_reports_a_reachable_redis_server_as_ok(self, doctor):
        with RedisServer() as server:
            for mode, verb in (("read", "reading works"), ("readwrite", "reading and writing work")):
                words = ["--shared", server.url(), "--shared-mode", mode, "--shared-namespace", "team"]
                found = doctor(*words, env=SECRET)
                kind, message = found["shared level"]
                assert (found.code, kind) == (0, "ok"), found.findings
                assert message.startswith(f"{server.url()} (version ") and message.endswith(f": {verb}"), message
                assert f"mode {mode}, namespace 'team'" in message

    def test_doctor_reports_an_unreachable_redis_server_as_a_fault(self, doctor):
        found = doctor("--shared", "redis://127.0.0.1:1/0", env=SECRET)
        kind, message = found["shared level"]
        assert (found.code, kind) == (1, "fault") and message.startswith("redis://127.0.0.1:1/0, mode read"), message
        assert "larder works without the shared level" in message

    def test_doctor_reports_a_read_only_redis_server_as_a_fault_in_mode_readwrite(self, doctor):
        with RedisServer("--replicaof", "127.0.0.1", "1") as server:
            written = doctor("--shared", server.url(), "--shared-mode", "readwrite", env=SECRET)
            assert (written.code, written["shared level"][0]) == (1, "fault"), written.findings
            assert "replica" in written["shared level"][1]
            assert "larder reads from the shared level" in written["shared level"][1]
            assert doctor("--shared", server.url(), env=SECRET)["shared level"][0] == "ok"

    @pytest.mark.parametrize("fault", FAULTS)
    def test_doctor_gives_each_fault_of_the_shared_level_its_own_hint(self, doctor, fault):
        make, words, expected = FAULTS[fault]
        with make() as server:
            url, env = words(server)
            found = doctor("--shared", url, "--shared-mode", "readwrite", env={**SECRET, **QUIET, **env})
        kind, message = found["shared level"]
        assert (found.code, kind) == (1, "fault"), found.findings
        for word in expected:
            assert word in message, message
        assert "the wrong one" not in message, message

    def test_doctor_reports_a_full_redis_server_as_a_fault(self, doctor):
        with RedisServer("--maxmemory", "1", "--maxmemory-policy", "noeviction") as server:
            found = doctor("--shared", server.url(), "--shared-mode", "readwrite", env=SECRET)
            kind, message = found["shared level"]
            assert kind == "fault" and "CONFIG SET maxmemory-policy allkeys-lru" in message, message

    def test_doctor_names_all_missing_redis_rights(self, doctor):
        with RedisServer() as server:
            server("ACL", "SETUSER", "default", "-get", "-pttl", "-mget")
            found = doctor("--shared", server.url(), "--shared-mode", "readwrite", env=SECRET)
            kind, message = found["shared level"]
            assert kind == "fault" and "lacks +mget, +get and +pttl;" in message, message
            assert "ACL SETUSER" in message and "+mget +get +pttl" in message, message
            found = doctor("--shared", server.url(), env=SECRET)
            assert "lacks +mget;" in found["shared level"][1], found.findings

    def test_doctor_reports_invalid_shared_options_as_a_fault(self, doctor):
        found = doctor("--shared", "redis://127.0.0.1:1/0")
        assert found.code == 1 and found["shared level"][0] == "fault"
        assert "LARDER_SHARED_SECRET" in found["shared level"][1]
        assert found["catalog"][0] == "ok" and found["network"][0] == "ok"

    def test_doctor_warns_about_a_password_in_the_url_of_the_redis_server(self, doctor):
        with RedisServer("--requirepass", "hunter2") as server:
            server.log_in("hunter2")
            url = server.url(":hunter2")
            for words, env, expected in (
                (["--shared", url], {}, "--shared has a password in its URL: other users"),
                ([], {"LARDER_SHARED": url}, "LARDER_SHARED has a password in its URL: a URL"),
            ):
                found = doctor(*words, env={**SECRET, **env})
                kind, message = found["shared level"]
                assert (found.code, kind) == (0, "warning") and expected in message, found.findings
                assert "reading works" in message and "hunter2" not in str(found.findings), found.findings
            found = doctor("--shared", server.url(), env={**SECRET, "LARDER_SHARED_PASSWORD": "hunter2"})
            assert (found.code, found["shared level"][0]) == (0, "ok"), found.findings
