"""`request/explain` reports the cached entry of each level and its age."""


def explain(larder, method, **params):
    return larder.wait(larder.send("request/explain", {"method": method, "params": params}))["result"]


def cached(larder, **params):
    return explain(larder, "character/get", **params)["entries"][0]["cached"]


def test_explain_reports_whether_a_cached_item_is_fresh_or_stale(start):
    larder = start()
    assert cached(larder, id=1) == {"memory": None, "persistence": None}
    larder.call("character/get", id=1)
    for kept in cached(larder, id=1).values():
        assert (kept["stale"], kept["expired"], kept["conditional"]) == (False, False, True)
        assert 0 <= kept["age"] < 60 and kept["fetchedAt"].endswith("Z")
    larder.call("cache/invalidate", resource="character")
    for kept in cached(larder, id=1).values():
        assert (kept["stale"], kept["expired"]) == (True, False)


def test_explained_cache_key_has_resource_and_item_id(start):
    larder = start()
    entries = explain(larder, "character/getMany", ids=[1, 2])["entries"]
    assert [entry["key"]["entry"] for entry in entries] == ["1", "2"]
    assert {entry["key"]["resource"] for entry in entries} == {"character"}
    assert len({entry["key"]["fingerprint"] for entry in entries}) == 1


def test_explain_shows_the_request_that_would_be_sent(start):
    larder = start()
    found = explain(larder, "character/get", id=7, cachePolicy="remoteFirst")
    assert (found["method"], found["cachePolicy"]) == ("character/get", "remoteFirst")
    [request] = found["requests"]
    assert request["method"] == "GET" and request["url"].endswith("/character/7")
    assert found["limiter"] == {"wait": 0} and "error" not in found
    assert explain(larder, "character/get", id=7, cachePolicy="localOnly")["requests"] == []
