"""Help topics, the man page, the version, and the introduction shown on a terminal."""

import re
import shlex
import shutil
import signal
import subprocess

import pytest

from harness import CASSETTES, PATIENCE, binary, environment, request
from terminal import Terminal


def topics(command):
    """Returns the topics at the end of the help."""
    text = command("help").stdout.decode()
    return [name.strip() for name in text.split("larder help TOPIC, one of\n")[1].replace("\n", " ").split(",")]


class TestTopics:
    def test_every_listed_help_topic_has_a_page(self, command):
        names = topics(command)
        assert {"list", "catalog", "environment", "exit-codes", "man"} <= set(names)
        for name in names:
            done = command("help", name)
            assert (done.code, done.stderr) == (0, ""), (name, done)
            assert name == "man" or b"Examples:" in done.stdout, name

    def test_help_command_equals_help_option(self, command):
        assert command("help").stdout == command("--help").stdout

    def test_help_option_after_a_command_shows_its_page(self, command):
        assert command("list", "--help").stdout == command("help", "list").stdout
        assert command("list", "character", "--help").stdout == command("help", "character").stdout
        done = command("lst", "--help")
        assert (done.code, done.stdout) == (64, b"") and "'list'" in done.stderr, done

    def test_unknown_help_topic_gets_a_suggestion(self, command):
        done = command("help", "offlin")
        assert (done.code, done.stdout) == (64, b"") and "'offline'" in done.stderr, done

    def test_help_examples_with_the_built_in_api_work(self, command, places):
        """Runs the examples of the help. Skips examples that need a different catalog, a network, or answers that were
        not recorded."""
        ran = 0
        for name in topics(command):
            text = command("help", name).stdout.decode() if name != "man" else ""
            for line in re.findall(r"^  (larder (?:call|get|list|prefetch) .*)$", text, re.M):
                words = shlex.split(line)[1:]
                if {"--catalog", "--record", "--replay", "--offline", "|", "||"} & set(words):
                    continue
                if re.search(r"[A-Z]{2,}|localOnly|remoteFirst|request/explain", line) and "--" not in line:
                    continue
                done = command(*words, "--replay", CASSETTES, "--no-persistence", "--data-dir", places[3])
                # A request without a recorded answer is still valid.
                assert done.code == 0 or "no cassette" in done.stderr, (line, done)
                ran += done.code == 0
        assert ran >= 5


class TestManual:
    @pytest.mark.skipif(not shutil.which("groff"), reason="needs groff")
    def test_man_page_passes_groff(self, command):
        page = command("help", "man").stdout
        done = subprocess.run(
            ["groff", "-man", "-Tutf8", "-ww", "-P-cbou"], input=page, capture_output=True, timeout=PATIENCE
        )
        assert (done.returncode, done.stderr) == (0, b""), done.stderr.decode()
        text = re.sub(r"\s+", " ", done.stdout.decode().replace("‐\n", "").replace("\u2212", "-"))
        parts = ("NAME", "SYNOPSIS", "EXIT CODES", "larder catalog infer URL", "--catalog FILE", "LARDER_CATALOG")
        for wanted in parts:
            assert wanted in text, wanted


class TestVersion:
    def test_version_lists_the_build_and_the_libraries(self, command):
        first, *rest = command("--version").stdout.decode().splitlines()
        assert re.fullmatch(r"larder \d+\.\d+\.\d+\S*", first)
        assert [line.split()[0] for line in rest] == ["built", "SQLite", "libcurl"]
        assert re.fullmatch(r"built with Swift \d+\.\d+", rest[0])
        assert re.fullmatch(r"SQLite 3\.\d+\.\d+", rest[1]) and re.fullmatch(r"libcurl \d+\.\d+\.\d+\S*", rest[2])

    def test_version_reports_a_missing_library(self, command, home):
        folder = home / "libraries"
        folder.mkdir()
        for name in ("libcurl.so.4", "libcurl.so", "libcurl.4.dylib"):
            (folder / name).write_bytes(b"no library")
        done = command("--version", env={"LD_LIBRARY_PATH": str(folder), "DYLD_LIBRARY_PATH": str(folder)})
        assert done.code == 0, done
        assert done.stdout.decode().splitlines()[3].startswith("libcurl not found: "), done


class TestOnATerminal:
    def test_larder_on_a_terminal_prints_an_introduction_and_exits(self, home):
        with Terminal([binary(), "--offline"], environment(home)) as terminal:
            assert terminal.end() == 0
            assert re.match(r"larder \d+\.\d+\.\d+: ", terminal.seen)
            for command in ("larder list character ", "larder help", "larder doctor", "cat | larder"):
                assert command in terminal.seen
        assert not (home / "xdg-cache").exists()

    def test_introduction_uses_the_given_catalog(self, home):
        with Terminal([binary(), "--catalog", "pokeapi"], environment(home)) as terminal:
            assert terminal.end() == 0
            assert "larder list pokemon --catalog pokeapi" in terminal.seen, terminal.seen
            assert "larder doctor --catalog pokeapi" in terminal.seen

    def test_requests_on_a_terminal_without_echo_are_answered(self, home):
        """A program that runs larder on a terminal usually turns off the echo. Larder then serves requests and prints
        no introduction."""
        with Terminal([binary()], environment(home), echo=False) as terminal:
            terminal.type(request("server/status"))
            assert "larder" not in terminal.wait('"jsonrpc":"2.0"')
            terminal.wait('"version"')

    def test_hangup_of_the_terminal_ends_larder(self, home):
        with Terminal([binary()], environment(home), echo=False) as terminal:
            terminal.type(request("server/status"))
            terminal.wait('"version"')
            terminal.process.send_signal(signal.SIGHUP)
            assert terminal.end() == 0

    @pytest.mark.parametrize("redirection", ["cat | {}", "{} | cat", "{} < /dev/null"])
    def test_redirected_input_or_output_starts_a_session(self, home, redirection):
        script = redirection.format(shlex.quote(binary()))
        with Terminal(["sh", "-c", script], environment(home)) as terminal:
            if "/dev/null" not in redirection:
                terminal.type(request("server/status"))
                terminal.wait('"result":{')
                terminal.type("\x04")
            assert terminal.end() == 0
            assert "larder help" not in terminal.seen
