"""datasette 1.0: a table of notes that clients change. Triggers give each change of a row a larger `revision`. Deleted
rows stay in the table, with a 1 in `deleted`."""

import copy
import pathlib
import sqlite3
import sys

import serve
import uvicorn
from datasette import hookimpl
from datasette.app import Datasette
from datasette.plugins import pm


class Fast:
    """Does not wait for the disk."""

    @hookimpl
    def prepare_connection(self, conn):
        conn.execute("pragma synchronous = off")


path = pathlib.Path(sys.argv[1]) / "library.db"
database = sqlite3.connect(path)
database.executescript(
    """
    create table notes (id text primary key, title text, number integer, deleted integer not null default 0,
        revision integer);
    create index notes_revision on notes (revision);
    create table last (revision integer);
    insert into last values (0);
    create trigger inserted after insert on notes begin
        update last set revision = revision + 1;
        update notes set revision = (select revision from last) where id = new.id;
    end;
    create trigger updated after update of title, number, deleted on notes begin
        update last set revision = revision + 1;
        update notes set revision = (select revision from last) where id = new.id;
    end;
    """
)
database.close()
pm.register(Fast())
permissions = {"insert-row": True, "update-row": True}
app = Datasette([str(path)], config={"databases": {"library": {"permissions": permissions}}}).app()
logging = copy.deepcopy(uvicorn.config.LOGGING_CONFIG)
logging["handlers"]["access"]["stream"] = "ext://sys.stderr"
serve.asgi(app, log_level="info", log_config=logging)
