"""kmock: `R/sync` with the shipped catalog of Kubernetes.

A watch of kmock ignores `resourceVersion` and `timeoutSeconds`. It starts with all pods, and then has each change. It
does not report earlier deletions. So a sync by a watch needs a gate that ends the watch, and pods that are deleted only
during the watch.
"""

import random
import sys

import pytest

from changing import ROUNDS, Changing, Copy, counts
from harness import ROOT
from lists.kmock import Kubernetes
from serving import serving
from watching import watched

TOKEN = {"KUBERNETES_TOKEN": "unused-token"}


@pytest.fixture
def kmock(tmp_path_factory):
    """A new process for each test, because each request to kmock takes longer than the one before it."""
    if sys.version_info < (3, 11):
        pytest.skip("kmock needs Python 3.11 or newer")
    folder = tmp_path_factory.mktemp("kmock")
    with serving("kmock", folder) as url, Kubernetes(url, folder / "kmock.stderr") as kmock:
        yield kmock


def test_copy_equals_the_pods_after_random_changes(home, kmock):
    options = ["--catalog", "kubernetes", "--base-url", f"kubernetes={kmock.url}"]
    copy = Copy(home, kmock.create("random"), options, TOKEN)
    changing = Changing(kmock, random.Random(1), 30, 60)
    assert counts(copy.sync()) == ("whole", 1, 30, 0, 0, 30, "walked", True)
    for count in ROUNDS:
        added, changed, removed, now = changing.change_some(count)
        numbers = (len(added), len(changed), len(removed), len(now))
        assert counts(copy.sync("--whole")) == ("whole", 1, *numbers, "walked", True)
        assert copy.lines() == now


def test_copy_follows_the_pods_during_a_watch(home, kmock):
    changing = Changing(kmock.create("watched"), random.Random(2), 30, 60)
    with watched(kmock, changing) as gate:
        copy = Copy(home, kmock, ["--catalog", "kubernetes", "--base-url", f"kubernetes={gate.url}"], TOKEN)
        assert counts(copy.sync()) == ("whole", 1, 30, 0, 0, 30, "walked", True)
        token = "..."
        for gate.count in ROUNDS[:5]:
            result = copy.sync()
            added, changed, removed, now = gate.changes
            numbers = (len(added), len(changed), len(removed), len(now))
            assert counts(result) == ("token", 1, *numbers, "told", True)
            assert copy.lines() == now
            assert gate.token == token
            token = str(kmock.version)


def test_watch_that_does_not_end_fails_and_keeps_the_copy(home, kmock):
    text = (ROOT / "Fixtures" / "catalogs" / "kubernetes.jsonc").read_text(encoding="utf-8")
    (home / "kubernetes.jsonc").write_text(text.replace('"baseURL"', '"timeout": "1s", "baseURL"', 1))
    changing = Changing(kmock.create("endless"), random.Random(3), 30, 60)
    options = ["--catalog", home / "kubernetes.jsonc", "--base-url", f"kubernetes={kmock.url}"]
    copy = Copy(home, kmock, options, TOKEN)
    copy.sync()
    before = changing.listed()
    changing.change_some(10)
    done = copy.run("sync")
    assert done.code == 1 and "timeout" in done.stderr, done
    assert copy.lines() == before
    changing.change_some(10)  # kmock notices at the next change that the watch was closed.
    assert counts(copy.sync("--whole"))[-3:] == (len(changing.lines), "walked", True)
    assert copy.lines() == changing.listed()
