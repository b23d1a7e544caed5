"""Local copies of lists in larder.sh, with the real program."""

import json

from running import lines

YEAR = 365 * 24 * 60 * 60


def test_sync_updates_the_local_copy(bash, upstream):
    sync = 'larder_start "${OPTIONS[@]}"; larder_call character/sync changes=true; larder_stop'
    [first] = lines(bash(sync))
    assert (first["mode"], first["requests"], first["added"], first["items"]) == ("whole", 3, 60, 60)
    upstream.edit("character", 1, name="Pickle Rick")
    upstream.delete("character", 2)
    [second] = lines(bash(sync))
    assert second["changes"] == [{"change": "changed", "id": 1}, {"change": "removed", "id": 2}]
    recent, name = lines(
        bash(
            """
            larder_once character/sync maxAge=1h "${OPTIONS[@]}"
            larder_start --offline "${OPTIONS[@]}"
            larder_call character/get id=1 fields='["name"]'
            larder_stop
            """
        )
    )
    assert (recent["mode"], recent["requests"], recent["items"]) == ("none", 0, 59)
    assert name["item"] == {"name": "Pickle Rick"}


def test_functions_for_lines_and_tables_print_each_local_copy(bash):
    done = bash(
        """
        larder_start "${OPTIONS[@]}"
        larder_lines cache/syncs
        larder_lines character/sync maxRequests=1
        larder_lines episode/sync filter.name=pilot
        larder_lines cache/syncs
        larder_table resource,filter.name,items,complete cache/syncs >&2
        larder_stop
        larder_table items,none cache/syncs "${OPTIONS[@]}" >&2
        """
    )
    part, whole, first, second = lines(done)
    assert (part["items"], part["complete"]) == (20, False) and whole["items"] == 1
    copies = {one["resource"]: one for one in (first, second)}
    assert copies["episode"] == {
        "resource": "episode", "filter": {"name": "pilot"}, "items": 1, "syncedAt": whole["syncedAt"],
        "wholeAt": whole["wholeAt"], "complete": True,
    }  # fmt: skip
    table = [line.split() for line in done.stderr.splitlines()]
    assert table[0] == ["resource", "filter.name", "items", "complete"]
    assert sorted(table[1:3]) == [["character", "20", "false"], ["episode", "pilot", "1", "true"]]
    assert table[3] == ["items", "none"] and sorted(table[4:]) == [["1"], ["20"]]


def test_sync_and_prefetch_have_no_default_time_limit(bash):
    """The redefined function prints its time limit instead of sending the request."""
    done = bash(
        """
        larder_start "${OPTIONS[@]}"
        _larder_exchange() { printf '%s\\n' "$3"; }
        for method in character/get character/sync character/prefetch cache/syncs; do larder_call $method; done
        LARDER_TIMEOUT=5 larder_call character/sync
        """
    )
    assert lines(done) == [30, YEAR, YEAR, 30, 5]


def test_concurrent_syncs_run_one_after_the_other(bash, lock_path):
    done = bash(
        """
        PATH=$TURNS
        larder_start "${OPTIONS[@]}"
        jobs=()
        for resource in character location episode; do
            larder_lines $resource/sync maxRequests=1 & jobs+=($!)
        done
        for job in "${jobs[@]}"; do wait "$job"; done
        larder_stop
        """,
        TURNS=lock_path,
    )
    assert [one["requests"] for one in lines(done)] == [1, 1, 1] and done.stderr == ""


def test_sync_continues_in_the_process_after_the_given_time_limit(bash, upstream):
    upstream.hold("/api/character")
    done = bash(
        """
        larder_start --drain 0 "${OPTIONS[@]}"
        LARDER_TIMEOUT=0.2 larder_call character/sync || echo $?
        larder_call server/status
        larder_stop
        """
    )
    code, status = lines(done)
    assert (code, status["inFlight"]) == (2, 1) and "no reply within 0.2 seconds" in done.stderr


def test_errors_of_a_sync_set_the_return_code(bash):
    done = bash(
        """
        larder_start --offline "${OPTIONS[@]}"
        larder_call character/sync || larder_kind $? | sed 's/.*/"&"/'
        larder_call character/sync maxPages=1 || echo $?
        larder_stop
        """
    )
    assert lines(done) == ["notCached", 1]
    assert [json.loads(line)["code"] for line in done.stderr.splitlines()] == [-31010, -32602]
