"""Options and environment variables of the shared level, and the messages about invalid ones."""

import json

import pytest

SECRET = "0123456789abcdef"
PASSWORD = "s3cr3t-0b51c9d2"
# No server listens there. Only the shared level would connect.
NOWHERE = "redis://127.0.0.1:1/0"
STATS = ["call", "cache/stats", "--no-persistence"]


def shared(done):
    assert done.code == 0, done
    return json.loads(done.stdout).get("shared")


def test_shared_level_is_off_by_default(command):
    secret = {"LARDER_SHARED_SECRET": SECRET}
    assert shared(command(*STATS)) is None
    assert shared(command(*STATS, env=secret)) is None
    assert shared(command(*STATS, env={**secret, "LARDER_SHARED": ""})) is None
    assert shared(command(*STATS, "--shared", "", env={**secret, "LARDER_SHARED": NOWHERE})) is None


def test_shared_options_override_the_environment(command):
    env = {
        "LARDER_SHARED": NOWHERE,
        "LARDER_SHARED_SECRET": SECRET,
        "LARDER_SHARED_MODE": "readwrite",
        "LARDER_SHARED_NAMESPACE": "team",
    }
    told = shared(command(*STATS, env=env))
    assert (told["url"], told["mode"], told["namespace"]) == (NOWHERE, "readwrite", "team")
    other = ["--shared", "redis://127.0.0.1:2/1", "--shared-mode", "read", "--shared-namespace", "other"]
    told = shared(command(*STATS, *other, env=env))
    assert (told["url"], told["mode"], told["namespace"]) == ("redis://127.0.0.1:2/1", "read", "other")
    told = shared(command(*STATS, "--shared", NOWHERE, env={"LARDER_SHARED_SECRET": SECRET}))
    assert (told["mode"], told["namespace"]) == ("read", "default")


def test_shared_password_and_secret_may_be_read_from_files(command, home):
    (home / "secret").write_text(f"{SECRET}\n")
    (home / "password").write_text(f"{PASSWORD}\n")
    env = {"LARDER_SHARED_SECRET_FILE": str(home / "secret"), "LARDER_SHARED_PASSWORD_FILE": str(home / "password")}
    assert shared(command(*STATS, "--shared", NOWHERE, env=env))["url"] == NOWHERE


@pytest.mark.parametrize(
    "url, env, said",
    [
        (NOWHERE, {}, "--shared needs a secret: set LARDER_SHARED_SECRET"),
        (NOWHERE, {"LARDER_SHARED_SECRET": ""}, "--shared needs a secret"),
        (NOWHERE, {"LARDER_SHARED_SECRET": SECRET[1:]}, "LARDER_SHARED_SECRET is too short: at least 16 bytes"),
        (NOWHERE, {"LARDER_SHARED_SECRET": SECRET, "LARDER_SHARED_SECRET_FILE": "x"}, "are both set"),
        (NOWHERE, {"LARDER_SHARED_SECRET_FILE": "/dev/null/none"}, "LARDER_SHARED_SECRET_FILE: cannot read"),
        (NOWHERE, {"LARDER_SHARED_SECRET": SECRET, "LARDER_SHARED_MODE": "write"}, "LARDER_SHARED_MODE must be read"),
        (NOWHERE, {"LARDER_SHARED_SECRET": SECRET, "LARDER_SHARED_NAMESPACE": "{x}"}, "LARDER_SHARED_NAMESPACE must"),
        (
            f"redis://me:{PASSWORD}@127.0.0.1:1",
            {"LARDER_SHARED_SECRET": SECRET, "LARDER_SHARED_PASSWORD": "other"},
            "--shared and LARDER_SHARED_PASSWORD both set a password",
        ),
        (f"http://me:{PASSWORD}@127.0.0.1:1", {"LARDER_SHARED_SECRET": SECRET}, "--shared: "),
        (f"redis://me:{PASSWORD}@127.0.0.1:port", {"LARDER_SHARED_SECRET": SECRET}, "--shared: "),
    ],
)
def test_error_names_the_invalid_shared_option(command, url, env, said):
    done = command(*STATS, "--shared", url, env=env)
    assert done.code == 64 and done.stdout == b"", done
    assert said in done.stderr and done.stderr.startswith("larder: ") and done.stderr.count("\n") == 1, done
    assert PASSWORD not in done.stderr and SECRET not in done.stderr


def test_shared_secret_is_required_only_if_the_shared_level_is_used(command, home, places):
    env = {"LARDER_SHARED": NOWHERE}
    for words in (["check"], ["catalog", "show"], ["cache", "path"], ["mcp", "config"], [*STATS, "--offline"]):
        assert command(*words, *places, env=env).code == 0, words
    assert shared(command(*STATS, "--offline", env={**env, "LARDER_SHARED_SECRET": SECRET})) is None


def test_shared_passwords_and_secrets_are_never_printed(command):
    url = f"redis://me:{PASSWORD}@127.0.0.1:1/0"
    env = {"LARDER_SHARED_SECRET": SECRET}
    doctor = ["doctor", "--base-url", "rickandmorty=http://127.0.0.1:1"]
    for words in (STATS, ["call", "server/status"], ["mcp", "config"], doctor):
        done = command(*words, "--shared", url, env=env)
        assert PASSWORD not in done.stdout.decode() + done.stderr, done
        assert SECRET not in done.stdout.decode() + done.stderr, done


def test_mcp_config_has_all_shared_options_without_the_secrets(command):
    env = {"LARDER_SHARED": f"redis://me:{PASSWORD}@cache/1", "LARDER_SHARED_MODE": "readwrite"}
    done = command("mcp", "config", env=env)
    server = json.loads(done.stdout)["mcpServers"]["larder"]
    words = ["--shared", "redis://me@cache/1", "--shared-mode", "readwrite", "--shared-namespace", "default"]
    start = server["args"].index("--shared")
    assert server["args"][start : start + len(words)] == words
    assert server["env"] == {"LARDER_SHARED_PASSWORD": "", "LARDER_SHARED_SECRET": ""}
    assert "fill in LARDER_SHARED_PASSWORD, LARDER_SHARED_SECRET" in done.stderr
