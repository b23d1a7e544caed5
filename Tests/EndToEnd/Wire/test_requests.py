"""HTTP requests made from a catalog: variables, missing secrets, scope, placeholders, POST reads, typed filters,
proxies."""

import json
import urllib.parse

import pytest

from scripted import serving


@pytest.fixture
def served(home, start):
    """`served(resources, *args)` starts Larder with a scripted server.

    `served.answer` makes the responses; `served.asked` lists the requests.
    """
    asked = []

    def answer(request):
        asked.append((request.method, request.target, request.json, dict(request.headers)))
        status, value = served.answer(request.method, request.target, request.json)
        return status, {"Location": value} if status in (302, 307) else {}, value

    def served(resources, *args, api=None, apis=None, **options):
        path = home / "catalog.json"
        apis = apis or {"a": {"baseURL": url, "retries": 0, **(api or {})}}
        path.write_text(json.dumps({"larder": 1, "apis": apis, "resources": resources}))
        return start("--catalog", path, *args, upstream=None, **options)

    served.asked = asked
    served.answer = lambda method, path, body: (200, {"id": 1, "name": "x"})
    with serving(answer) as url:
        served.url = url
        yield served


def of(**more):
    return {"thing": {"api": "a", "id": "integer", "fields": {"id": "integer", "name": "string?"}, **more}}


def paths(served):
    return [path for _, path, _, _ in served.asked]


ISSUES = of(
    scope={"owner": "string", "repo": {"type": "string", "default": "${var:REPO:-larder}"}},
    rest={
        "get": {"path": "/repos/{owner}/{repo}/issues/{id}", "headers": {"X-Owner": "{owner}"}},
        "list": {"path": "/repos/{owner}/{repo}/issues", "query": {"of": "{owner}/{repo}"}},
    },
)


class TestVariables:
    HOSTED = of(rest={"get": {"path": "/${var:BASE}/{id}", "query": {"v": "${var:V:-2}"}}})

    def test_variable_on_the_command_line_overrides_environment_and_default(self, served):
        served(self.HOSTED, "--var", "BASE=one", env={"LARDER_VAR_BASE": "two"}).call("thing/get", id=1)
        served(self.HOSTED, env={"LARDER_VAR_BASE": "two", "LARDER_VAR_V": "3"}).call("thing/get", id=1)
        assert paths(served) == ["/one/1?v=2", "/two/1?v=3"]

    def test_missing_variable_disables_only_the_api_that_uses_it(self, served):
        resources = {**self.HOSTED, "other": {**of(rest={"get": {"path": "/o/{id}"}})["thing"], "api": "b"}}
        apis = {"a": {"baseURL": served.url}, "b": {"baseURL": served.url}}
        larder = served(resources, apis=apis)
        error = larder.fails("thing/get", id=1)
        assert error.kind == "unauthorized" and error.data["attempts"] == 0
        assert "the variable 'BASE' has no value" in error.message and "catalog.json:1:" in error.message
        assert larder.call("other/get", id=1)["source"] == "remote"
        parts = larder.call("server/status")["degraded"]
        assert [part["part"] for part in parts] == ["api a"] and "'BASE'" in parts[0]["reason"]

    def test_cached_items_are_served_while_a_secret_is_missing(self, served):
        resources = {"thing": {**of(rest={"get": {"path": "/t/{id}"}})["thing"], "cache": {"freshFor": 0}}}
        api = {"auth": {"bearer": "${env:TOKEN}"}}
        first = served(resources, api=api, env={"TOKEN": "t0ken-t0ken"})
        assert first.call("thing/get", id=1)["source"] == "remote"
        assert first.close() == 0
        without = served(resources, api=api)
        found = without.call("thing/get", id=1)
        assert found["item"] == {"id": 1, "name": "x"} and found["stale"] is True
        assert found["fallback"]["data"]["kind"] == "unauthorized"
        assert "'TOKEN' is not set" in found["fallback"]["message"]
        assert without.fails("thing/get", id=2).kind == "unauthorized"
        many = without.call("thing/getMany", ids=[2, 1])
        assert many["items"] == [{"id": 1, "name": "x"}] and many["missing"] == [2] and many["stale"] is True
        assert many["fallback"]["data"]["kind"] == "unauthorized"
        assert without.fails("thing/getMany", ids=[2, 3]).kind == "unauthorized"
        assert len(served.asked) == 1

    def test_empty_secret_counts_as_missing(self, served):
        resources = {name: {**of(rest={"get": {"path": "/t/{id}"}})["thing"], "api": name} for name in ("a", "b")}
        apis = {"a": {"baseURL": served.url, "auth": {"bearer": "${env:TOKEN}"}}, "b": {"baseURL": served.url}}
        larder = served(resources, apis=apis, env={"TOKEN": ""})
        error = larder.fails("a/get", id=1)
        assert error.kind == "unauthorized" and "'TOKEN' is empty" in error.message
        assert larder.call("b/get", id=1)["source"] == "remote"
        assert [part["part"] for part in larder.call("server/status")["degraded"]] == ["api a"]
        assert paths(served) == ["/t/1"]

    def test_replay_of_recorded_replies_needs_no_secret(self, served, home):
        resources = of(rest={"get": {"path": "/t/{id}"}})
        api = {"auth": {"bearer": "${env:TOKEN}"}}
        env = {"TOKEN": "t0ken-t0ken"}
        recorder = served(resources, "--record", home / "tape", "--no-persistence", api=api, env=env)
        assert recorder.call("thing/get", id=1)["source"] == "remote"
        assert recorder.close() == 0
        for env in ({}, {"TOKEN": ""}):
            replay = served(resources, "--replay", home / "tape", "--no-persistence", api=api, env=env)
            assert replay.call("thing/get", id=1)["item"] == {"id": 1, "name": "x"}
        assert len(served.asked) == 1


class TestScope:
    def test_scope_is_part_of_request_urls_and_cache_keys(self, served):
        served.answer = lambda method, path, body: (200, {"id": 7, "name": path.split("/")[2]})
        larder = served(ISSUES)
        names = [larder.call("thing/get", id=7, owner=owner)["item"]["name"] for owner in ("apple", "swift")]
        assert names == ["apple", "swift"]
        assert larder.call("thing/get", id=7, owner="apple")["source"] == "memory"
        assert larder.call("thing/get", id=7, owner="apple", repo="larder")["source"] == "memory"
        assert paths(served) == ["/repos/apple/larder/issues/7", "/repos/swift/larder/issues/7"]
        assert served.asked[1][3]["X-Owner"] == "swift"
        assert larder.fails("thing/get", id=7).message == "'owner' is missing; pass a string"
        larder.close()
        again = served(ISSUES)
        assert again.call("thing/get", id=7, owner="swift")["item"]["name"] == "swift"
        assert len(served.asked) == 2

    def test_unknown_param_names_are_reported_before_missing_ones(self, served):
        larder = served(ISSUES)
        for params in ({"owner": "a", "filter": {"owner": "b"}}, {"filter": {"owner": "b"}}):
            for method in ("thing/list", "thing/prefetch", "thing/observe"):
                message = larder.fails(method, **params, **({"observer": "x"} if "observe" in method else {})).message
                assert "'filter' has no 'owner': this name belongs to the scope" in message
                assert "at(owner=...)" in message
        message = larder.fails("thing/list", onwer="a").message
        assert message.startswith("unknown parameter 'onwer': this method takes 'owner'")
        assert larder.fails("thing/get", id=7, filter={"owner": "a"}).message.startswith("unknown parameter 'filter'")
        assert larder.fails("thing/list", workDoneToken=1).message == "'owner' is missing; pass a string"
        # In a search, the filter names are fields of the item, and a field may have the name of a scope parameter.
        assert "'filter' has no 'owner'; use one of" in larder.fails("thing/search", filter={"owner": "a"}).message

    def test_scope_applies_to_all_methods_of_a_resource(self, served):
        def answer(method, path, body):
            owner = path.split("/")[2]
            if path.split("?")[0].endswith("/issues"):
                return 200, [{"id": 1, "name": owner}, {"id": 2, "name": owner}]
            return 200, {"id": int(path.rsplit("/", 1)[1]), "name": owner}

        served.answer = answer
        larder = served(ISSUES)
        for owner in ("a", "b"):
            assert [item["name"] for item in larder.call("thing/list", owner=owner)["items"]] == [owner] * 2
            many = larder.call("thing/getMany", ids=[2, 3], owner=owner)
            assert [item["name"] for item in many["items"]] == [owner] * 2 and many["sources"]["memory"] == 1
            assert larder.call("thing/prefetch", owner=owner)["items"] == 2
        assert larder.call("thing/search")["count"] == 6
        assert larder.call("thing/search", text="b")["count"] == 3
        assert larder.call("thing/search", owner="a", repo="larder")["count"] == 3
        assert larder.call("thing/search", owner="a", repo="other")["count"] == 0
        explained = larder.wait(
            larder.send("request/explain", {"method": "thing/get", "params": {"id": 9, "owner": "c"}})
        )["result"]
        assert explained["requests"][0]["url"].endswith("/repos/c/larder/issues/9")
        methods = {method["name"]: method for method in larder.call("rpc.discover")["methods"]}
        owner, repo = methods["thing/list"]["params"][:2]
        assert (owner["name"], owner["required"]) == ("owner", True)
        assert (repo["name"], repo["required"], repo["schema"]["default"]) == ("repo", False, "larder")
        assert methods["thing/search"]["params"][0]["required"] is False
        larder.call("thing/observe", id=1, owner="a", observer="o")
        assert larder.call("cache/invalidate", resource="thing", scope={"owner": "b"}) == {"invalidated": 4}
        assert larder.call("cache/remove", resource="thing", scope={"owner": "a"}, ids=[1]) == {"removed": 1}
        assert larder.notification("thing/changed")["gone"] is True
        assert larder.call("cache/remove", resource="thing") == {"removed": 7}
        error = larder.fails("cache/remove", resource="thing", scope={"ownr": "a"})
        assert error.message == "'scope' has no 'ownr': 'thing' has the scope 'owner', 'repo'"

    @pytest.mark.parametrize("owner", ["..", "a/../b", "a?b#c", "a b\n", "%2e%2e", "a/b"])
    def test_scope_value_cannot_add_path_segments_to_the_url(self, served, owner):
        larder = served(ISSUES)
        larder.send("thing/list", {"owner": owner})
        larder.line()
        larder.send("thing/get", {"id": 1, "owner": owner})
        larder.line()
        for path in paths(served):
            parts = path.split("?")[0].split("/")
            assert len(parts) in (5, 6) and parts[1] == "repos" and urllib.parse.unquote(parts[2]) == owner


class TestReads:
    def test_list_sent_as_post_has_a_json_body(self, served):
        served.answer = lambda method, path, body: (200, {"hits": [{"id": 1}]})
        larder = served(
            of(
                rest={
                    "list": {
                        "method": "POST",
                        "path": "/search",
                        "query": {"routing": 7, "tag": ["a", "b"], "extra": {"value": True, "beside": "state"}},
                        "body": {"query": {"match_all": {}}, "from": 0, "note": "${var:NOTE:-none}"},
                        "items": "hits",
                        "filters": {
                            "state": {"param": "query.term.state", "type": ["open", "closed"]},
                            "ids": {"param": "query.ids", "type": ["integer"]},
                            "dry": {"type": "boolean", "in": "query"},
                        },
                        "pagination": {
                            "style": "page", "param": "from", "first": 0, "size": {"param": "size", "value": 5}
                        },
                    }
                }
            )
        )
        larder.call("thing/list", filter={"state": "open", "ids": ["3", 4], "dry": "true"}, page=2)
        method, path, body, headers = served.asked[0]
        assert (method, path) == ("POST", "/search?routing=7&tag=a&tag=b&extra=true&dry=true")
        query = {"match_all": {}, "term": {"state": "open"}, "ids": [3, 4]}
        assert body == {"query": query, "from": 2, "note": "none", "size": 5}
        assert headers["Content-Type"] == "application/json" and "If-None-Match" not in headers
        larder.call("thing/list")
        assert served.asked[1][1] == "/search?routing=7&tag=a&tag=b"

    def test_read_sent_as_post_is_retried(self, served):
        answers = iter([(503, {}), (200, {"id": 1})])
        served.answer = lambda *_: next(answers)
        get = {"method": "POST", "path": "/one", "body": {"id": "{id}", "text": "number {id}"}}
        assert served(of(rest={"get": get}), api={"retries": 1}).call("thing/get", id=1)["item"]["id"] == 1
        assert [body for _, _, body, _ in served.asked] == [{"id": 1, "text": "number 1"}] * 2

    def test_values_in_query_and_path_placeholders_are_encoded(self, served):
        names = {"thing": {**of()["thing"], "id": "string", "fields": {"name": "string?"}}}
        names["thing"]["rest"] = {
            "get": {"path": "/files/{+id}", "query": {"ref": "r/{id}"}},
            "getMany": {"path": "/many", "query": {"pageids": "{ids}"}, "join": "|", "items": "items"},
        }
        larder = served(names)
        larder.call("thing/get", id="docs/a b.md")
        assert paths(served) == ["/files/docs/a%20b.md?ref=r%2Fdocs%2Fa%20b.md"]
        assert larder.fails("thing/get", id="../x").code == -32602
        served.answer = lambda *_: (200, {"items": []})
        larder.call("thing/getMany", ids=["a", "b|c"])
        assert urllib.parse.unquote(paths(served)[1].split("?")[1]) == "pageids=a|b|c"
        assert paths(served)[1].count("%7Cc") == 1


class TestFilters:
    LISTED = of(
        rest={
            "list": {
                "path": "/things",
                "query": {"sort": "newest", "site": "x"},
                "filters": {
                    "state": {"type": ["open", "closed", "all"], "default": "open"},
                    "points": {"param": "min", "type": "integer"},
                    "labels": {"type": ["string"]},
                    "tags": {"param": "tags[]", "type": ["string"], "join": "repeat"},
                    "since": {"type": "date"},
                    "from": {"type": "date", "unit": "s"},
                    "sort": "sort",
                    "author": {"param": "q", "as": "author:{}", "quote": '"', "wrap": "({})"},
                    "label": {"param": "q", "as": "label:{}", "type": ["string"]},
                },
            }
        }
    )

    def ask(self, served, larder, **filters):
        larder.call("thing/list", filter=filters, cachePolicy="none")
        return urllib.parse.parse_qsl(paths(served)[-1].partition("?")[2], keep_blank_values=True)

    def test_filters_are_encoded_by_their_declared_type(self, served):
        served.answer = lambda *_: (200, [])
        larder = served(self.LISTED)
        constant = [("sort", "newest"), ("site", "x")]
        assert self.ask(served, larder) == [*constant, ("state", "open")]
        assert self.ask(served, larder, state="all", sort="") == [*constant, ("state", "all")]
        assert self.ask(served, larder, sort="old") == [("site", "x"), ("state", "open"), ("sort", "old")]
        sent = self.ask(served, larder, labels=["a", "b"], tags=["c", "d"], points="5")
        assert sent[3:] == [("min", "5"), ("labels", "a,b"), ("tags[]", "c"), ("tags[]", "d")]
        sent = self.ask(served, larder, since="2026-01-31T10:00:00+01:00", **{"from": "1970-01-02"})
        assert sent[3:] == [("since", "2026-01-31T09:00:00Z"), ("from", "86400")]
        sent = self.ask(served, larder, author='a "b"', label=["x", "y"])
        assert sent[3:] == [("q", r'(author:"a \"b\"" label:x label:y)')]

    def test_equivalent_filters_share_one_cache_entry(self, served):
        served.answer = lambda *_: (200, [])
        larder = served(self.LISTED)
        assert larder.call("thing/list", filter={"points": 5})["source"] == "remote"
        for same in ({"points": "5"}, {"points": "5", "state": "open"}, {"points": 5, "sort": ""}):
            assert larder.call("thing/list", filter=same)["source"] == "memory"
        assert larder.call("thing/list", filter={"points": 6})["source"] == "remote"

    def test_filter_value_of_the_wrong_type_is_refused(self, served):
        larder = served(self.LISTED)
        messages = {
            "points": ("many", "'filter.points' must be an integer"),
            "state": ("gone", "'filter.state' must be one of \"open\", \"closed\", \"all\""),
            "labels": ([["a"]], "'filter.labels' must be an array in which each element is a string"),
        }
        for name, (value, message) in messages.items():
            assert larder.fails("thing/list", filter={name: value}).message == message
        assert served.asked == []

    def test_required_filters_are_documented_and_enforced(self, served):
        listed = {"path": "/s", "filters": {"q": {"required": True}, "n": {"type": "integer", "default": 3}}}
        larder = served(of(rest={"list": listed}))
        for method in ("thing/list", "thing/prefetch"):
            assert larder.fails(method).message == "'filter.q' is missing; pass a string"
        methods = {method["name"]: method for method in larder.call("rpc.discover")["methods"]}
        schema = next(param for param in methods["thing/list"]["params"] if param["name"] == "filter")["schema"]
        assert schema["required"] == ["q"] and schema["properties"]["n"]["default"] == 3


def test_graphql_request_has_scope_and_nested_variables(served):
    served.answer = lambda *_: (200, {"data": {"issues": [{"id": 1}]}})
    listed = {
        "query": "query Issues($owner: String!, $filter: F, $first: Int) { issues { id } }",
        "items": "issues",
        "filters": {
            "state": {"param": "filter.state.in", "type": ["string"]}, "n": {"param": "first", "type": "integer"}
        },
    }
    larder = served(of(scope={"owner": "string"}, graphql={"list": listed}))
    larder.call("thing/list", owner="apple", filter={"state": ["OPEN"], "n": "5"})
    assert served.asked[0][2]["variables"] == {"owner": "apple", "filter": {"state": {"in": ["OPEN"]}}, "first": 5}


class TestConnections:
    def test_proxy_of_the_catalog_overrides_the_environment(self, served):
        proxy = served.url.replace("//", "//me:pr0xy-s3cret@")
        api = {"baseURL": "http://api.test", "proxy": proxy}
        larder = served(of(rest={"get": {"path": "/t/{id}"}}), api=api, env={"http_proxy": "http://127.0.0.1:1"})
        assert larder.call("thing/get", id=1)["item"]["id"] == 1
        assert paths(served) == ["http://api.test/t/1"]
        assert served.asked[0][3]["Proxy-Authorization"].startswith("Basic ")
        api["proxy"] = "http://me:pr0xy-s3cret@127.0.0.1:1"
        error = served(of(rest={"get": {"path": "/t/{id}"}}), api=api).fails("thing/get", id=2)
        assert error.kind == "network" and "pr0xy-s3cret" not in str(error)

    def test_redirect_does_not_send_a_body_with_a_secret_to_another_origin(self, served):
        elsewhere = served.url.replace("127.0.0.1", "localhost") + "/else"
        get = {"method": "POST", "path": "/one", "body": {"key": "${env:KEY}"}}
        served.answer = lambda method, path, body: (307, elsewhere) if path == "/one" else (200, {"id": 1})
        error = served(of(rest={"get": get}), env={"KEY": "k3y-k3y-k3y"}).fails("thing/get", id=1)
        assert error.kind == "invalidResponse" and "the redirect leads to another origin" in error.message
        assert [(path, body) for _, path, body, _ in served.asked] == [("/one", {"key": "k3y-k3y-k3y"})]
