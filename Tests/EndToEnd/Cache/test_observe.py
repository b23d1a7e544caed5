"""observe and unobserve: the client is notified of each change, no matter which process makes it."""

import json

import pytest


def next_change(larder, resource="character"):
    """Returns the params of the next change notification. Call this only after all replies have been read."""
    message = json.loads(larder.line())
    assert message["method"] == f"{resource}/changed" and "id" not in message, message
    return message["params"]


class TestItem:
    def test_refresh_notifies_the_observer(self, served, upstream):
        served.call("character/get", id=1)
        assert served.call("character/observe", id=1, observer="mine") == {"observer": "mine"}
        upstream.edit("character", 1, name="Pickle Rick")
        result = served.call("character/get", id=1, cachePolicy="remoteFirst")
        change = next_change(served)
        assert list(change) == ["observer", "item", "source", "fetchedAt", "stale"]
        assert change == {"observer": "mine", **result, "source": "memory"}

    def test_first_fetch_notifies_the_observer(self, served):
        served.call("character/observe", id=1)
        served.call("character/get", id=1)
        assert next_change(served)["item"]["name"] == "Rick Sanchez"

    def test_item_changed_by_a_list_notifies_the_observer(self, larder, upstream):
        larder.call("character/get", id=2)
        name = larder.call("character/observe", id=2)["observer"]
        upstream.edit("character", 2, name="Evil Morty")
        larder.call("character/list")
        change = next_change(larder)
        assert (change["observer"], change["item"]["name"]) == (name, "Evil Morty")

    def test_unchanged_item_does_not_notify_the_observer(self, served, upstream):
        served.call("character/get", id=1)
        served.call("character/observe", id=1)
        for _ in range(3):
            served.call("character/get", id=1, cachePolicy="remoteFirst")
        upstream.edit("character", 1, name="Pickle Rick")
        served.call("character/get", id=1, cachePolicy="remoteFirst")
        assert next_change(served)["item"]["name"] == "Pickle Rick"
        served.alive()

    def test_deleted_item_notifies_the_observer_with_gone(self, served, upstream):
        served.call("character/get", id=5)
        name = served.call("character/observe", id=5)["observer"]
        upstream.delete("character", 5)
        assert served.fails("character/get", id=5, cachePolicy="remoteFirst").kind == "notFound"
        assert next_change(served) == {"observer": name, "gone": True}

    def test_all_observers_of_a_changed_item_are_notified(self, larder, upstream):
        larder.call("character/get", id=1)
        names = {larder.call("character/observe", id=1)["observer"] for _ in range(3)}
        larder.call("character/observe", id=2)
        assert len(names) == 3
        upstream.edit("character", 1, name="Pickle Rick")
        larder.call("character/get", id=1, cachePolicy="remoteFirst")
        assert {next_change(larder)["observer"] for _ in range(3)} == names
        larder.alive()

    def test_frequent_changes_cause_few_notifications_ending_with_the_last_change(self, larder, upstream):
        larder.call("character/get", id=1)
        larder.call("character/observe", id=1)
        for number in range(200):
            upstream.edit("character", 1, name=f"Rick {number}")
            larder.call("character/get", id=1, cachePolicy="remoteFirst")
        names = [next_change(larder)["item"]["name"]]
        while names[-1] != "Rick 199":
            names.append(next_change(larder)["item"]["name"])
        numbers = [int(name.split()[1]) for name in names]
        assert numbers == sorted(numbers) and len(set(numbers)) == len(numbers) < 200
        larder.alive()


class TestPage:
    def test_changed_page_notifies_the_observer(self, served, upstream):
        served.call("character/list", page=3)
        served.call("character/observe", page=3, observer="third")
        upstream.delete("character", 60)
        result = served.call("character/list", page=3, cachePolicy="remoteFirst")
        change = next_change(served)
        assert list(change) == ["observer", "items", "page", "source", "fetchedAt", "stale"]
        assert (change["observer"], change["items"]) == ("third", result["items"])

    def test_changed_item_of_a_page_notifies_the_observer(self, larder, upstream):
        larder.call("character/list")
        larder.call("character/observe")
        upstream.edit("character", 7, name="Somebody else")
        larder.call("character/get", id=7, cachePolicy="remoteFirst")
        assert [item["name"] for item in next_change(larder)["items"] if item["id"] == 7] == ["Somebody else"]

    def test_observer_of_a_filtered_list_is_notified_only_of_changes_of_this_list(self, larder, upstream):
        larder.call("character/list", filter={"name": "morty"})
        larder.call("character/observe", filter={"name": "morty"}, observer="mortys")
        larder.call("character/list", page=3)
        upstream.edit("character", 2, name="Evil Morty")
        larder.call("character/list", filter={"name": "morty"}, cachePolicy="remoteFirst")
        assert next_change(larder)["observer"] == "mortys"
        larder.alive()


class TestUnobserve:
    def test_observer_gets_no_notification_after_unobserve(self, larder, upstream):
        larder.call("character/get", id=1)
        larder.call("character/observe", id=1, observer="first")
        larder.call("character/observe", id=1, observer="second")
        assert larder.call("character/unobserve", observer="first") == {"observer": "first"}
        upstream.edit("character", 1, name="Pickle Rick")
        larder.call("character/get", id=1, cachePolicy="remoteFirst")
        assert next_change(larder)["observer"] == "second"
        larder.alive()

    def test_observer_name_can_be_reused(self, larder):
        for _ in range(3):
            larder.call("character/observe", id=1, observer="mine")
            assert larder.fails("character/observe", id=1, observer="mine").code == -32602
            larder.call("character/unobserve", observer="mine")
        assert larder.fails("character/unobserve", observer="mine").code == -32602

    def test_observers_do_not_delay_the_exit(self, larder):
        larder.call("character/observe", id=1)
        assert larder.close() == 0

    @pytest.mark.parametrize(
        "params", [{"id": 1, "page": 1}, {"id": 1, "filter": {"name": "x"}}, {"id": [1]}, {"observer": 1}, {"ids": [1]}]
    )
    def test_invalid_observe_params_are_refused(self, larder, params):
        assert larder.fails("character/observe", **params).code == -32602
        larder.alive()


def wait_for_writes(larder):
    """Waits until all pending writes of this process are in the cache file. Otherwise, they could reach it after the
    change of another process."""
    larder.call("cache/stats")


class TestOtherProcesses:
    def test_item_changed_by_another_process_notifies_the_observer(self, served, upstream):
        served.call("character/get", id=1)
        wait_for_writes(served)
        served.call("character/observe", id=1)
        upstream.edit("character", 1, name="Pickle Rick")
        served.again().call("character/get", id=1, cachePolicy="remoteFirst")
        change = next_change(served)
        assert (change["item"]["name"], change["source"]) == ("Pickle Rick", "persistence")

    def test_page_changed_by_another_process_notifies_the_observer(self, served, upstream):
        served.call("character/list")
        wait_for_writes(served)
        served.call("character/observe")
        upstream.edit("character", 7, name="Somebody else")
        served.again().call("character/get", id=7, cachePolicy="remoteFirst")
        assert [item["name"] for item in next_change(served)["items"] if item["id"] == 7] == ["Somebody else"]

    def test_item_removed_by_another_process_notifies_the_observer(self, served):
        served.call("character/get", id=1)
        wait_for_writes(served)
        name = served.call("character/observe", id=1)["observer"]
        served.again().call("cache/remove", resource="character", id=1)
        assert next_change(served) == {"observer": name, "gone": True}

    def test_item_removed_by_this_process_notifies_the_observer(self, larder, upstream):
        for id, name in ((1, "removed"), (2, "other")):
            larder.call("character/get", id=id)
            larder.call("character/observe", id=id, observer=name)
        larder.call("cache/remove", resource="character", id=1)
        changes = []
        for number in range(5):
            upstream.edit("character", 2, name=f"Morty {number}")
            larder.call("character/get", id=2, cachePolicy="remoteFirst")
            changes.append(next_change(larder))
        assert {"observer": "removed", "gone": True} in changes
