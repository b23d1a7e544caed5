"""`list_items` for lists of any size: no answer exceeds the size that hosts accept, and each item appears exactly
once."""

import json

import pytest

from mcp_standin import FILES, LONG_ROW, NOTES, ROWS

ABOUT = 60_000  # bytes of items in an answer, approximately
AROUND = 1000  # bytes of the other members of an answer


def ids(answers):
    return [item["id"] for answer in answers for item in answer["items"]]


def size(value):
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


@pytest.mark.parametrize("limit", [None, 1, 3, 7, 20, 21, 1000])
def test_page_longer_than_the_limit_is_returned_in_several_answers(mcp, upstream, limit):
    arguments = {} if limit is None else {"limit": limit}
    answers = mcp.walk(resource="character", fields=["id"], **arguments)
    assert ids(answers) == list(range(1, 61))
    assert all(len(answer["items"]) <= (limit or 20) for answer in answers)
    assert all(answer["page"]["count"] == 60 for answer in answers)
    assert len(upstream.requests("/api/character")) == 3, "the rest of a page is not requested again"


def test_list_answer_has_source_and_age(mcp):
    for source in ("remote", "memory"):
        page = mcp.tool("list_items", resource="episode", limit=1)
        assert list(page) == ["items", "page", "source", "fetchedAt", "age", "stale"]
        assert (page["source"], page["stale"]) == (source, False) and type(page["age"]) is int


def test_filters_apply_to_all_pages_of_a_list(mcp):
    answers = mcp.walk(resource="character", filter={"name": "morty", "status": "alive"}, limit=2)
    found = [item for answer in answers for item in answer["items"]]
    assert len(found) > 2 and all("morty" in item["name"].lower() and item["status"] == "Alive" for item in found)
    assert len(ids(answers)) == len(set(ids(answers))) == answers[0]["page"]["count"]


@pytest.mark.parametrize("limit", [1000, 40])
def test_page_that_does_not_fit_into_one_answer_is_divided_between_items(over_things, limit):
    answers = over_things.walk(resource="row", limit=limit)
    assert ids(answers) == list(range(1, ROWS + 1))
    for answer in answers:
        assert len(answer["items"]) == 1 or size(answer["items"]) <= ABOUT + AROUND
        assert len(answer["items"]) <= limit
    (alone,) = [answer for answer in answers if LONG_ROW in ids([answer])]
    assert ids([alone]) == [LONG_ROW], "an item above the limit is returned alone, so that the pagination continues"
    if limit == 1000:
        # Each answer is nearly full, except at the end of a page and around the long item.
        assert sum(size(answer["items"]) > ABOUT - 3000 for answer in answers) >= len(answers) - 3


def test_list_tool_returns_twenty_items_by_default(over_things):
    answer = over_things.tool("list_items", resource="row", fields=["id"])
    assert ids([answer]) == list(range(1, 21)) and answer["page"]["next"] == "larder:20:null"


def test_answer_holds_more_items_if_fewer_fields_are_selected(over_things):
    answers = over_things.walk(resource="row", fields=["id"], limit=1000)
    assert ids(answers) == list(range(1, ROWS + 1)) and len(answers) == 2


def test_items_that_do_not_fit_into_the_answer_are_listed_as_omitted(over_things):
    wanted = [LONG_ROW - 1, 1, LONG_ROW, *range(20, 45)]
    found = []
    while wanted:
        answer = over_things.tool("get_item", resource="row", ids=wanted)
        assert answer["items"]
        found += ids([answer])
        wanted = answer.get("omitted", [])
    assert found == [LONG_ROW - 1, 1, LONG_ROW, *range(20, 45)]


@pytest.mark.parametrize("limit", [1, 2, 3, 10])
def test_api_cursors_that_look_like_larder_cursors_are_passed_on(over_things, things, limit):
    assert ids(over_things.walk(resource="file", limit=limit)) == FILES
    scope = {"scope": {"owner": "acme"}, "filter": {"state": "all"}}
    assert ids(over_things.walk(resource="note", limit=limit, **scope)) == list(range(1, NOTES + 1))


def test_required_filter_is_enforced(over_things):
    said = over_things.refusal("list_items", resource="note", scope={"owner": "a"})
    assert "state" in said
    for wrong in ({"state": "ajar"}, {"sate": "open"}, {"state": ["open", "closed"]}, [], "open"):
        assert over_things.refusal("list_items", resource="note", scope={"owner": "a"}, filter=wrong), wrong
    found = over_things.tool("list_items", resource="note", scope={"owner": "a"}, filter={"state": ["open"]})
    assert {item["state"] for item in found["items"]} == {"open"}


@pytest.mark.parametrize(
    "page",
    ["larder:", "larder:x:null", "larder:-1:null", "larder:3", "larder:3:", "larder:3:{", f"larder:{10**20}:1"],
)
def test_list_with_an_unknown_cursor_is_refused(mcp, page):
    assert "'page.next'" in mcp.refusal("list_items", resource="character", page=page)


@pytest.mark.parametrize(
    "wrong",
    [{"page": [2]}, {"page": "x"}, {"page": 0}, {"page": "larder:1:{}"}, {"limit": 0}, {"limit": -1}, {"limit": "x"}],
)
def test_invalid_list_arguments_are_refused(mcp, wrong):
    assert mcp.refusal("list_items", resource="character", **wrong)


def test_position_past_the_end_of_a_shortened_page_leads_to_the_next_page(mcp, upstream):
    next = mcp.tool("list_items", resource="location", limit=15)["page"]["next"]
    for id in range(10, 21):
        upstream.delete("location", id)
    mcp.tool("list_items", resource="location", cachePolicy="remoteFirst", limit=1)
    rest = mcp.tool("list_items", resource="location", page=next)
    assert ids([rest]) == [item for item in ids([rest]) if item > 20] or rest["items"] == []


@pytest.mark.parametrize("policy, sources", [("localOnly", []), ("none", ["remote", "remote"])])
def test_list_tool_follows_each_cache_policy(mcp, upstream, policy, sources):
    if not sources:
        assert mcp.refusal("list_items", resource="episode", cachePolicy=policy)
        assert upstream.count() == 0
    for source in sources:
        assert mcp.tool("list_items", resource="episode", cachePolicy=policy)["source"] == source
