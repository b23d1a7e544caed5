"""The params and timeout that each method sends. No process is started."""

import asyncio
import datetime
import inspect
import json
import math
import types

import pytest

import larder
from larder import wire
from larder.aio.resources import AsyncCache, AsyncRecents
from larder.calls import Calls, refuse_coroutine
from larder.resources import Cache, Recents

MOMENT = {"source": "memory", "fetchedAt": "2026-01-31T09:05:00Z", "stale": False}
PAGE = {"current": 1, "pages": 2, "count": 3, "next": 2, "previous": None}
ANSWERS = {
    "get": {"item": {"id": 1}, **MOMENT},
    "list": {"items": [], "page": PAGE, **MOMENT},
    "getMany": {"items": [], "missing": [], "sources": {"memory": 0, "persistence": 0, "remote": 0}},
    "search": {"items": [], "count": 3},
    "prefetch": {"pages": 1, "items": 2, "fetched": 3, "reused": 4, "complete": None},
    "sync": {
        "mode": "none", "requests": 0, "added": 0, "changed": 0, "removed": 0, "items": 1, "syncedAt": None,
        "wholeAt": None, "deletions": "unknown", "complete": None,
    },
    "syncs": {"syncs": [{"resource": "thing"}]},
    "explain": {"method": "x/get"},
    "invalidate": {"invalidated": 2},
    "remove": {"removed": 3},
    "query": {"columns": ["a"], "rows": [[1]], "truncated": False, "tables": []},
}  # fmt: skip
EVENTS = [{"kind": "begin"}, {"kind": "report", "message": "page 1", "percentage": 50}, {"kind": "end"}]


def answer(method):
    group, _, verb = method.partition("/")
    return {"recents": ["a"]} if group == "recents" else ANSWERS.get(verb, {"stats": 1})


class Blocking(larder.Larder):
    """A client that records the requests instead of sending them."""

    def __init__(self):
        self.sent, self.recents, self.cache = [], Recents(self), Cache(self)

    def request(self, method, params=None, *, timeout=None, on_event=None):
        self.sent.append((method, params, timeout))
        for event in EVENTS if on_event else ():
            on_event(event)
        return answer(method)


class Async(larder.AsyncLarder):
    """A client that records the requests instead of sending them."""

    def __init__(self):
        self.sent, self.recents, self.cache = [], AsyncRecents(self), AsyncCache(self)

    async def request(self, method, params=None, *, timeout=None, on_event=None):
        self.sent.append((method, params, timeout))
        for event in EVENTS if on_event else ():
            on_event(event)
        return answer(method)


@pytest.fixture(params=[Blocking, Async])
def ask(request):
    """ask(do): the requests that `do` sent through a client, and its result."""

    def ask(do):
        client = request.param()
        found = do(client)
        if inspect.iscoroutine(found):
            found = asyncio.run(found)
        return client.sent, found

    return ask


READING = {"cache_policy": "localOnly", "max_age": datetime.timedelta(minutes=2), "timeout": 7}
READ = {"cachePolicy": "localOnly", "maxAge": 120.0}
SENT = [
    (lambda one: one.thing.get(1), "thing/get", {"id": 1}, None),
    (lambda one: one.thing.get(0), "thing/get", {"id": 0}, None),
    (lambda one: one.thing.get("a", **READING, fields=["b"]), "thing/get", {"id": "a", **READ, "fields": ["b"]}, 7),
    (lambda one: one.thing.get(1, cache_policy="none"), "thing/get", {"id": 1, "cachePolicy": "none"}, None),
    (lambda one: one.thing.get(1, max_age="5m"), "thing/get", {"id": 1, "maxAge": "5m"}, None),
    (lambda one: one.thing.get(1, fields=("a", "b")), "thing/get", {"id": 1, "fields": ["a", "b"]}, None),
    (lambda one: one.thing.at(a=1).at(b=2).get(3), "thing/get", {"a": 1, "b": 2, "id": 3}, None),
    (lambda one: one["thing"].get_many([1, "2"]), "thing/getMany", {"ids": [1, "2"]}, None),
    (lambda one: one.thing.at(a=1).get_many(iter([1]), **READING, fields=["b"]), "thing/getMany",
     {"a": 1, "ids": [1], **READ, "fields": ["b"]}, 7),
    (lambda one: one.thing.list(), "thing/list", {}, None),
    (lambda one: one.thing.list(2, filter={"a": 1, "b": 2}, b=3, **READING, fields=["c"]), "thing/list",
     {"page": 2, "filter": {"a": 1, "b": 3}, **READ, "fields": ["c"]}, 7),
    (lambda one: one.thing.search(), "thing/search", {}, None),
    (lambda one: one.thing.search("t", filter={"a": 1}, limit=2, offset=3, timeout=4, fields=["f"], b=5),
     "thing/search", {"text": "t", "filter": {"a": 1, "b": 5}, "limit": 2, "offset": 3, "fields": ["f"]}, 4),
    (lambda one: one.thing.prefetch(), "thing/prefetch", {}, math.inf),
    (lambda one: one.thing.prefetch(filter={"a": 1}, max_pages=2, timeout=3, b=4), "thing/prefetch",
     {"filter": {"a": 1, "b": 4}, "maxPages": 2}, 3),
    (lambda one: one.thing.sync(), "thing/sync", {}, math.inf),
    (lambda one: one.thing.sync(whole=True), "thing/sync", {"whole": True}, math.inf),
    (lambda one: one.thing.sync(changes=True), "thing/sync", {"changes": True}, math.inf),
    (lambda one: one.thing.sync(accept_removals=True), "thing/sync", {"acceptRemovals": True}, math.inf),
    (lambda one: one.thing.at(s=1).sync(filter={"a": 1}, max_age="1h", max_requests=2, timeout=3, b=4), "thing/sync",
     {"s": 1, "filter": {"a": 1, "b": 4}, "maxAge": "1h", "maxRequests": 2}, 3),
    (lambda one: one.thing.sync(max_age=datetime.timedelta(hours=1)), "thing/sync", {"maxAge": 3600.0}, math.inf),
    (lambda one: one.thing.at(s=1).explain(2, **READING), "request/explain",
     {"method": "thing/get", "params": {"s": 1, "id": 2, **READ}}, 7),
    (lambda one: one.thing.explain(0), "request/explain", {"method": "thing/get", "params": {"id": 0}}, None),
    (lambda one: one.thing.explain(ids=[], **READING), "request/explain",
     {"method": "thing/getMany", "params": {"ids": [], **READ}}, 7),
    (lambda one: one.thing.explain(page=2, filter={"a": 1}, b=3, **READING), "request/explain",
     {"method": "thing/list", "params": {"page": 2, "filter": {"a": 1, "b": 3}, **READ}}, 7),
    (lambda one: one.recents.add("t", scope="s"), "recents/add", {"text": "t", "scope": "s"}, None),
    (lambda one: one.recents.remove("t", scope="s"), "recents/remove", {"text": "t", "scope": "s"}, None),
    (lambda one: one.recents.clear(scope="s"), "recents/clear", {"scope": "s"}, None),
    (lambda one: one.recents.list(), "recents/list", {}, None),
    (lambda one: one.cache.stats(), "cache/stats", {}, None),
    (lambda one: one.cache.syncs(), "cache/syncs", {}, None),
    (lambda one: one.query("q"), "cache/query", {"sql": "q"}, None),
    (lambda one: one.query("q", (1, None)), "cache/query", {"sql": "q", "params": [1, None]}, None),
    (lambda one: one.query("q", {"a": 1}, max_rows=2, timeout=3, coverage="any", max_age=datetime.timedelta(hours=1)),
     "cache/query",
     {"sql": "q", "params": {"a": 1}, "maxRows": 2, "timeout": 3, "coverage": "any", "maxAge": 3600.0}, 33.0),
    (lambda one: one.status(), "server/status", {}, None),
    (lambda one: one.call("any/method", method=1), "any/method", {"method": 1}, None),
]  # fmt: skip
SELECTION = {"id": 1, "ids": (2, 3), "older_than": datetime.timedelta(hours=1), "pages": True, "scope": {"s": 4}}
for verb in ("invalidate", "remove"):
    SENT.append((lambda one, verb=verb: getattr(one.cache, verb)(), f"cache/{verb}", {}, None))
    SENT.append((
        lambda one, verb=verb: getattr(one.cache, verb)("thing", **SELECTION), f"cache/{verb}",
        {"resource": "thing", "id": 1, "ids": [2, 3], "olderThan": 3600.0, "pages": True, "scope": {"s": 4}}, None,
    ))  # fmt: skip


@pytest.mark.parametrize("do, method, params, timeout", SENT)
def test_method_sends_its_params_and_timeout(ask, do, method, params, timeout):
    assert ask(do)[0] == [(method, params, timeout)]


@pytest.mark.parametrize(
    "do, expected",
    [
        (lambda one: one.recents.list(), ["a"]),
        (lambda one: one.cache.invalidate(), 2),
        (lambda one: one.cache.remove(), 3),
        (lambda one: one.cache.stats(), {"stats": 1}),
        (lambda one: one.cache.syncs(), [{"resource": "thing"}]),
        (lambda one: one.status(), {"stats": 1}),
        (lambda one: one.query("q"), larder.Query(["a"], [[1]], False, [])),
    ],
)
def test_method_returns_the_value_in_the_reply(ask, do, expected):
    assert ask(do)[1] == expected


@pytest.mark.parametrize(
    "verb, args, kind",
    [
        ("get", [1], larder.ItemResult), ("get_many", [[1]], larder.GetMany), ("list", [], larder.ListResult),
        ("search", [], larder.SearchResult), ("prefetch", [], larder.Prefetched), ("sync", [], larder.Synced),
        ("explain", [1], larder.Explanation),
    ],
)  # fmt: skip
def test_resource_method_returns_its_result_type(ask, verb, args, kind):
    assert type(ask(lambda one: getattr(one.thing, verb)(*args))[1]) is kind


def test_iterator_over_pages_sends_its_options_with_each_request(ask):
    def all_items(one):
        pages = one.thing.at(s=1).pages(filter={"a": 1}, b=2, **READING, fields=["c"])
        return pages.all()

    sent = {"s": 1, "filter": {"a": 1, "b": 2}, **READ, "fields": ["c"]}
    assert ask(all_items)[0] == [("thing/list", sent, 7), ("thing/list", {**sent, "page": 2}, 7)]


@pytest.mark.parametrize("verb", ["prefetch", "sync"])
def test_progress_callback_is_called_only_for_report_events(ask, verb):
    steps = []
    ask(lambda one: getattr(one.thing, verb)(progress=steps.append))
    assert steps == [larder.Progress("page 1", 50)]


def test_typed_resources_send_the_same_requests_as_untyped_ones(ask):
    """The typed resource classes, which modules generated by `python -m larder.models` use."""
    from larder import models

    def typed(one):
        kind = models.ResourceOf if isinstance(one, larder.Larder) else models.AsyncResourceOf
        return kind(one, models.Calls("thing", {"s": 1}, lambda item: item["id"]))

    expected = [
        (lambda one: typed(one).get(2, **READING), "get", {"id": 2, **READ}),
        (lambda one: typed(one).get_many([2], **READING), "getMany", {"ids": [2], **READ}),
        (lambda one: typed(one).search("t", filter={"a": 1}, limit=2, offset=3, timeout=7), "search",
         {"text": "t", "filter": {"a": 1}, "limit": 2, "offset": 3}),
    ]  # fmt: skip
    for do, verb, params in expected:
        assert ask(do)[0] == [(f"thing/{verb}", {"s": 1, **params}, 7)]
    assert ask(lambda one: typed(one).get(2))[1].item == 1
    for id, ids, method in ((2, None, "get"), (None, [2], "getMany"), (None, None, "list")):
        sent = {"s": 1, **({"id": id} if id else {}), **({"ids": ids} if ids else {}), **READ}
        explained = {"method": f"thing/{method}", "params": sent}
        assert ask(lambda one: typed(one).explain(id, ids=ids, **READING))[0] == [("request/explain", explained, 7)]


def test_client_attributes_are_resource_names_unless_private(ask):
    assert ask(lambda one: one.resource("thing").name)[1] == "thing"
    assert ask(lambda one: repr(one.thing))[1] == "<larder resource thing>"
    assert ask(lambda one: repr(one.thing.at(a=1, b="c")))[1] == "<larder resource thing, a 1, b c>"
    for name in ("_hidden", "__wrapped__"):
        with pytest.raises(AttributeError, match=name):
            ask(lambda one: getattr(one, name))


def test_observe_request_has_the_scope_and_an_item_or_a_page():
    calls = Calls("thing", {"s": 1}, lambda item: -item, lambda item: item + 1)
    observe = calls.observe(2, None, {}, "me")
    assert (observe.method, observe.params) == ("thing/observe", {"s": 1, "id": 2, "observer": "me"})
    observe = calls.at({"t": 2}).observe(None, 3, {"a": 1}, "me")
    assert observe.params == {"s": 1, "t": 2, "page": 3, "filter": {"a": 1}, "observer": "me"}
    change = observe.shape({})
    assert change({"item": 4, **MOMENT}).item.item == -4
    assert change({"items": [4], "page": PAGE, **MOMENT}).page.items == [5]
    unobserve = calls.unobserve("me")
    assert (unobserve.method, unobserve.params) == ("thing/unobserve", {"observer": "me"})
    assert unobserve.shape({"any": 1}) is None
    assert calls.list(None, {}).shape({"items": [4], "page": PAGE, **MOMENT}).items == [5]
    alike = Calls("thing", None, lambda item: -item)
    assert alike.list(None, {}).shape({"items": [4], "page": PAGE, **MOMENT}).items == [-4]


@pytest.mark.parametrize("name", ["fields", "ids"])
@pytest.mark.parametrize("text", ["ab", b"ab"])
def test_single_string_is_refused_where_a_list_is_expected(name, text):
    calls = Calls("thing")
    with pytest.raises(TypeError, match=f"{name} must be a list"):
        calls.get_many(text) if name == "ids" else calls.get(1, fields=text)


def test_coroutine_function_is_refused_as_callback():
    class Called:
        async def __call__(self):
            pass

    async def asynchronous():
        pass

    for callback in (asynchronous, Called()):
        with pytest.raises(TypeError, match="^name must be a plain function"):
            refuse_coroutine("name", callback)
    for callback in (None, print, lambda: asynchronous, types.SimpleNamespace()):
        refuse_coroutine("name", callback)


class TestWire:
    """Encoding and decoding of messages."""

    def test_requests_and_cancellations_are_written_as_json_lines(self):
        assert wire.request(1, 'a"b') == b'{"jsonrpc":"2.0","id":1,"method":"a\\"b"}\n'
        assert wire.request(1, "a", {}) == wire.request(1, "a", None)
        sent = wire.request(2, "a", types.MappingProxyType({"t": "ü\n", "n": [1, None]}))
        assert sent == '{"jsonrpc":"2.0","id":2,"method":"a","params":{"t":"ü\\n","n":[1,null]}}\n'.encode()
        assert json.loads(wire.cancellation(7)) == {
            "jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 7}
        }  # fmt: skip

    @pytest.mark.parametrize("value", [math.nan, math.inf, {"a": -math.inf}])
    def test_params_with_nan_or_infinity_are_refused(self, value):
        with pytest.raises(ValueError):
            wire.request(1, "a", {"n": value})

    def test_error_names_the_invalid_param(self):
        params = {"first": 1, "nested": {"list": [1, (2, {3})]}}
        with pytest.raises(TypeError, match=r"^'nested.list\[1\]\[1\]' is a set, .*: \{3\}$"):
            wire.request(1, "a", params)
        with pytest.raises(TypeError, match="keys must be"):
            wire.request(1, "a", {"a": {(1, 2): 3}, "n": math.nan})

    def test_params_of_numpy_and_other_number_types_are_converted(self):
        class Index:
            def __index__(self):
                return 3

        class Scalar:
            dtype, shape = "int64", ()

            def item(self):
                return 4

        class Array(Scalar):
            shape = (1,)

        sent = json.loads(wire.request(1, "a", {"id": Index(), "ids": [Scalar(), Index()]}))["params"]
        assert sent == {"id": 3, "ids": [4, 3]}
        for wrong in (Array(), object(), 1j):
            with pytest.raises(TypeError, match="'id' is a"):
                wire.request(1, "a", {"id": wrong})

    def test_message_that_is_not_a_json_object_is_refused(self):
        assert wire.message('{"a":"ü"}'.encode()) == {"a": "ü"}
        for wrong in (b"[]", b"1", b"nonsense", b'{"a":"\xff"}', b"{"):
            with pytest.raises(ValueError):
                wire.message(wrong)

    def test_chunks_of_output_are_split_into_lines(self):
        lines = wire.Lines()
        assert lines.feed(b"a") == [] and lines.feed(b"b") == []
        assert lines.feed(b"c\nd\ne") == [b"abc", b"d"]
        assert lines.feed(b"\n") == [b"e"]
        assert lines.feed(b"f\n") == [b"f"] and lines.feed(b"\ng\n") == [b"", b"g"]
