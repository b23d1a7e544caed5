"""Command-line arguments of `get`, `list` and `search`: the catalog decides which are filters, scope or parameters."""

import json
from urllib.parse import unquote

import pytest

from harness import GRAPHQL_CATALOG

SCOPED = {
    "scope": {"owner": "string", "repo": "string"},
    "rest": {
        "get": {"path": "/{owner}/{repo}/things/{id}"},
        "list": {
            "path": "/{owner}/{repo}/things",
            "filters": {"state": "state", "labels": {"param": "labels", "type": ["string"]}, "owner": "by"},
        },
    },
}


@pytest.fixture
def scoped(served_items):
    def answer(request):
        return 200, {}, [{"id": "1", "name": "one"}] if request.path.endswith("/things") else {"id": "1"}

    return served_items([], answer=answer, **SCOPED)


class TestArgumentNames:
    def test_command_arguments_are_sent_as_scope_or_filter(self, people, scoped):
        options, asked = scoped
        done = people("list", "thing", "owner=apple", "state=open", "repo=swift", *options)
        assert (done.code, done.messages) == (0, [{"id": "1", "name": "one"}]), done
        assert (asked[0].path, asked[0].query) == ("/apple/swift/things", {"state": "open"})

    def test_argument_with_the_prefix_filter_is_a_filter_even_if_a_scope_parameter_has_its_name(self, people, scoped):
        options, asked = scoped
        assert people("list", "thing", "owner=apple", "repo=1", "filter.owner=me", *options).code == 0
        assert (asked[0].path, asked[0].query) == ("/apple/1/things", {"by": "me"})

    def test_repeated_filter_argument_is_a_list_only_if_the_filter_accepts_lists(self, people, scoped):
        options, asked = scoped
        assert people("list", "thing", "owner=a", "repo=b", "labels=x", "labels=y", *options).code == 0
        assert asked[0].query == {"labels": "x,y"}
        done = people("list", "thing", "owner=a", "repo=b", "state=x", "state=y", *options)
        assert (done.code, done.stderr) == (1, "larder: 'state' is given twice; pass it once\n")

    def test_missing_scope_argument_is_reported_with_the_usage(self, people, scoped):
        done = people("list", "thing", "owner=apple", *scoped[0])
        assert done.code == 1 and done.stderr.splitlines() == [
            "larder: 'repo' is missing; pass a string",
            "  larder list thing owner=VALUE repo=VALUE [state=VALUE] [labels=VALUE] [owner=VALUE] --catalog "
            + scoped[0][1],
        ]

    def test_similar_value_is_suggested_for_a_filter(self, people, served_items):
        many = {name: name for name in ("a", "b", "c", "d")}
        state = {"param": "state", "type": ["open", "closed"]}
        options, asked = served_items([], rest={"list": {"path": "/things", "filters": {"state": state, **many}}})
        done = people("list", "thing", "state=opne", *options)
        assert done.code == 1 and done.stderr.splitlines() == [
            "larder: 'state' must be one of \"open\", \"closed\"; did you mean \"open\"?",
            f"  larder help thing --catalog {options[1]} describes the filters",
        ]
        done = people("list", "thing", "cachePolicy=never", *options)
        assert done.stderr.splitlines()[1] == f"  larder list thing [FILTER=VALUE ...] --catalog {options[1]}"
        assert asked == []

    def test_unknown_argument_name_gets_a_suggestion(self, people, scoped):
        done = people("list", "thing", "onwer=apple", *scoped[0])
        assert done.code == 1 and done.stdout == b"" and done.stderr.splitlines() == [
            "larder: 'list thing' does not accept 'onwer'; did you mean 'owner'?",
            "  available: filters 'state', 'labels', 'owner'; scope 'owner', 'repo'; "
            "parameters 'page', 'cachePolicy', 'maxAge'",
        ]
        assert scoped[1] == []

    def test_command_arguments_may_be_method_parameters(self, people, upstream):
        assert people("get", "character", "1").code == 0
        assert people("get", "character", "id=1", "cachePolicy=localOnly", "maxAge=5m").messages[0]["id"] == 1
        assert upstream.count() == 1

    @pytest.mark.parametrize(
        "words, message",
        [
            (["list", "charcter"], "unknown resource 'charcter'; did you mean 'character'?"),
            (["list", "thing"], "unknown resource 'thing'"),
            (["get", "character", "one"], "'id' must be an integer, not 'one'"),
            (["get", "character", "nmae=1"], "'get character' does not accept 'nmae'"),
            (["get", "character", "cachePolicy=none"], "'larder get' needs an id"),
            (["get", "character", "1", "id=2"], "'id' is given twice; pass it once"),
            (["list", "character", "--page", "2", "page=3"], "'page' is given twice; pass it once"),
            (["list", "character", "--fields", "nam"], "'fields' has an unknown field 'nam'; an item has the"),
            (["get", "character", "1", "2", "--fields", "naem"], "'fields' has an unknown field 'naem'; an item"),
            (["search", "character", "colour=red"], "'search character' does not accept 'colour'"),
            (["prefetch", "character", "colour=red"], "'prefetch character' does not accept 'colour'"),
        ],
    )
    def test_unknown_resource_or_method_is_reported(self, people, upstream, words, message):
        done = people(*words)
        assert done.code == 1 and done.stdout == b"" and done.stderr.startswith(f"larder: {message}"), done
        assert upstream.count() == 0

    def test_unsupported_command_of_a_resource_is_reported_with_alternatives(self, people, served_items):
        options, _ = served_items([], rest={"get": {"path": "/things/{id}"}})
        done = people("list", "thing", *options)
        assert (done.code, done.stderr.splitlines()) == (
            1,
            [
                "larder: 'thing' does not support 'list'",
                "  available: larder get thing {0} {1}, larder search thing {0} {1}".format(*options),
            ],
        )  # fmt: skip


class TestIdsAndTexts:
    @pytest.mark.parametrize("id", ["1", "1.0", "007", "null", "true", '"x"', "{}", "a=b", "==", "-1", "filter.x=1"])
    def test_id_argument_is_a_string(self, people, served_items, id):
        options, _ = served_items([{"id": "1", "name": id}], answer=lambda r: (200, {}, {"id": unquote(r.path[8:])}))
        done = people("get", "thing", id, *options)
        assert (done.code, done.stderr, done.messages) == (0, "", [{"id": id}])

    def test_unknown_argument_after_the_id_is_an_error(self, people, served_items):
        options, _ = served_items([{"id": "1"}])
        done = people("get", "thing", "1", "polcy=none", *options)
        assert done.code == 1 and done.stderr.startswith("larder: 'get thing' does not accept 'polcy'")

    def test_id_given_as_a_named_argument_may_begin_with_a_dash(self, people, served_items):
        options, _ = served_items([{"id": "-a"}])
        assert people("get", "thing", "id=-a", *options).messages == [{"id": "-a"}]

    @pytest.mark.parametrize(
        "words, bbox", [(["bbox=-75,45.5"], "-75,45.5"), (["bbox=1", "bbox=2,3"], "1,2,3"), (["bbox=[4,5]"], "4,5")]
    )
    def test_numbers_of_an_array_filter_may_be_separated_by_commas(self, people, served_items, words, bbox):
        options, asked = served_items([], list={"filters": {"bbox": {"type": ["number"]}, "tag": {"type": ["string"]}}})
        assert people("list", "thing", *words, *options).code == 0
        assert asked[-1].query == {"bbox": bbox}
        assert people("list", "thing", "tag=a,b", *options).code == 0
        assert asked[-1].target.count("a%2Cb") + asked[-1].target.count("a,b") == 1
        done = people("list", "thing", "bbox=1,x", *options)
        assert done.code == 1 and "'bbox' must be an array" in done.stderr, done

    def test_search_text_may_contain_spaces_and_equals_signs(self, people, served_items):
        items = [{"id": "a", "name": "two words"}, {"id": "b", "name": "1 = one"}, {"id": "c", "name": "-minus"}]
        options, _ = served_items(items)
        assert people("prefetch", "thing", *options).code == 0

        def found(*words):
            done = people("search", "thing", *options, *words)
            assert done.code == 0, done
            return [item["id"] for item in done.messages]

        assert found("two", "words") == found("two words") == found("text=two") == ["a"]
        assert found("1") == ["b"] and found() == ["a", "b", "c"]
        assert found("name=-minus") == ["c"] and found("text=-minus") == ["c"] and found("id=a") == ["a"]

    def test_search_text_after_a_double_dash_may_begin_with_a_dash(self, command, led, served_items):
        options, _ = served_items([{"id": "c", "name": "-minus"}])
        assert command(*led(["prefetch", "thing", *options])).code == 0
        assert command(*led(["search", *options]), "thing", "--", "-minus").messages == [{"id": "c", "name": "-minus"}]
        done = command(*led(["search", *options]), "thing", "-minus")
        assert done.code == 64 and "after '--'" in done.stderr


@pytest.mark.parametrize(
    "words, message",
    [
        (
            ["get"],
            "'larder get' needs a resource: larder get RESOURCE ID... [name=value ...]; 'larder resources' lists the "
            "resources",
        ),
        (
            ["get", "character"],
            "'larder get' needs an id: larder get RESOURCE ID... [name=value ...]; 'larder help character' shows an "
            "example",
        ),
        (["list", "thing", "rick"], "'rick' must be name=value; to search for text: larder search thing TEXT"),
        (["prefetch", "character", "rick"], "'rick' must be name=value"),
        (
            ["get", "character", "1", "--limit", "2"],
            "--limit cannot be used with 'get'; remove the option, or use it with 'list', 'search'",
        ),
        (
            ["call", "character/list", "--all"],
            "--all cannot be used with 'call'; remove the option, or use it with 'list', 'search'",
        ),
        (
            ["search", "character", "--page", "2"],
            "--page cannot be used with 'search'; remove the option, or use it with 'list', 'watch list'",
        ),
        (
            ["prefetch", "r", "--fields", "id"],
            "--fields cannot be used with 'prefetch'; remove the option, or use it with 'get', 'list', 'search', "
            "'watch', 'watch list', 'add', 'catalog import'",
        ),
        (["list", "character", "--json", "--table"], "--json and --table cannot be used together; remove one of them"),
        (["list", "character", "--name", "rick"], "unknown option '--name'; write name=rick"),
        (["list", "character", "--stat", "Dead"], "unknown option '--stat'; did you mean status=Dead?"),
        (["list", "character", "--statu", "Dead"], "unknown option '--statu'; did you mean status=Dead?"),
        (["list", "character", "--bogus", "open"], "unknown option '--bogus'; see larder list character --help"),
        (
            ["get", "character", "--id", "3"],
            "unknown option '--id'; write the id without an option: larder get character 3",
        ),
        (["list", "character", "--limit", "0"], "--limit must be a number from 1, not '0'"),
        (["list", "character", "--fields", "id,"], "--fields must be field names separated by ',', not 'id,'"),
    ],
)
def test_usage_error_shows_the_usage(people, words, message):
    done = people(*words)
    assert (done.code, done.stdout, done.stderr) == (64, b"", f"larder: {message}\n")


def test_misspelt_field_has_a_suggestion(people, upstream):
    for words in (["list", "character", "--fields", "statsu"], ["call", "character/get", "id=1", 'fields=["statsu"]']):
        done = people(*words)
        assert done.code == 1 and "; did you mean 'status'?" in done.stderr, done
    assert upstream.count() == 0


def test_hints_name_the_catalog_of_the_resource(command):
    done = command("get", "github/issue", "3", "--offline")
    usage = "  larder get issue ID owner=VALUE repo=VALUE --catalog github"
    assert done.code == 1 and done.stderr.splitlines()[1] == usage, done
    done = command(*[word.replace("VALUE", "x").replace("ID", "3") for word in usage.split()[1:]], "--offline")
    assert done.stderr.startswith("larder: notCached: "), done
    done = command("list", "issue", "text", "--catalog", "github")
    assert done.stderr.endswith("; to search for text: larder search issue TEXT --catalog github\n"), done


def test_missing_secret_is_reported_once(command):
    words = ["--catalog", "github", "--offline"]
    done = command("call", "issue/list", "owner=a", "repo=b", "--catalog", "github", env={"GITHUB_TOKEN": ""})
    assert done.code == 1 and done.stderr.count("GITHUB_TOKEN") == 1 and done.stderr.count("\n") == 1, done
    assert "GITHUB_TOKEN" not in command("call", "cache/stats", *words, env={"GITHUB_TOKEN": ""}).stderr


def test_commands_work_with_every_transport(people, home):
    done = people("list", "character", "name=rick", "--limit", "1", "--catalog", str(GRAPHQL_CATALOG), "--offline")
    assert done.code == 1 and done.stderr.splitlines()[0].startswith("larder: notCached: "), done
    assert json.loads(people("get", "character", "1").stdout)["id"] == 1
