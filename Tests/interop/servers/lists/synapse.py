"""Account data and rooms of Synapse."""

from lists.server import Server


class Synapse(Server):
    """The account data of a new user of Synapse. Ids are types."""

    resource, id, fields, scope = "setting", "id", ("id", "title", "number"), []
    lists = 0

    def create(self, name):
        account = {"username": name, "password": "unused password", "auth": {"type": "m.login.dummy"}}
        # On a Unix socket, Synapse needs the address to register a user.
        self.headers = {"X-Forwarded-For": "127.0.0.1"}
        user = self.call("POST", "/_matrix/client/v3/register", account)
        self.path = f"user/{user['user_id']}/account_data"
        self.env = {"MATRIX_TOKEN": user["access_token"], "LARDER_VAR_MATRIX_USER": user["user_id"]}
        self.headers = {"Authorization": f"Bearer {user['access_token']}"}
        return self

    def put(self, id, values, exists):
        self.call("PUT", f"/_matrix/client/v3/{self.path}/{id}", values)
        return {"id": id, **values}

    def delete(self, id):
        self.call("DELETE", f"/_matrix/client/unstable/org.matrix.msc3391/{self.path}/{id}")

    def items(self):
        # Synapse sends the same answer to equal requests for two minutes.
        self.lists += 1
        events = self.call("GET", f"/_matrix/client/v3/sync?timeout={self.lists}")["account_data"]["events"]
        return [{"id": event["type"], **event["content"]} for event in events if event["type"] != "m.push_rules"]


class Rooms:
    """The rooms that a new user of Synapse has joined. Another user owns the rooms and changes their names."""

    resource, id, fields, scope = "room", "id", ("id", "name", "number"), []

    def __init__(self, member, owner):
        self.member, self.owner, self.url, self.env = member, owner, member.url, member.env

    def name(self, number):
        room = {"preset": "public_chat", "name": f"room {number}"}
        return self.owner.call("POST", "/_matrix/client/v3/createRoom", room)["room_id"]

    def put(self, id, values, exists):
        name = {"name": values["title"], "number": values["number"]}
        self.owner.call("PUT", f"/_matrix/client/v3/rooms/{id}/state/m.room.name", name)
        if not exists:
            self.member.call("POST", f"/_matrix/client/v3/rooms/{id}/join", {})
        return {"id": id, **name}

    def delete(self, id):
        self.member.call("POST", f"/_matrix/client/v3/rooms/{id}/leave", {})

    def items(self):
        base, found = "/_matrix/client/v3", []
        for id in self.member.call("GET", f"{base}/joined_rooms")["joined_rooms"]:
            found.append({"id": id, **self.member.call("GET", f"{base}/rooms/{id}/state/m.room.name")})
        return found
