"""Books as a Relay connection, with a filter object, and nodes by their ids."""

from typing import Iterable, List, Optional

import serve
import strawberry
from strawberry import relay
from strawberry.asgi import GraphQL
from world import AUTHORS, BOOKS


@strawberry.type
class Author(relay.Node):
    id: relay.NodeID[int]
    name: str

    @classmethod
    def resolve_nodes(cls, *, info, node_ids, required=False):
        return [cls(**AUTHORS[int(id) - 1]) for id in node_ids]


@strawberry.type
class Book(relay.Node):
    id: relay.NodeID[int]
    title: str
    shelf: str
    year: int
    author_id: strawberry.Private[int]

    @strawberry.field
    def author(self) -> Author:
        return Author(**AUTHORS[self.author_id - 1])

    @strawberry.field
    def isbn(self) -> str:
        if self.id == 13:
            raise ValueError("book 13 has no isbn")
        return f"978-{self.id:04}"

    @classmethod
    def resolve_nodes(cls, *, info, node_ids, required=False):
        books = {book["id"]: book for book in BOOKS}
        return [made(books[int(id)]) if int(id) in books else None for id in node_ids]


def made(book):
    return Book(**{name: book[name] for name in ("id", "title", "shelf", "year")}, author_id=book["author"])


@strawberry.input
class BookFilter:
    shelf: Optional[str] = None
    years: Optional[List[int]] = None
    author: Optional[int] = None


@strawberry.type
class Books(relay.ListConnection[Book]):
    total_count: int = 0

    @classmethod
    def resolve_connection(cls, nodes, **options):
        nodes = list(nodes)
        found = super().resolve_connection(nodes, **options)
        found.total_count = len(nodes)
        return found


@strawberry.type
class Query:
    node: Optional[relay.Node] = relay.node()
    nodes: List[Optional[relay.Node]] = relay.node()

    @relay.connection(Books)
    def books(self, filter: Optional[BookFilter] = None) -> Iterable[Book]:
        filter = filter or BookFilter()
        return [
            made(book)
            for book in BOOKS
            if (filter.shelf in (None, book["shelf"]))
            and (filter.author in (None, book["author"]))
            and (filter.years is None or book["year"] in filter.years)
        ]

    @strawberry.field
    def book(self, number: int) -> Optional[Book]:
        return next((made(book) for book in BOOKS if book["id"] == number), None)


serve.asgi(GraphQL(strawberry.Schema(Query)))
