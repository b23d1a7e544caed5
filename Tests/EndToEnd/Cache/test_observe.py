"""observe and unobserve: the client is told of each change, whoever makes it."""

import json

import pytest


def told(larder, resource="character"):
    """The next notification of a change. To be called when every reply has been taken."""
    message = json.loads(larder.line())
    assert message["method"] == f"{resource}/changed" and "id" not in message, message
    return message["params"]


class TestItem:
    def test_a_refresh_is_told(self, served, upstream):
        served.call("character/get", id=1)
        assert served.call("character/observe", id=1, observer="mine") == {"observer": "mine"}
        upstream.edit("character", 1, name="Pickle Rick")
        result = served.call("character/get", id=1, cachePolicy="remoteFirst")
        change = told(served)
        assert list(change) == ["observer", "item", "source", "fetchedAt", "stale"]
        assert change == {"observer": "mine", **result, "source": "memory"}

    def test_what_is_seen_first_is_told(self, served):
        served.call("character/observe", id=1)
        served.call("character/get", id=1)
        assert told(served)["item"]["name"] == "Rick Sanchez"

    def test_a_list_that_brings_it_is_told(self, larder, upstream):
        larder.call("character/get", id=2)
        name = larder.call("character/observe", id=2)["observer"]
        upstream.edit("character", 2, name="Evil Morty")
        larder.call("character/list")
        change = told(larder)
        assert (change["observer"], change["item"]["name"]) == (name, "Evil Morty")

    def test_what_has_not_changed_is_not_told(self, served, upstream):
        served.call("character/get", id=1)
        served.call("character/observe", id=1)
        for _ in range(3):
            served.call("character/get", id=1, cachePolicy="remoteFirst")
        upstream.edit("character", 1, name="Pickle Rick")
        served.call("character/get", id=1, cachePolicy="remoteFirst")
        assert told(served)["item"]["name"] == "Pickle Rick"
        served.alive()

    def test_what_is_gone_is_told(self, served, upstream):
        served.call("character/get", id=5)
        name = served.call("character/observe", id=5)["observer"]
        upstream.delete("character", 5)
        assert served.fails("character/get", id=5, cachePolicy="remoteFirst").kind == "notFound"
        assert told(served) == {"observer": name, "gone": True}

    def test_each_observer_is_told_with_its_name(self, larder, upstream):
        larder.call("character/get", id=1)
        names = {larder.call("character/observe", id=1)["observer"] for _ in range(3)}
        larder.call("character/observe", id=2)
        assert len(names) == 3
        upstream.edit("character", 1, name="Pickle Rick")
        larder.call("character/get", id=1, cachePolicy="remoteFirst")
        assert {told(larder)["observer"] for _ in range(3)} == names
        larder.alive()

    def test_many_changes_are_few_notifications_and_the_last_is_told(self, larder, upstream):
        larder.call("character/get", id=1)
        larder.call("character/observe", id=1)
        for number in range(200):
            upstream.edit("character", 1, name=f"Rick {number}")
            larder.call("character/get", id=1, cachePolicy="remoteFirst")
        names = [told(larder)["item"]["name"]]
        while names[-1] != "Rick 199":
            names.append(told(larder)["item"]["name"])
        numbers = [int(name.split()[1]) for name in names]
        assert numbers == sorted(numbers) and len(set(numbers)) == len(numbers) < 200
        larder.alive()


class TestPage:
    def test_a_change_of_the_page_is_told(self, served, upstream):
        served.call("character/list", page=3)
        served.call("character/observe", page=3, observer="third")
        upstream.delete("character", 60)
        result = served.call("character/list", page=3, cachePolicy="remoteFirst")
        change = told(served)
        assert list(change) == ["observer", "items", "page", "source", "fetchedAt", "stale"]
        assert (change["observer"], change["items"]) == ("third", result["items"])

    def test_a_change_of_one_of_its_items_is_told(self, larder, upstream):
        larder.call("character/list")
        larder.call("character/observe")
        upstream.edit("character", 7, name="Somebody else")
        larder.call("character/get", id=7, cachePolicy="remoteFirst")
        assert [item["name"] for item in told(larder)["items"] if item["id"] == 7] == ["Somebody else"]

    def test_a_filter_is_another_page(self, larder, upstream):
        larder.call("character/list", filter={"name": "morty"})
        larder.call("character/observe", filter={"name": "morty"}, observer="mortys")
        larder.call("character/list", page=3)
        upstream.edit("character", 2, name="Evil Morty")
        larder.call("character/list", filter={"name": "morty"}, cachePolicy="remoteFirst")
        assert told(larder)["observer"] == "mortys"
        larder.alive()


class TestEnd:
    def test_nothing_is_told_after_unobserve(self, larder, upstream):
        larder.call("character/get", id=1)
        larder.call("character/observe", id=1, observer="first")
        larder.call("character/observe", id=1, observer="second")
        assert larder.call("character/unobserve", observer="first") == {"observer": "first"}
        upstream.edit("character", 1, name="Pickle Rick")
        larder.call("character/get", id=1, cachePolicy="remoteFirst")
        assert told(larder)["observer"] == "second"
        larder.alive()

    def test_a_name_can_be_used_again(self, larder):
        for _ in range(3):
            larder.call("character/observe", id=1, observer="mine")
            assert larder.fails("character/observe", id=1, observer="mine").code == -32602
            larder.call("character/unobserve", observer="mine")
        assert larder.fails("character/unobserve", observer="mine").code == -32602

    def test_observers_do_not_keep_the_process(self, larder):
        larder.call("character/observe", id=1)
        assert larder.close() == 0

    @pytest.mark.parametrize(
        "params", [{"id": 1, "page": 1}, {"id": 1, "filter": {"name": "x"}}, {"id": [1]}, {"observer": 1}, {"ids": [1]}]
    )
    def test_wrong_params_are_refused(self, larder, params):
        assert larder.fails("character/observe", **params).code == -32602
        larder.alive()


def written(larder):
    """What was asked for before is in the file then: else it could come there after what another process does."""
    larder.call("cache/stats")


class TestOtherProcesses:
    def test_a_change_of_another_process_is_told(self, served, upstream):
        served.call("character/get", id=1)
        written(served)
        served.call("character/observe", id=1)
        upstream.edit("character", 1, name="Pickle Rick")
        served.again().call("character/get", id=1, cachePolicy="remoteFirst")
        change = told(served)
        assert (change["item"]["name"], change["source"]) == ("Pickle Rick", "persistence")

    def test_a_page_of_another_process_is_told(self, served, upstream):
        served.call("character/list")
        written(served)
        served.call("character/observe")
        upstream.edit("character", 7, name="Somebody else")
        served.again().call("character/get", id=7, cachePolicy="remoteFirst")
        assert [item["name"] for item in told(served)["items"] if item["id"] == 7] == ["Somebody else"]

    def test_a_removal_by_another_process_is_told(self, served):
        served.call("character/get", id=1)
        written(served)
        name = served.call("character/observe", id=1)["observer"]
        served.again().call("cache/remove", resource="character", id=1)
        assert told(served) == {"observer": name, "gone": True}

    def test_a_removal_by_the_process_itself_is_told(self, larder, upstream):
        for id, name in ((1, "removed"), (2, "other")):
            larder.call("character/get", id=id)
            larder.call("character/observe", id=id, observer=name)
        larder.call("cache/remove", resource="character", id=1)
        changes = []
        for number in range(5):
            upstream.edit("character", 2, name=f"Morty {number}")
            larder.call("character/get", id=2, cachePolicy="remoteFirst")
            changes.append(told(larder))
        assert {"observer": "removed", "gone": True} in changes
