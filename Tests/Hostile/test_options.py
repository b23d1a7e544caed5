"""Options out of range: each is refused with the allowed range, and none crashes the process."""

import pytest

USAGE = 64
BOUNDS = {
    "--memory": ("0", "1TiB", ["-1", "1025GiB", "9223372036854775807", "1e30"]),
    "--disk": ("0B", "256TiB", ["257TiB", "9223372036854775807"]),
    "--max-message": ("1B", "1GiB", ["0", "0.1B", "1025MiB", "9223372036854775807"]),
    "--max-queue": ("1B", "1TiB", ["0", "1025GiB", "9223372036854775807"]),
    "--max-in-flight": ("1", "1000000", ["0", "-1", "1000001", "9223372036854775807", "9" * 5000, "0x10", "1.5"]),
    "--drain": ("0", "1d", ["-1", "25h", "nan", "inf", "100000d", "9" * 400]),
}


@pytest.mark.parametrize("option", BOUNDS)
def test_minimum_and_maximum_of_each_option_are_enforced(command, places, option):
    least, most, others = BOUNDS[option]
    for value in (least, most):
        done = command(*places, f"{option}={value}", input=b'{"jsonrpc":"2.0","id":1,"method":"server/status"}\n')
        assert done.code == 0, (value, done)
        # One byte is too little for a message, but the request still gets an answer.
        assert len(done.messages) == 1, (value, done)
    for value in others:
        done = command(*places, f"{option}={value}")
        assert (done.code, done.stdout) == (USAGE, b""), (value, done)
        assert done.stderr.startswith(f"larder: {option} must be ") and done.stderr.count("\n") == 1, done


def test_deeply_nested_json_argument_is_refused(command, places):
    done = command("call", "character/get", ".".join("a" * 50_000) + "=1", *places)
    message = "the key of an argument can have at most 100 parts separated by dots; shorten the key"
    assert (done.code, done.stderr) == (USAGE, f"larder: {message}\n"), done


@pytest.mark.parametrize(
    "params",
    [
        {"page": 9223372036854775807},
        {"page": 9223372036854775808},
        {"maxAge": 9223372036854775807},
        {"maxAge": 1e300},
        {"maxAge": "99999999999999999999d"},
    ],
)
def test_extreme_page_numbers_get_a_result_or_an_error(larder, params):
    reply = larder.wait(larder.send("character/list", params))
    assert "result" in reply or reply["error"]["code"] in (-32602, -31003), reply
    larder.alive()


@pytest.mark.parametrize("number", [0, 9223372036854775807])
def test_search_with_an_extreme_offset_returns_no_items(larder, number):
    larder.call("character/get", id=1)
    found = larder.call("character/search", limit=min(number, 1000), offset=number)
    assert found["items"] == [] and found["count"] == 1
    larder.alive()
