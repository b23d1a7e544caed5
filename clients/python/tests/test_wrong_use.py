"""Errors name the invalid argument, and values of equivalent types are accepted."""

import asyncio
import datetime
import fractions
import json

import pytest

import larder
from larder import wire


@pytest.mark.parametrize("one", [larder.Larder, larder.AsyncLarder])
@pytest.mark.parametrize("limit", [0, -1])
def test_max_in_flight_below_one_is_refused(one, limit):
    with pytest.raises(ValueError, match=f"max_in_flight must be at least 1, not {limit}"):
        one(max_in_flight=limit, binary="/no/such/larder")


def test_failed_start_raises_a_single_exception(script):
    async def main():
        program = script("sys.exit(3)")
        async with larder.AsyncLarder(binary=program) as client:
            with pytest.raises(larder.LarderClosed) as caught:
                await client.status()
        assert caught.value.__suppress_context__ or caught.value.__context__ is None

    asyncio.run(main())


class Whole:
    """An integer type other than `int`, like the types of numpy."""

    def __init__(self, value=7):
        self.value = value

    def __index__(self):
        return self.value


class Scalar:
    """A float type other than `float`, like the types of numpy."""

    dtype, shape = "float32", ()

    def item(self):
        return 0.5


def sent(**params):
    return json.loads(wire.request(1, "x", params))["params"]


def test_params_of_other_number_date_and_time_types_are_sent():
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
def test_error_names_the_param_that_json_cannot_represent(params, place, kind):
    with pytest.raises(TypeError, match=f"^'{place}' is a {kind}, which JSON cannot represent"):
        sent(**params)


def test_page_and_max_age_may_be_of_any_integer_type(client):
    page = client.character.list(page=Whole(1), max_age=Whole()).page
    assert page.current == 1
    with pytest.raises(TypeError, match="^'filter.name' is a set"):
        client.character.list(name={"rick"})
