"""The books that all servers and the tests share."""

SHELVES = ["poetry", "prose", "maps & plans"]
AUTHORS = [{"id": id, "name": f"Author {id}"} for id in range(1, 6)]
BOOKS = [
    {
        "id": id,
        "title": f"Book {id}: é 日本 & 'more'",
        "shelf": SHELVES[id * 7 % 3],
        "author": id % 5 + 1,
        "year": 1900 + id * 13 % 97,
        "place": f"{chr(97 + id % 26)}/{id},{id % 4}",
    }
    for id in range(1, 58)
]
