"""Which exception an error of the wire becomes."""

import pytest

import larder
from larder.errors import from_wire

KINDS = (
    "invalidRequest invalidResponse notFound serverError decodingFailed unauthorized rateLimited network timeout"
    " notCached busy tooLarge"
).split()


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_has_its_class_whatever_the_code(kind):
    error = from_wire({"code": -32000, "message": "no", "data": {"kind": kind, "attempts": 2}})
    assert type(error) is getattr(larder, kind[0].upper() + kind[1:])
    assert (error.kind, error.code, error.message, error.data["attempts"]) == (kind, -32000, "no", 2)


@pytest.mark.parametrize(
    "code, name", [(-32602, "InvalidParams"), (-31003, "NotFound"), (-31011, "Busy"), (-1, "LarderError")]
)
def test_without_a_kind_the_code_says_it(code, name):
    for data in ({}, {"data": None}, {"data": {"kind": 7}}, {"data": {"kind": "new"}}):
        assert type(from_wire({"code": code, "message": "no", **data})) is getattr(larder, name)
