"""What is wrong with a call or a client is told where it is, and what is right in other types is taken."""

import asyncio
import datetime
import fractions
import json

import pytest

import larder
from larder import wire


@pytest.mark.parametrize("one", [larder.Larder, larder.AsyncLarder])
@pytest.mark.parametrize("limit", [0, -1])
def test_no_call_could_be_made(one, limit):
    with pytest.raises(ValueError, match=f"max_in_flight is at least 1, not {limit}"):
        one(max_in_flight=limit, binary="/no/such/larder")


def test_a_start_that_fails_tells_one_thing(script):
    async def main():
        program = script("sys.exit(3)")
        async with larder.AsyncLarder(binary=program) as client:
            with pytest.raises(larder.LarderClosed) as caught:
                await client.status()
        assert caught.value.__suppress_context__ or caught.value.__context__ is None

    asyncio.run(main())


class Whole:
    """As those of numpy, too."""

    def __init__(self, value=7):
        self.value = value

    def __index__(self):
        return self.value


class Scalar:
    """As those of numpy."""

    dtype, shape = "float32", ()

    def item(self):
        return 0.5


def sent(**params):
    return json.loads(wire.request(1, "x", params))["params"]


def test_other_kinds_of_numbers_and_moments():
    moment = datetime.datetime(2024, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
    found = sent(limit=Whole(), filter={"a": Scalar(), "b": [moment, moment.date()], "c": fractions.Fraction(1, 4)})
    assert found == {
        "limit": 7,
        "filter": {"a": 0.5, "b": ["2024-01-02T03:04:05+00:00", "2024-01-02"], "c": 0.25},
    }


@pytest.mark.parametrize(
    "params, place, kind",
    [
        ({"filter": {"name": {"rick"}}}, "filter.name", "set"),
        ({"ids": [1, b"2"]}, "ids\\[1\\]", "bytes"),
        ({"maxAge": datetime.timedelta(1)}, "maxAge", "timedelta"),
        ({"at": datetime.time(1)}, "at", "time"),
    ],
)
def test_what_json_has_no_word_for_is_named(params, place, kind):
    with pytest.raises(TypeError, match=f"^'{place}' is a {kind}, for which JSON has no word"):
        sent(**params)


def test_a_filter_may_be_of_these_types(client):
    page = client.character.list(page=Whole(1), max_age=Whole()).page
    assert page.current == 1
    with pytest.raises(TypeError, match="^'filter.name' is a set"):
        client.character.list(name={"rick"})
