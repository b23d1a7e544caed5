"""etcd: `R/sync` by a watch, whose token is a revision that etcd can compact, and by `min_mod_revision`."""

import base64
import random

import pytest

from changing import ROUNDS, Changing, Copy, counts, gate
from harness import PATIENCE
from lists.etcd import Etcd
from serving import options, require_etcd, serving


@pytest.fixture(scope="module")
def etcd(tmp_path_factory):
    require_etcd()
    folder = tmp_path_factory.mktemp("etcd")
    with serving("etcd", folder) as url, Etcd(url, folder / "etcd.stderr") as etcd:
        yield etcd


@pytest.fixture
def copy(home, etcd):
    return Copy(home, etcd, options("etcd", f"{etcd.url}/v3"), {})


def pages(count):
    """Returns the number of requests for a number of keys. etcd leaves `more` out of the last page, so one more request
    must confirm the end."""
    return -(-count // Etcd.per_page) + 1 if count else 1


class Rounds:
    """Syncs of a copy, each after changes of the keys."""

    def __init__(self, etcd, copy, seed):
        self.etcd, self.copy = etcd, copy
        self.changing = Changing(etcd, random.Random(seed), 30, 60)

    def sync(self, *args):
        """Returns the result of a sync, and how many range and watch requests etcd has received."""
        before = self.etcd.calls()
        result = self.copy.sync(*args)
        return result, *(now - earlier for now, earlier in zip(self.etcd.calls(), before))

    def change(self, count):
        """Makes random changes, and returns the numbers of added, changed and removed keys, and of all keys."""
        return tuple(map(len, self.changing.change_some(count)))

    def check(self, args, mode, watches, numbers):
        """Checks that a sync makes the copy equal to the keys, with the expected numbers of requests."""
        # A run through the whole list also requests each absent key.
        ranges = pages(numbers[-1]) + numbers[2] if mode == "whole" else 0
        deletions = "walked" if mode == "whole" else "told"
        result, *sent = self.sync(*args)
        assert sent == [ranges, watches]
        assert counts(result) == (mode, result["requests"], *numbers, deletions, True)
        assert result["requests"] == ranges + watches
        assert self.copy.lines() == self.changing.listed()


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
def test_copy_equals_the_keys_of_etcd_after_random_changes(etcd, copy, seed):
    rounds = Rounds(etcd.create("note"), copy, seed)
    rounds.check([], "whole", 0, (30, 0, 0, 30))
    assert sum(ROUNDS) == 200
    for count in ROUNDS:
        rounds.check([], "token", 1, rounds.change(count))
    # All changes were found without reading the whole list again.
    rounds.check(["--whole"], "whole", 0, rounds.change(0))


@pytest.mark.parametrize("seed", [3, pytest.param(4, marks=pytest.mark.long)])
def test_run_with_a_compacted_token_reads_the_whole_list(etcd, copy, seed):
    rounds = Rounds(etcd.create("note"), copy, seed)
    rounds.check([], "whole", 0, (30, 0, 0, 30))
    dice, compacted, modes = random.Random(seed), etcd.revision(), set()
    for count in ROUNDS[1::2]:
        token = etcd.revision()  # The copy has all changes up to this revision.
        numbers = rounds.change(count)
        compacted = dice.randint(min(compacted + 1, token), token + count)
        etcd.compact(compacted)
        mode = "whole" if compacted > token else "token"
        rounds.check([], mode, 1, numbers)
        modes.add(mode)
    assert modes == {"token", "whole"}


def test_token_is_valid_until_a_later_revision_is_compacted(etcd, copy):
    rounds = Rounds(etcd.create("note"), copy, 5)
    rounds.check([], "whole", 0, (30, 0, 0, 30))
    token = etcd.revision()
    numbers = rounds.change(4)
    etcd.compact(token)
    rounds.check([], "token", 1, numbers)
    # The last change of the copy is the token, even if other keys have changed since then.
    for value in ("AA==", "AQ==", "Ag=="):
        etcd.call("POST", "/v3/kv/put", {"key": "b3RoZXI=", "value": value})
    etcd.compact(etcd.revision() - 1)
    rounds.check([], "whole", 1, rounds.change(0))
    rounds.check([], "token", 1, rounds.change(4))


def test_limited_runs_get_a_new_token_after_a_compaction(etcd, copy):
    rounds = Rounds(etcd.create("note"), copy, 12)
    rounds.check([], "whole", 0, (30, 0, 0, 30))
    rounds.change(10)
    etcd.compact(etcd.revision())
    results = [copy.sync("--max-requests", "5") for _ in range(3)]
    assert [result["mode"] for result in results] == ["whole", "whole", "token"]


def test_compaction_during_a_run_loses_no_change(home, etcd):
    etcd.create("note")
    changing = Changing(etcd, random.Random(6), 12, 60)
    left = [0, 5, 0, 5]  # the numbers of changes before the requests; after the last changes, etcd compacts them

    def change(request):
        for _ in range(number := left.pop(0) if left else 0):
            changing.change()
        if number and not left:
            etcd.compact(etcd.revision())

    with gate(etcd.url, change) as url:
        copy = Copy(home, etcd, options("etcd", f"{url}/v3"), {})
        assert copy.sync()["complete"] is True
        # The token comes from the first page.
        assert not left
        result = copy.sync()
    assert (result["mode"], result["complete"]) == ("whole", True)
    assert copy.lines() == changing.listed()


def test_changes_during_a_run_are_found_by_the_next_run(home, etcd):
    etcd.create("note")
    changing = Changing(etcd, random.Random(7), 12, 60)
    left = [0, 5, 3, 3, 12, 0, 3]  # the numbers of changes before the requests

    def change(_):
        for _ in range(left.pop(0) if left else 0):
            changing.change()

    with gate(etcd.url, change) as url:
        copy = Copy(home, etcd, options("etcd", f"{url}/v3"), {})
        assert copy.sync()["complete"] is True
        while left:
            assert copy.sync()["mode"] == "token"
        assert copy.sync()["mode"] == "token"
    assert copy.lines() == changing.listed()


def test_interrupted_run_keeps_the_earlier_token(etcd, copy):
    rounds = Rounds(etcd.create("note"), copy, 8)
    copy.sync()
    rounds.change(10)
    assert counts(copy.sync("--whole", "--max-requests", "1"))[-1] is False
    rounds.change(10)
    assert copy.sync()["complete"] is None
    result, ranges, watches = rounds.sync()
    assert (result["mode"], result["complete"], ranges, watches) == ("token", True, 0, 1)
    assert copy.lines() == rounds.changing.listed()


def test_watch_that_ends_too_early_loses_no_change(home, etcd):
    etcd.create("note")
    changing = Changing(etcd, random.Random(10), 12, 60)
    timeouts = ["1n", "3m", "20m", "90m", "1S"]

    def shorten(request):
        if "Grpc-Timeout" in request.headers:
            request.headers.replace_header("Grpc-Timeout", timeouts.pop(0))

    with gate(etcd.url, shorten) as url:
        copy = Copy(home, etcd, options("etcd", f"{url}/v3"), {})
        assert copy.sync()["complete"] is True
        for _ in range(12):
            changing.change()
        while timeouts:
            copy.start_sync().wait(PATIENCE)
            assert changing.versions.issuperset(copy.lines().values())
    assert copy.lines() == changing.listed()


def test_refused_watch_is_an_error(home, tmp_path):
    require_etcd()
    with serving("etcd", tmp_path) as url, Etcd(url, tmp_path / "etcd.stderr") as etcd:
        copy = Copy(home, etcd.create("note"), options("etcd", f"{url}/v3"), {})
        lines = Changing(etcd, random.Random(11), 5, 60).listed()
        copy.sync()
        for name, value in (
            ("user/add", {"name": "root", "password": "unused"}),
            ("role/add", {"name": "root"}),
            ("user/grant", {"user": "root", "role": "root"}),
            ("enable", {}),
        ):
            etcd.call("POST", f"/v3/auth/{name}", value)
        done = copy.run("sync")
        assert done.code == 1 and "user name is empty" in done.stderr, done
        assert copy.lines() == lines


def marked(items, mark=0):
    """Returns the mark after a run, and the number of requests of the run, for the keys that are not older than a mark.
    Because the keys do not have the order of their revisions, only the first page moves the mark."""
    found = sorted((base64.b64decode(key), revision) for key, revision in items if revision >= mark)
    return max([mark, *(revision for _, revision in found[-Etcd.per_page :])]), pages(len(found))


def test_copy_has_the_current_keys_of_etcd_since_a_revision(etcd, copy):
    """`min_mod_revision` does not report deletions."""
    rounds = Rounds(etcd.create("entry"), copy, 9)

    def revisions():
        return [(item["key"], int(item["mod_revision"])) for item in etcd.items()]

    mark, sent = marked(revisions())
    assert counts(copy.sync()) == ("whole", sent, 30, 0, 0, 30, "walked", True)
    copied = copy.lines()
    assert copied == rounds.changing.listed()
    for count in ROUNDS:
        rounds.change(count)
        now, touched = rounds.changing.listed(), rounds.changing.touched
        mark, sent = marked(revisions(), mark)
        wanted = {**copied, **now}  # A deleted key keeps its last version, if there was a sync meanwhile.
        added = now.keys() - copied.keys()
        numbers = (len(added), len(touched & now.keys() - added), 0, len(wanted))
        result, ranges, _ = rounds.sync()
        assert (counts(result), ranges) == (("since", sent, *numbers, "unknown", True), sent)
        assert copy.lines() == wanted
        copied = wanted
    gone = len(copied) - len(now)
    assert gone
    assert counts(copy.sync("--whole")) == ("whole", pages(len(now)) + gone, 0, 0, gone, len(now), "walked", True)
    assert copy.lines() == now
