"""The list that the benchmark syncs, and Larder's local copies of it."""
import json
import os
import urllib.request

from bench import Fault, Upstream
from process import run


class Feed(Upstream):
    """The program `upstream` as an API with a list of any size. The id of an item is also its time of change."""

    def list_url(self, items):
        return f"{self.url}/api/feed?total={items}&"

    def state(self, **parameters):
        query = "&".join(f"{name}={value}" for name, value in parameters.items())
        with urllib.request.urlopen(f"{self.url}/api/feed/state?{query}") as response:
            return json.load(response)

    def extend(self, count):
        """Appends `count` items to all lists. They replace the items that the last call appended."""
        self.state(more=count)

    def requests(self):
        return self.state()["requests"]

    def answered(self):
        """Returns the time of the last response on the monotonic clock, in seconds."""
        return self.state()["answered_us"] / 1e6


def catalog(items):
    return {
        "larder": 1,
        "apis": {"feed": {"baseURL": "http://127.0.0.1", "timeout": "10s"}},
        "resources": {
            "character": {"api": "feed", "id": "integer", "rest": {"get": {"path": "/api/character/{id}"}}},
            # Without `get`, a run that finds items absent makes no requests for them.
            "feed": {
                "api": "feed", "id": "integer",
                "rest": {
                    "list": {
                        "path": "/api/feed", "query": {"total": items}, "items": "results",
                        "pagination": {"style": "page", "param": "page", "count": "count"},
                    },
                    "sync": {"style": "since", "param": "since", "from": "id", "type": "integer", "ascending": True},
                },
            },
        },
    }


class Copy:
    """A local copy of a list of `items` items, with its own folder."""

    def __init__(self, larder, feed, folder, items):
        self.items, self.feed = items, feed
        path = os.path.join(folder, "catalog.json")
        with open(path, "w") as file:
            json.dump(catalog(items), file)
        self.larder = larder
        self.places = ["--catalog", path, "--base-url", f"feed={feed.url}", "--cache-dir", folder, "--data-dir", folder,
                       "--disk", "8GiB"]

    def sync(self, *options, mode, **expected):
        """Runs `larder sync` and checks its result."""
        done = run(self.larder, "sync", "feed", *options, *self.places)
        result, expected = json.loads(done.output), {"mode": mode, "complete": True, **expected}
        if any(result[name] != value for name, value in expected.items()):
            raise Fault(f"expected {expected}, but the sync returned {result}")
        return done

    def idle(self):
        """Returns the peak memory of a command that makes no sync, in MiB."""
        return run(self.larder, "cache", "syncs", *self.places).memory

    def server(self):
        return [self.larder, *self.places]
