"""The texts that Larder declares itself by are those of the files beside this one, so that each change of them is seen.

After an intended change, `LARDER_GOLDEN=write` in front of this test writes the files; the diff shows the change."""

import json
import os
import pathlib
import re

import pytest

FOLDER = pathlib.Path(__file__).parent
CATALOG = FOLDER / "kinds.jsonc"
STATELESS = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "golden", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def unfold(value, levels=3):
    """JSON with a line for each member of the outer levels."""
    if levels == 0 or not isinstance(value, (dict, list)) or not value:
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[\n" + ",\n".join(unfold(each, levels - 1) for each in value) + "\n]"
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {unfold(each, levels - 1)}" for key, each in value.items()) + "\n}"


@pytest.fixture
def golden(command):
    """golden(name, text): the text is that of the file, but for the version."""
    version = re.search(r"larder (\S+)", command("--version").stdout.decode())[1]

    def golden(name, text):
        if not isinstance(text, str):
            text = unfold(text) + "\n"
        text, file = text.replace(version, "VERSION"), FOLDER / name
        if os.environ.get("LARDER_GOLDEN") == "write":
            file.write_text(text, encoding="utf-8")
        assert text == file.read_text(encoding="utf-8")

    return golden


def test_the_schema(command, golden):
    golden("catalog-schema.json", json.loads(command("catalog", "schema").stdout))


@pytest.mark.parametrize("kind", ["types", "show"])
def test_catalog(command, golden, kind):
    done = command("catalog", kind, CATALOG)
    assert (done.code, done.stderr) == (0, ""), done
    golden(f"kinds/catalog-{kind}.txt", done.stdout.decode().replace(str(CATALOG), "CATALOG"))


def test_help(command, golden):
    text = command("help").stdout.decode()
    names = [name.strip() for name in text.split("larder help TOPIC, one of\n")[1].replace("\n", " ").split(",")]
    for name in names:
        text += f"\n===== {name}\n" + command("help", name).stdout.decode()
    golden("help.txt", text)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions(command, golden, shell):
    golden(f"completions.{shell}.txt", command("completions", shell).stdout.decode())


@pytest.fixture(params=["built-in", "kinds"])
def declared(request, start):
    """The name of a catalog and a process with it: the built-in one, and one with each kind of declaration."""
    options = {"built-in": [], "kinds": ["--catalog", CATALOG]}[request.param]
    return request.param, start(*options, upstream=None)


def test_the_methods(declared, golden):
    name, larder = declared
    golden(f"{name}/rpc-discover.json", larder.call("rpc.discover"))


@pytest.mark.parametrize("method", ["server/discover", "tools/list", "resources/list", "resources/templates/list"])
def test_mcp(declared, golden, method):
    name, larder = declared
    golden(f"{name}/mcp-{method.replace('/', '-')}.json", larder.call(method, _meta=STATELESS))
