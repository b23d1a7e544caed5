"""`larder check --live`: calls each operation of a catalog and reports the result."""

import json

import pytest

from scripted import serving

SECRET = "s3cr3t-77aa01fe"


class Hub:
    """An API with an answer for each path. An answer that is a function receives the query."""

    def __init__(self):
        self.answers, self.asked = {}, []

    def answer(self, request):
        self.asked.append(request.target)
        answer = self.answers.get(request.path, (404, {"message": "no such path"}))
        answer = answer(request.query) if callable(answer) else answer
        status, body, *headers = answer if isinstance(answer, tuple) else (200, answer)
        return status, headers[0] if headers else {}, body


@pytest.fixture
def hub():
    hub = Hub()
    with serving(hub.answer) as hub.url:
        yield hub


@pytest.fixture
def check(command, home, hub):
    """`check(resource, *options)` returns the output of `check --live --json` for a catalog with one resource."""

    def check(resource, *options, api=None, code=0, env=None, text=False):
        path = home / "hub.json"
        resource = {"api": "hub", "id": "integer", **resource}
        catalog = {"larder": 1, "apis": {"hub": {"baseURL": hub.url, "retries": 0, **(api or {})}},
                   "resources": {"note": resource}}
        path.write_text(json.dumps(catalog), encoding="utf-8")
        done = command("check", path, "--live", *([] if text else ["--json"]), *options, env=env)
        # Before the first request, the output names the secrets and their hosts.
        secrets = (" gets ${", " gets the output of")
        others = [line for line in done.stderr.splitlines() if not any(text in line for text in secrets)]
        assert (done.code, others) == (code, []), done
        assert SECRET.encode() not in done.stdout
        return done.stdout.decode() if text else json.loads(done.stdout)["live"]

    return check


NOTES = [{"id": id, "title": f"note {id}"} for id in range(1, 31)]
LIST = {"path": "/notes", "pagination": {"style": "page", "param": "page"}}
GET = {"path": "/notes/{id}"}


def pages(query):
    number = int(query.get("page", 1))
    return NOTES[(number - 1) * 10 : number * 10]


class TestLiveCheck:
    def test_variables_of_a_replaced_base_url_are_not_needed(self, check, command, home, hub):
        """`--base-url` makes the variables of the catalog's base URL unnecessary, with and without `--live`."""
        hub.answers["/notes"] = NOTES
        api = {"baseURL": "https://${env:NOT_SET}.example"}
        found = check({"rest": {"list": LIST}}, "--base-url", f"hub={hub.url}", api=api)
        assert all(part["tried"] and part["error"] is None for part in found) and hub.asked
        path, moved = home / "hub.json", ["--base-url", f"hub={hub.url}"]
        assert command("check", path, *moved).code == 0
        # The prefix of an API's name is the name of its catalog.
        other = home / "other.json"
        other.write_text(path.read_text())
        both = ["check", "--catalog", path, "--catalog", other, "--base-url", f"hub.hub={hub.url}"]
        done = command(*both)
        assert (done.code, done.stdout.count(b"NOT_SET")) == (78, 1) and b"other.json:1:" in done.stdout
        assert command(*both, "--base-url", f"other.hub={hub.url}").code == 0

    def test_secrets_outside_a_replaced_base_url_are_needed(self, check, command, home, hub):
        api = {"baseURL": "https://${env:NOT_SET}.example", "headers": {"X-Key": "${env:KEY_NOT_SET}"}}
        hub.answers["/notes"] = NOTES
        check({"rest": {"list": LIST}}, api={**api, "baseURL": hub.url}, env={"KEY_NOT_SET": "a" * 20})
        (home / "hub.json").write_text((home / "hub.json").read_text().replace(hub.url, api["baseURL"]))
        done = command("check", home / "hub.json", "--base-url", f"hub={hub.url}")
        assert done.code == 78 and b"KEY_NOT_SET" in done.stdout and b"'NOT_SET'" not in done.stdout


    def test_live_check_sends_each_operation_and_two_list_pages(self, check, hub):
        hub.answers = {"/notes": pages, "/notes/1": (200, NOTES[0], {"X-RateLimit-Remaining": "41"}),
                       "/many/1,2": NOTES[:2]}
        many = {"path": "/many/{ids}"}
        found = check({"fields": {"title": "string"}, "rest": {"list": LIST, "get": GET, "getMany": many}})
        told = [(one["operation"], one["detail"], one["status"], one["items"], one["error"]) for one in found]
        assert told == [("list", None, 200, 10, None), ("list", "page 2", 200, 10, None),
                        ("get", "id=1", 200, 1, None), ("getMany", "of 2 ids", 200, 2, None)]
        assert found[2]["limits"] == {"X-RateLimit-Remaining": "41"} and found[2]["url"] == hub.url + "/notes/1"
        assert all(one["notes"] == [] and one["tried"] and one["milliseconds"] >= 0 for one in found)
        assert hub.asked == ["/notes?page=1", "/notes?page=2", "/notes/1", "/many/1,2"]

    def test_live_check_reports_the_path_of_a_value_that_does_not_match(self, check, hub):
        hub.answers = {"/notes": {"notes": [{"id": 1, "titel": "a"}]}, "/notes/1": (500, {"message": "on fire"})}
        listed = {"path": "/notes", "items": "notes"}
        found = check({"fields": {"title": "string"}, "rest": {"list": listed, "get": GET}}, "--with", "id=1", code=1)
        assert found[0]["error"]["kind"] == "decodingFailed" and found[0]["error"]["path"] == "notes[0].title"
        assert found[0]["error"]["message"].endswith("did you mean 'titel'?") and found[0]["status"] == 200
        assert (found[1]["status"], found[1]["error"]["kind"]) == (500, "serverError")
        assert "on fire" in found[1]["error"]["message"]

    @pytest.mark.parametrize("items, body, hint", [
        ("result", {"results": []}, "did you mean 'results'?"),
        ("", {"data": {"rows": []}}, "an array is at 'data.rows'"),
        ("", {"a": {"id": 1}}, "for a map of items, use '*'"),
        ("rows", {"data": {"items": []}}, "an array is at 'data.items'"),
        ("data", [{"id": 1}], "remove 'items'"),
    ])
    def test_live_check_suggests_a_correction_for_a_failed_operation(self, check, hub, items, body, hint):
        hub.answers = {"/notes": body}
        [found] = check({"rest": {"list": {"path": "/notes", "items": items}}}, code=1)
        assert hint in found["error"]["message"]

    def test_live_check_notes_ids_that_are_on_two_pages(self, check, hub):
        hub.answers = {"/notes": lambda query: NOTES[:10] if "page" not in query else NOTES[5:15]}
        listed = {"path": "/notes", "pagination": {"style": "cursor", "param": "page", "next": {"last": "id"}}}
        found = check({"rest": {"list": listed}})
        assert found[1]["notes"] == ["5 of the ids are on the first page too: '6', '7', '8', '9', '10'"]

    @pytest.mark.parametrize(
        "style, more", [("page", {}), ("offset", {}), ("page", {"size": {"param": "n", "value": 5}})]
    )
    def test_live_check_notes_a_page_parameter_that_the_api_ignores(self, check, hub, style, more):
        hub.answers = {"/notes": NOTES[:5]}
        found = check({"rest": {"list": {"path": "/notes", "pagination": {"style": style, "param": "pg", **more}}}})
        assert [one["items"] for one in found] == [5, 5] and found[0]["notes"] == []
        [note] = found[1]["notes"]
        told = "5 of the ids are on the first page too: '1', '2', '3', '4', '5'; both pages are equal"
        assert note.startswith(told)

    def test_live_check_notes_pagination_that_the_catalog_does_not_declare(self, check, hub):
        meta = {"next_cursor": "abc", "total_pages": 3, "has_more": False}
        hub.answers = {"/notes": (200, {"items": NOTES[:20], "meta": meta}, {"Link": '</notes?page=2>; rel="next"'})}
        [found] = check({"rest": {"list": {"path": "/notes", "items": "items"}}})
        assert len(found["notes"]) == 4
        assert "'Link' names a next page" in found["notes"][0] and "'meta.next_cursor'" in found["notes"][1]
        assert "'meta.total_pages'" in found["notes"][2] and "20 items look like a full page" in found["notes"][3]

    def test_live_check_notes_a_link_to_the_next_page(self, check, hub):
        links = [{"rel": "self", "href": "/notes"}, {"rel": "next", "href": "/notes?page=2"}]
        hub.answers = {"/notes": {"items": NOTES[:2], "links": links}}
        [found] = check({"rest": {"list": {"path": "/notes", "items": "items"}}})
        sign = "'links.[rel=next].href' seems to be the URL of the next page"
        assert found["notes"] == [f"no pagination is declared, but {sign}"]
        hub.answers["/notes"]["links"] = links[:1]
        [found] = check({"rest": {"list": {"path": "/notes", "items": "items"}}})
        assert found["notes"] == []

    def test_live_check_notes_skipped_items_and_selectors_without_matches(self, check, hub):
        hub.answers = {"/notes": {"rows": [{"id": 1}, {"id": "x"}], "total": 2}}
        pagination = {"style": "page", "param": "page", "count": "totl"}
        listed = {"path": "/notes", "items": "rows", "pagination": pagination}
        found = check({"onMismatch": "skip", "rest": {"list": listed}})
        assert found[0]["items"] == 1 and "1 item skipped" in found[0]["notes"][0]
        assert "the selector 'totl' (did you mean 'total'?)" in found[0]["notes"][1]

    def test_live_check_sends_the_parameter_values_given_as_options(self, check, hub):
        hub.answers = {"/a/notes": [], "/a/notes/7": NOTES[6]}
        resource = {"scope": {"owner": "string"}, "rest": {
            "list": {"path": "/{owner}/notes", "filters": {"kind": {"required": True}}},
            "get": {"path": "/{owner}/notes/{id}"}}}
        [found] = check(resource)
        assert not found["tried"] and "--with owner=" in found["reason"] and hub.asked == []
        found = check(resource, "--with", "owner=a")
        assert [one["tried"] for one in found] == [False, False]
        assert "--with kind=" in found[0]["reason"] and "--with note.id=" in found[1]["reason"]
        found = check(resource, "--with", "owner=b", "--with", "note.owner=a", "--with", "kind=x", "--with", "id=7")
        assert [one["status"] for one in found] == [200, 200] and hub.asked == ["/a/notes?kind=x", "/a/notes/7"]

    def test_live_check_refuses_an_unknown_parameter_name(self, command, home):
        done = command("check", "--live", "--with", "charcter.id=9")
        assert (done.code, done.stdout) == (64, b"") and "did you mean 'character.id'?" in done.stderr, done

    def test_live_check_never_prints_a_secret(self, check, hub):
        def refused(query):
            return 401, {"message": f"no {query['key']} here"}, {"X-RateLimit-User": query["key"]}

        hub.answers = {"/notes": refused}
        api = {"auth": {"apiKey": {"in": "query", "name": "key", "value": "${env:HUB_KEY}"}}}
        [found] = check({"rest": {"list": {"path": "/notes"}}}, api=api, code=1, env={"HUB_KEY": SECRET})
        assert hub.asked == [f"/notes?key={SECRET}"] and found["error"]["kind"] == "unauthorized"
        assert found["limits"] == {"X-RateLimit-User": "***"} and "key=***" in found["url"]

    @pytest.mark.parametrize("text", [False, True], ids=["json", "text"])
    @pytest.mark.parametrize("resource, answer, code", [
        pytest.param({}, {"items": [{"id": SECRET}, {"id": "b"}], f"{SECRET}\x1b[2J\n": {"next_cursor": "x"}}, 0,
                     id="signs and ids"),
        pytest.param({}, {"items": [{"id": SECRET}, {"id": SECRET}]}, 1, id="repeated id"),
        pytest.param({"fields": {"title": "integer"}}, {"items": [{"id": "a", "title": SECRET}]}, 1, id="value"),
        pytest.param({"fields": {"title": "integer"}}, {"items": {f"{SECRET}\x1b]0;\n": {"id": "a"}}}, 1, id="key"),
        pytest.param({"fields": {"title": "integer"}, "onMismatch": "skip"},
                     {"items": [{"id": "a", "title": f"{SECRET}\x1b[1m\n"}]}, 0, id="left out"),
        pytest.param({}, {f"{SECRET}\x1b[2J": []}, 1, id="another array"),
        pytest.param({}, (500, {"message": f"{SECRET}\x1b[2J is\nwrong"}, {f"X-RateLimit-{SECRET}": "1"}), 1,
                     id="message"),
    ])
    def test_secret_repeated_by_the_api_is_not_shown(self, check, hub, resource, answer, code, text):
        odd = {"id": f"{SECRET}\x1b[31m\n", "title": SECRET}
        hub.answers = {"/notes": answer, f"/notes/{SECRET}": odd}
        items = "items.*" if isinstance(answer, dict) and isinstance(answer.get("items"), dict) else "items"
        listed = {"path": "/notes", "items": items}
        api = {"auth": {"apiKey": {"in": "query", "name": "key", "value": "${env:HUB_KEY}"}}}
        # `check` itself verifies that the secret appears nowhere.
        found = check({"id": "string", **resource, "rest": {"list": listed, "get": GET}}, api=api, code=code,
                      env={"HUB_KEY": SECRET}, text=text)
        assert hub.asked[0] == f"/notes?key={SECRET}" and "***" in str(found)
        if text:
            assert "\x1b" not in found
            assert all(line.startswith(("note/", "  note: ", "  limits: ")) for line in found.splitlines()[1:-1])

    def test_token_from_a_command_is_not_shown(self, check, hub):
        hub.answers = {"/notes": {"items": [{"id": SECRET}, {"id": SECRET}]}}
        api = {"auth": {"bearer": {"command": ["printf", "%s%s", SECRET[:6], SECRET[6:]]}}}
        listed = {"path": "/notes", "items": "items"}
        for text in (False, True):
            found = check({"id": "string", "rest": {"list": listed}}, api=api, code=1, text=text)
            assert "has the same id '***' as another item" in str(found if text else found[0]["error"]["message"])

    def test_text_output_of_live_check_has_one_line_for_each_request(self, check, hub):
        hub.answers = {"/notes": pages}
        told = check({"rest": {"list": LIST, "get": GET}}, code=1, text=True).splitlines()
        assert told[0].endswith(": 1 resource of 1 API, no fault, no warnings")
        assert told[1].startswith("note/list: 200, ") and told[1].endswith(f" ms, 10 items, GET {hub.url}/notes?page=1")
        assert told[3].startswith("note/get id=1: 404, ") and "notFound: " in told[3]
        assert told[4].endswith(": 3 requests tried, 1 failure, 0 not tried")

    def test_live_check_sends_graphql_operations(self, check, hub):
        notes = {"nodes": NOTES[:3], "pageInfo": {"hasNextPage": True, "endCursor": "x"}}
        hub.answers = {"/graphql": {"data": {"notes": notes}}}
        query = {"query": "{ notes { nodes { id title } } }", "items": "notes.nodes"}
        [found] = check({"graphql": {"list": query}})
        assert found["method"] == "POST" and found["items"] == 3
        assert "'data.notes.pageInfo.hasNextPage' seems to be a flag" in " ".join(found["notes"])

    def test_catalog_faults_prevent_live_requests(self, command, home, hub):
        path = home / "hub.json"
        path.write_text(json.dumps({"larder": 1, "apis": {"hub": {"baseURL": hub.url}}, "resources": {}}))
        done = command("check", path, "--live", "--json")
        assert done.code == 78 and "live" not in json.loads(done.stdout) and hub.asked == []
        assert command("check", "--live", "--offline").code == 64

    def test_live_check_caches_nothing(self, check, hub, home):
        hub.answers = {"/notes": pages}
        check({"rest": {"list": LIST}}, "--cache-dir", home / "cache", "--data-dir", home / "data")
        assert not (home / "cache").exists()
