"""Every example of the README and of docs/ works as shown, and everything that the documents name exists.

* ```json has lines `-> request` and `<- reply`, exchanged with one process in this order. Notifications are in order
  within their method; they may come before or after neighbouring replies.
* ```console has lines `$ command`, each followed by its output (stderr first). A command must succeed.
* ```jsonc is a catalog, or members of an API or a resource, and must be valid. If the first line is `// NAME`, the
  commands of the document find it under that name.
* ```python prints the text after `# ->`.
* In docs/from-documentation.md, `larder` uses the API of that page (`lights.py`) and not the recorded answers. Commands
  in docs/mcp.md, and examples of `larder mcp config`, get only the options that they show.
* ```sh has commands that build, install or record. They are not run, but what they name must exist.

`...` matches anything. Texts must be equal, except for the values that change with each run: see `settled`. `larder` is
the built binary with recorded answers, in a separate folder for each example.
"""

import functools
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

import lights
from harness import CASSETTES, PATIENCE, Larder, binary, environment
from standins import Server

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
NOTES = [ROOT / f"{name}.md" for name in ("ARCHITECTURE", "CONTRIBUTING", "CHANGELOG", "SECURITY")]
DOCUMENTS = [*EXAMPLES, *NOTES, *DECISIONS]
TEXTS = {document: document.read_text(encoding="utf-8") for document in DOCUMENTS}
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


def blocks(language, documents=DOCUMENTS):
    for document in documents:
        for match in FENCE.finditer(TEXTS[document]):
            if match.group(1) == language:
                line = TEXTS[document][: match.start()].count("\n") + 2
                yield pytest.param(document, match.group(2), id=f"{document.name}:{line}")


def settled(text):
    """Replaces the values that change with each run."""
    text = re.sub(r'("(?:fetchedAt|since|loadedAt)":)"[^"]*"', r'\1"T"', text)
    text = re.sub(r'("(?:pid|uptime|bytes)":)[0-9.]+', r"\g<1>0", text)
    text = re.sub(r'(("command"|command|cmd)(:| =) )"[^"]*larder"', r'\1"P"', text)
    text = re.sub(r'^( +)"/[^"]*/larder",$', r'\1"P",', text, flags=re.M)
    return re.sub(r'("path":)"[^"]*\.sqlite"', r'\1"P"', text)


def same(found, expected):
    pattern = ".*".join(re.escape(part) for part in settled(expected).split("..."))
    assert re.fullmatch(pattern, settled(found)), f"found:    {settled(found)}\nexpected: {settled(expected)}"


@pytest.fixture
def place(home):
    """The folder of an example, with the repository's folders that it may name."""
    folder = home / "place"
    folder.mkdir()
    for name in ("Fixtures", "clients"):
        (folder / name).symlink_to(ROOT / name)
    return folder


@pytest.fixture
def program(home, places):
    """A `larder` that uses the recorded answers by default, with its files in the test's folder."""
    path = home / "bin" / "larder"
    path.parent.mkdir()
    named = f"${{REACHED:---replay '{CASSETTES}'}} ${{PLACES-{' '.join(places)}}}"
    path.write_text(f"#!/bin/sh\nexec '{binary()}' {named} \"$@\"\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def run(home, place, program):
    def run(*command, **variables):
        python_path = str(ROOT / "clients" / "python" / "src")
        settings = environment(home, {"LARDER_BIN": str(program), "PYTHONPATH": python_path, **variables})
        settings["PATH"] = f"{program.parent}:{settings['PATH']}"
        return subprocess.run(
            command, env=settings, cwd=place, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE
        )

    return run


@pytest.fixture
def register():
    """The API of the page that builds a catalog step by step."""
    with Server(lights.answer) as server:
        yield server
        assert server.wrong == []


@pytest.mark.parametrize("document, example", blocks("json"))
def test_documented_json_exchange_matches_the_replies(document, example, home):
    with Larder(home, "--replay", str(CASSETTES)) as larder:
        for line in example.splitlines():
            assert line[:3] in ("-> ", "<- "), line
            if line.startswith("-> "):
                larder.write(line[3:] + "\n")
            else:
                notification = re.match(r'\{"jsonrpc":"2.0","method":"([^"]*)"', line[3:])
                same(larder.line_of(notification and notification.group(1)).decode(), line[3:])
        assert larder.close() == 0
    assert larder.left == [] and larder.stderr() == ""


@pytest.mark.parametrize("document, example", blocks("console"))
def test_documented_console_commands_print_the_shown_output(document, example, place, run, request):
    for block in blocks("jsonc", [document]):
        name = re.match(r"// ([\w-]+\.jsonc)\n", block.values[1])
        if name:
            (place / name.group(1)).write_text(block.values[1], encoding="utf-8")
    variables = {"TRACKER_TOKEN": "secret"}
    if document.name == "from-documentation.md":
        reached = request.getfixturevalue("register").port
        variables = {"LIGHTS_KEY": "lamp-0815-4711", "REACHED": f"--base-url lights=http://127.0.0.1:{reached}/v1"}
    if document.name == "mcp.md" or "larder mcp config" in example:
        variables = {"REACHED": " ", "PLACES": "", "XDG_CACHE_HOME": "", "XDG_DATA_HOME": ""}
    before, *commands = re.split(r"^\$ ", example, flags=re.M)
    assert before == "" and commands
    for part in commands:
        command, _, expected = part.partition("\n")
        done = run("bash", "-c", command, **variables)
        assert done.returncode == 0, done
        printed, wanted = (done.stderr + done.stdout).splitlines(), expected.splitlines()
        assert len(printed) == len(wanted), printed
        for found, line in zip(printed, wanted):
            same(found, line)


def catalog(example):
    """Returns a whole catalog that contains the given members of an API or of a resource."""
    if not example.startswith('"'):
        return example
    of_api = example.startswith(('"auth"', '"headers"', '"timeout"', '"rateLimit"'))
    api, resource = (example + ",", "") if of_api else ("", example + ",")
    rest = "" if '"rest"' in example or '"graphql"' in example else '"rest": {"get": {"path": "/tickets/{id}"}},'
    return (
        f'{{"larder": 1, "apis": {{"tracker": {{{api} "baseURL": "https://tracker.example"}}}},'
        f' "resources": {{"ticket": {{"api": "tracker", "id": "integer", {resource} {rest}}}}}}}'
    )


@pytest.mark.parametrize("document, example", blocks("jsonc"))
def test_documented_catalog_is_valid(document, example, place, run):
    (place / "catalog.jsonc").write_text(catalog(example), encoding="utf-8")
    variables = {name: "secret" for name in re.findall(r"\$\{env:(\w+)\}", example)}
    done = run("larder", "call", "server/status", "--catalog", "catalog.jsonc", **variables)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("document, example", blocks("python"))
def test_documented_python_example_prints_the_output_in_its_comments(document, example, run):
    if ".observe(" in example:
        # A reader of the README has this item cached. An unchanged item causes no notification.
        assert run("larder", "get", "location", "15").returncode == 0
    done = run(sys.executable, "-W", "error", "-c", example)
    assert done.returncode == 0, done.stderr
    expected = re.findall(r"# -> (.*)$", example, re.M)
    assert expected and done.stdout.splitlines() == expected


@pytest.mark.parametrize("document, example", blocks("sh"))
def test_commands_of_documented_shell_scripts_exist(document, example):
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    options = binary_help()
    for line in example.splitlines():
        words = line.split()
        if words[0] == "make":
            assert words[1] in targets, line
        elif words[:2] == ["swift", "test"]:
            named = words[words.index("--filter") + 1].split(".")
            assert (ROOT / "Tests" / named[0]).is_dir(), line
            assert all(list((ROOT / "Tests" / named[0]).rglob(f"{name}.swift")) for name in named[1:]), line
        elif words[0] == "export":
            assert line == 'export PATH="$PWD/.build/release:$PATH"'
        elif words[0] == "larder":
            assert all(word in options for word in words if word.startswith("--")), line
        else:
            assert os.access(ROOT / words[0], os.X_OK), line


def binary_help():
    return subprocess.run([binary(), "--help"], capture_output=True, text=True, timeout=PATIENCE).stdout.split()


def test_every_documented_code_block_is_of_a_tested_kind():
    for document, text in TEXTS.items():
        kinds = {match.group(1) for match in FENCE.finditer(text)}
        # `SQL/test_sql_questions.py` runs the statements of docs/sql.md.
        statements = {"sql"} if document.name == "sql.md" else set()
        assert kinds <= {"json", "console", "jsonc", "python", "sh", "text"} | statements, document
        assert text.count("```") == 2 * len(FENCE.findall(text)), document
    for document in EXAMPLES:
        assert any(list(blocks(kind, [document])) for kind in ("json", "console", "jsonc", "python")), document


def anchors(text):
    """Returns the anchors that GitHub derives from the headings."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", text), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_links_in_documents_lead_to_existing_files_and_headings(document):
    for target in re.findall(r"\]\(([^)]+)\)", FENCE.sub("", TEXTS[document])):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        file = (document.parent / path).resolve() if path else document
        assert file.exists(), target
        assert not anchor or anchor in anchors(file.read_text(encoding="utf-8")), target


@functools.cache
def swift_tests():
    return [file.read_text(encoding="utf-8") for file in (ROOT / "Tests").rglob("*Tests.swift")]


@functools.cache
def python_tests():
    folders = (ROOT / "Tests" / folder for folder in ("EndToEnd", "Hostile", "interop"))
    return [file.read_text(encoding="utf-8") for folder in folders for file in folder.rglob("test_*.py")]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_files_and_tests_named_in_documents_exist(document):
    for name in re.findall(r"`([^`\n]+)`", FENCE.sub("", TEXTS[document])):
        if re.match(r"(Sources|Tests|Fixtures|clients|docs|scripts|Benchmarks)(/[\w.+-]+)+$", name):
            assert (ROOT / name).exists(), name
        elif re.fullmatch(r"\w+Tests\.\w+", name):
            suite, test = name.split(".")
            # A suite has a file of its own, or shares a file with suites of the same subject.
            texts = [text for text in swift_tests() if f"func {test}(" in text]
            assert any(re.search(rf"\b{suite}\b", text) for text in texts), name
        elif re.fullmatch(r"test_\w+", name):
            assert any(f"def {name}(" in text for text in python_tests()), name


def section(document, *titles):
    """Returns the text between a heading and the next heading of the same level."""
    text = TEXTS[document]
    for title in titles:
        text = re.split(rf"^## {title}$", text, flags=re.M)[1]
    return re.split(r"^## ", text, flags=re.M)[0]


def test_every_hostile_suite_is_in_the_security_document():
    for file in sorted((ROOT / "Tests" / "Hostile").rglob("test_*.py")):
        name = file.relative_to(ROOT)
        assert f"`{name}`" in TEXTS[ROOT / "SECURITY.md"], f"SECURITY.md does not name {name}"


def test_every_option_is_documented():
    named = set(re.findall(r"--[a-z][a-z-]*", section(ROOT / "docs" / "command-line.md", "Options")))
    # `--name` is a placeholder.
    assert named - {"--name"} == set(re.findall(r"--[a-z][a-z-]*", " ".join(binary_help())))


def test_every_error_code_is_documented():
    source = (ROOT / "Sources/Protocol/Wire/RPCError.swift").read_text(encoding="utf-8")
    codes = re.findall(r"case \w+ = (-\d+)", source)
    table = re.findall(r"^\| (-\d+) \|", section(ROOT / "docs" / "protocol.md", "Errors"), re.M)
    assert sorted(table) == sorted(codes) and len(codes) >= 18


def test_every_method_is_documented(run):
    discovered = json.loads(run("larder", "call", "rpc.discover").stdout)["methods"]
    methods = {re.sub("^(character|location|episode)/", "R/", method["name"]) for method in discovered}
    assert len(methods) >= 17
    for method in methods:
        assert f"`{method}`" in TEXTS[ROOT / "docs" / "protocol.md"], method


def test_every_catalog_key_is_documented(run):
    schema = json.loads(run("larder", "catalog", "schema").stdout)
    keys = {key for part in schema["$defs"].values() for key in part.get("properties", {})} - {"*"}
    assert {"baseURL", "rateLimit", "staleWhileRevalidate", "emptyOnNotFound", "otherwise", "merge", "first"} <= keys
    for key in keys:
        assert re.search(rf"""[`"]{re.escape(key)}["`]""", TEXTS[ROOT / "docs" / "catalog.md"]), key
