"""Progress, cancellation, and the end of the input, after which hosts wait for two seconds and kill."""

import json
import signal
import time

import pytest

from harness import NOTIFIED, eventually
from mcp_client import P, STATELESS, Client, is_notification, outcome

HOST_KILLS_AFTER = 2  # seconds


def end(client):
    """Closes the input. Returns what was written from then on, in its order, and how many seconds the end took."""
    began = time.monotonic()
    client.larder.end_input()
    assert client.larder.process.wait(30) == 0
    spent = time.monotonic() - began
    client.larder.close()
    return client.larder.left, spent


def walked(client, token, **arguments):
    """Prefetches with a token. Returns the progress that came before the reply, and the reply."""
    id = client.send_tool("prefetch_list", meta={"progressToken": token}, **arguments)
    told = []
    while is_notification(line := client.larder.line()):
        told.append(json.loads(line))
    reply = json.loads(line)
    assert reply["id"] == id
    return told, reply


class TestProgress:
    @pytest.mark.parametrize("token", [0, 12, "x", "", "ü"])
    def test_it_grows_and_comes_before_the_reply(self, mcp, token):
        told, reply = walked(mcp, token, resource="character")
        assert outcome(reply["result"])["complete"] is True
        assert {one["method"] for one in told} == {"notifications/progress"}
        assert all(json.dumps(one["params"]["progressToken"]) == json.dumps(token) for one in told)
        steps = [one["params"]["progress"] for one in told]
        assert steps == sorted(set(steps)) and len(steps) >= 3, steps
        assert all(one["params"].get("total", 3) >= one["params"]["progress"] for one in told)
        mcp.nothing_came()

    def test_each_call_has_its_own(self, mcp):
        for token in (1, "1"):
            told, _ = walked(mcp, token, resource="location")
            assert told and all(one["params"]["progressToken"] == token for one in told)

    def test_without_a_token_there_is_none(self, mcp):
        assert mcp.tool("prefetch_list", resource="character")["complete"] is True
        mcp.nothing_came()

    @pytest.mark.parametrize("token", [None, {}, [1], True], ids=str)
    def test_what_is_no_token(self, mcp, token):
        mcp.wait(mcp.send_tool("prefetch_list", meta={"progressToken": token}, resource="character"))
        mcp.nothing_came()


class TestCancellation:
    def test_what_is_cancelled_gets_no_reply(self, mcp, upstream):
        hold = upstream.hold("/api/character")
        asked = [
            mcp.send_tool("get_item", resource="character", id=1),
            mcp.send_tool("list_items", resource="character"),
            mcp.send_tool("prefetch_list", meta={"progressToken": "p"}, resource="character", filter={"name": "rick"}),
            mcp.send("resources/read", uri="larder://character/2"),
        ]
        hold.wait(4)
        for id in asked:
            mcp.larder.notify("notifications/cancelled", {"requestId": id, "reason": "the user"})
        eventually(lambda: len([one for one in upstream.requests() if one.get("aborted")]) == 4, "four transfers ended")
        hold.release()
        assert mcp.tool("get_item", resource="character", id=3)["source"] == "remote"
        mcp.nothing_came()

    def test_others_that_want_the_same_get_it(self, mcp, upstream):
        hold = upstream.hold("/api/character/1")
        first = mcp.send_tool("get_item", resource="character", id=1)
        hold.wait()
        second = mcp.send_tool("get_item", resource="character", id=1)
        mcp.larder.notify("notifications/cancelled", {"requestId": first})
        # Answered in the order of arrival: the notification is heard by then.
        mcp.wait(mcp.send("tools/list"))
        hold.release()
        assert mcp.wait(second)["result"]["structuredContent"]["item"]["id"] == 1
        mcp.nothing_came()

    @pytest.mark.parametrize("other", ["1", 1.5, None, [1], 999], ids=repr)
    def test_another_id_is_another_request(self, larder, upstream, other):
        client = Client(larder, STATELESS)
        hold = upstream.hold("/api/character/1")
        asked = client.send_tool("get_item", resource="character", id=1)
        hold.wait()
        larder.notify("notifications/cancelled", {"requestId": other})
        hold.release()
        assert client.wait(asked)["result"]["isError"] is False

    def test_what_is_answered_already(self, mcp):
        asked = mcp.send("tools/list")
        mcp.wait(asked)
        mcp.larder.notify("notifications/cancelled", {"requestId": asked})
        mcp.nothing_came()

    def test_a_native_request_is_not_cancelled_by_it(self, larder, upstream):
        """The native dialect has its own way, and a reply to what was cancelled in it."""
        hold = upstream.hold("/api/character/1")
        asked = larder.send("character/get", {"id": 1})
        hold.wait()
        larder.notify("notifications/cancelled", {"requestId": asked})
        larder.call("server/status")
        hold.release()
        assert larder.wait(asked)["result"]["item"]["id"] == 1


class TestEnd:
    def test_an_idle_session(self, mcp):
        mcp.result("tools/list")
        lines, spent = end(mcp)
        assert lines == [] and spent < 1, spent

    def test_what_is_done_in_time_is_answered_and_kept(self, mcp, start, upstream):
        for path in ("/api/character/1", "/api/episode"):
            upstream.fault(path, delay=0.4)
        item = mcp.send_tool("get_item", resource="character", id=1)
        page = mcp.send_tool("list_items", resource="episode")
        eventually(lambda: upstream.count() == 2, "both requests")
        lines, spent = end(mcp)
        replies = {reply["id"]: reply["result"]["isError"] for reply in map(json.loads, lines)}
        assert replies == {item: False, page: False} and spent < HOST_KILLS_AFTER, spent
        later = Client(start("--offline"), mcp.era)
        assert later.tool("get_item", resource="character", id=1)["source"] == "persistence"
        assert later.tool("list_items", resource="episode")["source"] == "persistence"

    def test_what_is_asked_and_kept_right_before_it(self, mcp, start):
        """More than one write's worth, none of which waits for the disk before its reply."""
        asked = [mcp.send_tool("get_item", resource="character", id=id) for id in range(1, 41)]
        lines, spent = end(mcp)
        assert sorted(json.loads(line)["id"] for line in lines) == asked and spent < HOST_KILLS_AFTER
        later = Client(start("--offline"), mcp.era)
        found = later.tool("get_item", resource="character", ids=list(range(1, 41)), fields=["id"])
        assert len(found["items"]) == 40 and found["sources"]["remote"] == 0

    def test_nobody_waits_for_an_api_that_does_not_answer(self, mcp, upstream):
        hold = upstream.hold("/api/character")
        mcp.send_tool("get_item", resource="character", id=1)
        mcp.send_tool("prefetch_list", meta={"progressToken": 1}, resource="character")
        hold.wait(2)
        lines, spent = end(mcp)
        assert spent < HOST_KILLS_AFTER - 0.1, spent
        assert not [line for line in lines if is_notification(line)]
        hold.release()

    def test_nothing_comes_unasked(self, mcp, upstream):
        """Clients of the 1.x line raise on a line that comes after the end."""
        mcp.tool("get_item", resource="character", id=1)
        subscribed = mcp.subscribe("larder://character/1")
        upstream.fault("/api/character?page", delay=0.4)
        upstream.edit("character", 1, name="Pickle Rick")
        asked = mcp.send_tool("prefetch_list", meta={"progressToken": 1}, resource="character")
        eventually(lambda: upstream.count("/api/character?page"), "the first page")
        lines, spent = end(mcp)
        assert spent < HOST_KILLS_AFTER, spent
        replies = [json.loads(line) for line in lines]
        assert {reply.get("id") for reply in replies} <= {asked, subscribed}, replies
        if mcp.stateless:
            (ended,) = [reply["result"] for reply in replies if reply["id"] == subscribed]
            assert ended["resultType"] == "complete" and ended["_meta"][P + "subscriptionId"] == subscribed

    def test_a_terminated_process_ends_at_once(self, mcp, start):
        """Some hosts terminate as soon as they have closed the input."""
        mcp.tool("get_item", resource="character", id=1)
        mcp.subscribe("larder://character/1")
        mcp.larder.end_input()
        mcp.larder.process.send_signal(signal.SIGTERM)
        began = time.monotonic()
        mcp.larder.process.wait(30)
        assert time.monotonic() - began < HOST_KILLS_AFTER
        mcp.larder.close()
        later = Client(start("--offline"), mcp.era)
        assert later.tool("get_item", resource="character", id=1)["source"] == "persistence"


def test_the_native_dialect_still_waits(larder, upstream):
    """Its `--drain` is another one, and longer."""
    upstream.fault("/api/character/1", delay=2.2)
    asked = larder.send("character/get", {"id": 1})
    eventually(lambda: upstream.count() == 1, "the request")
    larder.end_input()
    assert larder.wait(asked)["result"]["item"]["id"] == 1
    assert not [line for line in larder.left if NOTIFIED.encode() in line]
