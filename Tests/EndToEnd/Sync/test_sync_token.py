"""`RESOURCE/sync` with `"style": "token"`: the API returns a token, and reports the changes since a token."""

import json
import random

import pytest

from feeds import FEEDS, Calendar, Couch, Delta, Kubernetes, Stripe
from listed import counts


@pytest.fixture
def feed(begin):
    """Returns a function that starts a server of a given class with nine things."""

    def start(kind):
        feed = kind()
        for number in range(9):
            feed.put(f"t{number}", name=f"thing {number}")
        return begin(feed)

    return start


def copy_of(larder):
    found = larder.call("thing/search", limit=1000)["items"]
    return {thing["id"]: {"id": thing["id"], "name": thing["name"]} for thing in found}


@pytest.mark.parametrize("kind", FEEDS)
def test_second_sync_requests_only_changes(start, feed, kind):
    feed = feed(kind)
    larder = start(*feed.options)
    assert counts(larder.call("thing/sync")) == ("whole", 9, 0, 0, 9, True, "walked")
    before = len(feed.requests)
    feed.put("t1", name="other")
    feed.put("t9", name="new")
    feed.delete("t5")
    second = larder.call("thing/sync", changes=True)
    assert counts(second) == ("token", 1, 1, 1, 9, True, "told")
    assert sorted((change["change"], change["id"]) for change in second["changes"]) == [
        ("added", "t9"), ("changed", "t1"), ("removed", "t5")]  # fmt: skip
    assert second["wholeAt"] < second["syncedAt"]
    # The events of Stripe only name the items.
    assert len(feed.requests) - before == second["requests"] == (4 if kind is Stripe else 1)
    assert copy_of(larder) == feed.things
    third = larder.call("thing/sync")
    assert counts(third) == ("token", 0, 0, 0, 9, True, "told") and third["requests"] == 1
    assert larder.call("thing/search", limit=0) == {"items": [], "count": 9, "syncedAt": third["syncedAt"]}
    if feed.has_get:
        item = larder.call("thing/get", id="t0", cachePolicy="localOnly", maxAge=0)
        assert item["syncedAt"] == third["syncedAt"] > item["fetchedAt"]


def test_changes_make_a_copy_complete_after_an_interrupted_first_sync(start, feed):
    feed = feed(Calendar)
    larder = start(*feed.options)
    assert larder.call("thing/sync", maxRequests=1)["complete"] is False
    feed.delete("t1")
    assert larder.call("thing/sync")["complete"] is None
    assert "t1" in copy_of(larder), "the first page had this item"
    last = larder.call("thing/sync")
    assert (last["mode"], last["complete"], last["removed"]) == ("token", True, 1) and last["wholeAt"]
    assert copy_of(larder) == feed.things


def test_item_of_a_feed_of_ids_that_cannot_be_fetched_is_logged(start, feed):
    feed = feed(Stripe)
    larder = start(*feed.options)
    larder.call("thing/sync")
    feed.put("t1", name="other")
    feed.before(2, lambda: (403, {}, {}))
    assert larder.call("thing/sync")["complete"] is False
    assert counts(larder.call("thing/sync")) == ("token", 0, 1, 0, 9, True, "told")
    assert "sync: 'thing': the item 't1' could not be fetched: " in larder.stderr()


class Batches(Stripe):
    """An API with a request for several ids, which fails if one of the items does not exist."""

    def rest(self):
        return {**super().rest(), "getMany": {"path": "/things/{ids}"}}


def test_items_of_a_feed_of_ids_are_fetched_one_by_one_if_a_request_for_several_fails(start, feed):
    feed = feed(Batches)
    larder = start(*feed.options)
    larder.call("thing/sync")
    feed.put("t1", name="other")
    feed.delete("t2")
    feed.put("t3", name="other")
    assert counts(larder.call("thing/sync")) == ("token", 0, 2, 1, 8, True, "told")
    assert copy_of(larder) == feed.things


@pytest.mark.parametrize("kind", FEEDS)
def test_copy_equals_the_list_after_random_changes(start, feed, kind):
    feed, chance = feed(kind), random.Random(7)
    larder = start(*feed.options)
    larder.call("thing/sync")
    for round in range(12):
        for _ in range(chance.randrange(12)):
            id = f"t{chance.randrange(15)}"
            if id in feed.things and chance.random() < 0.4:
                feed.delete(id)
            else:
                feed.put(id, name=f"{round} {chance.random()}")
        assert larder.call("thing/sync")["mode"] == "token"
        assert copy_of(larder) == feed.things


@pytest.mark.parametrize("kind", FEEDS)
def test_expired_token_leads_to_a_sync_of_the_whole_list(start, feed, kind):
    feed = feed(kind)
    larder = start(*feed.options)
    larder.call("thing/sync")
    feed.delete("t2")
    feed.expire()
    whole = larder.call("thing/sync")
    assert (whole["mode"], whole["complete"]) == ("whole", True)
    assert copy_of(larder) == feed.things
    feed.put("t3", name="later")
    assert counts(larder.call("thing/sync"))[:4] == ("token", 0, 1, 0)
    larder.close()
    assert "the API refused the request for changes since the last token" in larder.stderr()


@pytest.mark.parametrize("kind", FEEDS)
def test_change_while_the_whole_list_is_read_is_not_missed(start, feed, kind):
    feed = feed(kind)
    larder = start(*feed.options)

    def change():
        feed.put("t0", name="changed meanwhile")
        feed.delete("t1")

    feed.before(2, change)
    larder.call("thing/sync")
    larder.call("thing/sync")
    assert copy_of(larder) == feed.things


@pytest.mark.parametrize("kind", [Calendar, Delta])
def test_failed_page_of_changes_keeps_the_token(start, feed, kind):
    feed = feed(kind)
    larder = start(*feed.options)
    larder.call("thing/sync")
    for number in range(9):
        feed.put(f"t{number}", name="other")
    before = len(feed.requests)
    reply = feed.reply

    def failing(request):
        return (500, {}, {}) if len(feed.requests) == before + 2 else reply(request)

    feed.reply = failing
    assert larder.fails("thing/sync").data["kind"] == "serverError"
    assert counts(larder.call("thing/sync"))[:2] == ("token", 0)
    assert feed.requests[before].split("?")[1] == feed.requests[before + 2].split("?")[1]
    assert copy_of(larder) == feed.things


def test_answer_without_a_token_makes_the_next_sync_read_the_whole_list(start, feed):
    feed = feed(Calendar)
    larder = start(*feed.options)
    larder.call("thing/sync")
    reply = feed.reply
    feed.reply = lambda request: (200, {}, {"items": []})
    assert larder.call("thing/sync")["mode"] == "token"
    feed.reply = reply
    assert larder.call("thing/sync")["mode"] == "whole"
    larder.close()
    assert "the API's answer has no token for the next request for changes" in larder.stderr()


def test_token_url_of_another_origin_is_refused(start, feed):
    feed = feed(Delta)
    larder = start(*feed.options)
    reply = feed.reply

    def elsewhere(request):
        status, headers, value = reply(request)
        return status, headers, json.loads(json.dumps(value).replace(feed.url, "http://other.test"))

    feed.reply = elsewhere
    assert larder.fails("thing/sync").data["kind"] == "invalidResponse"


def test_deleted_element_without_an_id_is_an_error(start, feed):
    feed = feed(Couch)
    larder = start(*feed.options)
    larder.call("thing/sync")
    reply = feed.reply

    def nameless(request):
        status, headers, value = reply(request)
        for result in value["results"]:
            del result["id"], result["doc"]
        return status, headers, value

    feed.reply = nameless
    feed.put("t1", name="other")
    assert "'results[0]' has no item at 'doc'" in larder.fails("thing/sync").message
    feed.put("t1", name="other")
    feed.delete("t1")
    assert "'results[0]' is a deleted item without an id" in larder.fails("thing/sync").message


def test_explain_of_a_sync_by_token_shows_the_next_request(start, feed):
    feed = feed(Delta)
    larder = start(*feed.options)
    larder.call("thing/sync")
    before = len(feed.requests)
    plan = larder.wait(larder.send("request/explain", {"method": "thing/sync"}))["result"]
    assert "remote: asked for changes since the last token" in plan["steps"]
    assert plan["requests"][0]["url"] == f"{feed.url}/things/delta?token=9"
    assert len(feed.requests) == before


def test_token_is_unchanged_if_a_watch_has_no_events(start, feed):
    feed = feed(Kubernetes)
    larder = start(*feed.options)
    larder.call("thing/sync")
    for _ in range(2):
        assert larder.call("thing/sync")["requests"] == 1
    assert feed.requests[-1] == feed.requests[-2]


@pytest.mark.parametrize("kind", FEEDS)
def test_live_check_requests_changes_with_a_token(command, home, feed, kind):
    feed = feed(kind)
    # The check reads only the first two pages, so the list has few things.
    feed.log = feed.log[:2]
    feed.things = dict(feed.log)
    done = command("check", feed.options[1], "--live", "--json")
    [found] = [one for one in json.loads(done.stdout)["live"] if one["operation"] == "sync"]
    requests = 3 if kind is Stripe else 2
    assert (found["items"], found["changed"], found["requests"]) == (2, 0, requests)
    assert (found["notes"], found["error"], done.code) == ([], None, 0), done
    assert not (home / "cache").exists()


def test_live_check_requests_changes_of_an_empty_list(command, feed):
    feed = feed(Calendar)
    feed.log, feed.things = [], {}
    done = command("check", feed.options[1], "--live", "--json")
    [found] = [one for one in json.loads(done.stdout)["live"] if one["operation"] == "sync"]
    assert (found["items"], found["changed"], found["requests"], found["notes"]) == (0, 0, 2, []), done


def test_live_check_reports_a_missing_token(command, feed):
    feed = feed(Calendar)
    feed.reply = lambda request: (200, {}, {"items": [{"id": "t1"}]})
    done = command("check", feed.options[1], "--live")
    assert done.code == 1 and b"no answer has a token for a request for changes" in done.stdout, done
