"""Collections of Kinto."""

from lists.server import Server


class Kinto(Server):
    """A new collection of Kinto."""

    resource, id, fields = "record", "id", ("id", "title", "number", "last_modified")
    per_page = 5

    def create(self, name):
        self.path = f"/v1/buckets/library/collections/{name}"
        self.call("PUT", self.path, {"data": {}})
        self.scope = [f"collection={name}"]
        return self

    def put(self, id, values, exists):
        return self.call("PUT", f"{self.path}/records/{id}", {"data": values})["data"]

    def delete(self, id):
        self.call("DELETE", f"{self.path}/records/{id}")

    def items(self):
        found, rule = [], ""
        while page := self.call("GET", f"{self.path}/records?_sort=id&_limit=20{rule}")["data"]:
            found, rule = found + page, f"&gt_id={page[-1]['id']}"
        return found
