"""Django REST framework: `R/sync` with a filter of django-filter. The API does not report deletions."""

import random

import pytest

from changing import ROUNDS, Changing, Copy, counts, gate
from lists.django import Django
from serving import options, serving

SECRETS = {"DJANGO_TOKEN": "unused-token", "DJANGO_PASSWORD": "unused-password"}


@pytest.fixture(scope="module")
def django(tmp_path_factory):
    folder = tmp_path_factory.mktemp("django")
    with serving("django", folder) as url, Django(url, folder / "django.stderr") as django:
        yield django


@pytest.fixture
def copy(home, django):
    return Copy(home, django, options("django", django.url), SECRETS)


def requests(count):
    """Returns the number of requests for a number of notes. Each request after the first starts with the last note of
    the page before, because the filter includes the date of this note."""
    return 1 + max(0, -(-(count - Django.per_page) // (Django.per_page - 1)))


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
def test_copy_has_the_current_notes_after_random_changes(django, copy, seed):
    django.create("note")
    changing = Changing(django, random.Random(seed), 30, 60)
    assert counts(copy.sync()) == ("whole", 6, 30, 0, 0, 30, "walked", True)
    assert sum(ROUNDS) == 200
    copied = copy.lines()
    assert copied == changing.listed()
    for count in ROUNDS:
        last = max(copied.values(), key=lambda text: text.rsplit('"updated"', 1)[1])
        changing.forget()
        for _ in range(count):
            changing.change()
        now, received = changing.listed(), len(django.received("updated__gte"))
        result = copy.sync()
        # A deleted note keeps its last version, if there was a sync meanwhile.
        wanted = {**copied, **now}
        added, changed = now.keys() - copied.keys(), changing.touched & now.keys()
        # The notes with at least the date of the last one that the copy has.
        sent = requests(len(changed) + (last in now.values()))
        assert counts(result) == ("since", sent, len(added), len(changed - added), 0, len(wanted), "unknown", True)
        assert len(django.received("updated__gte")) - received == sent
        assert copy.lines() == wanted
        copied = wanted
    gone = copied.keys() - now.keys()
    assert gone
    # Larder asks for each absent note, because pages of numbers may shift.
    sent = -(-len(now) // django.per_page) + len(gone)
    assert counts(copy.sync("--whole")) == ("whole", sent, 0, 0, len(gone), len(now), "walked", True)
    assert copy.lines() == now


def test_changes_of_the_last_minute_are_read_again_but_not_written(django, copy):
    """The default overlap of a minute is for servers whose changes become visible in another order."""
    django.create("memo")
    changing = Changing(django, random.Random(3), 12, 60)
    assert counts(copy.sync()) == ("whole", 3, 12, 0, 0, 12, "walked", True)
    assert counts(copy.sync()) == ("since", 3, 0, 0, 0, 12, "unknown", True)
    changing.put(sorted(changing.lines)[0])
    assert counts(copy.sync()) == ("since", 3, 0, 1, 0, 12, "unknown", True)
    assert copy.lines() == changing.listed()


def test_note_that_was_deleted_and_created_again_stays_in_the_copy(django, copy):
    django.create("note")
    changing = Changing(django, random.Random(4), 12, 60)
    copy.sync()
    id = sorted(changing.lines)[0]
    changing.delete(id)
    changing.put(id)
    assert counts(copy.sync()) == ("since", 1, 0, 1, 0, 12, "unknown", True)
    changing.delete(id)
    assert counts(copy.sync()) == ("since", 1, 0, 0, 0, 12, "unknown", True)
    changing.put(id)
    assert counts(copy.sync()) == ("since", 1, 0, 1, 0, 12, "unknown", True)
    assert counts(copy.sync("--whole")) == ("whole", 3, 0, 0, 0, 12, "walked", True)
    assert copy.lines() == changing.listed()


@pytest.mark.parametrize("resource", ["note", "memo"])
def test_changes_during_a_run_are_found_by_the_next_run(home, django, resource):
    django.create(resource)
    changing = Changing(django, random.Random(9), 12, 60)
    left = [0, 12, 0, 3]  # the numbers of changes before the requests for changes

    def change(request):
        for _ in range(left.pop(0) if "updated__gte" in request.query and left else 0):
            changing.put(changing.dice.choice(changing.ids))

    with gate(django.url, change) as url:
        copy = Copy(home, django, options("django", url), SECRETS)
        assert copy.sync()["complete"] is True
        while left:
            assert copy.sync()["mode"] == "since"
        assert copy.sync()["mode"] == "since"
    assert copy.lines() == changing.listed()
