"""`larder sync` and `larder cache syncs`."""

import json
import signal
import threading

import pytest

from screens import Screen

ITEMS = [{"id": "1", "name": "Ann"}, {"id": "2", "name": "Bob"}]


def test_sync_prints_its_result_as_json_in_a_pipe(people, served_items):
    options, _ = served_items(ITEMS, answer=answer)
    done = people("sync", "thing", "--changes", *options)
    result = json.loads(done.stdout)
    assert (done.code, done.stderr, result["added"], result["items"]) == (0, "", 2, 2)
    assert result["changes"] == [{"change": "added", "id": "1"}, {"change": "added", "id": "2"}]


def test_offline_list_shows_the_time_of_the_last_sync(people, on_terminal, served_items):
    more = {"filters": {"state": "state"}, "pagination": {"style": "link"}}
    options, _ = served_items(ITEMS, answer=answer, list=more)
    people("sync", "thing", *options)
    assert "synced just now, offline" in on_terminal("list", "thing", "--offline", *options, width=100).lines[-1]
    assert "synced" not in on_terminal("list", "thing", *options, width=100).lines[-1]
    people("list", "thing", "state=a", *options)
    # The copy is that of the whole list.
    assert "synced" not in on_terminal("list", "thing", "state=a", "--offline", *options, width=100).lines[-1]


def test_sync_without_a_resource_updates_each_copy(people, served_items):
    options, asked = served_items(ITEMS, answer=answer)
    none = people("sync", *options)
    assert (none.code, none.stdout) == (0, b"") and "start with: larder sync RESOURCE" in none.stderr
    people("sync", "thing", *options)
    count = len(asked)
    done = people("sync", *options, "--table")
    assert done.code == 0 and done.stdout.startswith(b"thing: 2 items: 0 added, 0 changed, 0 removed")
    assert len(asked) > count
    count = len(asked)
    line = json.loads(people("sync", "--max-age", "1h", *options).stdout)
    assert (line["resource"], line["mode"], len(asked)) == ("thing", "none", count)


def test_failed_sync_of_a_local_copy_sets_the_exit_code(people, served_items):
    state = {"status": 200}
    options, _ = served_items([], answer=lambda request: answer(request, state["status"]))
    people("sync", "thing", *options)
    state["status"] = 500
    done = people("sync", *options)
    assert (done.code, done.stdout) == (1, b"") and done.stderr.startswith("larder: thing: ")


def test_local_copy_synced_with_other_credentials_is_reported(people, served_items):
    state = {}
    options, _ = served_items(
        ITEMS, answer=answer, api={"headers": {"Authorization": "${env:TOKEN}"}}, list={"filters": {"name": "name"}}
    )
    people("sync", "thing", "name=$(id)", *options, env={"TOKEN": "one-token"})
    done = people("sync", *options, env={"TOKEN": "other-token"})
    assert (done.code, done.stdout) == (1, b"")
    assert "thing name=$(id): this copy was made with other credentials" in done.stderr
    # A shell must not run the value.
    assert "run: larder sync thing name='$(id)' --catalog " in done.stderr
    people("sync", "thing", "name=$(id)", *options, env={"TOKEN": "other-token"})
    assert people("sync", *options, env={"TOKEN": "other-token"}).code == 0


@pytest.fixture
def held_sync(people, begin_on_terminal, served_items):
    """`held_sync(*args)` starts `larder sync` with two local copies. It returns while the API does not answer."""
    event, state = threading.Event(), {"isHeld": False}
    reached = threading.Event()

    def hold(request):
        if state["isHeld"] and request.query.get("state") == "b":
            reached.set()
            event.wait()
        return answer(request)

    options, _ = served_items(ITEMS, answer=hold, list={"filters": {"state": "state"}})
    for value in ("a", "b"):
        assert people("sync", "thing", f"state={value}", *options).code == 0
    state["isHeld"] = True

    def held_sync(*args):
        shown = begin_on_terminal("sync", *args, *options, width=100)
        assert reached.wait(20)
        return shown, event

    yield held_sync
    event.set()


def test_sync_of_all_copies_shows_its_progress(held_sync):
    shown, event = held_sync()
    shown.wait("2 of 2: thing state=b  ")
    event.set()
    assert shown.end() == 0
    lines = Screen(shown.text).lines
    assert [line.partition(":")[0] for line in lines] == ["thing state=a", "thing state=b", ""], shown.text


def test_interrupted_sync_of_all_copies_reports_the_interruption(held_sync):
    shown, _ = held_sync()
    shown.wait("2 of 2: thing state=b  ")
    shown.process.send_signal(signal.SIGINT)
    assert shown.end() == 130
    assert Screen(shown.text).lines[1:] == ["larder: interrupted; the fetched pages are cached", ""], shown.text


def test_sync_ends_after_the_time_of_its_option(held_sync):
    shown, _ = held_sync("--for", "1s")
    assert shown.end() == 0
    assert Screen(shown.text).lines[1:] == ["larder: the time of --for is over; the next sync continues", ""]


def test_local_copies_are_listed_as_a_table(people, on_terminal, served_items):
    options, _ = served_items(ITEMS, answer=answer)
    people("sync", "thing", *options)
    shown = on_terminal("cache", "syncs", *options)
    assert shown.code == 0 and shown.lines[0].split() == ["list", "items", "synced", "complete"]
    assert shown.lines[1].split()[:2] == ["thing", "2"]


def test_local_copies_are_listed_line_by_line_if_the_table_is_too_wide(people, on_terminal, served_items):
    options, _ = served_items(ITEMS, answer=answer, list={"filters": {"state": "state"}})
    people("sync", "thing", "state=a-value-that-needs-much-room", *options)
    shown = on_terminal("cache", "syncs", *options, width=40)
    assert shown.lines[:2] == ["thing state=a-value-that-needs-much-room", "  items: 2"]


def answer(request, status=200):
    return status, {}, ITEMS
