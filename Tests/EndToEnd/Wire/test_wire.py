"""Framing and the JSON-RPC 2.0 envelope."""

import json

import pytest

from harness import request

STATUS = {"jsonrpc": "2.0", "method": "server/status"}


def errors(reply):
    return [(one.get("id"), one["error"]["code"]) for one in (reply if isinstance(reply, list) else [reply])]


@pytest.fixture
def greeted(larder):
    """A process that has received a message whose frame is a line. It uses this framing for the whole session."""
    larder.alive()
    return larder


class TestLines:
    def test_line_that_is_not_json_is_a_parse_error(self, greeted):
        greeted.write("this is not JSON\n")
        assert errors(json.loads(greeted.line())) == [(None, -32700)]
        greeted.alive()

    def test_cut_off_first_line_is_a_parse_error(self, larder):
        larder.write('{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]\n')
        assert errors(json.loads(larder.line())) == [(None, -32700)]
        larder.alive()

    def test_blank_lines_are_ignored(self, larder):
        larder.write("\n\r\n  \t \n\n" + request("recents/list") + "\n\n \n")
        assert larder.wait(1)["result"] == {"recents": []}
        larder.alive()

    def test_carriage_returns_are_tolerated(self, larder):
        for id in (1, 2):
            larder.write(request("recents/list", id=id).replace("\n", "\r\n"))
        assert "result" in larder.wait(1) and "result" in larder.wait(2)
        larder.alive()

    def test_request_split_over_many_writes_is_answered(self, larder):
        for byte in request("recents/add", {"text": "snowman ☃"}).encode():
            larder.write(bytes([byte]))
        assert larder.wait(1)["result"] == {"recents": ["snowman ☃"]}

    def test_many_requests_in_one_write_are_all_answered(self, larder):
        larder.write("".join(request("recents/list", id=id) for id in range(500)))
        for id in range(500):
            assert "result" in larder.wait(id)
        larder.alive()

    def test_message_split_between_two_writes_is_answered(self, larder):
        first, second = request("recents/list", id=1), request("recents/list", id=2)
        larder.write(first + second[:20])
        assert "result" in larder.wait(1)
        larder.write(second[20:])
        assert "result" in larder.wait(2)

    def test_last_line_without_a_newline_is_answered(self, larder):
        larder.write(request("recents/list").rstrip("\n"))
        larder.end_input()
        assert "result" in larder.wait(1)
        assert larder.close() == 0

    def test_every_reply_is_one_line(self, larder):
        larder.send("recents/add", {"text": "two\r\nlines"})
        assert larder.wait(1)["result"] == {"recents": ["two\r\nlines"]}
        larder.alive()

    def test_line_separators_in_params_are_escaped(self, larder):
        larder.write('{"jsonrpc":"2.0","id":1,"method":"recents/add","params":{"text":"a\u2028b\u2029c\u0085d"}}\n')
        line = larder.line()
        assert json.loads(line)["result"] == {"recents": ["a\u2028b\u2029c\u0085d"]}
        assert not any(mark.encode() in line for mark in "\u2028\u2029\u0085")

    def test_line_separators_in_api_data_are_escaped(self, larder, upstream):
        upstream.edit("character", 1, name="a\u2028b\u0085c")
        larder.send("character/get", {"id": 1})
        line = larder.line()
        assert json.loads(line)["result"]["item"]["name"] == "a\u2028b\u0085c"
        assert not any(mark.encode() in line for mark in "\u2028\u0085")


class TestSize:
    def test_message_above_the_size_limit_is_skipped(self, start):
        larder = start("--max-message", "64KiB")
        larder.write(request("recents/add", {"text": "x" * 200_000}, id=1) + request("recents/list", id=2))
        assert errors(json.loads(larder.line())) == [(None, -32600)]
        assert larder.wait(2)["result"] == {"recents": []}
        larder.alive()

    def test_message_of_exactly_the_size_limit_is_accepted(self, start):
        larder = start("--max-message", "1KiB")
        empty = len(request("recents/add", {"text": ""}).rstrip("\n"))
        text = "x" * (1024 - empty)
        larder.send("recents/add", {"text": text}, id=1)
        assert larder.wait(1)["result"] == {"recents": [text]}
        larder.send("recents/add", {"text": text + "x"}, id=1)
        assert errors(json.loads(larder.line())) == [(None, -32600)]

    def test_megabyte_text_is_accepted(self, larder):
        text = "x" * (1 << 20)
        assert larder.call("recents/add", text=text) == {"recents": [text]}


class TestJSON:
    @pytest.mark.parametrize(
        "line",
        [
            b'{"jsonrpc":"2.0","id":1,"method":"recents/add","params":{"text":"\xff"}}',
            b'{"jsonrpc":"2.0","id":1,"method":"recents/add","params":{"text":"\xed\xa0\x80"}}',
            b'{"jsonrpc":"2.0","id":1,"method":"recents/add","params":{"text":"\xc0\xaf"}}',
            b'{"jsonrpc":"2.0","id":1,"method":"recents/add","params":{"text":"\\ud800"}}',
            b'{"jsonrpc":"2.0","id":1,"method":"recents/add","params":{"text":"a\tb"}}',
            b'{"jsonrpc":"2.0","id":1,"method":"recents/add","params":{"text":"a",}}',
            b'{"jsonrpc":"2.0","id":1,"method":"recents/add","params":{"text":01}}',
            b'{"jsonrpc":"2.0","id":1,"method":"recents/list"} x',
            b'{"jsonrpc":"2.0","id":1,"method":"recents/list","params":' + b'{"a":' * 600 + b"1" + b"}" * 600 + b"}",
            b"[" * 100_000,
            b'{"a":' * 100_000,
        ],
        ids=lambda line: line[-24:].decode("latin-1") if len(line) < 200 else f"depth-{len(line)}",
    )
    def test_invalid_json_is_a_parse_error(self, greeted, line):
        greeted.write(line + b"\n")
        reply = json.loads(greeted.line())
        assert reply["error"]["code"] == -32700 and reply["id"] in (None, 1), reply
        greeted.alive()

    @pytest.mark.parametrize(
        "id", ["1", "-7", "1.5", "1e3", "12345678901234567890123", "0.10", '"1"', '"\\u0041"', "null"]
    )
    def test_request_id_is_echoed_as_written(self, larder, id):
        larder.write(f'{{"jsonrpc":"2.0","id":{id},"method":"recents/list"}}\n')
        line = larder.line()
        if id.startswith('"'):
            assert json.loads(line)["id"] == json.loads(id)
        else:
            assert b'"id":' + id.encode() + b"," in line, line
        assert json.loads(line)["result"] == {"recents": []}

    def test_number_string_and_null_are_different_ids(self, larder):
        for id in (1, "1", None):
            larder.send("recents/list", id=id)
        for id in ("1", None, 1):
            assert larder.wait(id)["result"] == {"recents": []}
        larder.alive()


class TestEnvelope:
    @pytest.mark.parametrize(
        "message, id",
        [
            ({"jsonrpc": "2.0", "id": 7, "method": 1}, 7),
            ({"jsonrpc": "2.0", "id": 7}, 7),
            ({"jsonrpc": "1.0", "id": 7, "method": "recents/list"}, 7),
            ({"id": 7, "method": "recents/list"}, 7),
            ({"jsonrpc": "2.0", "id": {}, "method": "recents/list"}, None),
            ({"jsonrpc": "2.0", "id": [1], "method": "recents/list"}, None),
            ({"jsonrpc": "2.0", "id": True, "method": "recents/list"}, None),
            ({"jsonrpc": "2.0", "method": 1, "params": "bar"}, None),
            ({}, None),
        ],
    )
    def test_invalid_request_is_refused(self, larder, message, id):
        larder.write(json.dumps(message) + "\n")
        assert errors(json.loads(larder.line())) == [(id, -32600)]
        larder.alive()

    def test_unknown_method_is_refused(self, larder):
        assert larder.fails("foobar").code == -32601
        assert larder.fails("character/fetch", id=1).code == -32601
        assert larder.fails("nothing/get", id=1).code == -32601

    def test_positional_params_are_refused(self, larder):
        assert larder.refusal(larder.wait(larder.send("character/get", [1]))).code == -32602
        assert larder.refusal(larder.wait(larder.send("recents/list", []))).code == -32602

    def test_null_params_count_as_absent(self, larder):
        larder.write('{"jsonrpc":"2.0","id":1,"method":"recents/list","params":null}\n')
        assert larder.wait(1)["result"] == {"recents": []}
        larder.write('{"jsonrpc":"2.0","id":2,"method":"character/get","params":null}\n')
        assert larder.wait(2)["error"]["code"] == -32602

    @pytest.mark.parametrize(
        "method, params, named",
        [
            ("character/get", {}, "id"),
            ("character/get", {"id": None}, "id"),
            ("character/get", {"id": {"a": 1}}, "id"),
            ("character/get", {"id": 1, "cachePolicy": "sometimes"}, "cachePolicy"),
            ("character/get", {"id": 1, "cachePolicy": 1}, "cachePolicy"),
            ("character/get", {"id": 1, "maxAge": "soon"}, "maxAge"),
            ("character/get", {"id": 1, "maxAge": -1}, "maxAge"),
            ("character/list", {"page": 0}, "page"),
            ("character/list", {"page": []}, "page"),
            ("character/list", {"filter": "rick"}, "filter"),
            ("character/list", {"filter": {"size": "tall"}}, "size"),
            ("character/getMany", {}, "ids"),
            ("character/getMany", {"ids": 1}, "ids"),
            ("recents/add", {}, "text"),
            ("recents/add", {"text": 1}, "text"),
        ],
    )
    def test_error_names_the_wrong_param(self, larder, upstream, method, params, named):
        error = larder.fails(method, **params)
        assert error.code == -32602 and named in error.message, error
        assert upstream.count("/api") == 0
        larder.alive()

    def test_notification_gets_no_reply(self, larder, upstream):
        larder.notify("recents/add", {"text": "noted"})
        larder.notify("no/such/method")
        larder.notify("character/get", {"id": 99999})
        larder.notify("character/get", [1])
        assert larder.call("recents/list") == {"recents": ["noted"]}
        larder.end_input()
        assert larder.close() == 0
        assert larder.left == []


class TestBatches:
    """The examples of the JSON-RPC 2.0 specification, section 7, with methods that exist."""

    def test_mixed_batch_answers_each_request(self, larder):
        larder.write(
            json.dumps(
                [
                    {"jsonrpc": "2.0", "method": "recents/add", "params": {"text": "a"}, "id": "1"},
                    {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
                    {"jsonrpc": "2.0", "method": "character/get", "params": {"id": 1}, "id": "2"},
                    {"foo": "boo"},
                    {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
                    {"jsonrpc": "2.0", "method": "recents/list", "id": "9"},
                ]
            )
            + "\n"
        )
        replies = {one["id"]: one for one in json.loads(larder.line())}
        assert set(replies) == {"1", "2", "5", "9", None}
        assert replies["1"]["result"] == {"recents": ["a"]}
        assert replies["9"]["result"] == {"recents": ["a"]}
        assert replies["2"]["result"]["item"]["name"] == "Rick Sanchez"
        assert replies["5"]["error"]["code"] == -32601
        assert replies[None]["error"]["code"] == -32600
        larder.alive()

    def test_batch_of_invalid_json_gets_one_parse_error(self, larder):
        larder.write('[{"jsonrpc": "2.0", "method": "recents/list", "id": "1"}, {"jsonrpc": "2.0", "method"]\n')
        assert errors(json.loads(larder.line())) == [(None, -32700)]
        larder.alive()

    def test_empty_batch_gets_one_error(self, larder):
        larder.write("[]\n")
        reply = json.loads(larder.line())
        assert isinstance(reply, dict) and errors(reply) == [(None, -32600)]
        larder.alive()

    @pytest.mark.parametrize("text, count", [("[1]", 1), ("[1,2,3]", 3), ("[[]]", 1), ('["a",null,{}]', 3)])
    def test_batch_of_invalid_requests_has_one_error_for_each(self, larder, text, count):
        larder.write(text + "\n")
        reply = json.loads(larder.line())
        assert isinstance(reply, list) and errors(reply) == [(None, -32600)] * count
        larder.alive()

    def test_batch_of_notifications_gets_no_reply(self, larder):
        larder.write(json.dumps([{**STATUS}, {**STATUS, "method": "no/such"}]) + "\n")
        larder.alive()
        assert larder.close() == 0 and larder.left == []

    def test_batch_requests_run_concurrently(self, larder, upstream):
        hold = upstream.hold("/api/character")
        larder.write(json.dumps([json.loads(request("character/get", {"id": n}, n)) for n in (1, 2, 3)]) + "\n")
        hold.wait(3)
        larder.alive()
        hold.release()
        assert sorted(one["result"]["item"]["id"] for one in json.loads(larder.line())) == [1, 2, 3]


class TestOrder:
    def test_slow_request_does_not_delay_other_requests(self, larder, upstream):
        hold = upstream.hold("/api/character/1")
        slow = larder.send("character/get", {"id": 1})
        hold.wait()
        assert larder.call("character/get", id=2)["item"]["id"] == 2
        assert larder.call("recents/list") == {"recents": []}
        hold.release()
        assert larder.wait(slow)["result"]["item"]["id"] == 1

    def test_cache_changes_take_effect_in_the_order_of_arrival(self, larder):
        ids = [larder.send("recents/add", {"text": str(n % 7)}) for n in range(100)]
        last = larder.send("recents/list")
        for id in ids:
            assert larder.wait(id)["result"]["recents"][0] == str((id - 1) % 7)
        assert larder.wait(last)["result"] == {"recents": [str(n % 7) for n in range(99, 94, -1)]}

    @pytest.mark.parametrize("policy", ["localOnly", "localFirst"])
    def test_read_sent_after_a_removal_does_not_find_the_removed_items(self, larder, upstream, policy):
        for n in range(1, 9):
            larder.call("character/get", id=n)
        upstream.reset()
        text = request("cache/remove", id=100)
        text += "".join(request("character/get", {"id": n, "cachePolicy": policy}, n + 200) for n in range(1, 9))
        larder.write(text)
        assert larder.wait(100)["result"]["removed"] == 8
        for n in range(1, 9):
            reply = larder.wait(n + 200)
            assert policy == "localFirst" and reply["result"]["source"] == "remote" or reply["error"]["code"] == -31010

    def test_read_sent_after_an_invalidation_fetches_the_item_again(self, larder):
        larder.call("character/get", id=1)
        larder.write(request("cache/invalidate", id=100) + request("character/get", {"id": 1}, 101))
        assert larder.wait(101)["result"]["source"] == "remote"
