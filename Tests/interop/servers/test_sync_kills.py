"""`larder sync` is killed at random moments while lists of Kinto, Django REST framework and etcd change: no item that
still exists leaves the copy, and later syncs make the copy equal to the list."""

import random

import pytest

from changing import Changing, Copy, killed
from lists.django import Django
from lists.etcd import Etcd
from lists.kinto import Kinto
from serving import KINTO_OWNER, options, require_etcd, serving

SECRETS = {"KINTO_PASSWORD": "kinto-password", "DJANGO_TOKEN": "unused-token", "DJANGO_PASSWORD": "unused-password"}
MAX_CHANGES = {Kinto: 12, Django: 12, Etcd: 150}
"""The maximum number of changes before a sync, and between its start and its end by a kill. etcd is faster."""
BATCH = 5
"""The number of kills after which the copy is completed and checked, and a new copy is made."""


@pytest.fixture(scope="module")
def kinto(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kinto")
    with serving("kinto", folder) as url, Kinto(url, folder / "kinto.stderr", **KINTO_OWNER) as kinto:
        yield kinto


@pytest.fixture(scope="module")
def django(tmp_path_factory):
    folder = tmp_path_factory.mktemp("django")
    with serving("django", folder) as url, Django(url, folder / "django.stderr") as django:
        yield django


@pytest.fixture(scope="module")
def etcd(tmp_path_factory):
    require_etcd()
    folder = tmp_path_factory.mktemp("etcd")
    with serving("etcd", folder) as url, Etcd(url, folder / "etcd.stderr") as etcd:
        yield etcd


def check(copy, changing, before):
    """Checks the copy against the list, and returns its items. `before` has the items of the copy at the last call of
    `forget`."""
    lines = copy.lines()
    lost = before.keys() & changing.lasting - lines.keys()
    assert not lost, "an item that still exists has left the copy"
    assert changing.versions.issuperset(lines.values()), "the copy has an item that the server has never had"
    return lines


def settle(copy, changing, finds_all, was_complete):
    """Updates the copy until nothing is left to read, and checks it. If the result is not complete, or deletions are
    unknown, the copy may have deleted items. It may also lack items if the API neither lists the oldest changes first
    nor returns tokens. A run through the whole list corrects this."""
    now = changing.listed()
    for _ in range(2):
        result = copy.sync()
    lines = copy.lines()
    if finds_all:
        assert lines.items() >= now.items(), "a change was lost"
    # A kill of a run for changes leaves a complete copy, unless the order of the changes is uncertain: dates after the
    # start of a run do not order its pages.
    assert result["complete"] is True or not was_complete or isinstance(changing.server, Django)
    if result["complete"] is not True or result["deletions"] == "unknown":
        result = copy.sync("--whole")
        assert (result["mode"], result["complete"], result["deletions"]) == ("whole", True, "walked")
        lines = copy.lines()
    assert lines == now


def kill_syncs(copy, changing, dice, count, finds_all):
    """Kills a number of syncs, each after a random number of changes. Returns the number of killed syncs, and the
    number of killed syncs that had already changed the copy."""
    done, partial, folder = 0, 0, copy.folder
    max_changes = MAX_CHANGES[type(changing.server)]
    for batch in range(count // BATCH):
        copy.folder = folder.with_name(f"copy-{batch}")
        # The first syncs of a new copy read the whole list; later ones read only changes.
        is_complete = batch % 2 == 0
        if is_complete:
            assert copy.sync()["complete"] is True
        while done < (batch + 1) * BATCH:
            before = copy.lines()
            changing.forget()
            for _ in range(dice.randint(0, max_changes)):
                changing.change()
            process = copy.start_sync(*(["--whole"] if not is_complete and dice.random() < 0.2 else []))
            for _ in range(dice.randint(0, max_changes)):
                changing.change()
                if process.poll() is not None:
                    break
            is_killed = killed(process)
            lines = check(copy, changing, before)
            done += is_killed
            partial += is_killed and lines != before
        settle(copy, changing, finds_all, is_complete)
    return done, partial


LISTS = [("kinto", "record"), ("django", "note"), ("django", "memo"), ("etcd", "note"), ("etcd", "entry")]


def run(server, home, name, resource, seed, count):
    server.create(f"kills-{seed}-{count}" if name == "kinto" else resource)
    url = server.url + {"kinto": "/v1", "django": "", "etcd": "/v3"}[name]
    dice = random.Random(seed)
    changing = Changing(server, dice, 40, 80)
    copy = Copy(home, server, options(name, url), SECRETS)
    return kill_syncs(copy, changing, dice, count, finds_all=resource not in ("memo", "entry"))


@pytest.mark.parametrize(("name", "resource"), LISTS)
def test_killed_syncs_lose_no_item(request, home, name, resource):
    run(request.getfixturevalue(name), home, name, resource, seed=1, count=10)


@pytest.mark.long
@pytest.mark.parametrize(("name", "resource"), LISTS)
def test_many_killed_syncs_lose_no_item(request, home, name, resource):
    done, partial = run(request.getfixturevalue(name), home, name, resource, seed=2, count=70)
    assert (done, partial > 0) == (70, True)
