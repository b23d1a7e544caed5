"""prefetch on a terminal: a progress bar on one line, removed at the end, also after an interruption."""

import signal
import subprocess

import pytest

from screens import Screen

PAGE = "/api/character?page={}"
SUMMARY = "60 items on 3 pages (3 fetched, 0 from the cache); the list is complete"


class TestBar:
    def test_progress_bar_grows_on_one_line_and_disappears(self, on_terminal):
        shown = on_terminal("prefetch", "character", width=80)
        assert shown.code == 0
        for step in ("  0%", "33%  page 1 of 3", "66%  page 2 of 3", "100%  page 3 of 3"):
            assert step in shown.text, shown.text
        screen = Screen(shown.text)
        assert screen.lines == [SUMMARY, ""] and screen.column == 0

    @pytest.mark.parametrize("width", [10, 20, 45, 300])
    def test_progress_bar_is_never_wider_than_the_terminal(self, on_terminal, width):
        shown = on_terminal("prefetch", "character", width=width)
        drawn = shown.text.split("\r")
        assert len(drawn) > 3 and all(len(part.partition("\x1b[K")[0].strip("\n")) < width for part in drawn[:-1])

    @pytest.mark.parametrize("env", [{"TERM": "dumb"}, {"TERM": ""}])
    def test_terminal_without_cursor_control_has_no_progress_bar(self, on_terminal, env):
        assert on_terminal("prefetch", "character", env=env).text == SUMMARY + "\n"

    def test_progress_bar_is_written_only_to_stderr(self, on_terminal, people):
        shown = on_terminal("prefetch", "character", stdout=subprocess.PIPE)
        assert "100%" in shown.text and Screen(shown.text).lines == [""]
        assert shown.process.stdout.read() == b'{"pages":3,"items":60,"fetched":3,"reused":0,"complete":true}\n'
        shown.process.stdout.close()
        shown = on_terminal("prefetch", "character", stderr=subprocess.DEVNULL)
        assert "%" not in shown.text and shown.text.count("\n") == 1
        done = people("prefetch", "character")
        assert (done.code, done.stderr, done.messages[0]["reused"]) == (0, "", 3)

    def test_error_replaces_the_progress_bar(self, on_terminal, upstream):
        upstream.fail(PAGE.format(2), status=401)
        shown = on_terminal("prefetch", "character", width=200)
        first, *_ = Screen(shown.text).lines
        assert shown.code == 1 and first.startswith("larder: unauthorized: "), shown.text

    @pytest.mark.parametrize("words, said", [(["maxPages=1"], "is incomplete"), ([], "is complete")])
    def test_prefetch_summary_reports_whether_the_list_is_complete(self, people, words, said):
        assert people("prefetch", "character", "--table", *words).stdout.decode().endswith(f"the list {said}\n")


class TestFailedWrites:
    """Tests that a prefetch fails if it cannot write the cache file."""

    @pytest.mark.parametrize("words", [["prefetch", "character"], ["call", "character/prefetch"]])
    def test_prefetch_without_a_usable_cache_file_fails(self, command, upstream, words):
        reached = ["--base-url", f"rickandmorty={upstream.url}"]
        done = command(*words, "--cache-dir", "/dev/null/none", *reached)
        assert done.code == 1 and done.messages[0]["complete"] is True, done
        last = done.stderr.splitlines()[-1]
        assert last.startswith("larder: not all changes were saved to the cache file: cannot use /dev/null/none/"), done
        # Without persistence, no file is needed.
        done = command(*words, "--no-persistence", *reached)
        assert (done.code, done.stderr) == (0, ""), done

    def test_cache_clear_without_a_usable_cache_file_fails(self, command):
        done = command("cache", "clear", "--cache-dir", "/dev/null/none")
        assert done.code == 1 and "not all changes were saved to the cache file" in done.stderr, done

    def test_interrupted_prefetch_without_a_cache_file_reports_no_cached_pages(self, begin_on_terminal, upstream):
        held = upstream.hold(PAGE.format(2))
        shown = begin_on_terminal("prefetch", "character", "--no-persistence")
        shown.wait("page 1 of 3")
        held.wait()
        shown.process.send_signal(signal.SIGINT)
        assert shown.end() == 130 and Screen(shown.text).lines == ["larder: interrupted", ""], shown.text


class TestInterruption:
    @pytest.mark.parametrize("how, code", [("typed", 130), (signal.SIGINT, 130), (signal.SIGTERM, 143)])
    def test_interrupted_prefetch_clears_its_progress_bar_and_exits(
        self, begin_on_terminal, upstream, people, how, code
    ):
        held = upstream.hold(PAGE.format(2))
        shown = begin_on_terminal("prefetch", "character")
        shown.wait("page 1 of 3")
        held.wait()
        if how == "typed":
            shown.type("\x03")
        else:
            shown.process.send_signal(how)
        assert shown.end() == code
        text = shown.text.replace("^C", "")
        assert Screen(text).lines == ["larder: interrupted; the fetched pages are cached", ""], text
        held.release()
        upstream.heal()
        assert people("prefetch", "character").messages[0] == {
            "pages": 3, "items": 60, "fetched": 2, "reused": 1, "complete": True,
        }  # fmt: skip

    def test_interrupted_prefetch_without_a_terminal_exits_at_once(self, begin_on_terminal, upstream):
        held = upstream.hold(PAGE.format(2))
        streams = {name: subprocess.DEVNULL for name in ("stdin", "stdout", "stderr")}
        shown = begin_on_terminal("prefetch", "character", **streams)
        held.wait()
        shown.process.send_signal(signal.SIGINT)
        assert shown.end() == 130
