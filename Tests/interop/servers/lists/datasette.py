"""Rows of datasette."""

from lists.server import Server


class Datasette(Server):
    """The notes of datasette. A deleted note is a row with a 1 in `deleted`."""

    resource, id, fields, scope = "note", "id", ("id", "title", "number", "revision"), []
    per_page = 5

    def create(self):
        if notes := self.items():
            self._upsert({"id": note["id"], "deleted": 1} for note in notes)
        return self

    def _upsert(self, rows):
        return self.call("POST", "/library/notes/-/upsert", {"rows": [*rows], "return": True})["rows"]

    def put(self, id, values, exists):
        return self._upsert([{"id": id, "deleted": 0, **values}])[0]

    def delete(self, id):
        self._upsert([{"id": id, "deleted": 1}])

    def items(self):
        return self.call("GET", "/library/notes.json?deleted=0&_size=max")["rows"]
