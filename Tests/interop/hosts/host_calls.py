"""The calls that each framework makes: with the built-in catalog, and with a catalog whose resource has a scope and
string ids."""

# Each good call with a part of its answer.
GOOD = [
    ("get_item", {"resource": "character", "ids": [1, 2, 3, 99999], "fields": ["id"]}, '"missing":[99999]'),
    ("get_item", {"resource": "character", "id": 1, "fields": ["id", "name"]}, "Rick Sanchez"),
    ("list_items", {"resource": "character", "filter": {"name": "rick"}, "limit": 2}, '"next":"larder:2:null"'),
    ("list_items", {"resource": "character", "page": "2", "limit": 1, "fields": ["id"]}, '"current":2'),
    ("search_cached", {"resource": "character", "text": "rick sanch", "fields": ["name"]}, '"cached":'),
    ("describe_resource", {"resource": "episode"}, "interface Episode"),
]

# Each bad call with a part of Larder's error.
BAD = [
    ("get_item", {"resource": "characters", "id": 1}, "did you mean 'character'?"),
    ("get_item", {"resource": "character"}, "no id: pass 'id' for one item"),
    ("get_item", {"resource": "location", "id": 99999}, "Location not found"),
    ("get_item", {"resource": "episode", "id": 51, "cachePolicy": "localOnly"}, "leave out cachePolicy"),
    ("list_items", {"resource": "character", "filter": {"nmae": "rick"}}, "'name'"),
    ("list_items", {"resource": "character", "limit": 0}, "'limit' must be an integer of at least 1"),
]

NOTES = {"resource": "note", "scope": {"owner": "acme"}}
OPEN = {**NOTES, "filter": {"state": "open"}, "limit": 2, "fields": ["id"]}
# The ids of this catalog are integers or strings. Some frameworks show the model one type only: strings.
SCOPED_GOOD = [
    ("get_item", {**NOTES, "id": "3"}, "note 3 of acme/larder"),
    ("get_item", {"resource": "note", "scope": {"owner": "b", "repo": "c"}, "ids": ["1", "99"]}, '"missing":[99]'),
    ("get_item", {"resource": "file", "id": "docs/a b.md"}, '"size":11'),
    ("get_item", {"resource": "file", "ids": ["plain", "100%"]}, '"id":"100%"'),
    ("list_items", OPEN, '"items":[{"id":2},{"id":4}]'),
    ("list_items", {**OPEN, "page": "larder:2:null"}, '"items":[{"id":6},{"id":8}]'),
    ("prefetch_list", {**NOTES, "filter": {"state": "all"}, "maxPages": 5}, '"items":25'),
    ("search_cached", {**NOTES, "filter": {"state": "closed"}, "limit": 1}, '"count":13'),
]
SCOPED_BAD = [
    ("get_item", {"resource": "note", "id": 1}, "'scope.owner' is missing: 'note' needs 'owner' in 'scope'"),
    ("get_item", {"resource": "note", "id": 1, "scope": {"ownr": "a"}}, "'scope' has no 'ownr'"),
    ("get_item", {"resource": "row", "id": "x"}, "'id' must be an integer, not 'x'"),
    ("get_item", {"resource": "file", "id": "none"}, "No such file"),
    ("list_items", NOTES, "is missing; pass one of"),
    ("list_items", {**NOTES, "filter": {"state": "all", "repo": "b"}}, "put it into 'scope'"),
]
