"""`larder catalog infer` and `larder catalog import`: the printed catalog works without changes."""

import contextlib
import json
import re
import urllib.parse

import pytest

from harness import ROOT, run
from scripted import serving

DOCUMENTS = ROOT / "Fixtures" / "openapi"
FORMS = sorted([*DOCUMENTS.glob("yaml/*"), *DOCUMENTS.glob("swagger/*")])
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
def publish():
    """`publish(texts)` starts a server that serves the given documents, whose keys are paths, and returns its URL."""
    running = contextlib.ExitStack()

    def publish(texts, token=None, asked=None):
        def reply(request):
            if asked is not None:
                asked.append(request.path)
            if token is not None and request.headers.get("Authorization") != f"Bearer {token}":
                return 401, {}, {"message": "no token"}
            text = texts.get(request.path)
            return (404, {}, {"message": "Not Found"}) if text is None else (200, {}, text.encode())

        return running.enter_context(serving(reply, keeps_alive=True))

    with running:
        yield publish


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

    def test_inferred_catalog_and_errors_do_not_contain_the_sent_token(self, draft, start, serve, home):
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
            (["ftp://127.0.0.1/x"], "the URL must begin with http:// or https://"),
            (["http://127.0.0.1:1/x", "--header", f"{TOKEN}"], "'Name: value'"),
            (["http://127.0.0.1:1/x", "--header", "A: ${env:NOT_SET}"], "is not set"),
        ],
    )
    def test_infer_command_reports_an_api_that_is_unreachable_or_refuses_the_request(self, home, args, words):
        done = run(home, "catalog", "infer", *args)
        assert done.code == 1 and words in done.stderr and TOKEN not in done.stderr and not done.stdout, done

    def test_catalog_can_be_inferred_from_a_file_or_standard_input(self, home, draft, start, publish):
        things = [{"id": number, "name": f"thing {number}"} for number in range(1, 4)]
        (home / "things.json").write_text(json.dumps(things))
        env = {"LARDER_VAR_API_URL": publish({"/things": json.dumps(things)})}
        path = draft("infer", home / "things.json", env=env)
        assert '"baseURL": "${var:API_URL}"' in path.read_text() and '"path": "/things"' in path.read_text()
        larder = start("--catalog", path, upstream=None, env=env)
        assert walk(larder, "thing/list") == things
        done = run(home, "catalog", "infer", "-", input=json.dumps(things).encode())
        assert done.code == 0 and '"path": "/items"' in done.stdout.decode(), done

    def test_catalog_inferred_from_a_list_and_an_item_works(self, draft, start, serve, home):
        url = serve(github) + "/repos/apple/larder/issues"
        header = ("--header", "Authorization: Bearer ${env:API_TOKEN}")
        path = draft("infer", f"{url}?state=all", f"{url}/2", *header, env={"API_TOKEN": TOKEN})
        larder = start("--catalog", path, upstream=None, env={"API_TOKEN": TOKEN})
        assert [item["number"] for item in walk(larder, "issue/list")] == [issue["number"] for issue in ISSUES]
        assert larder.call("issue/get", id=2, cachePolicy="none")["item"]["title"] == "issue 2"
        assert larder.fails("issue/get", id=99).kind == "notFound"

    @pytest.mark.parametrize(
        "args, words",
        [
            (("-", "-"), "only one of the arguments LIST and ITEM can be '-'"),
            (("a.json", "b.json", "c.json"), "for a list and one of its items, two of them"),
            (("a.json", "b.json", "--graphql", "T"), "--graphql cannot be used with two arguments"),
            (("a.json", "http://a.test", "--offline"), "does not accept --offline with a URL"),
        ],
    )
    def test_infer_refuses_invalid_combinations_of_arguments(self, home, args, words):
        done = run(home, "catalog", "infer", *args)
        assert done.code == 64 and words in done.stderr, done

    def test_infer_command_refuses_an_answer_that_is_not_json(self, home):
        done = run(home, "catalog", "infer", "-", input=b"{")
        assert done.code == 1 and done.stderr.startswith("larder: -: the answer is not JSON: "), done


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

    @pytest.mark.parametrize("document", FORMS, ids=lambda path: f"{path.parent.name}-{path.stem}")
    def test_documents_in_other_formats_give_the_same_catalog(self, home, document):
        """The draft equals the draft of the same document in JSON and OpenAPI 3."""
        done = run(home, "catalog", "import", str(document))
        assert done.stdout.decode() == (DOCUMENTS / f"{document.stem}.jsonc").read_text(encoding="utf-8"), done

    @pytest.mark.parametrize(
        "name, text, words",
        [
            ("a.yaml", "openapi: 3.0.0\npaths: {}\n", "no path has a GET operation"),
            ("a.yaml", "openapi: 3.0.0\npaths: {}\npaths: {}\n", "'paths' of line 2 must not be repeated at line 3"),
            ("a.json", '{"swagger": "2.0"}', "has no object 'paths'"),
            ("a.json", '{"swagger": "1.2", "paths": {}}', "unknown version of Swagger"),
            ("a.json", '{"openapi": "3.0.0", "paths": {}}', "no path has a GET operation"),
            ("a.json", '{"openapi": ', "line 1, column 13"),
            ("a.json", "", "there is no value"),
        ],
    )
    def test_import_of_an_unsupported_document_is_refused(self, home, name, text, words):
        (home / name).write_text(text)
        done = run(home, "catalog", "import", str(home / name))
        assert done.code == 1 and words in done.stderr and not done.stdout, done

    def test_import_of_a_missing_document_is_refused(self, home):
        done = run(home, "catalog", "import", str(home / "none"))
        assert done.code == 1 and "none" in done.stderr, done

    def test_document_can_be_imported_from_standard_input(self, home):
        text = (DOCUMENTS / "yaml" / "stripe.yaml").read_bytes()
        done = run(home, "catalog", "import", "-", input=text)
        assert done.stdout.decode() == (DOCUMENTS / "stripe.jsonc").read_text(encoding="utf-8"), done

    def test_document_can_be_imported_from_a_url(self, home, publish):
        url = publish({"/openapi.yaml": (DOCUMENTS / "yaml" / "github.yaml").read_text(encoding="utf-8")})
        done = run(home, "catalog", "import", f"{url}/openapi.yaml")
        assert done.stdout.decode() == (DOCUMENTS / "github.jsonc").read_text(encoding="utf-8"), done

    @pytest.mark.parametrize(
        "form, expected",
        [
            ({"openapi": "3.0.0", "servers": [{"url": "../v1"}]}, "/v1"),
            ({"openapi": "3.0.0", "servers": [{"url": "/v2"}]}, "/v2"),
            ({"openapi": "3.0.0"}, ""),
            ({"swagger": "2.0", "basePath": "/v3"}, "/v3"),
            ({"swagger": "2.0"}, ""),
        ],
    )
    def test_base_url_is_relative_to_the_url_of_the_imported_document(self, draft, publish, form, expected):
        url = publish({"/docs/openapi.json": json.dumps({**form, "paths": zoo(form)})})
        path = draft("import", f"{url}/docs/openapi.json")
        assert f'"baseURL": "{url}{expected}"' in path.read_text()

    def test_draft_of_a_published_document_works_unedited(self, draft, start, publish):
        things = [{"id": number, "name": f"thing {number}"} for number in range(1, 4)]
        form = {"swagger": "2.0", "basePath": "/v1"}
        url = publish(
            {
                "/swagger.json": json.dumps({**form, "paths": zoo(form)}),
                "/v1/things": json.dumps(things),
                "/v1/things/2": json.dumps(things[1]),
            }
        )
        larder = start("--catalog", draft("import", f"{url}/swagger.json"), upstream=None)
        assert walk(larder, "thing/list") == things
        assert larder.call("thing/get", id=2, cachePolicy="none")["item"] == things[1]

    def test_suggested_sync_of_a_draft_works_when_it_is_activated(self, draft, publish, home):
        """The draft suggests `sync` in a comment. The live check then makes two syncs."""
        things = [{"id": number, "updated_at": f"2026-01-0{number}T00:00:00Z"} for number in range(1, 4)]

        def reply(request):
            since = request.query.get("updated_since", "")
            return 200, {}, [thing for thing in things if thing["updated_at"] >= since]

        date = {"type": "string", "format": "date-time"}
        thing = {"type": "object", "properties": {"id": {"type": "integer"}, "updated_at": date}}
        answer = {"content": {"application/json": {"schema": {"type": "array", "items": thing}}}}
        get = {"parameters": [{"name": "updated_since", "in": "query", "schema": date}], "responses": {"200": answer}}
        with serving(reply) as url:
            url = publish({"/openapi.json": json.dumps({
                "openapi": "3.0.3", "info": {"title": "Things"}, "servers": [{"url": url}],
                "paths": {"/things": {"get": get}}})})
            path = draft("import", f"{url}/openapi.json")
            lines = path.read_text().splitlines()
            [first] = [number for number, line in enumerate(lines) if "// if 'updated_since' requests" in line]
            last = next(number for number in range(first, len(lines)) if "//" not in lines[number])
            comment = " ".join(line.strip().removeprefix("// ") for line in lines[first:last])
            [suggested] = re.findall(r'"sync": \{.*?\}', comment)
            assert '"sync"' not in "\n".join(lines[:first] + lines[last:])
            path.write_text("\n".join([*lines[:first], suggested + ",", *lines[last:]]))
            done = run(home, "check", str(path), "--live", "--json")
        assert done.code == 0, done
        [found] = [one for one in json.loads(done.stdout)["live"] if one["operation"] == "sync"]
        assert (found["items"], found["changed"], found["requests"], found["notes"]) == (3, 0, 2, [])
        assert "updated_since=2026-01-02T23" in found["url"].replace("%3A", ":")

    def test_header_option_is_sent_with_the_request_for_the_document(self, home, publish):
        url = publish({"/a.json": json.dumps({"openapi": "3.0.0", "paths": zoo({})})}, token=TOKEN)
        done = run(home, "catalog", "import", f"{url}/a.json")
        assert done.code == 1 and "401" in done.stderr and not done.stdout, done
        header = "Authorization: Bearer ${env:API_TOKEN}"
        done = run(home, "catalog", "import", f"{url}/a.json", "--header", header, env={"API_TOKEN": TOKEN})
        assert done.code == 0 and TOKEN not in done.stdout.decode(), done

    @pytest.mark.parametrize("form", ["openapi", "swagger"])
    def test_import_follows_references_to_other_files_and_urls(self, home, publish, form):
        files = parts(form)
        for name, text in files.items():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_text(text)
        done = run(home, "catalog", "import", str(home / "api" / "root.yaml"))
        assert done.code == 0 and "cannot follow" not in done.stdout.decode(), done
        text = done.stdout.decode()
        assert '"thing": {' in text and '"name": "string"' in text and '"filters": {"color": "color"}' in text, text
        url = publish({f"/{name}": text for name, text in files.items()})
        published = run(home, "catalog", "import", f"{url}/api/root.yaml")
        assert published.code == 0 and resources(published.stdout) == resources(done.stdout), published

    def test_import_names_and_counts_references_that_it_cannot_follow(self, home):
        document = {"openapi": "3.0.0", "paths": zoo({}) | {"/others": {"$ref": "others.yaml"}}}
        (home / "root.json").write_text(json.dumps(document))
        done = run(home, "catalog", "import", str(home / "root.json"))
        text = " ".join(done.stdout.decode().replace("//", " ").split())
        assert done.code == 0 and "'others.yaml': cannot read" in text, done
        assert "that larder cannot follow: 1. Operations that are left out" in text, text
        assert "for this reason: 1." in text, text
        assert "/others: left out; cannot follow the reference 'others.yaml'" in text, text
        assert '"other"' not in text

    def test_import_follows_no_references_to_other_origins(self, home, publish):
        asked = []
        other = publish({"/x.json": "{}"}, asked=asked)
        (home / "secret.yaml").write_text("type: object\n")
        references = [f"{other}/x.json", f"file://{home}/secret.yaml", "//127.0.0.1:1/x.json"]
        things = zoo({}) | {f"/{n}": {"get": {"responses": {"200": {"$ref": r}}}} for n, r in enumerate(references)}
        url = publish({"/a.json": json.dumps({"openapi": "3.0.0", "paths": things})})
        done = run(home, "catalog", "import", f"{url}/a.json")
        text = " ".join(done.stdout.decode().split())
        assert done.code == 0 and asked == [] and "that larder cannot follow: 3." in text, done


def resources(text):
    return text[text.index(b'"resources"') :]


def zoo(form):
    """The paths of a list and an item."""
    thing = {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}
    thing["required"] = ["id", "name"]
    number = {"name": "id", "in": "path", "required": True}

    def answer(schema):
        told = {"schema": schema}
        if "swagger" not in form:
            told = {"content": {"application/json": told}}
        return {"responses": {"200": {"description": "OK", **told}}}

    number |= {"type": "integer"} if "swagger" in form else {"schema": {"type": "integer"}}
    return {
        "/things": {"get": answer({"type": "array", "items": thing})},
        "/things/{id}": {"get": {"parameters": [number], **answer(thing)}},
    }


def parts(form):
    """The files of one document. A path, a parameter, an answer and a schema are in separate files."""
    root = {"openapi": "openapi: 3.0.0\n", "swagger": "swagger: '2.0'\n"}[form]
    color = {"openapi": "schema: {type: string}", "swagger": "type: string"}[form]
    answer = {"openapi": "content:\n  application/json:\n    schema:", "swagger": "schema:"}[form]
    return {
        "api/root.yaml": root
        + "paths:\n  /things: {$ref: paths/things.yaml}\n  /things/{id}:\n    get:\n      parameters:\n"
        + "        - {name: id, in: path, required: true, "
        + {"openapi": "schema: {type: integer}", "swagger": "type: integer"}[form]
        + "}\n      responses: {'200': {$ref: 'shared/answers.yaml#/one'}}\n",
        "api/paths/things.yaml": "get:\n  parameters: [{$ref: '../shared/parameters.yaml#/color'}]\n"
        "  responses: {'200': {$ref: '../shared/answers.yaml#/all'}}\n",
        "api/shared/parameters.yaml": f"color: {{name: color, in: query, {color}}}\n",
        "api/shared/answers.yaml": "one:\n  description: One.\n  "
        + answer.replace("\n", "\n  ")
        + " {$ref: thing.yaml}\nall:\n  description: All.\n  "
        + answer.replace("\n", "\n  ")
        + " {type: array, items: {$ref: thing.yaml}}\n",
        "api/shared/thing.yaml": "type: object\nrequired: [id, name]\nproperties:\n"
        "  id: {type: integer}\n  name: {type: string}\n",
    }
