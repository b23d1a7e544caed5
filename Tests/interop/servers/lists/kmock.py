"""Pods of kmock."""

from lists.server import Server


class Kubernetes(Server):
    """The pods of kmock in a new namespace. kmock lets its clients set the `resourceVersion`, which is the number of
    the change here."""

    resource, id, fields = "pod", "name", ("name", "labels", "images")
    version = 0

    def create(self, name):
        self.path, self.scope = f"/api/v1/namespaces/{name}/pods", [f"namespace={name}"]
        return self

    def put(self, id, values, exists):
        self.version += 1
        metadata = {"labels": {name: str(value) for name, value in values.items()}}
        metadata["resourceVersion"] = str(self.version)
        if exists:
            return self._item(self.call("PATCH", f"{self.path}/{id}", {"metadata": metadata}))
        metadata |= {"name": id, "namespace": self.scope[0].split("=")[1], "uid": id}
        metadata["creationTimestamp"] = "2026-01-01T00:00:00Z"
        pod = {"metadata": metadata, "spec": {"containers": [{"image": "x"}]}, "status": {"phase": "Pending"}}
        return self._item(self.call("POST", self.path, pod))

    def delete(self, id):
        self.call("DELETE", f"{self.path}/{id}")

    def _item(self, pod):
        images = [container["image"] for container in pod["spec"]["containers"]]
        return {"name": pod["metadata"]["name"], "labels": pod["metadata"]["labels"], "images": images}

    def items(self):
        return [self._item(pod) for pod in self.call("GET", self.path)["items"]]
