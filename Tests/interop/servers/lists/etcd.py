"""Keys of etcd."""

import base64
import json

from lists.server import Server


def base64_text(text):
    return base64.b64encode(text.encode()).decode()


class Etcd(Server):
    """The keys of etcd that begin with `notes/`. Ids are keys, in base64."""

    id, fields, scope, per_page = "key", ("key", "value", "mod_revision"), [], 5
    prefix = {"key": base64_text("notes/"), "range_end": base64_text("notes0")}

    def create(self, resource):
        self.resource = resource
        self.call("POST", "/v3/kv/deleterange", self.prefix)
        return self

    def name(self, number):
        return base64_text(f"notes/{super().name(number)}")

    def put(self, id, values, exists):
        value = base64_text(json.dumps(values))
        header = self.call("POST", "/v3/kv/put", {"key": id, "value": value})["header"]
        return {"key": id, "value": value, "mod_revision": header["revision"]}

    def delete(self, id):
        self.call("POST", "/v3/kv/deleterange", {"key": id})

    def items(self):
        return self.call("POST", "/v3/kv/range", self.prefix).get("kvs", [])

    def revision(self):
        return int(self.call("POST", "/v3/kv/range", {"key": self.prefix["key"]})["header"]["revision"])

    def compact(self, revision):
        """Removes the history before a revision."""
        self.call("POST", "/v3/kv/compaction", {"revision": revision})

    def calls(self):
        """Returns how often etcd has executed the methods that syncs use: `Range` and `Watch`."""
        name = 'grpc_server_started_total{grpc_method="%s",grpc_service="etcdserverpb.'
        lines = self.text("GET", "/metrics").splitlines()
        found = [[line for line in lines if line.startswith(name % method)] for method in ("Range", "Watch")]
        return tuple(int(line.split()[-1]) for [line] in found)
