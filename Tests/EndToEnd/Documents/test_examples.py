"""Every program in examples/ works as described, with recorded answers."""

import ast
import contextlib
import io
import json
import os
import re
import shutil
import subprocess

import pytest
from lsprotocol import converters, types

from crontab import Crontab
from harness import PATIENCE, ROOT, binary, environment
from scripted import serving

EXAMPLES = ROOT / "examples"
CASSETTES = ROOT / "Fixtures" / "cassettes"


@pytest.fixture
def settings(home, places):
    """`settings(NAME)` returns the environment in which `larder` replays the recordings of that name."""

    def settings(recorded="rickandmorty", **more):
        program = home / "bin" / "larder"
        program.parent.mkdir(exist_ok=True)
        options = f"--replay '{CASSETTES / recorded}' " if recorded else ""
        program.write_text(f"#!/bin/sh\nexec '{binary()}' {options}{' '.join(places)} \"$@\"\n")
        program.chmod(0o755)
        client = str(ROOT / "clients" / "python" / "src")
        found = environment(home, {"PYTHONPATH": client, "PYTHONDONTWRITEBYTECODE": "1", **more})
        own = [str(folder) for folder in EXAMPLES.iterdir() if folder.is_dir()]
        found["PATH"] = ":".join([*own, str(program.parent), found["PATH"]])
        return found

    return settings


def run(*command, env, input=None, cwd=None):
    return subprocess.run(
        list(map(str, command)), env=env, input=input, cwd=cwd, capture_output=True, text=True, timeout=PATIENCE
    )


def test_every_example_is_listed_and_tested():
    folders = {folder.name for folder in EXAMPLES.iterdir() if folder.is_dir()}
    assert folders == {"picker", "nightly", "notebook", "ci", "completion", "harness"}, "add tests for the new example"
    listed = re.findall(r"\]\(([^)#]+)", (EXAMPLES / "README.md").read_text(encoding="utf-8"))
    assert folders == {name.split("/")[0] for name in listed if not name.startswith("..")}
    assert all((EXAMPLES / name).exists() for name in listed), listed


class TestPicker:
    def test_item_of_the_last_page_can_be_picked(self, settings):
        done = run("larder-pick", "pokemon", env=settings("pokeapi", LARDER_CATALOG="pokeapi", PICKER="grep defense"))
        assert (done.returncode, done.stdout, done.stderr) == (0, "10002\n", ""), done

    def test_picker_succeeds_if_the_chooser_stops_reading_early(self, settings):
        done = run("larder-pick", "character", "filter.name=rick", env=settings(PICKER="head -n 1"))
        assert (done.returncode, done.stdout) == (0, "1\n"), done

    def test_picked_id_can_be_passed_to_another_command(self, settings):
        command = 'larder call location/get id="$(larder-pick location)" fields=\'["name"]\' | jq -r .item.name'
        done = run("bash", "-c", command, env=settings(PICKER="grep Citadel"))
        assert done.stdout == "Citadel of Ricks\n", done

    def test_picker_without_a_choice_exits_with_code_1(self, settings):
        done = run("larder-pick", "character", "filter.name=rick", env=settings(PICKER="grep no-such-thing"))
        assert (done.returncode, done.stdout) == (1, ""), done

    def test_picker_exits_with_code_1_if_the_api_is_unreachable(self, settings):
        done = run("larder-pick", "character", "filter.name=nobody", env=settings(PICKER="head -n 1"))
        assert done.returncode == 1 and "no cassette" in done.stderr, done


class TestNightly:
    @pytest.fixture
    def crontab(self):
        return Crontab((EXAMPLES / "nightly" / "crontab").read_text(encoding="utf-8"))

    @pytest.fixture
    def copy(self, crontab, settings):
        """The copy that the comment in the crontab describes. Returns the folder of `larder`."""
        comment = re.sub(r"\n# ", " ", (EXAMPLES / "nightly" / "crontab").read_text(encoding="utf-8"))
        (command,) = re.findall(r"`larder (sync [^`]*)`", comment)
        env = settings("pokeapi")
        assert json.loads(run("larder", *command.split(), env=env).stdout)["items"] == 5
        return shutil.which("larder", path=env["PATH"])

    def test_crontab_line_logs_one_line_for_each_list(self, crontab, copy, home):
        done = crontab.run(home, os.path.dirname(copy))
        assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), done
        assert json.loads((home / "larder-sync.log").read_text())["mode"] == "none"

    def test_crontab_line_updates_an_old_copy(self, crontab, copy, home):
        crontab.commands = [command.replace(" 12h ", " 0s ") for command in crontab.commands]
        for count in (1, 2):
            done = crontab.run(home, os.path.dirname(copy))
            assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), done
            lines = [json.loads(line) for line in (home / "larder-sync.log").read_text().splitlines()]
            assert len(lines) == count
            assert (lines[-1]["resource"], lines[-1]["mode"], lines[-1]["items"]) == ("pokemon", "whole", 5)


class TestNotebook:
    def test_notebook_cells_print_their_stored_outputs(self, settings, monkeypatch):
        for name, value in settings().items():
            monkeypatch.setenv(name, value)
        monkeypatch.delenv("LARDER_BIN", raising=False)  # LARDER_BIN would take precedence over the PATH.
        monkeypatch.syspath_prepend(os.environ["PYTHONPATH"])
        notebook = json.loads((EXAMPLES / "notebook" / "characters.ipynb").read_text(encoding="utf-8"))
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        names = {}
        try:
            shown = [outputs("".join(cell["source"]), names) for cell in cells]
        finally:
            names["larder"].close()
        assert shown == [stored(cell) for cell in cells]
        assert sum(map(bool, shown)) >= 5


def outputs(source, names):
    """Returns the output of a cell as Jupyter shows it: printed text, and the last value as text and as HTML."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    found, printed = {}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None
    if printed.getvalue():
        found["stream"] = printed.getvalue()
    if value is not None:
        found["text/plain"] = repr(value)
        if hasattr(value, "_repr_html_"):
            found["text/html"] = value._repr_html_()
    return found


def stored(cell):
    found = {}
    for output in cell["outputs"]:
        parts = {"stream": output["text"]} if output["output_type"] == "stream" else output["data"]
        found.update({kind: "".join(text) for kind, text in parts.items()})
    return found


class TestContinuousIntegration:
    @pytest.fixture
    def project(self, home):
        """A copy of the folder ci/ that a test may change."""
        shutil.copytree(EXAMPLES / "ci", home / "project")
        return home / "project"

    def test_ci_example_passes_offline(self, project, settings):
        done = run(project / "ci", env=settings(None))
        assert done.returncode == 0 and done.stderr == "", done

    def test_ci_example_detects_a_changed_answer(self, project, settings):
        assert run(project / "ci", env=settings(None)).returncode == 0
        (found,) = (project / "recorded").glob("get-v0-item-8863-json-*.json")
        found.write_text(found.read_text().replace("My YC app", "Another app"))
        done = run(project / "ci", env=settings(None))
        assert done.returncode == 1 and re.search(r"^\+ *71 Another app", done.stdout, re.M), done

    def test_ci_example_names_the_missing_recording_of_the_list(self, project, settings):
        (found,) = (project / "recorded").glob("get-v0-topstories-json-*.json")
        found.unlink()
        done = run(project / "ci", env=settings(None))
        assert done.returncode == 1 and "no cassette for GET" in done.stderr and "topstories" in done.stderr, done

    def test_ci_example_names_the_missing_recording_of_an_item(self, project, settings):
        (found,) = (project / "recorded").glob("get-v0-item-8863-json-*.json")
        found.unlink()
        done = run(project / "ci", env=settings(None))
        assert done.returncode == 1 and "8863" in done.stderr, done

    def test_ci_example_can_record_the_answers_again(self, project, settings):
        story = {"id": 7, "type": "story", "by": "me", "descendants": 3, "title": "New", "time": 1175714200}
        answers = {"/v0/topstories.json": [7], "/v0/item/7.json": story}
        with serving(lambda request: (200, {}, answers[request.path])) as url:
            done = run(project / "ci", "--record", "--base-url", f"hackernews={url}/v0", env=settings(None))
        assert done.returncode == 0, done
        assert (project / "expected.txt").read_text() == "   3 New (me)\n"
        assert len(list((project / "recorded").iterdir())) == 2
        assert run(project / "ci", env=settings(None)).returncode == 0


class TestCompletion:
    """Tests the completions of a minimal language client. They must be valid for `lsprotocol`."""

    @pytest.fixture
    def editor(self, settings):
        process = subprocess.Popen(
            ["larder-lsp"], env=settings(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        yield Editor(process)
        process.communicate()
        assert process.returncode == 0

    def test_editor_completion_replaces_the_typed_text(self, editor):
        offers = editor.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})["capabilities"]
        assert offers["completionProvider"]["triggerCharacters"] == ["/"]
        editor.tell("initialized", {})
        editor.open("\U0001f600 character/rick")
        # The cache is empty, so the first completion lists the API's items; the second comes from the cache.
        for place in ("API", "cache"):
            (rick,) = [item for item in editor.complete(0, 17).items if item.label == "Rick Sanchez"]
            assert rick.detail == f"character 1, from the {place}"
            edit = rick.text_edit
            assert (edit.range.start.character, edit.range.end.character, edit.new_text) == (3, 17, "Rick Sanchez")
        assert {item.label for item in editor.complete(0, 15).items} >= {"Rick Sanchez"}
        editor.tell("shutdown", None)

    def test_text_that_does_not_begin_with_a_resource_and_slash_gets_no_completions(self, editor):
        editor.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        editor.open("no slash\nplanet/earth\n\nlocation/")
        for line, column in ((0, 8), (1, 12), (2, 0), (9, 9)):
            assert not editor.complete(line, column).items
        assert "Bird World" in [item.label for item in editor.complete(3, 9).items]
        editor.change("character/nobody-is-called-so")
        assert not editor.complete(0, 29).items
        editor.message({"id": 99, "method": "textDocument/hover", "params": {}})
        assert editor.answer()["error"]["code"] == -32601
        editor.tell("exit", None)


class Editor:
    URI = "file:///text"

    def __init__(self, process):
        self.process, self.count = process, 0

    def message(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def answer(self):
        length = int(self.process.stdout.readline().split(b":")[1])
        assert self.process.stdout.readline() == b"\r\n"
        return json.loads(self.process.stdout.read(length))

    def tell(self, method, params):
        self.message({"method": method, "params": params})

    def ask(self, method, params):
        self.count += 1
        self.message({"id": self.count, "method": method, "params": params})
        answer = self.answer()
        assert answer["id"] == self.count, answer
        return answer["result"]

    def open(self, text):
        document = {"uri": self.URI, "languageId": "text", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})

    def change(self, text):
        document = {"uri": self.URI, "version": 2}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def complete(self, line, character):
        params = {"textDocument": {"uri": self.URI}, "position": {"line": line, "character": character}}
        return converters.get_converter().structure(self.ask("textDocument/completion", params), types.CompletionList)


class TestHarness:
    OPTIONS = ["--replay", str(CASSETTES / "rickandmorty")]

    def test_all_cases_of_the_contract_example_pass(self, settings):
        done = run("contract", EXAMPLES / "harness" / "cases.jsonl", *self.OPTIONS, env=settings(None))
        lines = done.stdout.splitlines()
        assert done.returncode == 0 and lines[0] == f"1..{len(lines) - 1}" and len(lines) > 6, done
        assert all(line.startswith(f"ok {number} - ") for number, line in enumerate(lines[1:], 1)), done

    @pytest.mark.parametrize(
        "case, told",
        [
            ({"method": "location/get", "params": {"id": 15}, "result": {"item": {"name": "Mars"}}}, '"Bird World"'),
            ({"method": "location/get", "params": {"id": 15}, "result": {"item": {"moons": 2}}}, "item.moons is null"),
            ({"method": "location/get", "params": {"id": 15}, "error": "notFound"}, "expected the error notFound"),
            ({"method": "location/get", "params": {"id": 99999}, "result": {}}, "no such item or page"),
            ({"method": "location/get", "params": {"id": 99999}, "error": "timeout"}, "expected the error timeout"),
        ],
    )
    def test_failed_contract_case_shows_the_difference(self, case, told, settings, home):
        (home / "cases").write_text(json.dumps({"name": "it", **case}) + "\n")
        done = run("contract", home / "cases", *self.OPTIONS, env=settings(None))
        assert done.returncode == 1 and done.stdout.startswith("1..1\nnot ok 1 - it\n# "), done
        assert told in done.stdout, done

    def test_contract_example_reports_a_failed_start(self, settings):
        done = run("contract", EXAMPLES / "harness" / "cases.jsonl", "--no-such-option", env=settings(None))
        assert done.returncode == 1 and "no reply" in done.stdout and "no-such-option" in done.stderr, done
