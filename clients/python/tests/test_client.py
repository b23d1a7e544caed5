"""The blocking client with the real program."""

import dataclasses
import datetime
import io
import os
import signal
import subprocess
import threading

import pytest

import larder
from harness import PATIENCE, binary, environment
from larder import Larder


class TestResources:
    def test_get_method_returns_the_item_and_its_source(self, client):
        result = client.character.get(1)
        assert result.item["name"] == "Rick Sanchez"
        assert (result.source, result.stale, result.fallback) == ("remote", False, None)
        age = datetime.datetime.now(datetime.timezone.utc) - result.fetched_at
        assert abs(age) < datetime.timedelta(minutes=1)
        assert result.fetched_at.utcoffset() == datetime.timedelta(0)
        assert client.character.get("1", cache_policy="localOnly").source == "memory"

    def test_results_cannot_be_changed(self, client):
        with pytest.raises(dataclasses.FrozenInstanceError):
            client.character.get(1).source = "elsewhere"

    def test_filters_by_keyword_and_mapping_are_merged(self, client):
        by_keyword = client.character.list(name="rick", status="Alive")
        assert by_keyword.items and by_keyword.page.count == len(by_keyword.items)
        assert client.character.list(filter={"name": "rick"}, status="Alive").source == "memory"

    def test_list_result_has_page_info(self, client):
        page = client.character.list(page=2).page
        assert (page.current, page.pages, page.count, page.next, page.previous) == (2, 3, 60, 3, 1)

    def test_pages_are_fetched_when_the_loop_reaches_them(self, client, upstream):
        pages = client.character.pages()
        assert next(pages).page.current == 1
        assert upstream.count() == 1, "a page is fetched when the loop reaches it"
        assert [page.page.current for page in pages] == [2, 3]
        assert len([item for page in client.character.pages(2) for item in page.items]) == 40

    def test_get_many_method_keeps_the_order_and_lists_missing_ids(self, client):
        client.character.get(1)
        many = client.character.get_many([3, 1, 99999])
        assert [item["id"] for item in many.items] == [3, 1]
        assert many.missing == [99999]
        assert (many.sources.memory, many.sources.persistence, many.sources.remote) == (1, 0, 1)

    def test_cache_policy_and_max_age_are_applied(self, client, upstream):
        client.character.get(1)
        upstream.edit("character", 1, name="Pickle Rick")
        for age in ("5m", 300, datetime.timedelta(minutes=5)):
            assert client.character.get(1, max_age=age).source == "memory"
        assert client.character.get(1, cache_policy="none").item["name"] == "Pickle Rick"
        assert client.character.get(1, max_age=datetime.timedelta(0)).item["name"] == "Pickle Rick"

    def test_fallback_names_the_error_of_the_api(self, client, upstream):
        client.character.get(1)
        upstream.fail(status=500)
        result = client.character.get(1, cache_policy="remoteFirst")
        assert result.stale and result.fallback.kind == "serverError" and result.fallback.code == -31004
        assert result.fallback.data["resource"] == "character"

    def test_resource_is_returned_by_its_name(self, client):
        assert client.resource("character").get(1).item == client.character.get(1).item


class TestOtherMethods:
    def test_recents_are_kept_for_each_scope(self, client):
        client.recents.add("a")
        assert client.recents.add("b") == ["b", "a"]
        assert client.recents.add("c", scope="other") == ["c"]
        assert client.recents.remove("a") == client.recents.list() == ["b"]
        assert client.recents.clear() == [] and client.recents.list(scope="other") == ["c"]

    def test_entries_are_counted_invalidated_and_removed_by_the_cache_methods(self, client):
        client.character.get_many([1, 2, 3])
        assert client.cache.stats()["memory"]["entries"] == 3
        assert client.cache.invalidate("character", ids=[1, 2]) == 2
        assert client.character.get(1).source == "remote"
        assert client.cache.remove("character", id=2) == 1
        assert client.cache.remove(older_than=datetime.timedelta(days=1)) == 0
        assert client.cache.remove() == 2

    def test_status_has_the_process_id(self, client):
        assert client.status()["pid"] == client.pid

    def test_any_rpc_method_is_accepted_by_call_and_request(self, client):
        assert client.call("character/get", id=1)["item"]["id"] == 1
        assert client.request("character/get", {"id": 1}, timeout=PATIENCE)["source"] == "memory"


class TestErrors:
    @pytest.mark.parametrize(
        "fault, kind",
        [
            ({"status": 400}, larder.InvalidRequest),
            ({"status": 200, "body": ""}, larder.InvalidResponse),
            ({"status": 404}, larder.NotFound),
            ({"status": 500}, larder.ServerError),
            ({"status": 200, "body": "<html>"}, larder.DecodingFailed),
            ({"status": 401}, larder.Unauthorized),
            ({"status": 429, "headers": {"Retry-After": "120"}}, larder.RateLimited),
            ({"drop": True}, larder.Network),
        ],
    )
    def test_each_error_kind_has_its_class(self, client, upstream, fault, kind):
        upstream.fail(**fault)
        with pytest.raises(kind) as caught:
            client.character.get(1)
        error = caught.value
        assert isinstance(error, larder.LarderError) and type(error) is kind
        assert error.code < 0 and error.kind and error.message and error.data["resource"] == "character"
        if kind is larder.ServerError:
            assert error.status == 500

    def test_each_error_that_needs_no_api_request_has_its_class(self, client):
        with pytest.raises(larder.NotCached):
            client.character.get(1, cache_policy="localOnly")
        with pytest.raises(larder.MethodNotFound):
            client.nothing.get(1)
        with pytest.raises(larder.InvalidParams):
            client.character.get(1, max_age="soon")

    def test_unencodable_params_are_refused(self, client):
        with pytest.raises(TypeError):
            client.call("recents/add", text=object())
        for text in (float("nan"), "half of a pair: \ud800"):
            with pytest.raises(ValueError):
                client.call("recents/add", text=text)
        assert client.recents.list() == []

    def test_any_text_is_transmitted_unchanged(self, client):
        text = "\"quoted\" \\ back, \n line, \x7f \u0085 \u2028 ü 日本 \U0001f95e"
        assert client.recents.add(text) == [text]

    def test_too_long_request_is_refused(self, open_larder):
        client = open_larder("--max-message", "1KiB", timeout=20)
        with pytest.raises(larder.InvalidMessage):
            client.recents.add("x" * 2000)
        assert client.recents.list() == []

    def test_call_that_exceeds_its_own_timeout_raises_an_error(self, client, upstream):
        hold = upstream.hold("/api/character/1")
        with pytest.raises(larder.NoReply, match="character/get"):
            client.request("character/get", {"id": 1}, timeout=0.05)
        assert client.recents.list() == [], "other requests are still answered"
        hold.release()
        assert client.character.get(1).item["id"] == 1


class TestThreads:
    def test_requests_of_several_threads_run_concurrently(self, client, upstream):
        hold = upstream.hold("/api/character")
        results = {}

        def ask(id):
            results[id] = client.character.get(id).item["id"]

        threads = [threading.Thread(target=ask, args=(id,)) for id in range(1, 31)]
        for thread in threads:
            thread.start()
        hold.wait(2)
        assert client.recents.list() == []
        hold.release()
        for thread in threads:
            thread.join()
        assert results == {id: id for id in range(1, 31)}

    def test_close_waits_for_requests_in_flight(self, client, upstream):
        hold = upstream.hold("/api/character/1")
        got = []
        thread = threading.Thread(target=lambda: got.append(client.character.get(1).item["id"]))
        thread.start()
        hold.wait()
        closing = threading.Thread(target=client.close)
        closing.start()
        hold.release()
        thread.join()
        closing.join()
        assert got == [1]


class TestClosing:
    def test_with_block_closes_the_client(self, open_larder):
        with open_larder() as client:
            client.character.get(1)
        assert client.close() == 0
        with pytest.raises(larder.LarderClosed, match="^this client is closed"):
            client.character.get(1)

    def test_killed_process_is_started_again(self, client, upstream):
        hold = upstream.hold("/api/character/1")
        got = []
        thread = threading.Thread(target=lambda: got.append(client.character.get(1).item["id"]))
        thread.start()
        hold.wait()
        killed = client.pid
        os.kill(killed, signal.SIGKILL)
        hold.wait(2)
        hold.release()
        thread.join()
        assert got == [1], "the request in flight is repeated"
        assert client.pid != killed and client.character.get(1).source == "memory"

    def test_process_that_refuses_its_options_raises_larder_closed(self, home):
        log = io.StringIO()
        client = Larder(["--no-such-option"], binary=binary(), env=environment(home), stderr=log)
        with pytest.raises(larder.LarderClosed) as caught:
            client.character.get(1)
        client.close()
        assert caught.value.exit_code == 64
        assert "--no-such-option" in caught.value.stderr and "--no-such-option" in str(caught.value)
        assert "--no-such-option" in log.getvalue()


class TestProgram:
    def test_program_is_found_by_the_variable_LARDER_BIN(self, home, places, monkeypatch):
        monkeypatch.setenv("LARDER_BIN", binary())
        with Larder(places, env=environment(home)) as client:
            assert client.recents.list() == []

    def test_program_is_found_on_the_path(self, home, places, monkeypatch):
        (home / "larder").symlink_to(binary())
        monkeypatch.delenv("LARDER_BIN", raising=False)
        monkeypatch.setenv("PATH", str(home))
        with Larder(places, env={"HOME": str(home)}) as client:
            assert client.recents.list() == []

    def test_missing_program_raises_binary_not_found(self, monkeypatch, home):
        monkeypatch.delenv("LARDER_BIN", raising=False)
        monkeypatch.setenv("PATH", str(home))
        with pytest.raises(larder.BinaryNotFound, match="LARDER_BIN"):
            Larder()
        with pytest.raises(larder.BinaryNotFound, match="no-such-program"):
            Larder(binary=home / "no-such-program")

    def test_invalid_program_raises_binary_not_found(self, home):
        (home / "larder").write_bytes(b"\x7fELF")
        (home / "larder").chmod(0o755)
        with pytest.raises(larder.BinaryNotFound):
            Larder(binary=home / "larder")

    def test_log_lines_are_discarded_if_stderr_is_devnull(self, open_larder, capfd):
        with open_larder("--log-level", "debug", stderr=subprocess.DEVNULL) as client:
            client.character.get(1)
        assert capfd.readouterr().err == ""
