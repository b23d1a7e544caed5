"""Third-party servers, each in a separate process, and catalogs for them.

They run in the virtual environments created by `scripts/bootstrap --interop`.
"""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import urllib.request
from contextlib import contextmanager

import pytest

from harness import PATIENCE, ROOT

HERE = pathlib.Path(__file__).resolve().parent
PYTHON = pathlib.Path(os.environ.get("LARDER_INTEROP_PYTHON") or ROOT / ".build" / "interop" / "bin" / "python")
# datasette 1.0 has the same package name as the version before it, so it needs its own environment.
DATASETTE1 = ROOT / ".build" / "datasette1" / "bin" / "python"
CATALOGS = HERE / "catalogs"
KINTO_OWNER = {"Authorization": "Basic " + base64.b64encode(b"somebody:kinto-password").decode()}
sys.path.insert(0, str(HERE / "programs"))


@contextmanager
def serving(name, folder, *args, python=PYTHON):
    """Yields the URL of the server programs/NAME_server.py while it runs."""
    assert python.exists(), f"no {python}: run scripts/bootstrap --interop"
    output = folder / f"{name}.stderr"
    with open(output, "wb") as errors:
        process = subprocess.Popen(
            [str(python), str(HERE / "programs" / f"{name}_server.py"), str(folder), *args],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
    late = threading.Timer(2 * PATIENCE, process.kill)
    late.start()
    try:
        port = process.stdout.readline().strip().decode()
        late.cancel()
        assert port.isdigit(), f"{name} does not start: {output.read_text(errors='replace')[-1500:]}"
        yield f"http://127.0.0.1:{port}"
    finally:
        late.cancel()
        process.stdin.close()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def require_etcd():
    """Skips the tests of a machine without etcd."""
    if not shutil.which("etcd"):
        pytest.skip("etcd is missing; install the Debian package etcd-server")


def fetched(url, **headers):
    """Returns the server's own answer at a URL."""
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=PATIENCE) as answer:
        return json.load(answer)


def options(catalog, url, *apis):
    """Returns the options with which larder reaches the APIs of a catalog at a URL."""
    found = ["--catalog", CATALOGS / f"{catalog}.jsonc"]
    for api in apis or [catalog]:
        found += ["--base-url", f"{api}={url}"]
    return found


def walk(larder, resource, **params):
    """Returns the pages of a list, following the `next` of each page."""
    pages = [larder.call(f"{resource}/list", **params)]
    while (token := pages[-1]["page"]["next"]) is not None:
        pages.append(larder.call(f"{resource}/list", **{**params, "page": token}))
        assert len(pages) < 200, "the pagination does not end"
    return pages


def ids_of(pages, key="id"):
    return [item[key] for page in pages for item in page["items"]]


class Lists:
    """Lists of a server, requested in every possible way."""

    def __init__(self, start, home, args, **settings):
        self.start, self.home, self.args, self.settings = start, home, args, settings
        self.folders = 0

    def process(self, *more, **settings):
        return self.start(*self.args, *more, upstream=None, **{**self.settings, **settings})

    def check(self, resource, ids, *, key="id", count="all", pages=None, complete=True, **params):
        """Checks that following `next` and a prefetch return these ids in this order, also in another process and
        offline.

        `count` is the total reported by each page, `pages` the expected number of requests.
        """
        count = len(ids) if count == "all" else count
        with self.process(cache_dir=self._fresh()) as larder:
            found = walk(larder, resource, **params)
            assert ids_of(found, key) == ids
            assert {page["page"]["count"] for page in found} == {count}
            assert {page["source"] for page in found} == {"remote"}
            assert pages in (None, len(found))
            told = larder.call(f"{resource}/prefetch", **params)
            whole = {"pages": len(found), "items": len(ids), "fetched": 0, "reused": len(found), "complete": complete}
            assert told == whole
        folder = self._fresh()
        with self.process(cache_dir=folder) as larder:
            assert larder.call(f"{resource}/prefetch", **params) == {**whole, "fetched": len(found), "reused": 0}
            found = walk(larder, resource, **params)
            assert ids_of(found, key) == ids
        for more in ([], ["--offline"]):
            with self.process(*more, cache_dir=folder) as larder:
                again = walk(larder, resource, **params)
                assert [page["items"] for page in again] == [page["items"] for page in found]
                assert [page["page"] for page in again] == [page["page"] for page in found]
                assert {page["source"] for page in again} <= {"persistence", "memory"}
                assert larder.call(f"{resource}/prefetch", **params) == whole
                if not more:
                    local = walk(larder, resource, cachePolicy="localOnly", **params)
                    assert ids_of(local, key) == ids
                assert larder.call("cache/stats")["remote"]["requests"] == 0
        return found

    def _fresh(self):
        self.folders += 1
        return self.home / f"cache-{self.folders}"
