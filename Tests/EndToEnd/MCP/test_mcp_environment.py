"""MCP hosts that pass few environment variables to Larder: often no HOME, and never the XDG variables."""

import json
import os
import pwd
import shutil
import stat
import subprocess
import sys
import tempfile

import pytest

from harness import PATIENCE, binary, request
from mcp_client import LATEST, STATELESS, Client, hello, outcome

BARE = {"PATH": os.environ.get("PATH", "/usr/bin:/bin")}


def ask(*arguments, requests, env, program=None, prepare=None):
    """Runs a process with exactly the given environment variables. Returns its replies by id, and its log."""
    done = subprocess.run(
        [program or binary(), *map(str, arguments)],
        input="".join(requests).encode(), capture_output=True, env=env, timeout=PATIENCE, preexec_fn=prepare
    )
    assert done.returncode == 0, done.stderr
    return {reply["id"]: reply for reply in map(json.loads, done.stdout.splitlines())}, done.stderr.decode()


def session(tool, **arguments):
    """Returns the handshake of a host, followed by one tool call."""
    notice = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}) + "\n"
    call = {"name": tool, "arguments": arguments}
    return [request("initialize", hello(LATEST), id=0), notice, request("tools/call", call, id=1)]


def test_cache_folder_is_found_without_the_variable_HOME():
    """Prints only the path of the cache file, because a process that serves requests would write to the user's real
    folder."""
    done = subprocess.run([binary(), "cache", "path"], capture_output=True, env=BARE, timeout=PATIENCE)
    home = pwd.getpwuid(os.getuid()).pw_dir
    assert done.returncode == 0, done.stderr
    assert f"{home}/.cache/larder/cache.sqlite" in done.stdout.decode()


def test_session_uses_the_cache_file_if_only_HOME_is_set(home, upstream):
    """A second process finds in the cache file the item that a first process has cached."""
    env = {**BARE, "HOME": str(home)}
    for source in ("remote", "persistence"):
        replies, _ = ask(
            "--base-url", f"rickandmorty={upstream.url}", env=env,
            requests=session("get_item", resource="character", id=1)
        )
        assert replies[0]["result"]["protocolVersion"] == LATEST
        assert outcome(replies[1]["result"])["source"] == source
    assert (home / ".cache" / "larder" / "cache.sqlite").exists()


@pytest.mark.skipif(os.getuid() != 0 or sys.platform != "linux", reason="runs as a user without a home")
def test_requests_without_a_home_folder_are_answered_and_the_log_names_the_variable_to_set(upstream):
    with tempfile.TemporaryDirectory() as folder:
        program = shutil.copy(binary(), folder)
        os.chmod(folder, 0o755)
        os.chmod(program, stat.S_IRWXU | stat.S_IRGRP | stat.S_IXGRP | stat.S_IROTH | stat.S_IXOTH)
        replies, said = ask(
            "--base-url", f"rickandmorty={upstream.url}", env=BARE, program=program,
            requests=session("get_item", resource="character", id=1),
            prepare=lambda: (os.chdir("/"), os.setgid(54321), os.setuid(54321))
        )
    assert outcome(replies[1]["result"])["source"] == "remote", "requests are answered nevertheless"
    assert "set HOME, XDG_CACHE_HOME or --cache-dir" in said


@pytest.mark.parametrize("variables", [{}, {"HOME": ""}, {"HOME": "relative"}, {"XDG_CACHE_HOME": "relative"}], ids=str)
def test_folder_variables_with_invalid_paths_are_ignored(places, upstream, variables):
    replies, _ = ask(
        *places, "--base-url", f"rickandmorty={upstream.url}", env={**BARE, **variables},
        requests=session("get_item", resource="character", id=1)
    )
    assert outcome(replies[1]["result"])["item"]["id"] == 1


class TestSecrets:
    CATALOG = {"baseURL": "http://127.0.0.1:1", "retries": 0}

    @pytest.fixture
    def catalog(self, home):
        def catalog(token):
            path = home / "catalog.json"
            api = {**self.CATALOG, "auth": {"bearer": token}}
            character = {
                "api": "rickandmorty", "id": "integer", "fields": {"id": "integer", "name": "string"},
                "rest": {"get": {"path": "/api/character/{id}"}}
            }
            path.write_text(
                json.dumps({"larder": 1, "apis": {"rickandmorty": api}, "resources": {"character": character}})
            )
            return path

        return catalog

    def call(self, catalog, places, upstream):
        options = ["--catalog", catalog, *places, "--base-url", f"rickandmorty={upstream.url}"]
        replies, said = ask(*options, env=BARE, requests=session("get_item", resource="character", id=1))
        return replies[1]["result"], said

    def test_secret_is_read_from_a_file(self, home, catalog, places, upstream):
        secret = home / "token"
        secret.write_text("secret-of-a-file-77aa\n")
        secret.chmod(0o600)
        result, said = self.call(catalog("${file:%s}" % secret), places, upstream)
        assert outcome(result)["item"]["id"] == 1
        (sent,) = upstream.requests()
        assert sent["headers"]["authorization"] == "Bearer secret-of-a-file-77aa"
        assert "77aa" not in json.dumps(result) + said

    def test_secret_is_read_from_a_command(self, catalog, places, upstream):
        result, _ = self.call(catalog({"command": ["echo", "secret-of-a-command-77bb"]}), places, upstream)
        assert outcome(result)["item"]["id"] == 1
        (sent,) = upstream.requests()
        assert sent["headers"]["authorization"] == "Bearer secret-of-a-command-77bb"

    def test_tool_error_names_the_missing_secret(self, catalog, places, upstream):
        """The catalog uses an environment variable that the MCP host has not passed to the server."""
        result, _ = self.call(catalog("${env:TOKEN_THAT_THE_HOST_LACKS}"), places, upstream)
        assert result["isError"] is True and "TOKEN_THAT_THE_HOST_LACKS" in result["content"][0]["text"]
        assert upstream.count() == 0


def test_log_lines_are_not_written_to_stdout(start, home):
    """Log lines go to stderr, because stdout carries only protocol messages."""
    (home / "file").write_text("no folder")
    client = Client(start("--log-level", "debug", cache_dir=home / "file"), STATELESS)
    client.read("larder://character/1")
    client.expect_nothing_unasked()
    assert "larder: warning: " in client.larder.stderr()
