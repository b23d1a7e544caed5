"""Results and errors: their values, texts, records and HTML tables."""

import dataclasses
import datetime

import pytest

import larder
from larder import results, synced, tables
from larder.core import queries
from larder.errors import from_wire

UTC = datetime.timezone.utc
NOW = {"source": "memory", "fetchedAt": "2999-01-31T09:05:00.250Z", "stale": False}
PAGE = {"current": 2, "pages": 3, "count": 60, "next": "c", "previous": 1}
FAILED = {"code": -31004, "message": "500", "data": {"kind": "serverError", "status": 500}}
KINDS = (
    "invalidRequest invalidResponse notFound serverError decodingFailed unauthorized rateLimited network timeout"
    " notCached busy tooLarge notReplayed notSynced queryLimit"
).split()
EXPLAINED = {
    "method": "x/get", "cachePolicy": "localFirst", "steps": ["memory: absent"], "entries": [{"level": "memory"}],
    "requests": [{"method": "GET", "url": "https://a"}], "limiter": {"waits": 1}, "error": {"message": "no id"},
}  # fmt: skip

SYNCED = {
    "mode": "whole", "requests": 1, "added": 2, "changed": 3, "removed": 4, "items": 5, "syncedAt": NOW["fetchedAt"],
    "wholeAt": None, "deletions": "walked", "complete": True,
}  # fmt: skip


def all_results():
    item = results.item_result({"item": {}, **NOW})
    page = results.list_result({"items": [], "page": PAGE, **NOW})
    many = results.many_result({"items": [], "missing": [], "sources": {"memory": 0, "persistence": 0, "remote": 0}})
    event = {"item": {}, "fallback": FAILED, **NOW}
    change = results.change(event, None, None)
    search = results.search_result({"items": [], "count": 0})
    done = results.prefetched({"pages": 1, "items": 2, "fetched": 3, "reused": 4, "complete": None})
    explained = results.explanation(EXPLAINED)
    step = results.progress({})
    run = synced.synced({**SYNCED, "changes": [{"change": "added", "id": 1}]})
    found = [item, page, page.page, many, many.sources, change, change.item.fallback, search, done, explained, step]
    rows = queries.query({"columns": [], "rows": [], "truncated": False, "tables": []})
    return [*found, run, *run.changes, rows]


@pytest.mark.parametrize("one", all_results(), ids=lambda one: type(one).__name__)
def test_results_cannot_be_changed(one):
    name = dataclasses.fields(one)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(one, name, None)
    assert hash(type(one)) and one == dataclasses.replace(one)


class TestValues:
    def test_item_result_has_the_values_of_the_reply(self):
        found = results.item_result({"item": {"id": 1}, "fallback": FAILED, **NOW, "stale": True})
        assert (found.item, found.source, found.stale) == ({"id": 1}, "memory", True)
        assert found.fetched_at == datetime.datetime(2999, 1, 31, 9, 5, 0, 250_000, UTC)
        assert found.fallback == results.Fallback(-31004, "500", "serverError", {"kind": "serverError", "status": 500})
        assert results.item_result({"item": 1, **NOW}, str).item == "1"
        assert results.item_result({"item": 1, **NOW}).fallback is None
        assert results.item_result({"item": 1, **NOW}).synced_at is None
        confirmed = results.item_result({"item": 1, **NOW, "syncedAt": "2026-01-31T09:05:00.250Z"})
        assert confirmed.synced_at == datetime.datetime(2026, 1, 31, 9, 5, 0, 250_000, UTC)

    def test_list_result_has_the_values_of_the_reply(self):
        whole = {"items": [1, 2], "page": PAGE, "skipped": [{"index": 0}], "missing": [7], **NOW}
        found = results.list_result(whole, str)
        assert found.items == ["1", "2"] and found.page == results.PageInfo(2, 3, 60, "c", 1)
        assert (found.source, found.stale, found.fallback) == ("memory", False, None)
        assert (found.skipped, found.missing) == (({"index": 0},), (7,))
        plain = results.list_result({"items": [1], "page": PAGE, "fallback": {"code": 1, "message": "m"}, **NOW})
        assert (plain.items, plain.skipped, plain.missing) == ([1], (), ())
        assert plain.fallback == results.Fallback(1, "m", None, {})
        assert plain.synced_at is None
        copied = results.list_result({"items": [1], "page": PAGE, **NOW, "syncedAt": "2026-01-31T09:05:00.250Z"})
        assert copied.synced_at == datetime.datetime(2026, 1, 31, 9, 5, 0, 250_000, UTC)

    def test_get_many_result_has_the_values_of_the_reply(self):
        sources = {"memory": 1, "persistence": 2, "remote": 3}
        found = results.many_result({"items": [1], "missing": [7], "sources": sources}, str)
        assert (found.items, found.missing, found.stale, found.fallback) == (["1"], [7], False, None)
        assert found.sources == results.Sources(1, 2, 3, None)
        sources["shared"] = 4
        found = results.many_result({"items": [], "missing": [], "sources": sources, "stale": True, "fallback": FAILED})
        assert (found.stale, found.fallback.code, found.sources.shared) == (True, -31004, 4)
        assert results.GetMany([], [], results.Sources(0, 0, 0)).stale is False

    def test_search_result_has_the_values_of_the_reply(self):
        assert results.search_result({"items": [1], "count": 5}, str) == results.SearchResult(["1"], 5)
        moment = datetime.datetime(2026, 1, 31, 9, 5, 0, 250_000, UTC)
        found = results.search_result({"items": [], "count": 0, "syncedAt": "2026-01-31T09:05:00.250Z"})
        assert found.synced_at == moment

    def test_prefetch_result_has_the_values_of_the_reply(self):
        done = results.prefetched({"complete": True, "reused": 4, "fetched": 3, "items": 2, "pages": 1})
        assert done == results.Prefetched(pages=1, items=2, fetched=3, reused=4, complete=True)

    def test_progress_has_the_values_of_the_notification(self):
        assert results.progress({}) == results.Progress("", None)
        assert results.progress({"message": "page 1", "percentage": 50}) == results.Progress("page 1", 50)

    def test_sync_result_has_the_values_of_the_reply(self):
        moment = datetime.datetime(2999, 1, 31, 9, 5, 0, 250_000, UTC)
        assert synced.synced(SYNCED) == larder.Synced(
            mode="whole", requests=1, added=2, changed=3, removed=4, items=5, synced_at=moment, whole_at=None,
            deletions="walked", complete=True, held=None, changes=[], changes_omitted=0,
        )  # fmt: skip
        changes = [{"change": "added", "id": 1}, {"id": "a", "change": "removed"}]
        more = {"wholeAt": NOW["fetchedAt"], "syncedAt": None, "complete": None, "held": 6}
        found = synced.synced({**SYNCED, **more, "changes": changes, "changesOmitted": 7})
        assert (found.synced_at, found.whole_at, found.complete, found.held) == (None, moment, None, 6)
        assert found.changes == [larder.SyncChange("added", 1), larder.SyncChange("removed", "a")]
        assert found.changes_omitted == 7

    def test_observed_change_has_the_values_of_the_notification(self):
        item = results.change({"item": 1, **NOW}, str, None)
        assert (item.item.item, item.page, item.gone) == ("1", None, False)
        page = results.change({"items": [1], "page": PAGE, **NOW}, None, str)
        assert (page.item, page.page.items, page.gone) == (None, ["1"], False)
        assert results.change({"gone": True}, None, None) == results.Change(None, None, True)

    def test_explanation_has_the_values_of_the_reply_and_a_repr_with_the_steps(self):
        found = results.explanation(EXPLAINED)
        assert [getattr(found, field.name) for field in dataclasses.fields(found)] == [*EXPLAINED.values()]
        assert repr(found).split("\n") == [
            "x/get, localFirst",
            "  memory: absent",
            "  would request: GET https://a",
            "  request cannot be built: no id",
        ]  # fmt: skip
        assert results.explanation({"method": "x"}) == results.Explanation("x", "", [], [], [], None, None)
        assert repr(results.explanation({"method": "x/get", "cachePolicy": "none"})) == "x/get, none"


class TestReprs:
    """Text representations of results. The age is 0 seconds because `fetchedAt` is in the future."""

    def test_repr_of_a_result_shows_source_and_age_and_fallback_reason(self):
        fresh = results.item_result({"item": {"id": 1}, **NOW})
        assert fresh.provenance == "from memory, 0 seconds old" and fresh.age < -1e9
        assert repr(fresh) == "<item id=1, from memory, 0 seconds old>"
        stale = results.item_result({"item": {"id": 1}, "fallback": FAILED, **NOW, "stale": True})
        assert stale.provenance == "from memory, 0 seconds old, stale, because: 500"

    @pytest.mark.parametrize(
        "current, pages, text",
        [(2, 3, ", page 2 of 3"), (2, None, ", page 2"), (None, 3, ""), (None, None, "")],
    )
    def test_repr_of_a_page_has_its_number_and_source(self, current, pages, text):
        page = {**PAGE, "current": current, "pages": pages}
        found = results.list_result({"items": [1], "page": page, **NOW})
        assert repr(found) == f"<1 item{text}, from memory, 0 seconds old>"

    def test_repr_of_several_items_counts_each_source(self):
        sources = {"memory": 1, "persistence": 0, "remote": 2, "shared": 3}
        found = results.many_result(
            {"items": [1, 2], "missing": [7], "sources": sources, "stale": True, "fallback": FAILED}
        )
        texts = "<2 items: 1 from memory, 3 from shared, 2 from remote, missing [7], stale, because: 500>"
        assert repr(found) == texts
        assert repr(results.GetMany([], [], results.Sources(0, 0, 0))) == "<0 items>"

    def test_repr_of_a_search_has_its_item_count(self):
        assert repr(results.SearchResult([1], 2)) == "<1 of 2 items found in the cache>"

    @pytest.mark.parametrize(
        "seconds, text",
        [
            (-5, "0 seconds"), (0.9, "0 seconds"), (1, "1 second"), (59.9, "59 seconds"), (60, "1 minute"),
            (3599, "59 minutes"), (3600, "1 hour"), (86399, "23 hours"), (86400, "1 day"), (3 * 86400, "3 days"),
        ],
    )  # fmt: skip
    def test_ages_are_printed_in_the_largest_unit(self, seconds, text):
        assert tables.duration(seconds) == text

    @pytest.mark.parametrize(
        "item, text",
        [
            ({"id": 1}, "item id=1"),
            ({"id": 1, "name": "a"}, "item id=1 name='a'"),
            ({"id": 1, "title": "b", "label": "c"}, "item id=1 title='b' and 1 more field"),
            ({"name": "a", "id": 1, "title": "b"}, "item name='a' title='b' and 1 more field"),
            ({"id": 1, "a": 2, "b": 3}, "item id=1 and 2 more fields"),
            ({}, "item "),
            ("x" * 81, "'" + "x" * 78 + "…"),
            ("x" * 78, "'" + "x" * 78 + "'"),
            ({"id": "x" * 200, "a": 1}, "item id='" + "x" * 150 + "… and 1 more field"),
        ],
    )
    def test_repr_of_a_long_item_is_shortened(self, item, text):
        assert tables.brief(item) == text


@dataclasses.dataclass
class Typed:
    id: int
    origin: dict


class TestTables:
    def test_flat_record_has_one_level_with_dotted_keys(self):
        assert tables.flat({"id": 1, "a": {"b": {"c": 2}, "d": {}}, "e": [{"f": 3}]}) == {
            "id": 1, "a.b.c": 2, "a.d": {}, "e": [{"f": 3}]
        }  # fmt: skip
        assert tables.flat(Typed(1, {"name": "x"})) == {"id": 1, "origin.name": "x"}
        assert tables.flat("text") == {"value": "text"} and tables.flat(Typed) == {"value": Typed}

    def test_html_of_an_item_is_a_table_with_escaped_values(self):
        assert tables.item_html({"a": None, "<b>": "x & y", "c": [1, "ü"]}, "<c>") == (
            "<table><caption>&lt;c&gt;</caption><tbody><tr><th>a</th><td></td></tr>"
            "<tr><th>&lt;b&gt;</th><td>x &amp; y</td></tr><tr><th>c</th><td>[1, &quot;ü&quot;]</td></tr>"
            "</tbody></table>"
        )

    def test_html_table_has_the_columns_of_all_rows(self):
        assert tables.html([{"a": 1}, {"b": 2}], "<2 items>") == (
            "<table><caption>2 items</caption><thead><tr><th>a</th><th>b</th></tr></thead><tbody>"
            "<tr><td>1</td><td></td></tr><tr><td></td><td>2</td></tr></tbody></table>"
        )

    def test_long_text_in_an_html_table_is_cut(self):
        at_limit, cut = (tables.item_html({"a": "x" * length}, "") for length in (80, 81))
        assert "x" * 80 in at_limit and f"{'x' * 79}…</td>" in cut

    @pytest.mark.parametrize("rows, columns, caption", [(60, 12, "c"), (62, 14, "c, 2 more rows, 2 more columns")])
    def test_html_table_counts_omitted_rows_and_columns(self, rows, columns, caption):
        text = tables.html([{f"f{number}": 1 for number in range(columns)}] * rows, "c")
        assert f"<caption>{caption}</caption>" in text
        assert (text.count("<tr>"), text.count("<th>")) == (61, 12)

    def test_value_that_json_cannot_represent_is_shown_as_text(self):
        moment = datetime.datetime(2026, 1, 2, tzinfo=UTC)
        assert "2026-01-02 00:00:00+00:00" in tables.item_html({"at": moment}, "")


class TestErrors:
    def test_error_message_ends_with_its_kind_or_code(self):
        assert str(larder.LarderError("no")) == "no"
        assert str(larder.NotFound("no", -31003, "notFound")) == "no (notFound)"
        assert str(larder.InvalidParams("no", -32602)) == "no (-32602)"
        assert larder.NotFound("no", -31003, "notFound").args == ("no",)

    def test_error_has_a_copy_of_the_data_in_the_reply(self):
        data = {"status": 503, "path": "a.b", "retryAfter": 2.5, "apiMessage": "later"}
        error = larder.ServerError("no", -31004, "serverError", data)
        assert (error.status, error.retry_after, error.api_message) == (503, 2.5, "later")
        assert error.data == data and error.data is not data
        assert larder.DecodingFailed("no", -31005, None, data).path == "a.b"
        assert larder.LarderError("no").data == {}

    def test_larder_closed_error_has_the_last_log_lines(self):
        error = larder.LarderClosed("it ended", "first\nlast", 3)
        assert str(error) == "it ended\nfirst\nlast" and (error.stderr, error.exit_code) == ("first\nlast", 3)
        error = larder.LarderClosed("it ended")
        assert str(error) == "it ended" and (error.stderr, error.exit_code) == ("", None)

    def test_errors_of_queries_have_their_details(self):
        data = {"kind": "notSynced", "tables": ["thing"], "calls": [{"method": "thing/sync", "params": {}}]}
        error = from_wire({"code": -31015, "message": "no", "data": data})
        assert (error.tables, error.calls) == (["thing"], data["calls"])
        assert (larder.NotSynced("no").tables, larder.NotSynced("no").calls) == ([], [])
        error = from_wire({"code": -31016, "message": "no", "data": {"kind": "queryLimit", "limit": "time"}})
        assert error.limit == "time" and larder.QueryLimit("no").limit is None

    @pytest.mark.parametrize("kind", KINDS)
    def test_error_kind_decides_the_exception_class_for_every_code(self, kind):
        error = from_wire({"code": -32000, "message": "no", "data": {"kind": kind, "attempts": 2}})
        assert type(error) is getattr(larder, kind[0].upper() + kind[1:])
        assert (error.kind, error.code, error.message, error.data["attempts"]) == (kind, -32000, "no", 2)

    @pytest.mark.parametrize(
        "code, name",
        [
            (-32602, "InvalidParams"),
            (-31003, "NotFound"),
            (-31011, "Busy"),
            (-31015, "NotSynced"),
            (-31016, "QueryLimit"),
            (-1, "LarderError"),
        ],
    )
    def test_error_code_decides_the_exception_class_if_there_is_no_kind(self, code, name):
        for data in ({}, {"data": None}, {"data": []}, {"data": {"kind": 7}}, {"data": {"kind": "new"}}):
            assert type(from_wire({"code": code, "message": "no", **data})) is getattr(larder, name)


class TestQuery:
    ROWS = [[1, "<b>"], [2, None]]
    REPLY = {"columns": ["id", "name"], "rows": ROWS, "truncated": True, "tables": [{"name": "thing"}]}

    def test_rows_are_dictionaries_in_a_loop(self):
        found = queries.query(self.REPLY)
        assert [*found] == found.records() == [{"id": 1, "name": "<b>"}, {"id": 2, "name": None}]
        assert (len(found), found.truncated, found.tables) == (2, True, [{"name": "thing"}])
        assert (found.columns, found.rows) == (["id", "name"], self.ROWS)

    def test_rows_are_a_table_in_a_notebook(self):
        text = queries.query(self.REPLY)._repr_html_()
        assert "2 rows, more available" in text and "&lt;b&gt;" in text
        assert ">1 row<" in queries.query({**self.REPLY, "rows": [[1, 2]], "truncated": False})._repr_html_()
