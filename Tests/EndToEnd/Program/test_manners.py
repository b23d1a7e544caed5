"""Retries, deadlines, limits and conditional requests, checked by the requests that the API receives."""

import time
from email.utils import formatdate

import pytest

from harness import GRAPHQL_CATALOG

CATALOG = """{
  "larder": 1,
  "apis": {"rickandmorty": {"baseURL": "https://rickandmortyapi.com", %s}},
  "resources": {
    "planet": {"api": "rickandmorty", "id": "integer",
               "rest": {"get": {"path": "/api/location/{id}"},
                        "list": {"path": "/api/location", "items": "results",
                                 "pagination": {"style": "page", "param": "page", "pages": "info.pages"}}}},
    "person": {"api": "rickandmorty", "id": "integer", "rest": {"get": {"path": "/api/character/{id}"}}},
    "change": {"api": "rickandmorty", "id": "integer",
               "graphql": {"get": {"query": "mutation ($id: ID!) { character(id: $id) { id } }", "item": "character"}}}
  }
}"""


@pytest.fixture
def polite(start, home):
    """`polite('"retries": 0')` starts a process whose API has the given settings."""

    def make(settings='"retries": 2', more=()):
        path = home / "manners.jsonc"
        path.write_text(CATALOG % settings)
        return start("--catalog", path, *more)

    return make


def remote(larder):
    return larder.call("cache/stats")["remote"]


PASSING = {
    "502": {"status": 502},
    "503": {"status": 503},
    "504": {"status": 504},
    "429": {"status": 429},
    "drop": {"drop": True},
    "truncated": {"truncate": 10},
}


class TestRetries:
    @pytest.mark.parametrize("name", PASSING)
    def test_request_with_a_temporary_failure_is_retried(self, served, upstream, name):
        upstream.fault(times=2, **PASSING[name])
        assert served.call("character/get", id=1)["item"]["name"] == "Rick Sanchez"
        counted = remote(served)
        assert counted["requests"] - 1 == counted["retries"] == 2

    @pytest.mark.parametrize("name", PASSING)
    def test_failure_after_all_retries_reports_the_number_of_attempts(self, served, upstream, name):
        upstream.fail(**PASSING[name])
        assert served.fails("character/get", id=1).data["attempts"] == 3
        counted = remote(served)
        assert (counted["requests"], counted["retries"]) == (3, 2)

    @pytest.mark.parametrize("status", [400, 401, 404, 418, 500])
    def test_request_with_a_permanent_failure_is_not_retried(self, served, upstream, status):
        upstream.fail(status=status)
        assert served.fails("character/get", id=1).data["attempts"] == 1
        assert upstream.count() == 1 and remote(served)["retries"] == 0

    def test_number_of_retries_is_set_in_the_catalog(self, polite, upstream):
        upstream.fail(status=503)
        assert polite('"retries": 0').fails("planet/get", id=1).data["attempts"] == 1
        assert polite('"retries": 4').fails("planet/get", id=1).data["attempts"] == 5
        assert upstream.count() == 6

    def test_mutation_is_never_retried(self, polite, upstream):
        upstream.fail(status=503)
        assert polite().fails("change/get", id=1).data["attempts"] == 1
        assert upstream.count() == 1

    def test_error_for_an_unparsable_body_reports_the_number_of_attempts(self, polite, upstream):
        upstream.fault(status=503)
        upstream.fault(status=200, body='{"id": 1')
        error = polite().fails("planet/get", id=1)
        assert (error.kind, error.data["attempts"]) == ("decodingFailed", 2)

    def test_error_for_an_invalid_item_reports_the_number_of_attempts(self, larder, upstream):
        upstream.fault(status=503)
        upstream.edit("character", 1, name=7)
        error = larder.fails("character/get", id=1)
        assert (error.kind, error.data["attempts"]) == ("decodingFailed", 2)

    def test_error_for_an_invalid_page_reports_the_number_of_attempts(self, larder, upstream):
        upstream.fault(status=503)
        upstream.edit("character", 2, name=7)
        error = larder.fails("character/list")
        assert (error.kind, error.data["attempts"]) == ("decodingFailed", 2)
        assert error.data["url"].startswith(upstream.url)

    def test_stale_item_is_returned_after_the_last_attempt(self, served, upstream):
        served.call("character/get", id=1)
        upstream.fail(status=503)
        result = served.call("character/get", id=1, maxAge=0)
        assert result["stale"] and result["fallback"]["data"]["attempts"] == 3


class TestRetryAfter:
    @pytest.mark.parametrize("status", [429, 503])
    @pytest.mark.parametrize("value", ["0", formatdate(0, usegmt=True), "Wednesday, 01-Jan-20 00:00:00 GMT"])
    def test_retry_after_header_in_the_past_causes_a_retry_at_once(self, polite, upstream, status, value):
        upstream.fault(status=status, headers={"Retry-After": value})
        assert polite().call("planet/get", id=1)["source"] == "remote"

    @pytest.mark.parametrize("status, kind", [(429, "rateLimited"), (503, "serverError")])
    @pytest.mark.parametrize("value", ["3600", "1" + "0" * 30])
    def test_retry_after_header_past_the_deadline_fails_the_call_at_once(self, polite, upstream, status, kind, value):
        upstream.fail(status=status, headers={"Retry-After": value})
        error = polite().fails("planet/get", id=1)
        assert (error.kind, error.data["status"], error.data["attempts"]) == (kind, status, 1)
        assert error.data["retryAfter"] == min(int(value), 2**31)
        assert "after the timeout" in error.message
        assert upstream.count() == 1

    def test_retry_after_header_with_a_date_past_the_deadline_fails_the_call_at_once(self, polite, upstream):
        upstream.fail(status=503, headers={"Retry-After": formatdate(time.time() + 3600, usegmt=True)})
        error = polite().fails("planet/get", id=1)
        assert 3000 < error.data["retryAfter"] <= 3600 and error.data["attempts"] == 1

    def test_error_contains_the_time_of_the_retry_after_header_if_retries_are_off(self, polite, upstream):
        upstream.fail(status=429, headers={"Retry-After": "1"})
        error = polite('"retries": 0').fails("planet/get", id=1)
        assert error.data["retryAfter"] == 1 and "after the timeout" not in error.message

    def test_invalid_retry_after_header_is_ignored(self, polite, upstream):
        upstream.fail(status=429, headers={"Retry-After": "when it suits"})
        error = polite().fails("planet/get", id=1)
        assert "retryAfter" not in error.data and error.data["attempts"] == 3


class TestDeadline:
    def test_request_is_not_retried_after_its_timeout(self, polite, upstream):
        upstream.hold()
        error = polite('"timeout": 0.3, "retries": 5').fails("planet/get", id=1)
        assert (error.kind, error.data["attempts"]) == ("timeout", 1)
        assert "0.3 s" in error.message

    def test_all_attempts_share_the_timeout(self, polite, upstream):
        upstream.fault(status=503)
        upstream.hold()
        error = polite('"timeout": 3, "retries": 5').fails("planet/get", id=1)
        assert (error.kind, error.data["attempts"]) == ("timeout", 2)
        assert "3 s" in error.message

    def test_timeout_includes_the_wait_for_a_connection(self, polite, upstream):
        hold = upstream.hold()
        larder = polite('"timeout": 2, "maxConcurrent": 1, "retries": 0')
        first = larder.send("planet/get", {"id": 1})
        hold.wait()
        second = larder.fails("person/get", id=1)
        assert larder.refusal(larder.wait(first)).data["attempts"] == 1
        # The second request may be admitted in the last moments of its timeout.
        assert second.kind == "timeout" and second.data["attempts"] <= 1


class TestMaxConcurrent:
    @pytest.mark.parametrize("limit", [1, 3])
    def test_maxConcurrent_is_never_exceeded(self, polite, upstream, limit):
        larder = polite(f'"maxConcurrent": {limit}, "timeout": "60s"')
        upstream.fault(times=10, status=503)
        ids = [larder.send(f"{kind}/get", {"id": n}) for n in range(1, 16) for kind in ("planet", "person")]
        replies = [larder.wait(id) for id in ids]
        assert upstream.peak <= limit
        assert sum("result" in reply for reply in replies) >= 20

    def test_maxConcurrent_requests_run_in_parallel(self, polite, upstream):
        hold = upstream.hold()
        larder = polite('"maxConcurrent": 3, "timeout": "60s"')
        ids = [larder.send("planet/get", {"id": n}) for n in range(1, 9)]
        hold.wait(3)
        assert upstream.count() == 3
        hold.release()
        assert all("result" in larder.wait(id) for id in ids)
        assert upstream.peak == 3

    def test_cancelled_queued_request_does_not_count_against_maxConcurrent(self, polite, upstream):
        hold = upstream.hold()
        larder = polite('"maxConcurrent": 1, "timeout": "60s"')
        first = larder.send("planet/get", {"id": 1})
        hold.wait()
        waiting = larder.send("planet/get", {"id": 2})
        larder.notify("$/cancelRequest", {"id": waiting})
        assert larder.wait(waiting)["error"]["code"] == -32800
        last = larder.send("planet/get", {"id": 3})
        hold.release()
        assert "result" in larder.wait(first) and "result" in larder.wait(last)
        # The second request may have been sent before its cancellation was read, but never while another request ran.
        assert upstream.peak == 1 and upstream.requests()[-1]["path"] == "/api/location/3"


class TestRateLimit:
    def test_request_fails_at_once_if_the_rate_limit_exceeds_its_deadline(self, polite, upstream):
        larder = polite('"rateLimit": {"requests": 2, "per": "1h"}')
        assert larder.call("planet/get", id=1)["source"] == "remote"
        assert larder.call("person/get", id=1)["source"] == "remote", "all resources of an API must share its limit"
        error = larder.fails("planet/get", id=2)
        assert (error.code, error.kind, error.data["attempts"]) == (-31007, "rateLimited", 0)
        assert 1700 < error.data["retryAfter"] <= 1800
        assert "Larder's own limit" in error.message and "status" not in error.data
        assert upstream.count() == 2 == remote(larder)["requests"]
        assert larder.call("planet/get", id=1)["source"] == "memory", "a cached item must need no request"
        assert larder.call("planet/get", id=1, maxAge=0)["fallback"]["data"]["kind"] == "rateLimited"

    def test_retry_counts_against_the_rate_limit(self, polite, upstream):
        upstream.fail(status=503)
        error = polite('"rateLimit": {"requests": 2, "per": "1h"}, "retries": 5').fails("planet/get", id=1)
        assert (error.kind, error.data["attempts"]) == ("serverError", 2), "the error of the API must be reported"
        assert upstream.count() == 2

    def test_requests_wait_for_the_rate_limit(self, polite, upstream):
        larder = polite('"rateLimit": {"requests": 20, "per": "1s"}, "timeout": "60s"')
        ids = [larder.send("planet/get", {"id": n}) for n in range(1, 41)]
        replies = [larder.wait(id) for id in ids]
        assert not any(reply.get("error", {}).get("data", {}).get("kind") == "rateLimited" for reply in replies)
        assert upstream.count() == 40

    def test_replayed_requests_have_no_rate_limit(self, polite, home):
        recorder = polite('"retries": 2', more=["--record", home / "cassettes"])
        for n in (1, 2, 3):
            recorder.call("planet/get", id=n)
        recorder.close()
        limits = '"rateLimit": {"requests": 1, "per": "1h"}, "maxConcurrent": 1'
        replay = polite(limits, more=["--replay", home / "cassettes", "--no-persistence"])
        for n in (1, 2, 3):
            assert replay.call("planet/get", id=n)["source"] == "remote"
        error = replay.fails("planet/get", id=4)
        assert (error.kind, error.data["attempts"]) == ("notReplayed", 1)


class TestConditional:
    """Conditional requests: the API confirms unchanged data with 304 and does not send it again."""

    @pytest.mark.parametrize("names", [("ETag",), ("Last-Modified",), ("ETag", "Last-Modified")])
    @pytest.mark.parametrize("method, params", [("character/get", {"id": 1}), ("character/list", {"page": 2})])
    def test_unchanged_data_is_confirmed_by_a_conditional_request(self, larder, upstream, names, method, params):
        upstream.validate(*names)
        first = larder.call(method, **params)
        second = larder.call(method, **params, maxAge=0)
        assert second["source"] == "remote" and not second["stale"] and second["fetchedAt"] >= first["fetchedAt"]
        assert [second[key] for key in ("item", "items") if key in second] == [
            first[key] for key in ("item", "items") if key in first
        ]
        before, after = (entry["headers"] for entry in upstream.requests())
        assert "if-none-match" not in before and "if-modified-since" not in before
        assert ("if-none-match" in after) == ("ETag" in names)
        assert ("if-modified-since" in after) == ("Last-Modified" in names)
        assert remote(larder)["notModified"] == 1

    def test_changed_data_replaces_the_cached_entry(self, larder, upstream):
        larder.call("character/get", id=1)
        upstream.edit("character", 1, name="Pickle Rick")
        assert larder.call("character/get", id=1, maxAge=0)["item"]["name"] == "Pickle Rick"
        assert remote(larder)["notModified"] == 0
        assert larder.call("character/get", id=1, maxAge=0)["item"]["name"] == "Pickle Rick"
        assert remote(larder)["notModified"] == 1

    def test_data_without_etag_or_last_modified_is_requested_unconditionally(self, larder, upstream):
        upstream.validate()
        for _ in range(2):
            larder.call("character/get", id=1, maxAge=0)
        assert all("if-none-match" not in entry["headers"] for entry in upstream.requests())

    def test_status_304_without_a_conditional_request_is_an_error(self, larder, upstream):
        upstream.fail(status=304, body="")
        error = larder.fails("character/get", id=1)
        assert (error.kind, error.data["status"]) == ("serverError", 304)

    def test_graphql_requests_are_never_conditional(self, start, upstream):
        larder = start("--catalog", GRAPHQL_CATALOG)
        for _ in range(2):
            larder.call("character/get", id=1, maxAge=0)
        assert all("if-none-match" not in entry["headers"] for entry in upstream.requests())

    def test_retry_of_a_conditional_request_is_conditional(self, larder, upstream):
        larder.call("character/get", id=1)
        upstream.fault(status=503)
        assert larder.call("character/get", id=1, maxAge=0)["source"] == "remote"
        assert remote(larder)["notModified"] == 1 == remote(larder)["retries"]

    def test_recording_sends_no_conditional_request(self, start, upstream, home):
        start().call("character/get", id=1)
        assert start("--record", home / "cassettes").call("character/get", id=1, maxAge=0)["source"] == "remote"
        assert "if-none-match" not in upstream.requests()[-1]["headers"]
        replay = start("--replay", home / "cassettes", "--no-persistence", upstream=None)
        assert replay.call("character/get", id=1)["item"]["name"] == "Rick Sanchez"
        assert replay.call("character/get", id=1, maxAge=0)["source"] == "remote"
