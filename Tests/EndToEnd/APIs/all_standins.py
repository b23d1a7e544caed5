"""All simulated APIs, and checks of the results of a larder process that uses one of them."""

from typing import Any, Dict, List

import standins
import standins_content
import standins_feeds
import standins_frameworks
import standins_github
import standins_shipped
import standins_tools

DECLARED_IN = (
    standins_content,
    standins_feeds,
    standins_frameworks,
    standins_github,
    standins_shipped,
    standins_tools,
)  # Importing these modules declares their stand-ins.
STAND_INS = standins.STAND_INS


def walk(larder: Any, resource: str, params: Dict[str, Any]) -> List[Any]:
    """Returns the items of a list, following `next` from page to page."""
    items: List[Any] = []
    token: Dict[str, Any] = {}
    for _ in range(20):
        found = larder.call(f"{resource}/list", **params, **token)
        assert found.get("missing", []) == []
        items += found["items"]
        if found["page"]["next"] is None:
            return items
        token = {"page": found["page"]["next"]}
    raise AssertionError("the pagination does not end")


def check_items(api: standins.StandIn, larder: Any) -> None:
    for get in api.gets:
        found = larder.call(f"{get.resource}/{get.method}", **get.params)
        item = found["item"] if get.method == "get" else found
        assert {key: item.get(key) for key in get.item} == get.item


def check_lists(api: standins.StandIn, larder: Any) -> None:
    for one in api.walks:
        items = walk(larder, one.resource, one.params)
        assert [item[one.field] for item in items] == one.values


def check_errors(api: standins.StandIn, larder: Any) -> None:
    for expected in api.errors:
        error = larder.fails(expected.method, **expected.params)
        assert (error.kind, error.data.get("apiMessage")) == (expected.kind, expected.words), error
