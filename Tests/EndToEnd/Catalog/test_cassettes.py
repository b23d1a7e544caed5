"""Recording and replaying with `--record` and `--replay`."""

import pytest

from harness import CASSETTES, GRAPHQL_CATALOG


def asked(larder):
    """Returns the replies of a session with every kind of answer, without their timestamps."""
    replies = [
        larder.wait(larder.send(method, params))
        for method, params in [
            ("character/get", {"id": 1}),
            ("character/list", {}),
            ("character/list", {"filter": {"name": "rick"}}),
            ("character/list", {"filter": {"name": "nobody at all"}}),
            ("character/get", {"id": 99999}),
            ("character/list", {"page": 999}),
            ("location/getMany", {"ids": [3, 99999, 1]}),
        ]
    ]
    for reply in replies:
        reply.get("result", {}).pop("fetchedAt", None)
    return replies


def test_replay_returns_the_recorded_replies(served, upstream, home, tmp_path_factory):
    tape = home / "tape"
    recorded = asked(served.again("--record", tape, cache_dir=home / "first"))
    assert sorted(tape.rglob("*.json"))
    upstream.reset()
    replayed = asked(served.again("--replay", tape, cache_dir=home / "second"))
    assert replayed == recorded
    assert upstream.count() == 0, "a replay must open no connection"


def test_replay_of_an_unrecorded_request_fails(served, upstream, home):
    recorder = served.again("--record", home / "tape", cache_dir=home / "first")
    recorder.call("character/get", id=1)
    upstream.reset()
    replay = served.again("--replay", home / "tape", cache_dir=home / "second")
    error = replay.fails("character/get", id=2)
    assert (error.kind, error.code) == ("notReplayed", -31013), error
    assert error.message.startswith("no cassette for "), error
    assert replay.call("character/get", id=1)["source"] == "remote"
    replay.alive()
    assert upstream.count() == 0


def test_cassettes_of_the_repository_answer_requests_for_whole_lists(command):
    for words, count in [("character", 826), ("character name=rick", 107), ("location", 126), ("episode", 51)]:
        done = command("list", *words.split(), "--all", "--replay", CASSETTES, "--no-persistence")
        assert (done.code, len(done.messages), done.stderr) == (0, count, ""), (words, done.stderr)
    done = command("prefetch", "character", "--replay", CASSETTES, "--no-persistence")
    assert done.code == 0 and done.messages[0]["complete"] is True, done


def test_error_for_a_missing_recording_names_the_record_option(command, home):
    (home / "tape").mkdir()
    done = command("get", "character", "1", "--replay", home / "tape", "--no-persistence")
    (line,) = done.stderr.splitlines()
    assert done.code == 1 and line.startswith("larder: notReplayed: no cassette for GET https://"), done
    assert line.endswith("; to record one, use --record instead of --replay")


def test_missing_cassette_folder_is_refused(command, home):
    done = command("--replay", home / "nothing")
    assert done.code == 64 and str(home / "nothing") in done.stderr


@pytest.mark.parametrize("catalog", [[], ["--catalog", GRAPHQL_CATALOG]], ids=["rest", "graphql"])
def test_cassettes_of_the_repository_answer_requests_for_every_item_and_list(start, catalog):
    larder = start(*catalog, "--replay", CASSETTES, upstream=None)
    for resource, count in {"character": 20, "location": 20, "episode": 10}.items():
        for id in range(1, count + 1):
            result = larder.call(f"{resource}/get", id=id, cachePolicy="none")
            assert (result["item"]["id"], result["source"]) == (id, "remote")
        assert larder.call(f"{resource}/list")["items"]
        assert larder.fails(f"{resource}/get", id=99999).kind == "notFound"
    for page in (1, 2, 3):
        assert len(larder.call("character/list", page=page)["items"]) == 20
    assert all("rick" in i["name"].lower() for i in larder.call("character/list", filter={"name": "rick"})["items"])
    assert larder.call("character/list", filter={"name": "nobody at all"})["items"] == []
    assert larder.fails("character/list", page=999).kind == "notFound"
    many = larder.call("character/getMany", ids=[1, 2, 3, 99999], cachePolicy="none")
    assert [item["id"] for item in many["items"]] == [1, 2, 3] and many["missing"] == [99999]
