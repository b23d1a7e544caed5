"""`larder mcp config`: the printed configuration starts a server that works in the host."""

import json
import os
import re
import shutil
import subprocess

import pytest

from harness import PATIENCE, binary, environment, eventually, request

HOSTS = {
    "generic": "mcpServers",
    "claude": "mcpServers",
    "claude-desktop": "mcpServers",
    "cursor": "mcpServers",
    "vscode": "servers",
    "zed": "context_servers",
    "codex": "mcp_servers",
    "gemini": "mcpServers",
    "opencode": "mcp",
    "lmstudio": "mcpServers",
    "goose": "extensions",
}
# `NAME: VALUE` of Goose and `NAME = VALUE` of Codex. The values are JSON, except for a few plain words.
MEMBER = re.compile(r"^ *(\w+)(?:: | = )(.*)$", re.M)
HANDSHAKE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
SECRET = "s3cr3t-0b51c9d2"
CATALOG = """{
  "larder": 1, "apis": {"hub": {"baseURL": "http://127.0.0.1:1"}},
  "resources": {"note": {"api": "hub", "id": "integer", "rest": {"get": {"path": "/notes/{id}"}}}}
}"""


def server(done, host="generic"):
    assert done.code == 0, done
    text = done.stdout.decode()
    if host not in ("codex", "goose"):
        (found,) = json.loads(text)[HOSTS[host]].values()
        if host == "opencode":
            found["command"], *found["args"] = found["command"]
            found["env"] = found.pop("environment", {})
        return found
    assert re.match(r"\[mcp_servers\.[\w-]+\]\n" if host == "codex" else r"extensions:\n  [\w-]+:\n", text)
    members = {name: value for name, value in MEMBER.findall(text)}
    names = json.loads(members.get("env_vars" if host == "codex" else "env_keys", "[]"))
    program = members["command" if host == "codex" else "cmd"]
    return {
        "command": json.loads(program), "args": json.loads(members["args"]), "env": dict.fromkeys(names, "")
    }


def tools(server, home):
    """Returns the tools of a server started like a host does it: with few variables, in another folder."""
    variables = {"PATH": os.environ["PATH"], "HOME": str(home)} | server.get("env", {})
    lines = request("initialize", HANDSHAKE) + request("tools/list", id=2)
    command = [server["command"], *server["args"]]
    done = subprocess.run(
        command, input=lines.encode(), capture_output=True, env=variables, cwd="/", timeout=PATIENCE, check=True
    )
    replies = {reply["id"]: reply for reply in map(json.loads, done.stdout.splitlines())}
    return {tool["name"]: tool for tool in replies[2]["result"]["tools"]}


@pytest.mark.parametrize("host", HOSTS)
def test_server_started_by_the_mcp_configuration_has_the_same_catalog(command, catalog, home, host):
    found = server(command("mcp", "config", "--host", host, "--catalog", catalog()), host)
    assert found["command"] == binary()
    assert tools(found, home)["get_item"]["inputSchema"]["properties"]["resource"]["enum"] == ["character"]


def test_server_started_by_the_mcp_configuration_uses_the_same_cache_folder(command, upstream, home):
    base = ["--base-url", f"rickandmorty={upstream.url}"]
    found = server(command("mcp", "config", *base))
    assert command("call", "character/get", "id=1", *base).code == 0
    offline = [found["command"], *found["args"], "call", "character/get", "id=1", "cachePolicy=localOnly"]
    done = subprocess.run(offline, env={"PATH": os.environ["PATH"]}, cwd="/", capture_output=True, timeout=PATIENCE)
    assert json.loads(done.stdout)["source"] == "persistence", done


@pytest.mark.parametrize("host", HOSTS)
def test_configurations_for_different_catalogs_have_different_server_names(command, host):
    def name(*options):
        text = command("mcp", "config", "--host", host, *options).stdout.decode()
        if host in ("codex", "goose"):
            return re.match(r"\[mcp_servers\.(.*)\]\n" if host == "codex" else r"extensions:\n  (.*):\n", text)[1]
        (found,) = json.loads(text)[HOSTS[host]]
        return found

    assert name() == "larder"
    assert name("--catalog", "github") == "larder-github"
    assert name("--catalog", "github-graphql") == "larder-github-graphql"
    assert name("--catalog", "github", "--tool-prefix", "my_hub") == "larder-my-hub"
    assert name("--catalog", "github", "--catalog", "stripe") == "larder-github-stripe"


def test_mcp_configuration_contains_absolute_paths(home):
    (home / "bin").mkdir()
    (home / "bin" / "larder").symlink_to(os.path.realpath(binary()))
    (home / "c.jsonc").write_text(CATALOG, encoding="utf-8")
    line = ["bin/larder", "mcp", "config", "--catalog", "./c.jsonc", "--cache-dir", "cache"]
    done = subprocess.run(line, cwd=home, env=environment(home), capture_output=True, timeout=PATIENCE, check=True)
    found = json.loads(done.stdout)["mcpServers"]["larder-c"]
    here = os.path.realpath(home)
    assert found["command"] == f"{here}/bin/larder"
    assert found["args"][:4] == ["--catalog", f"{here}/c.jsonc", "--tool-prefix", "c"]
    assert found["args"][4:6] == ["--cache-dir", f"{here}/cache"]


def test_mcp_configuration_names_secrets_without_their_values(command, catalog):
    path = catalog(auth={"bearer": "${env:HUB_TOKEN}"})
    for host in HOSTS:
        done = command("mcp", "config", "--host", host, "--catalog", path, env={"HUB_TOKEN": SECRET})
        assert list(server(done, host)["env"]) == ["HUB_TOKEN"]
        assert SECRET not in done.stdout.decode() + done.stderr


def test_mcp_config_prints_the_path_of_the_configuration_file_on_stderr(command):
    done = command("mcp", "config", "--host", "vscode")
    assert ".vscode/mcp.json" in done.stderr and done.stderr.count("\n") == 1


def opened(pipe):
    """Opens a pipe for writing. Returns None if no process reads from the pipe yet."""
    try:
        return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:
        return None


def test_mcp_configuration_names_the_program_even_if_its_file_was_replaced(home):
    """While the command runs, the file of the program is replaced under the same name, as by a package manager."""
    copy = home / "larder"
    shutil.copy(binary(), copy)
    pipe = home / "catalog"
    os.mkfifo(pipe)
    line = [str(copy), "mcp", "config", "--catalog", str(pipe)]
    with subprocess.Popen(line, env=environment(home), stdout=subprocess.PIPE) as process:
        with os.fdopen(eventually(lambda: opened(pipe), "a reader of the catalog"), "w") as catalog:
            shutil.copy(binary(), home / "new")
            os.replace(home / "new", copy)
            catalog.write(CATALOG)
        text, _ = process.communicate(timeout=PATIENCE)
    assert json.loads(text)["mcpServers"]["larder"]["command"] == os.path.realpath(copy)


@pytest.mark.parametrize("args, hint", [([], "config"), (["confg"], "'config'"), (["config", "--host", "x"], "zed")])
def test_usage_errors_of_mcp_config_exit_with_code_64(command, args, hint):
    done = command("mcp", *args)
    assert done.code == 64 and hint in done.stderr and done.stdout == b"", done


def test_mcp_config_refuses_a_faulty_catalog(command, home):
    path = home / "faulty.jsonc"
    path.write_text('{"larder": 1, "apis": {}, "resource": {}}')
    done = command("mcp", "config", "--catalog", path)
    assert done.code == 78 and "resource" in done.stderr and done.stdout == b"", done
