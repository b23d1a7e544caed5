"""Books in one table, copies with a key of two columns, and places with a text key; at most 1,000 rows on a page."""

import pathlib
import sqlite3
import sys

import serve
from datasette.app import Datasette
from world import AUTHORS, BOOKS

path = pathlib.Path(sys.argv[1]) / "library.db"
database = sqlite3.connect(path)
database.executescript(
    """
    create table authors (id integer primary key, name text);
    create table books (id integer primary key, title text, shelf text, author integer references authors, year integer,
        place text);
    create table copies (shelf text, number integer, title text, primary key (shelf, number));
    create table places (place text primary key, title text);
    """
)
database.executemany("insert into authors values (:id, :name)", AUTHORS)
database.executemany("insert into books values (:id, :title, :shelf, :author, :year, :place)", BOOKS)
database.executemany("insert into copies values (:shelf, :id, :title)", BOOKS)
database.executemany("insert into places values (:place, :title)", BOOKS)
database.commit()
database.close()
serve.asgi(Datasette([str(path)], settings={"max_returned_rows": 1000}).app())
