"""`larder watch` shows an item or a list, and then its changes."""

import json
import re
import signal
import subprocess

import pytest

from harness import PATIENCE, binary, environment

STALE_AFTER_A_DAY = {"cache": {"freshFor": "1d"}}


@pytest.fixture
def watching(home, places):
    """`watching(*args)` starts `larder watch` with its output in a pipe, and returns the process."""
    started = []

    def watching(*args):
        command = [binary(), "watch", *args, *map(str, places)]
        process = subprocess.Popen(
            command, env=environment(home), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        started.append(process)
        return process

    yield watching
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def change(process):
    """Reads the next change from the output of the process."""
    return json.loads(process.stdout.readline())


def test_changes_of_an_item_are_lines_of_json(watching, served_items):
    items = [{"id": "1", "name": "Ann", "origin": {"name": "Oslo"}}]
    options, _ = served_items(items, **STALE_AFTER_A_DAY)
    process = watching("thing", "1", "--interval", "1s", *options)
    first = change(process)
    assert first.pop("at").startswith("2") and first == {"change": "added", "item": items[0]}
    items[0] = {"id": "1", "name": "Ann", "origin": {"name": "Rome"}}
    second = change(process)
    assert (second["change"], second["item"]) == ("changed", items[0])
    assert second["fields"] == {"origin.name": {"old": "Oslo", "new": "Rome"}}
    removed = items.pop()
    third = change(process)
    assert (third["change"], third["item"]) == ("removed", removed)
    items.append({"id": "1", "name": "Bob"})
    assert change(process)["change"] == "added"
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 130 and process.stderr.read() == b""


def test_field_that_the_watched_item_lacks_is_reported(watching, served_items):
    options, _ = served_items([{"id": "1", "name": "Ann"}], **STALE_AFTER_A_DAY)
    process = watching("thing", "1", "--fields", "nmae", *options)
    assert change(process)["item"] == {}
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=PATIENCE)[1] == b"larder: no item has the field 'nmae'; did you mean 'name'?\n"


def test_changes_of_a_list_are_shown_on_a_terminal(begin_on_terminal, served_items):
    items = [{"id": "1", "name": "Ann", "status": "open"}, {"id": "2", "name": "Bob", "status": "open"}]
    options, asked = served_items(items, list={"filters": {"status": "status"}})
    with begin_on_terminal("watch", "list", "thing", "status=open", "--interval", "1s", *options) as shown:
        shown.wait("with a new request every 1s; press Ctrl-C to stop")
        assert shown.lines[:3] == ["id  name  status", "1   Ann   open", "2   Bob   open"]
        items[:] = [{"id": "2", "name": "Bob", "status": "new"}, {"id": "3", "name": "Cy"}]
        shown.wait("added 3 Cy")
        shown.type("\x03")
        assert shown.process.wait(PATIENCE) == 130
    changes = [re.sub(r"^\d\d:\d\d:\d\d ", "", line) for line in shown.lines[-4:]]
    assert changes[:3] == ["removed 1 Ann", "changed 2 Bob", "  status  open → new"]
    assert all(request.query == {"status": "open"} for request in asked)


def test_change_by_another_process_is_shown_without_a_request(watching, served_items, people):
    items = [{"id": "1", "name": "Ann"}]
    options, asked = served_items(items, **STALE_AFTER_A_DAY)
    process = watching("thing", "1", *options)
    assert change(process)["item"] == items[0]
    items[0] = {"id": "1", "name": "Eve"}
    assert people("call", "thing/get", "id=1", "cachePolicy=remoteFirst", *options).code == 0
    assert change(process)["fields"] == {"name": {"old": "Ann", "new": "Eve"}}
    assert len(asked) == 2


def test_watch_command_reports_why_it_sends_no_requests(watching, served_items):
    options, _ = served_items([{"id": "1", "name": "Ann"}])
    process = watching("thing", "1", *options)
    assert change(process)["change"] == "added"
    message = process.stderr.readline().decode()
    assert message.startswith("larder: watching only the cache, without requests: the catalog has no 'freshFor'; ")
    assert "use --interval" in message


def test_failed_request_is_reported_once_and_watching_continues(watching, served_items):
    answers = [(200, {}, {"id": "1", "name": "Ann"}), (500, {}, {}), (500, {}, {})]
    options, _ = served_items([], answer=lambda _: answers.pop(0) if answers else (200, {}, {"id": "1", "name": "Eve"}))
    process = watching("thing", "1", "--interval", "1s", *options)
    assert change(process)["change"] == "added"
    assert change(process)["fields"] == {"name": {"old": "Ann", "new": "Eve"}}
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 128 + signal.SIGTERM
    assert process.stderr.read().decode() == "larder: the API answered with status 500\n"


def test_failure_after_a_success_is_reported_again(watching, served_items):
    ann, failure = (200, {}, {"id": "1", "name": "Ann"}), (500, {}, {})
    answers = [ann, failure, ann, failure]
    options, _ = served_items([], answer=lambda _: answers.pop(0) if answers else (200, {}, {"id": "1", "name": "Eve"}))
    process = watching("thing", "1", "--interval", "1s", *options)
    assert [change(process)["change"] for _ in range(2)] == ["added", "changed"]
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 128 + signal.SIGTERM
    assert process.stderr.read().decode() == "larder: the API answered with status 500\n" * 2


def test_option_fields_restricts_the_items_and_changes_of_watch(watching, served_items):
    states = [{"id": "1", "name": "Ann", "seen": 1}, {"id": "1", "name": "Ann", "seen": 2}]
    last = {"id": "1", "name": "Eve", "seen": 3}
    options, _ = served_items([], answer=lambda _: (200, {}, states.pop(0) if states else last))
    process = watching("thing", "1", "--interval", "1s", "--fields", "id,name", *options)
    assert change(process)["item"] == {"id": "1", "name": "Ann"}
    assert change(process)["fields"] == {"name": {"old": "Ann", "new": "Eve"}}


def test_watch_command_ends_with_an_error_if_the_item_is_missing(people, served_items):
    options, _ = served_items([])
    done = people("watch", "thing", "1", *options)
    assert done.code == 1 and done.stderr.startswith("larder: notFound: ")


@pytest.mark.parametrize(
    "words, message",
    [
        (
            ["watch"],
            "'larder watch' needs a resource: larder watch RESOURCE ID [name=value ...]; 'larder resources' lists the "
            "resources",
        ),
        (
            ["watch", "thing"],
            "'larder watch' needs an id: larder watch RESOURCE ID [name=value ...]; 'larder help thing' shows an "
            "example",
        ),
        (["watch", "thing", "1", "2"], "'larder watch' takes one id; remove '2'"),
        (
            ["watch", "list"],
            "'larder watch list' needs a resource: larder watch list RESOURCE [filter=value ...] [--page P]; "
            "'larder resources' lists the resources",
        ),
        (
            ["watch", "thing", "1", "--interval", "0s"],
            "--interval must be a duration such as 90s or 5m, from 1s to 1d, not '0s'",
        ),
        (
            ["watch", "thing", "1", "--all"],
            "--all cannot be used with 'watch'; remove the option, or use it with 'list', 'search'",
        ),
    ],
)
def test_invalid_command_line_is_refused(people, words, message):
    done = people(*words)
    assert (done.code, done.stderr) == (64, f"larder: {message}\n")
