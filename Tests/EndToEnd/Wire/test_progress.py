"""Progress: `$/progress` notifications for a request with a `workDoneToken`."""

import json

import pytest

from harness import request


def progress_values(larder, token):
    """Returns the values of the `$/progress` notifications for a token, up to and including the `end` value."""
    values = []
    while not values or values[-1]["kind"] != "end":
        params = larder.notification("$/progress")
        assert params["token"] == token and isinstance(params["token"], type(token)), params
        values.append(params["value"])
    return values


def check_progress(values, title):
    """Checks for one `begin`, reports with growing percentages and one `end`; returns the percentages."""
    begin, *reports, end = values
    assert begin == {"kind": "begin", "title": title, "cancellable": True, "percentage": 0}
    assert end == {"kind": "end"}
    percentages = [report["percentage"] for report in reports]
    assert percentages == sorted(set(percentages)) and all(0 < one <= 100 for one in percentages)
    assert all(set(report) == {"kind", "message", "percentage"} for report in reports)
    return percentages


@pytest.mark.parametrize("token", ["up", "", "7", 7, -1, 0])
def test_progress_of_getMany_grows_with_the_fetched_items(patient, upstream, token):
    hold = upstream.hold("/api/character/6")
    asked = patient.send("character/getMany", {"ids": list(range(1, 11)), "workDoneToken": token})
    assert patient.notification("$/progress")["value"]["kind"] == "begin"
    report = patient.notification("$/progress")
    assert report == {"token": token, "value": {"kind": "report", "message": "5 of 10 items", "percentage": 50}}
    hold.release()
    assert progress_values(patient, token) == [
        {"kind": "report", "message": "10 of 10 items", "percentage": 100},
        {"kind": "end"},
    ]
    assert len(patient.wait(asked)["result"]["items"]) == 10
    patient.alive()


def test_all_progress_notifications_precede_the_reply(patient):
    patient.send("character/getMany", {"ids": list(range(1, 31)), "workDoneToken": "t"})
    messages = [json.loads(patient.line())]
    while "id" not in messages[-1]:
        messages.append(json.loads(patient.line()))
    assert check_progress([one["params"]["value"] for one in messages[:-1]], "character/getMany")[-1] == 100
    patient.alive()


def test_cached_items_report_progress(patient):
    patient.call("character/getMany", ids=[1, 2])
    patient.send("character/getMany", {"ids": [1, 2], "workDoneToken": 1}, id="again")
    assert check_progress(progress_values(patient, 1), "character/getMany") == [100]
    assert patient.wait("again")["result"]["sources"]["memory"] == 2


def test_prefetch_reports_progress_for_each_page(patient):
    patient.send("character/prefetch", {"workDoneToken": "walk"}, id="walk")
    assert check_progress(progress_values(patient, "walk"), "character/prefetch") == [33, 66, 100]
    assert patient.wait("walk")["result"] == {"pages": 3, "items": 60, "fetched": 3, "reused": 0, "complete": True}


def test_last_progress_notification_of_a_cancelled_request_precedes_its_reply(patient, upstream):
    hold = upstream.hold("/api/character/6")
    asked = patient.send("character/getMany", {"ids": list(range(1, 11)), "workDoneToken": 7})
    begin, half = (patient.notification("$/progress")["value"] for _ in range(2))
    assert (begin["kind"], half["percentage"]) == ("begin", 50)
    patient.cancel(asked)
    # The `end` value comes first, then the error.
    assert json.loads(patient.line())["params"] == {"token": 7, "value": {"kind": "end"}}
    assert json.loads(patient.line())["error"]["code"] == -32800
    hold.release()
    patient.alive()


def test_failed_request_sends_a_last_progress_notification(patient, upstream):
    upstream.fail("/api/character", status=500)
    asked = patient.send("character/getMany", {"ids": [1, 2], "workDoneToken": 7})
    assert check_progress(progress_values(patient, 7), "character/getMany") == []
    assert patient.refusal(patient.wait(asked)).kind == "serverError"
    patient.alive()


def test_batch_members_report_progress(patient, upstream):
    hold = upstream.hold("/api/character")
    batch = [
        json.loads(request("character/getMany", {"ids": list(range(n, n + 5)), "workDoneToken": token}, n))
        for n, token in ((1, "a"), (6, "b"))
    ]
    patient.write(json.dumps(batch) + "\n")
    for _ in batch:
        assert patient.notification("$/progress")["value"]["kind"] == "begin"
    hold.release()
    values = {"a": [], "b": []}
    lines = [json.loads(patient.line()) for _ in range(5)]
    for line in lines[:-1]:
        values[line["params"]["token"]].append(line["params"]["value"])
    for value in values.values():
        assert [one["kind"] for one in value] == ["report", "end"] and value[0]["percentage"] == 100
    assert sorted(one["id"] for one in lines[-1]) == [1, 6]
    patient.alive()


def test_request_cancelled_by_the_end_of_input_sends_a_last_progress_notification(start, catalog, upstream):
    larder = start("--catalog", catalog(), "--drain", "1")
    hold = upstream.hold("/api/character")
    larder.send("character/getMany", {"ids": [1, 2], "workDoneToken": 7})
    hold.wait()
    larder.end_input()
    assert check_progress(progress_values(larder, 7), "character/getMany") == []
    assert larder.wait(1)["error"]["code"] == -32800
    assert larder.close() == 0 and larder.left == []


@pytest.mark.parametrize("token", [[], {}, 1.5, True])
@pytest.mark.parametrize("method", ["character/get", "character/getMany", "character/observe", "recents/list"])
def test_invalid_progress_token_is_refused(larder, upstream, method, token):
    params = {"character/getMany": {"ids": [1]}, "recents/list": {}}.get(method, {"id": 1})
    error = larder.fails(method, **params, workDoneToken=token)
    assert error.code == -32602 and "workDoneToken" in error.message
    assert upstream.count("/api") == 0
    larder.alive()


def test_request_without_a_progress_token_reports_no_progress(patient):
    patient.call("character/getMany", ids=list(range(1, 31)))
    patient.call("character/prefetch", workDoneToken=None)
    patient.alive()
