"""`larder mcp bundle`: the bundle follows the MCPB specification, and its server works."""

import hashlib
import json
import os
import stat
import subprocess
import sys
import zipfile

import pytest

from harness import PATIENCE, ROOT, binary, request
from mcp_client import LATEST, hello

SECRET = "s3cr3t-0b51c9d2"
CATALOG = """{
  "larder": 1, "apis": {"hub": {"baseURL": "http://127.0.0.1:1"}},
  "resources": {"note": {"api": "hub", "id": "integer", "rest": {"get": {"path": "/notes/{id}"}}}}
}"""


def install(file, home, values=None):
    """Unpacks a bundle as a host does. Returns the manifest, the command and the variables of its server."""
    folder = home / "installed"
    with zipfile.ZipFile(file) as archive:
        assert archive.testzip() is None
        for entry in archive.infolist():
            path = archive.extract(entry, folder)
            os.chmod(path, stat.S_IMODE(entry.external_attr >> 16))
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))

    def filled(text):
        text = text.replace("${__dirname}", str(folder))
        for name, setting in manifest.get("user_config", {}).items():
            text = text.replace("${user_config.%s}" % name, (values or {}).get(name, setting["default"]))
        return text

    start = manifest["server"]["mcp_config"]
    variables = {name: filled(value) for name, value in start.get("env", {}).items()}
    return manifest, [filled(word) for word in [start["command"], *start["args"]]], variables


def tools(command, variables, home):
    variables = {"PATH": os.environ["PATH"], "HOME": str(home)} | variables
    lines = request("initialize", hello(LATEST)) + request("tools/list", id=2)
    done = subprocess.run(
        command, input=lines.encode(), capture_output=True, env=variables, cwd="/", timeout=PATIENCE, check=True
    )
    replies = {reply["id"]: reply for reply in map(json.loads, done.stdout.splitlines())}
    return [tool["name"] for tool in replies[2]["result"]["tools"]]


def test_bundle_of_a_catalog_file_starts_a_server_with_this_catalog(command, home):
    path = home / "hub.jsonc"
    path.write_text(CATALOG.replace('"apis": {"hub": {', '"apis": {"hub": {"auth": {"bearer": "${env:HUB_TOKEN}"}, '))
    done = command("mcp", "bundle", home / "b.mcpb", "--catalog", path, env={"HUB_TOKEN": SECRET})
    assert done.code == 0 and str(home / "b.mcpb") in done.stderr and done.stdout == b"", done
    path.unlink()
    manifest, line, variables = install(home / "b.mcpb", home)
    required = {"manifest_version", "name", "version", "description", "author", "server"}
    assert required <= set(manifest) and manifest["name"] == "larder-hub"
    assert manifest["server"]["type"] == "binary" and manifest["server"]["entry_point"] == "server/larder"
    assert manifest["compatibility"]["platforms"] == ["darwin" if sys.platform == "darwin" else "linux"]
    setting = manifest["user_config"]["HUB_TOKEN"]
    assert setting["sensitive"] is True and setting["required"] is False
    assert variables == {"HUB_TOKEN": ""} and SECRET.encode() not in (home / "b.mcpb").read_bytes()
    assert tools(line, variables, home)[0] == "hub_get_item"


def test_bundle_is_named_after_the_prefix_of_its_tools(home):
    line = [binary(), "mcp", "bundle", "--catalog", "hackernews", "--tool-prefix", "news"]
    subprocess.run(line, cwd=home, env={"HOME": str(home)}, check=True, timeout=PATIENCE, capture_output=True)
    assert (home / "larder-news.mcpb").exists()
    subprocess.run(line[:3], cwd=home, env={"HOME": str(home)}, check=True, timeout=PATIENCE, capture_output=True)
    assert (home / "larder.mcpb").exists()


def test_prefix_of_the_tools_is_the_name_of_the_catalog(home):
    line = [binary(), "mcp", "bundle", "--catalog", "hackernews"]
    subprocess.run(line, cwd=home, env={"HOME": str(home)}, check=True, timeout=PATIENCE, capture_output=True)
    manifest, line, variables = install(home / "larder-hackernews.mcpb", home)
    assert manifest["name"] == "larder-hackernews" and "user_config" not in manifest
    assert line[1:] == ["--catalog", "hackernews", "--tool-prefix", "hackernews"]
    assert "hackernews_list_items" in tools(line, variables, home)


@pytest.mark.parametrize("text, hint", [
    (CATALOG.replace('"larder": 1,', '"larder": 1, "include": ["part.jsonc"],'), "part.jsonc"),
    ('{"larder": 1, "apis": {}, "resource": {}}', "resource"),
])
def test_catalog_that_cannot_be_bundled_is_refused(command, home, text, hint):
    (home / "part.jsonc").write_text('{"resources": {}}')
    (home / "c.jsonc").write_text(text)
    done = command("mcp", "bundle", home / "b.mcpb", "--catalog", home / "c.jsonc")
    assert done.code == 78 and hint in done.stderr and not (home / "b.mcpb").exists(), done


@pytest.mark.parametrize("members, what", [
    ('"auth": {"bearer": "%s"}', "'bearer' of the API 'hub'"),
    ('"auth": {"basic": {"user": "${env:HUB_USER}", "password": "%s"}}', "'password' in 'basic' of the API 'hub'"),
    ('"headers": {"Authorization": "Bearer %s"}', "the header 'Authorization' of the API 'hub'"),
    ('"proxy": "http://me:%s@127.0.0.1:1"', "the password in 'proxy' of the API 'hub'"),
])
def test_catalog_with_a_secret_is_refused(command, home, members, what):
    (home / "c.jsonc").write_text(CATALOG.replace('"hub": {', '"hub": {' + members % SECRET + ", ", 1))
    done = command("mcp", "bundle", home / "b.mcpb", "--catalog", home / "c.jsonc")
    assert done.code == 78 and "c.jsonc:2:" in done.stderr and f"{what} is written in the catalog" in done.stderr, done
    assert "use '${env:NAME}' instead" in done.stderr and SECRET not in done.stderr
    assert not (home / "b.mcpb").exists()


@pytest.mark.parametrize("text, code", [
    (CATALOG.replace("http://", f"http://me:{SECRET}@"), 78), (CATALOG, 64),
])
def test_base_url_with_a_password_is_refused(command, home, text, code):
    (home / "c.jsonc").write_text(text)
    given = ["--base-url", f"hub=http://me:{SECRET}@127.0.0.1:1"] if code == 64 else []
    done = command("mcp", "bundle", home / "b.mcpb", "--catalog", home / "c.jsonc", *given)
    assert done.code == code and "must not have a user or password" in done.stderr and SECRET not in done.stderr, done
    assert not (home / "b.mcpb").exists()


@pytest.mark.parametrize("option", ["--replay", "--record", "--cache-dir", "--data-dir"])
def test_bundle_refuses_options_that_name_a_local_folder(command, home, option):
    done = command("mcp", "bundle", home / "b.mcpb", "--catalog", "hackernews", option, home)
    assert done.code == 64 and f"'larder mcp bundle' does not accept {option}" in done.stderr, done
    assert "leave the option out" in done.stderr and not (home / "b.mcpb").exists()


def make(*words):
    line = ["make", "--dry-run", "--no-print-directory", "bundle", *words]
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)


@pytest.mark.parametrize("words", [[], ["ARGS="], ["ARGS= "]])
def test_make_target_bundle_requires_a_catalog(words):
    done = make(*words)
    assert done.returncode == 2 and "ARGS is empty: name the catalog" in done.stderr and not done.stdout, done


def test_make_target_bundle_has_a_clean_environment():
    done = make("ARGS=--catalog github")
    (line,) = [line for line in done.stdout.splitlines() if " mcp bundle " in line]
    assert line.startswith("env -i PATH=") and "HOME='" in line and "--catalog github" in line


@pytest.mark.parametrize("write, reason", [
    (lambda path: path.write_text("{}"), "not a zip file"),
    (lambda path: zipfile.ZipFile(path, "w").close(), "manifest.json"),
    (lambda path: pack(path, "not JSON"), "Expecting value"),
    (lambda path: pack(path, b"\xff"), "decode"),
    (lambda path: pack(path, "[]"), "its manifest has no version"),
    (lambda path: pack(path, '{"version": 1}'), "its manifest has no version"),
    (lambda path: pack(path, "{}", change=(b"PK\x01\x02", 10, 99)), "compression"),
    (lambda path: pack(path, "{" * 99, zipfile.ZIP_DEFLATED, change=(b"manifest.json", 13, 0xFF)), "decompressing"),
])
def test_file_that_is_not_a_bundle_has_no_registry_entry(home, write, reason):
    path = home / "b.mcpb"
    write(path)
    line = [sys.executable, ROOT / "packaging" / "server-json", "io.github.a/larder", "https://github.com/a", path]
    done = subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 1 and done.stderr.startswith(f"server-json: '{path}' is not an MCP bundle: "), done
    assert reason in done.stderr and "make it with 'larder mcp bundle'" in done.stderr and not done.stdout


def pack(path, manifest, compression=zipfile.ZIP_STORED, change=None):
    """Writes an archive with a manifest. `change` consists of a string, an offset from its first occurrence, and the
    new byte at this offset."""
    with zipfile.ZipFile(path, "w", compression) as archive:
        archive.writestr("manifest.json", manifest)
    if change:
        text, offset, byte = change
        contents = bytearray(path.read_bytes())
        contents[contents.index(text) + offset] = byte
        path.write_bytes(contents)


def test_registry_entry_has_the_hash_and_the_secrets(command, home):
    path = home / "larder-hub.mcpb"
    (home / "hub.jsonc").write_text(CATALOG.replace('"hub": {"base', '"hub": {"auth": {"bearer": "${env:T}"}, "base'))
    assert command("mcp", "bundle", path, "--catalog", home / "hub.jsonc").code == 0
    script = ROOT / "packaging" / "server-json"
    url = "https://github.com/a/larder/releases/download/v1"
    line = [sys.executable, script, "io.github.a/larder", url, path]
    entry = json.loads(subprocess.run(line, check=True, capture_output=True, timeout=PATIENCE).stdout)
    assert entry["name"] == "io.github.a/larder" and 0 < len(entry["description"]) <= 100
    (package,) = entry["packages"]
    assert package["identifier"] == f"{url}/larder-hub.mcpb" and package["version"] == entry["version"]
    assert package["fileSha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert package["environmentVariables"] == [{"name": "T", "isSecret": True}]
    wrong = subprocess.run([sys.executable, script, "larder", url, path], capture_output=True, timeout=PATIENCE)
    assert wrong.returncode == 1 and b"io.github.OWNER/larder" in wrong.stderr


def test_file_that_cannot_be_written_is_an_error(command, home):
    done = command("mcp", "bundle", home / "none" / "b.mcpb")
    assert done.code == 1 and "cannot write" in done.stderr, done
