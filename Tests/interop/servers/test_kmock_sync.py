"""kmock: `R/sync` with the shipped catalog of Kubernetes. The watch of kmock does not end and does not report earlier
deletions, so each sync reads the whole list."""

import random
import sys

import pytest

from changing import ROUNDS, Changing, Copy, counts
from lists.kmock import Kubernetes
from serving import serving


@pytest.fixture(scope="module")
def kmock(tmp_path_factory):
    if sys.version_info < (3, 11):
        pytest.skip("kmock needs Python 3.11 or newer")
    folder = tmp_path_factory.mktemp("kmock")
    with serving("kmock", folder) as url, Kubernetes(url, folder / "kmock.stderr") as kmock:
        yield kmock


def test_copy_equals_the_pods_after_random_changes(home, kmock):
    options = ["--catalog", "kubernetes", "--base-url", f"kubernetes={kmock.url}"]
    copy = Copy(home, kmock.create("random"), options, {"KUBERNETES_TOKEN": "unused-token"})
    changing = Changing(kmock, random.Random(1), 30, 60)
    assert counts(copy.sync()) == ("whole", 1, 30, 0, 0, 30, "walked", True)
    for count in ROUNDS:
        added, changed, removed, now = changing.change_some(count)
        numbers = (len(added), len(changed), len(removed), len(now))
        assert counts(copy.sync("--whole")) == ("whole", 1, *numbers, "walked", True)
        assert copy.lines() == now
