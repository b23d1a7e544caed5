"""Progress, cancellation and the end of the input. Hosts wait two seconds for the exit, then kill the process."""

import json
import signal
import time

import pytest

from harness import NOTIFIED, eventually
from mcp_client import P, STATELESS, Client, is_notification, outcome

HOST_KILLS_AFTER = 2  # seconds


def end(client):
    """Closes the input. Returns the lines written afterwards, in order, and the seconds until the exit."""
    began = time.monotonic()
    client.larder.end_input()
    assert client.larder.process.wait(30) == 0
    spent = time.monotonic() - began
    client.larder.close()
    return client.larder.left, spent


def prefetched(client, token, **arguments):
    """Prefetches with a progress token. Returns the progress notifications before the reply, and the reply."""
    id = client.send_tool("prefetch_list", meta={"progressToken": token}, **arguments)
    told = []
    while is_notification(line := client.larder.line()):
        told.append(json.loads(line))
    reply = json.loads(line)
    assert reply["id"] == id
    return told, reply


class TestProgress:
    @pytest.mark.parametrize("token", [0, 12, "x", "", "ü"])
    def test_progress_of_a_tool_call_grows_and_precedes_its_reply(self, mcp, token):
        told, reply = prefetched(mcp, token, resource="character")
        assert outcome(reply["result"])["complete"] is True
        assert {one["method"] for one in told} == {"notifications/progress"}
        assert all(json.dumps(one["params"]["progressToken"]) == json.dumps(token) for one in told)
        steps = [one["params"]["progress"] for one in told]
        assert steps == sorted(set(steps)) and len(steps) >= 3, steps
        assert all(one["params"].get("total", 3) >= one["params"]["progress"] for one in told)
        mcp.expect_nothing_unasked()

    def test_each_call_has_its_own_progress(self, mcp):
        for token in (1, "1"):
            told, _ = prefetched(mcp, token, resource="location")
            assert told and all(one["params"]["progressToken"] == token for one in told)

    def test_call_without_a_token_has_no_progress(self, mcp):
        assert mcp.tool("prefetch_list", resource="character")["complete"] is True
        mcp.expect_nothing_unasked()

    @pytest.mark.parametrize("token", [None, {}, [1], True], ids=str)
    def test_invalid_progress_token_is_ignored(self, mcp, token):
        mcp.wait(mcp.send_tool("prefetch_list", meta={"progressToken": token}, resource="character"))
        mcp.expect_nothing_unasked()


class TestCancellation:
    def test_cancelled_call_gets_no_reply(self, mcp, upstream):
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
        mcp.expect_nothing_unasked()

    def test_cancelled_tool_call_does_not_cancel_an_equal_call(self, mcp, upstream):
        hold = upstream.hold("/api/character/1")
        first = mcp.send_tool("get_item", resource="character", id=1)
        hold.wait()
        second = mcp.send_tool("get_item", resource="character", id=1)
        mcp.larder.notify("notifications/cancelled", {"requestId": first})
        # Messages are processed in order: after this reply, Larder has read the notification.
        mcp.wait(mcp.send("tools/list"))
        hold.release()
        assert mcp.wait(second)["result"]["structuredContent"]["item"]["id"] == 1
        mcp.expect_nothing_unasked()

    @pytest.mark.parametrize("other", ["1", 1.5, None, [1], 999], ids=repr)
    def test_cancelling_an_unknown_request_id_has_no_effect(self, larder, upstream, other):
        client = Client(larder, STATELESS)
        hold = upstream.hold("/api/character/1")
        asked = client.send_tool("get_item", resource="character", id=1)
        hold.wait()
        larder.notify("notifications/cancelled", {"requestId": other})
        hold.release()
        assert client.wait(asked)["result"]["isError"] is False

    def test_cancellation_after_the_reply_has_no_effect(self, mcp):
        asked = mcp.send("tools/list")
        mcp.wait(asked)
        mcp.larder.notify("notifications/cancelled", {"requestId": asked})
        mcp.expect_nothing_unasked()

    def test_protocol_cancellation_does_not_affect_native_requests(self, larder, upstream):
        """A `notifications/cancelled` message does not cancel a request in the native dialect, which has its own cancel
        message."""
        hold = upstream.hold("/api/character/1")
        asked = larder.send("character/get", {"id": 1})
        hold.wait()
        larder.notify("notifications/cancelled", {"requestId": asked})
        larder.call("server/status")
        hold.release()
        assert larder.wait(asked)["result"]["item"]["id"] == 1


class TestEnd:
    def test_idle_mcp_session_exits_at_once(self, mcp):
        mcp.result("tools/list")
        lines, spent = end(mcp)
        assert lines == [] and spent < 1, spent

    def test_calls_that_finish_soon_after_the_end_of_input_are_answered_and_cached(self, mcp, start, upstream):
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

    def test_calls_sent_just_before_the_end_of_input_are_answered_and_cached(self, mcp, start):
        """The calls fetch more items than the cache file stores in one write. The replies do not wait for that
        write."""
        asked = [mcp.send_tool("get_item", resource="character", id=id) for id in range(1, 41)]
        lines, spent = end(mcp)
        assert sorted(json.loads(line)["id"] for line in lines) == asked and spent < HOST_KILLS_AFTER
        later = Client(start("--offline"), mcp.era)
        found = later.tool("get_item", resource="character", ids=list(range(1, 41)), fields=["id"])
        assert len(found["items"]) == 40 and found["sources"]["remote"] == 0

    def test_api_that_does_not_answer_does_not_delay_the_exit_of_an_mcp_session(self, mcp, upstream):
        hold = upstream.hold("/api/character")
        mcp.send_tool("get_item", resource="character", id=1)
        mcp.send_tool("prefetch_list", meta={"progressToken": 1}, resource="character")
        hold.wait(2)
        lines, spent = end(mcp)
        assert spent < HOST_KILLS_AFTER - 0.1, spent
        assert not [line for line in lines if is_notification(line)]
        hold.release()

    def test_shorter_drain_ends_a_call_in_flight_earlier(self, start, upstream, era):
        client = Client(start("--drain", "0.1s"), era)
        hold = upstream.hold("/api/character")
        asked = client.send_tool("get_item", resource="character", id=1)
        hold.wait()
        lines, spent = end(client)
        hold.release()
        assert [json.loads(line)["id"] for line in lines] == [asked] and spent < 1, spent

    @pytest.mark.parametrize("is_closed", [True, False])
    def test_termination_ends_a_call_in_flight(self, mcp, upstream, is_closed):
        hold = upstream.hold("/api/character")
        mcp.send_tool("get_item", resource="character", id=1)
        hold.wait()
        began = time.monotonic()
        if is_closed:
            mcp.larder.end_input()
        mcp.larder.process.send_signal(signal.SIGTERM)
        assert mcp.larder.process.wait(30) == 0
        assert time.monotonic() - began < 1
        hold.release()

    def test_only_replies_are_written_after_the_end_of_input(self, mcp, upstream):
        """No notification is written after the end of the input, because clients of SDK 1.x would raise an error."""
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

    def test_terminated_process_exits_at_once(self, mcp, start):
        """Some hosts send SIGTERM as soon as they have closed the input."""
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


def test_native_session_waits_longer_than_mcp_for_requests_after_the_end_of_input(larder, upstream):
    """After the end of the input, a session in the native dialect waits for requests up to `--drain`, longer than an
    MCP session."""
    upstream.fault("/api/character/1", delay=2.2)
    asked = larder.send("character/get", {"id": 1})
    eventually(lambda: upstream.count() == 1, "the request")
    larder.end_input()
    assert larder.wait(asked)["result"]["item"]["id"] == 1
    assert not [line for line in larder.left if NOTIFIED.encode() in line]
