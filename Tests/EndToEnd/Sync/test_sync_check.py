"""`larder check --live` of a list that declares `sync`: two syncs in a row."""

import json

import pytest

from listed import Changes, Things, serving


@pytest.fixture
def check(command, home):
    """Returns a function that runs the check, and returns its part about `thing/sync`. The function starts a server
    with a number of things, gives it to `change`, and runs the check."""

    def check(count=3, code=0, style="page", change=None, options=(), text=False, **kinds):
        things = Things(style, has_get=False, changes=Changes(**kinds))
        for number in range(count):
            things.put(f"t{number:03}", name=f"thing {number}")
        with serving(things.answer) as things.url:
            catalog = things.catalog(home)
            if change:
                change(things)
            done = command("check", catalog, "--live", *([] if text else ["--json"]), *options)
        assert (done.code, done.stderr) == (code, ""), done
        assert not (home / "cache").exists()
        check.requests = [target.split("?", 1)[-1] for target in things.requests]
        if text:
            return [line for line in done.stdout.decode().splitlines() if line.startswith("thing/sync")]
        [found] = [one for one in json.loads(done.stdout)["live"] if one["operation"] == "sync"]
        return found

    return check


@pytest.mark.parametrize("style", ["page", "cursor", "link"])
@pytest.mark.parametrize("ascending", [True, False])
@pytest.mark.parametrize("inclusive", [True, False])
def test_second_sync_of_a_live_check_has_no_changes(check, style, ascending, inclusive):
    found = check(style=style, ascending=ascending, inclusive=inclusive)
    assert (found["items"], found["changed"], found["requests"], found["error"]) == (3, 0, 2, None)
    assert found["notes"] == [] and "since=3" in found["url"]


def test_output_of_a_live_check_states_the_number_of_changes_in_the_second_sync(check):
    [line] = check(text=True)
    assert ", 2 requests, 3 items, then 0 changed (1 request), GET http://" in line


def test_item_that_changes_between_the_syncs_is_counted(check):
    def change(things):
        # The first request is the list request.
        things.before(3, lambda: things.put("t001", name="other"))

    assert check(change=change)["changed"] == 1


@pytest.mark.parametrize("ascending", [True, False])
def test_syncs_of_a_live_check_read_only_two_pages_of_a_long_list(check, ascending):
    found = check(count=100, ascending=ascending)
    assert found["items"] == 10 and found["error"] is None and found["changed"] > 0
    assert found["notes"] == [
        "the check read only the first pages of the list, so the changes include items of later pages"]
    # The list itself takes two requests, and each sync two.
    assert len(check.requests) == 6


@pytest.mark.parametrize("kinds", [{"dates": True}, {}])
def test_live_check_reports_that_the_api_ignores_the_since_parameter(check, kinds):
    found = check(count=5, ascending=False, sync={"param": "changed"}, code=0 if kinds else 1, **kinds)
    if kinds:
        # The values are two minutes apart, so an API that rounds to days may return them.
        assert found["error"] is None and "unless the API rounds the requested value" in found["notes"][0]
    else:
        message = "the API ignores the parameter 'changed' and returned an item with '1' instead of items since '5'"
        assert found["error"]["kind"] == "invalidResponse" and found["error"]["message"].startswith(message)


def test_live_check_reports_old_dates_of_an_api_that_ignores_the_since_parameter(check):
    def change(things):
        things.things["t000"]["rev"] = "2020-01-01T00:00:00Z"

    found = check(ascending=False, dates=True, sync={"param": "changed"}, change=change, code=1)
    assert "returned an item with '2020-01-01T00:00:00Z' instead" in found["error"]["message"]


@pytest.mark.parametrize("status", [400, 404])
def test_live_check_reports_a_refused_request_for_changes(check, status):
    def change(things):
        things.before(3, lambda: (status, {}, {"message": "unknown parameter"}))

    found = check(change=change, code=1)
    assert found["status"] == status and found["error"]["kind"] in ("invalidRequest", "notFound")
    assert "since=3" in found["url"] and "refused the request for changes" in found["notes"][0]


def test_live_check_reports_that_no_item_has_a_sync_value(check):
    found = check(sync={"from": "revision"}, code=1)
    assert "no item has a value that 'from' of 'sync' selects" in found["error"]["message"]
    assert (found["items"], found["requests"]) == (3, 1)


def test_live_check_notes_that_some_items_have_no_sync_value(check):
    def change(things):
        things.things["t000"]["rev"] = None
        things.before(3, lambda: (200, {}, {"items": [], "more": False}))

    found = check(ascending=False, change=change)
    assert found["error"] is None and found["notes"][0].startswith("some items have no value")


def test_live_check_reports_sync_values_that_are_not_ascending(check):
    def change(things):
        things.put("t000", name="later")

    found = check(sync={"query": {}}, change=change, code=1)
    assert found["error"]["message"].startswith("'sync' declares 'ascending', but '4' comes before '2'")


def test_live_check_notes_that_an_empty_list_has_no_changes(check):
    found = check(count=0)
    assert (found["items"], found["changed"], found["requests"]) == (0, None, 1)
    assert found["notes"][0].startswith("the list is empty")


def test_live_check_does_not_sync_with_an_undeclared_filter(check):
    found = check(options=["--with", "state=open"])
    assert not found["tried"] and "'sync' does not name the filter 'state'" in found["reason"]
    named = check(options=["--with", "state=open"], sync={"filters": ["state"]})
    assert named["tried"] and "state=open" in check.requests[-1] and "since=3" in check.requests[-1]


def test_live_check_does_not_try_the_sync_of_a_failed_list(check):
    def change(things):
        things.before(1, lambda: (500, {}, {"message": "on fire"}))

    assert check(change=change, code=1, text=True) == []
