"""Notes of Django REST framework."""

from lists.server import Server


class Django(Server):
    """The notes of Django REST framework."""

    id, fields, scope, per_page = "key", ("key", "title", "number", "updated"), [], 5

    def create(self, resource):
        self.resource = resource
        for note in self.items():
            self.delete(note["key"])
        return self

    def put(self, id, values, exists):
        method, target = ("PUT", f"/notes/{id}/") if exists else ("POST", "/notes/")
        return self.call(method, target, {"key": id, **values})

    def delete(self, id):
        self.call("DELETE", f"/notes/{id}/")

    def items(self):
        found, number, more = [], 1, True
        while more:
            page = self.call("GET", f"/notes/?page={number}")
            found, number, more = found + page["results"], number + 1, page["next"]
        return found
