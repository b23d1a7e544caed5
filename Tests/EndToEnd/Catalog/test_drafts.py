"""`larder catalog infer` and `larder catalog import`: the printed catalog works without changes."""

import contextlib
import json
import re
import urllib.parse

import pytest

from harness import ROOT, run
from scripted import serving

DOCUMENTS = ROOT / "Fixtures" / "openapi"
TOKEN = "a-token-of-24-characters"
USER = {"login": "ada", "id": 1, "site_admin": False}
ISSUES = [
    {
        "id": 1000 + number,
        "number": number,
        "title": f"issue {number}",
        "state": "open" if number % 2 else "closed",
        "state_reason": None if number % 2 else "duplicate",  # This field is missing in the OpenAPI document.
        "user": USER,
        "labels": ["bug", {"name": "old"}],
        "assignees": [USER],
        "created_at": "2026-01-31T09:05:00Z",
        "closed_at": None,
        "url": f"https://tracker.test/repos/apple/larder/issues/{number}",
    }
    for number in range(1, 8)
]
CHARGES = [
    {
        "id": f"ch_{number}",
        "amount": number,
        "created": 1_767_225_600 + number,
        "currency": "eur",
        "customer": "cus_1",
        "livemode": False,
        "metadata": {"order": "7"},
        "object": "charge",
        "outcome": {"type": "authorized", "reason": None},
        "paid": True,
        "status": "succeeded",
    }
    for number in range(1, 6)
]


def github(path, query, url):
    """Lists issues in numbered pages. Only the Link header shows whether another page follows."""
    if path.startswith("/repos/apple/larder/issues/"):
        found = [issue for issue in ISSUES if str(issue["number"]) == path.rpartition("/")[2]]
        return (200, found[0], {}) if found else (404, {"message": "Not Found"}, {})
    if path != "/repos/apple/larder/issues":
        return 404, {"message": "Not Found"}, {}
    wanted = [issue for issue in ISSUES if query.get("state", "open") in (issue["state"], "all")]
    page, size = int(query.get("page", 1)), min(int(query.get("per_page", 30)), 3)
    more = {"Link": f'<{url}{path}?{urllib.parse.urlencode({**query, "page": page + 1})}>; rel="next"'}
    return 200, wanted[(page - 1) * size : page * size], more if page * size < len(wanted) else {}


def stripe(path, query, _url):
    """Lists charges; a page starts after the id in `starting_after`."""
    if path != "/v1/charges":
        found = [charge for charge in CHARGES if charge["id"] == path.rpartition("/")[2]]
        return (200, found[0], {}) if found else (404, {"error": {"message": "No such charge"}}, {})
    ids = [charge["id"] for charge in CHARGES]
    start = ids.index(query["starting_after"]) + 1 if "starting_after" in query else 0
    page = CHARGES[start : start + 2]
    return 200, {"object": "list", "data": page, "has_more": start + 2 < len(CHARGES), "url": "/v1/charges"}, {}


@pytest.fixture
def serve():
    """`serve(answer)` starts an API that requires the token. Returns its URL."""
    running = contextlib.ExitStack()

    def serve(answer):
        def reply(request):
            shown = request.headers.get("Authorization")
            if shown != f"Bearer {TOKEN}":
                return 401, {}, {"message": f"not {shown}"}
            status, body, headers = answer(request.path, request.query, url)
            return status, headers, body

        url = running.enter_context(serving(reply, keeps_alive=True))
        return url

    with running:
        yield serve


@pytest.fixture
def draft(home):
    """`draft(*args, env=...)` saves the output of `larder catalog` to a file that `larder check` accepts."""

    def draft(*args, env=None):
        done = run(home, "catalog", *map(str, args), env=env)
        assert (done.code, done.stderr) == (0, ""), done
        path = home / "draft.jsonc"
        path.write_bytes(done.stdout)
        checked = run(home, "check", str(path), env=env)
        assert checked.code == 0, checked
        return path

    return draft


def walk(larder, method, **params):
    items, page = [], None
    while True:
        found = larder.call(method, **params, **({} if page is None else {"page": page}))
        items += found["items"]
        page = found["page"]["next"]
        if page is None:
            return items


class TestInfer:
    def test_catalog_inferred_from_a_list_works(self, draft, start, upstream):
        path = draft("infer", f"{upstream.url}/api/character")
        larder = start("--catalog", path, upstream=None)
        items = walk(larder, "character/list")
        assert [item["id"] for item in items] == sorted(upstream.data.rows["character"])
        assert larder.call("character/list", page=2)["page"]["count"] == len(items)

    def test_catalog_inferred_from_one_item_works(self, draft, start, upstream):
        path = draft("infer", f"{upstream.url}/api/character/7")
        larder = start("--catalog", path, upstream=None)
        assert larder.call("character/get", id=3)["item"]["name"] == "Summer Smith"
        assert larder.fails("character/get", id=99_999).kind == "notFound"

    def test_catalog_inferred_from_graphql_works(self, draft, start, upstream):
        path = draft("infer", f"{upstream.url}/graphql", "--graphql", "Character")
        larder = start("--catalog", path, upstream=None)
        ids = [item["id"] for item in walk(larder, "character/list")]
        assert ids == [str(id) for id in sorted(upstream.data.rows["character"])]
        found = larder.call("character/list", filter={"name": "summer"})
        assert {"Summer" in item["name"] for item in found["items"]} == {True}
        assert larder.call("character/get", id="3", cachePolicy="none")["item"]["name"] == "Summer Smith"
        several = larder.call("character/getMany", ids=["3", "1"], cachePolicy="none")
        assert [item["id"] for item in several["items"]] == ["3", "1"]

    def test_sent_token_is_not_printed(self, draft, start, serve, home):
        url = serve(github) + "/repos/apple/larder/issues?state=all&per_page=3"
        path = draft("infer", url, "--header", f"Authorization: Bearer {TOKEN}", env={"API_TOKEN": TOKEN})
        text = path.read_text()
        assert TOKEN not in text and '"bearer": "${env:API_TOKEN}"' in text
        larder = start("--catalog", path, upstream=None, env={"API_TOKEN": TOKEN})
        assert [item["number"] for item in walk(larder, "issue/list")] == [issue["number"] for issue in ISSUES]
        # The URL in each item shows how to request it, whatever the host.
        assert larder.call("issue/get", id=2, cachePolicy="none")["item"]["title"] == "issue 2"
        refused = run(home, "catalog", "infer", url, "--header", f"Authorization: Bearer {TOKEN}x")
        assert refused.code == 1 and "401" in refused.stderr and TOKEN not in refused.stderr, refused

    def test_secret_of_the_environment_is_printed_as_a_reference(self, draft, serve):
        url = serve(github) + "/repos/apple/larder/issues"
        path = draft("infer", url, "--header", "Authorization: Bearer ${env:MINE}", env={"MINE": TOKEN})
        assert '"bearer": "${env:MINE}"' in path.read_text() and TOKEN not in path.read_text()

    @pytest.mark.parametrize(
        "args, words",
        [
            (["http://127.0.0.1:1/x"], "the API was not reached"),
            (["ftp://127.0.0.1/x"], "must be an http or https URL"),
            (["http://127.0.0.1:1/x", "--header", f"{TOKEN}"], "'Name: value'"),
            (["http://127.0.0.1:1/x", "--header", "A: ${env:NOT_SET}"], "is not set"),
        ],
    )
    def test_unreachable_or_refusing_api_is_reported(self, home, args, words):
        done = run(home, "catalog", "infer", *args)
        assert done.code == 1 and words in done.stderr and TOKEN not in done.stderr and not done.stdout, done


class TestImport:
    def test_catalog_imported_from_github_works(self, draft, start, serve):
        path = draft("import", DOCUMENTS / "github.json")
        token = '"auth": {"bearer": "${env:GITHUB_TOKEN}"}'
        assert token in path.read_text()
        # A comment marks what the document does not declare.
        path.write_text(re.sub(r"// the document declares no authentication.*", token, path.read_text()))
        env = {"GITHUB_TOKEN": TOKEN}
        larder = start("--catalog", path, "--base-url", f"github={serve(github)}", upstream=None, env=env)
        of = {"owner": "apple", "repo": "larder"}
        assert [item["number"] for item in walk(larder, "issue/list", **of)] == [1, 3, 5, 7]
        items = walk(larder, "issue/list", filter={"state": "all"}, **of)
        assert [item["number"] for item in items] == [1, 2, 3, 4, 5, 6, 7]
        assert [item["state_reason"] for item in items[:2]] == [None, "other"]
        # The list returns complete items, so a `get` of one is a hit.
        assert larder.call("issue/get", id=2, **of)["source"] == "memory"
        assert larder.call("issue/get", id=2, cachePolicy="none", **of)["item"]["title"] == "issue 2"
        assert larder.fails("issue/get", id=99, **of).kind == "notFound"

    def test_catalog_imported_from_stripe_works(self, draft, start, serve):
        env = {"STRIPE_TOKEN": TOKEN}
        path = draft("import", DOCUMENTS / "stripe.json", env=env)
        larder = start("--catalog", path, "--base-url", f"stripe={serve(stripe)}", upstream=None, env=env)
        items = walk(larder, "charge/list")
        assert [item["id"] for item in items] == [charge["id"] for charge in CHARGES]
        assert items[0]["created"] == "2026-01-01T00:00:01Z"
        assert larder.call("charge/get", id="ch_2", cachePolicy="none")["item"]["amount"] == 2
        assert "No such charge" in larder.fails("charge/get", id="ch_9").message

    @pytest.mark.parametrize("document", sorted(DOCUMENTS.glob("*.json")), ids=lambda path: path.stem)
    def test_import_of_each_openapi_document_gives_the_stored_catalog(self, home, document):
        done = run(home, "catalog", "import", str(document))
        assert done.stdout.decode() == document.with_suffix(".jsonc").read_text(encoding="utf-8")

    @pytest.mark.parametrize(
        "name, text, words",
        [
            ("a.yaml", "openapi: 3.0.0\npaths: {}\n", "yq -o=json"),
            ("a.json", '{"swagger": "2.0"}', "swagger2openapi"),
            ("a.json", '{"openapi": "3.0.0", "paths": {}}', "no path has a GET operation"),
            ("a.json", '{"openapi": ', "line 1, column 13"),
            ("a.json", "", "is not JSON"),
        ],
    )
    def test_import_of_an_unsupported_document_is_refused(self, home, name, text, words):
        (home / name).write_text(text)
        done = run(home, "catalog", "import", str(home / name))
        assert done.code == 1 and words in done.stderr and not done.stdout, done

    def test_import_of_a_missing_document_is_refused(self, home):
        done = run(home, "catalog", "import", str(home / "none"))
        assert done.code == 1 and "none" in done.stderr, done
