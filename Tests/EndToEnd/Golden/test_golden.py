"""Larder's descriptions of itself, such as its schemas and help, equal the stored files, so that each change is
reviewed.

After an intended change, run this test with `LARDER_GOLDEN=write` to update the files. The diff shows the change.
"""

import json
import os
import pathlib
import re

import pytest

FOLDER = pathlib.Path(__file__).parent
CATALOG = FOLDER / "kinds.jsonc"
ROOT = FOLDER.parents[2]
STATELESS = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "golden", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def unfold(value, levels=3):
    """Formats JSON with one line for each member of the outer levels."""
    if levels == 0 or not isinstance(value, (dict, list)) or not value:
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[\n" + ",\n".join(unfold(each, levels - 1) for each in value) + "\n]"
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {unfold(each, levels - 1)}" for key, each in value.items()) + "\n}"


@pytest.fixture
def golden(command):
    """`golden(name, text)` checks that the text equals the stored file, except for the version."""
    version = re.search(r"larder (\S+)", command("--version").stdout.decode())[1]

    def golden(name, text):
        if not isinstance(text, str):
            text = unfold(text) + "\n"
        text, file = text.replace(version, "VERSION"), FOLDER / name
        if os.environ.get("LARDER_GOLDEN") == "write":
            file.write_text(text, encoding="utf-8")
        assert text == file.read_text(encoding="utf-8")

    return golden


def test_catalog_schema_matches_the_stored_file(command, golden):
    golden("catalog-schema.json", json.loads(command("catalog", "schema").stdout))


@pytest.mark.parametrize("kind", ["types", "show"])
@pytest.mark.parametrize("name, catalog", [("kinds", CATALOG), ("every-key", ROOT / "Fixtures/faults/catalog.json")])
def test_catalog_show_and_types_match_the_stored_output(command, golden, name, catalog, kind):
    done = command("catalog", kind, catalog, env={"KEY": "a-secret-of-a-test"})
    assert (done.code, done.stderr) == (0, ""), done
    golden(f"{name}/catalog-{kind}.txt", done.stdout.decode().replace(str(catalog), "CATALOG"))


def test_help_pages_match_the_stored_output(command, golden):
    text = command("help").stdout.decode()
    names = [name.strip() for name in text.split("larder help TOPIC, one of\n")[1].replace("\n", " ").split(",")]
    for name in names:
        text += f"\n===== {name}\n" + command("help", name).stdout.decode()
    golden("help.txt", text)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_match_the_stored_files(command, golden, shell):
    golden(f"completions.{shell}.txt", command("completions", shell).stdout.decode())


@pytest.fixture(params=["built-in", "kinds"])
def declared(request, start):
    """The name of a catalog and a process with it: the built-in catalog, or one with each kind of declaration."""
    options = {"built-in": [], "kinds": ["--catalog", CATALOG]}[request.param]
    return request.param, start(*options, upstream=None)


def test_rpc_discover_matches_the_stored_document(declared, golden):
    name, larder = declared
    golden(f"{name}/rpc-discover.json", larder.call("rpc.discover"))


WRONG = [None, True, 1.5, "", "..", [], {}]
REFUSING = ("thing/", "note/", "cache/", "recents/", "request/")


def answer(larder, method, params):
    """Returns the code, message and data of an error, or the member names of a result."""
    reply = larder.wait(larder.send(method, params))
    if "error" in reply:
        return [value for value in reply["error"].values() if value is not None]
    return sorted(reply["result"]) if isinstance(reply["result"], dict) else reply["result"]


def test_error_messages_of_methods_match_the_stored_ones(start, golden):
    """Calls each method once per parameter and wrong value, with valid values for all other parameters of the
    method."""
    larder = start("--catalog", CATALOG, "--offline", upstream=None)
    good = {"id": 1, "ids": [1], "owner": "me", "number": 7, "cachePolicy": "localOnly", "text": "x", "observer": "o"}
    found = {}
    for method in larder.call("rpc.discover")["methods"]:
        known = [param["name"] for param in method["params"]]
        if not method["name"].startswith(REFUSING):
            continue
        base = {key: value for key, value in good.items() if key in known}
        if method["name"].startswith("cache/"):
            base = {"resource": "thing", "id": 1}
        if method["name"] == "request/explain":
            base = {"method": "thing/get", "params": {"id": 1}}
        cases = {"": base, "unknown": {**base, "nmae": 1}}
        for param in known:
            if param in base:
                cases[f"without {param}"] = {key: value for key, value in base.items() if key != param}
            for wrong in WRONG:
                cases[f"{param} = {json.dumps(wrong)}"] = {**base, param: wrong}
        for number, params in enumerate(cases.values()):
            if params.get("observer") == "o":
                params["observer"] = f"o{number}"  # An observer name can be used once.
        found[method["name"]] = {case: answer(larder, method["name"], params) for case, params in cases.items()}
    golden("kinds/refusals.json", unfold(found, levels=2) + "\n")


@pytest.mark.parametrize("method", ["server/discover", "tools/list", "resources/list", "resources/templates/list"])
def test_mcp_replies_match_the_stored_ones(declared, golden, method):
    name, larder = declared
    golden(f"{name}/mcp-{method.replace('/', '-')}.json", larder.call(method, _meta=STATELESS))


def test_mcp_tool_results_match_the_stored_ones(declared, golden):
    name, larder = declared
    resources = larder.call("initialize")["capabilities"]["resources"] if name == "kinds" else ["character"]
    calls = [("describe_resource", {"resource": each}) for each in resources]
    calls += [("describe_resource", {}), ("describe_resource", {"resource": "thin"}), ("prefetch_list", {})]
    calls += [("get_item", {"resource": "thing"}), ("list_items", {"resource": "note"})]
    told = []
    for tool, arguments in calls:
        params = {"name": tool, "arguments": arguments, "_meta": STATELESS}
        told.append([tool, arguments, larder.wait(larder.send("tools/call", params)).get("result")])
    golden(f"{name}/tools.json", told)


def test_error_messages_of_mcp_tools_match_the_stored_ones(start, golden):
    """Calls each tool once per argument and wrong value, with valid values for all other arguments of the tool."""
    larder = start("--catalog", CATALOG, "--offline", upstream=None)
    good = {"resource": "note", "id": "1", "text": "x", "scope": {"owner": "me", "number": 7}}
    found = {}
    for tool in larder.call("tools/list", _meta=STATELESS)["tools"]:
        known = list(tool["inputSchema"]["properties"])
        base = {key: value for key, value in good.items() if key in known}
        cases = {"": base, "unknown": {**base, "nmae": 1}, "thing": {**base, "resource": "thing"}}
        for argument in known:
            cases[f"without {argument}"] = {key: value for key, value in base.items() if key != argument}
            for wrong in WRONG:
                cases[f"{argument} = {json.dumps(wrong)}"] = {**base, argument: wrong}
        found[tool["name"]] = {}
        for case, arguments in cases.items():
            params = {"name": tool["name"], "arguments": arguments, "_meta": STATELESS}
            reply = larder.wait(larder.send("tools/call", params))
            if "error" in reply:
                found[tool["name"]][case] = reply["error"]
            else:
                found[tool["name"]][case] = [content["text"] for content in reply["result"]["content"]]
    golden("kinds/refusals-of-tools.json", unfold(found, levels=2) + "\n")
