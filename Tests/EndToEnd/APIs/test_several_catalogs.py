"""Several catalogs in one process. Both declare the API `main` and the resource `thing`, with the same paths and
ids."""

import contextlib
import json
import pathlib
import sys
import zipfile

import pytest

from harness import eventually
from scripted import serving

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "MCP"))
from mcp_client import ERAS, Client  # noqa: E402

TOKENS = {"ONE_TOKEN": "the-token-of-catalog-one", "TWO_TOKEN": "the-token-of-catalog-two"}


class Pair:
    """Two catalogs, each with its own server. `received` lists the path and token of each request to a server."""

    def __init__(self, home, urls):
        self.urls = urls
        self.received = {name: [] for name in urls}
        self.folder = home / "xdg-config" / "larder"
        self.folder.mkdir(parents=True)
        self.files = {name: self.write(name) for name in urls}
        self.options = [word for path in self.files.values() for word in ("--catalog", str(path))]

    def catalog(self, name):
        api = {"baseURL": self.urls[name], "auth": {"bearer": "${env:%s_TOKEN}" % name.upper()}, "retries": 0}
        if name == "one":
            api["errors"] = [{"status": 418, "kind": "notFound"}]
        rest = {"get": {"path": "/things/{id}"}, "list": {"path": "/things"}}
        fields = {"id": "integer", "name": "string"}
        thing = {"api": "main", "id": "integer", "fields": fields, "rest": rest}
        return {"larder": 1, "apis": {"main": api}, "resources": {"thing": thing}}

    def write(self, name, change=lambda catalog: None):
        catalog = self.catalog(name)
        change(catalog)
        (self.folder / "new").write_text(json.dumps(catalog))
        return (self.folder / "new").replace(self.folder / f"{name}.jsonc")


@pytest.fixture
def pair(home):
    pairs = []

    def answer(name):
        def answer(request):
            if pairs:
                pairs[0].received[name].append((request.path, request.headers["Authorization"]))
            if request.path == "/things/9":
                return 418, {}, {"message": "short and stout"}
            things = [{"id": id, "name": f"{name} {id}"} for id in (1, 2)]
            return 200, {}, things if request.path == "/things" else things[int(request.path[-1]) - 1]

        return answer

    with contextlib.ExitStack() as stack:
        pairs.append(Pair(home, {name: stack.enter_context(serving(answer(name))) for name in ("one", "two")}))
        yield pairs[0]


@pytest.fixture
def both(start, pair):
    """`both()` starts a process with both catalogs."""
    return lambda *more, **options: start(*pair.options, *more, upstream=None, env=TOKENS, **options)


@pytest.fixture
def tool(command, pair, places):
    """`tool(*words)` runs a command with both catalogs and returns its output."""

    def tool(*words, code=0, places=places):
        done = command(*words, *pair.options, *places, env=TOKENS)
        assert done.code == code, done
        return done.stdout.decode()

    return tool


def names(larder, **params):
    """Returns the names and sources of the thing 1 of both catalogs."""
    results = [larder.call(f"{name}.thing/get", id=1, **params) for name in ("one", "two")]
    return [(result["item"]["name"], result["source"]) for result in results]


class TestData:
    def test_equal_ids_in_two_catalogs_refer_to_different_items(self, both, pair):
        larder = both()
        assert larder.call("server/status")["resources"] == ["one.thing", "two.thing"]
        assert names(larder) == [("one 1", "remote"), ("two 1", "remote")]
        assert names(larder) == [("one 1", "memory"), ("two 1", "memory")]
        lists = [larder.call(f"{name}.thing/list")["items"] for name in ("one", "two")]
        assert [[item["name"] for item in items] for items in lists] == [["one 1", "one 2"], ["two 1", "two 2"]]
        assert [item["name"] for item in larder.call("two.thing/search", text="1")["items"]] == ["two 1"]

    def test_each_server_gets_only_its_own_token(self, both, pair):
        names(both())
        assert pair.received == {
            "one": [("/things/1", "Bearer the-token-of-catalog-one")],
            "two": [("/things/1", "Bearer the-token-of-catalog-two")],
        }

    def test_entries_of_two_catalogs_stay_separate_after_a_kill(self, both, pair):
        larder = both()
        names(larder)
        larder.call("cache/stats")
        larder.process.kill()
        larder.process.wait()
        assert names(both("--offline")) == [("one 1", "persistence"), ("two 1", "persistence")]
        # The order of the catalogs does not matter.
        pair.options = pair.options[2:] + pair.options[:2]
        assert names(both("--offline")) == [("one 1", "persistence"), ("two 1", "persistence")]
        assert [len(requests) for requests in pair.received.values()] == [1, 1]

    def test_removal_in_one_catalog_keeps_the_entries_of_the_other(self, both):
        larder = both()
        names(larder)
        assert larder.call("cache/remove", resource="one.thing")["removed"] == 1
        assert names(larder) == [("one 1", "remote"), ("two 1", "memory")]

    def test_error_rules_of_one_catalog_do_not_apply_to_the_other(self, both):
        larder = both()
        kinds = [larder.fails(f"{name}.thing/get", id=9).kind for name in ("one", "two")]
        assert kinds[0] == "notFound" and kinds[1] != "notFound"

    def test_missing_secret_disables_only_its_own_catalog(self, start, pair):
        larder = start(*pair.options, upstream=None, env={"TWO_TOKEN": TOKENS["TWO_TOKEN"]})
        error = larder.fails("one.thing/get", id=1)
        assert f"{pair.files['one']}:1:" in error.message and "ONE_TOKEN" in error.message
        assert larder.call("two.thing/get", id=1)["item"]["name"] == "two 1"

    def test_changed_catalog_is_reloaded(self, both, pair):
        larder = both()
        names(larder)
        pair.write("two", lambda catalog: catalog["resources"].update(other=catalog["resources"].pop("thing")))
        eventually(lambda: larder.call("server/status")["resources"] == ["one.thing", "two.other"], "the reload")
        assert larder.call("one.thing/get", id=1)["source"] == "memory"
        assert larder.call("two.other/get", id=1)["item"]["name"] == "two 1"

    @pytest.mark.parametrize("era", ERAS)
    def test_mcp_tools_read_both_catalogs(self, both, era):
        client = Client(both(), era)
        for name in ("one", "two"):
            assert client.tool("get_item", resource=f"{name}.thing", id=1)["item"]["name"] == f"{name} 1"


class TestCommands:
    def test_resource_after_a_slash_is_in_the_named_catalog(self, command, places, pair):
        for name in ("one", "two"):
            done = command("get", f"{name}/thing", "1", *places, env=TOKENS)
            assert json.loads(done.stdout)["name"] == f"{name} 1"
        done = command("get", "thing", "1", "--catalog", pair.files["two"], "--offline", *places, env=TOKENS)
        assert json.loads(done.stdout)["name"] == "two 1"
        assert command("cache", "clear", "one/thing", *places, env=TOKENS).code == 0
        assert command("get", "one/thing", "1", "--offline", *places, env=TOKENS).code == 1

    def test_unknown_catalog_is_refused(self, command, places, pair):
        done = command("list", "tow/thing", *places)
        assert (done.code, done.stderr) == (
            64,
            "larder: there is no catalog 'tow' for 'tow/thing'; did you mean 'two'?\n",
        )
        assert command("get", "one/thing", "1", "--catalog", "two", *places).code == 64

    def test_catalogs_with_equal_names_are_refused(self, command, pair, home):
        copy = home / "one.json"
        copy.write_text(pair.files["one"].read_text())
        done = command("--catalog", pair.files["one"], "--catalog", copy)
        assert done.code == 64 and "are both named 'one'; rename one of the files" in done.stderr

    def test_slash_and_dot_forms_name_the_same_resource(self, tool):
        for form in ("two.thing", "two/thing"):
            assert json.loads(tool("get", form, "2"))["name"] == "two 2"
        listed = [json.loads(line)["resource"] for line in tool("resources").splitlines()]
        assert listed == ["one.thing", "two.thing"]
        assert tool("help", "one/thing").startswith("one.thing: a resource of the API 'one.main'")

    def test_catalog_show_has_a_member_for_each_catalog(self, tool, pair):
        shown = json.loads(tool("catalog", "show"))
        assert list(shown) == ["one", "two"]
        assert shown["two"]["apis"]["main"]["baseURL"] == pair.urls["two"]
        assert '"two.thing": { item: TwoThing;' in tool("catalog", "types")

    def test_check_reports_each_catalog(self, tool, pair):
        one, two = map(str, pair.files.values())
        lines = tool("check").splitlines()
        assert [line.split(": ")[0] for line in lines if "no fault" in line] == [one, two]
        live = [json.loads(line) for line in tool("check", "--live", "--json").splitlines()]
        assert [result["file"] for result in live] == [one, two]
        for result, name in zip(live, ("one", "two")):
            assert {finding["resource"] for finding in result["live"]} == {f"{name}.thing"}
        pair.files["two"].write_text("{")
        faulty = tool("check", code=78)
        assert f"{one}: 1 resource of 1 API, no fault" in faulty and f"{two}: 1 fault" in faulty

    def test_doctor_checks_both_catalogs(self, tool, pair):
        found = {finding["what"]: finding for finding in json.loads(tool("doctor", "--json"))}
        one, two = pair.files.values()
        assert found["catalog"]["message"] == f"{one}, {two}: 2 resources of 2 APIs"
        pair.files["two"].write_text("{")
        assert f"{two}:1:" in tool("doctor", code=1)

    def test_resource_name_after_a_slash_is_completed(self, command, pair):
        def complete(*words):
            return [line.split("\t")[0] for line in command("complete", "--", *words).stdout.decode().splitlines()]

        assert complete("get", "on") == ["one/"]
        assert complete("get", "one/") == ["one/thing"]
        assert complete("list", "github/issue", "own") == ["owner="]
        assert complete("get", *pair.options, "two/") == ["two/thing"]
        assert complete("get", *pair.options, "") == ["one.thing", "two.thing"]
        assert complete("get", "nonsense/") == []

    def test_bundle_contains_both_catalogs(self, tool, pair, home):
        tool("mcp", "bundle", str(home / "both.mcpb"), places=[])
        with zipfile.ZipFile(home / "both.mcpb") as archive:
            for name, path in pair.files.items():
                assert archive.read(f"server/{name}.jsonc") == path.read_bytes()
            arguments = json.loads(archive.read("manifest.json"))["server"]["mcp_config"]["args"]
        files = [f"${{__dirname}}/server/{name}.jsonc" for name in pair.files]
        assert arguments[:4] == ["--catalog", files[0], "--catalog", files[1]]

    def test_shipped_catalog_is_included_by_its_name(self, command, home):
        path = home / "main.jsonc"
        path.write_text(json.dumps({"larder": 1, "include": ["hackernews"]}))
        listed = command("resources", "--catalog", path).stdout
        assert listed and listed == command("resources", "--catalog", "hackernews").stdout
