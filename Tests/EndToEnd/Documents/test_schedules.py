"""The crontab and the commands for CI in docs/sync.md, with an API on this machine."""

import json
import re
import subprocess

import pytest

from crontab import Crontab
from harness import PATIENCE, ROOT, binary, mutation
from scripted import serving

PAGE = (ROOT / "docs" / "sync.md").read_text(encoding="utf-8")


def block(language, title):
    """Returns the first block of a language in a section of the page."""
    section = PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]
    return re.search(rf"^```{language}\n(.*?)^```$", section, re.M | re.S).group(1)


@pytest.fixture
def installed(home):
    """A folder that contains only `larder`."""
    folder = home / "bin"
    folder.mkdir()
    (folder / "larder").symlink_to(binary())
    return folder


class Tracker:
    """An API with seven tickets in pages of five. `failing` has the states whose list fails."""

    def __init__(self):
        self.tickets = {number: {"id": number, "state": "open"} for number in range(1, 8)}
        self.failing, self.requests = set(), []

    def answer(self, request):
        self.requests.append(request.target)
        if request.path != "/tickets":
            ticket = self.tickets.get(int(request.path.rsplit("/", 1)[1]))
            return (200, {}, ticket) if ticket else (404, {}, {"message": "no such ticket"})
        state = request.query.get("state")
        if state in self.failing:
            return 500, {}, {"message": f"no {state} tickets today"}
        found = [ticket for ticket in self.tickets.values() if state in (None, ticket["state"])]
        start = 5 * int(request.query.get("page", 1)) - 5
        return 200, {}, {"tickets": found[start : start + 5], "more": start + 5 < len(found)}


@pytest.fixture
def tracker(home):
    """The API, with the catalog that the crontab names in the usual folder."""
    tracker = Tracker()
    with serving(tracker.answer) as url:
        pages = {"style": "page", "param": "page", "more": "more"}
        list = {"path": "/tickets", "items": "tickets", "pagination": pages, "filters": {"state": "state"}}
        ticket = {"api": "tracker", "id": "integer", "rest": {"list": list, "get": {"path": "/tickets/{id}"}}}
        api = {"baseURL": url, "retries": 0, "auth": {"bearer": f"${{file:{home}/token}}"}}
        (home / "token").write_text("first-token")
        (home / "token").chmod(0o600)
        folder = home / ".config" / "larder"
        folder.mkdir(parents=True)
        catalog = {"larder": 1, "apis": {"tracker": api}, "resources": {"ticket": ticket}}
        (folder / "tracker.jsonc").write_text(json.dumps(catalog))
        yield tracker


class TestCrontab:
    @pytest.fixture
    def crontab(self):
        crontab = Crontab(block("text", "On a schedule"))
        assert crontab.variables["LARDER_CATALOG"] == "tracker"
        return crontab

    @pytest.fixture
    def cron(self, crontab, home, installed):
        """`cron()` runs the job."""
        return lambda: crontab.run(home, installed)

    @pytest.fixture
    def copies(self, home, installed, tracker):
        """Two copies that a user has made."""
        self.make(home, installed, "ticket")
        self.make(home, installed, "ticket", "state=open")

    def make(self, home, installed, *list, **variables):
        """Makes a copy as a user does in a shell."""
        env = {"HOME": str(home), "LARDER_CATALOG": "tracker", **mutation(), **variables}
        made = [installed / "larder", "sync", *list]
        subprocess.run(made, env=env, check=True, capture_output=True, timeout=PATIENCE)

    def log(self, home):
        """Returns the lines of the log."""
        return [json.loads(line) for line in (home / "larder-sync.log").read_text().splitlines()]

    def test_path_contains_the_folder_in_which_make_installs_larder(self, crontab):
        prefix = re.search(r"^PREFIX \?= (.*)$", (ROOT / "Makefile").read_text(), re.M).group(1)
        assert f"{prefix}/bin" in crontab.variables["PATH"].split(":")

    def test_job_logs_a_line_for_each_copy(self, cron, copies, home, tracker):
        done = cron()
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        del tracker.tickets[3]
        done = cron()
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        lines = self.log(home)
        assert [(line["resource"], line.get("filter")) for line in lines] == [
            ("ticket", None), ("ticket", {"state": "open"})] * 2
        # The run of the first copy finds that the ticket is deleted, and removes it from both copies.
        counts = [tuple(line[name] for name in ("added", "removed", "items", "complete")) for line in lines]
        assert counts == [(0, 0, 7, True), (0, 0, 7, True), (0, 1, 6, True), (0, 0, 6, True)]

    def test_failure_of_one_copy_is_reported_and_does_not_stop_the_other(self, cron, copies, home, tracker):
        tracker.failing.add("open")
        done = cron()
        assert (done.returncode, done.stdout) == (1, "")
        (failure,) = done.stderr.splitlines()
        assert failure.startswith("larder: ticket state=open: ") and "500" in failure
        assert [line.get("filter") for line in self.log(home)] == [None]
        tracker.failing.clear()
        done = cron()
        assert (done.returncode, done.stderr) == (0, "")
        assert [line.get("filter") for line in self.log(home)] == [None, None, {"state": "open"}]

    def test_new_credentials_are_reported_with_the_commands_that_make_new_copies(self, cron, copies, home, tracker):
        (home / "token").write_text("other-token")
        done = cron()
        assert (done.returncode, done.stdout) == (1, "") and self.log(home) == []
        assert len(done.stderr.splitlines()) == 2
        assert "run: larder sync ticket state=open" in done.stderr and "other-token" not in done.stderr

    def test_variable_that_only_the_shell_has_is_named(self, cron, home, installed, tracker):
        catalog = home / ".config" / "larder" / "tracker.jsonc"
        catalog.write_text(catalog.read_text().replace(f"${{file:{home}/token}}", "${env:TRACKER_TOKEN}"))
        self.make(home, installed, "ticket", TRACKER_TOKEN="first-token")
        done = cron()
        assert (done.returncode, done.stdout, self.log(home)) == (1, "", [])
        assert done.stderr.startswith("larder: ticket: ") and "'TRACKER_TOKEN'" in done.stderr, done

    def test_missing_copies_are_reported(self, cron, home, tracker):
        done = cron()
        assert (done.returncode, done.stdout, self.log(home)) == (0, "", [])
        assert "start with: larder sync RESOURCE" in done.stderr and tracker.requests == []

    def test_job_writes_only_to_the_usual_folders(self, cron, copies, home, tracker):
        cron()
        assert {path.name for path in home.iterdir()} == {"bin", "token", ".config", ".cache", "larder-sync.log"}


class TestCI:
    @pytest.fixture
    def job(self, home, installed):
        """`job(command)` runs one command of the page in the folder of a new job, which keeps only the cache folder.
        The recorded answers are those of the built-in catalog."""
        folder = home / "job"
        folder.mkdir()

        def job(command, answers=ROOT / "Fixtures" / "cassettes" / "rickandmorty"):
            env = {"PATH": f"{installed}:/usr/bin:/bin", "HOME": str(home), "CI": "true", **mutation()}
            command = command.replace("larder ", f"larder --replay '{answers}' ", 1)
            return subprocess.run(
                ["sh", "-e", "-c", command], env=env, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                text=True, timeout=PATIENCE)

        return job

    @pytest.fixture
    def commands(self):
        return re.findall(r"^\$ (.*)$", block("console", "In CI"), re.M)

    def test_first_job_makes_the_copy_and_later_jobs_use_it(self, job, commands):
        first, later, read = commands
        assert json.loads(job(first).stdout)["mode"] == "whole"
        for _ in range(2):
            done = job(later)
            assert (done.returncode, done.stderr) == (0, "")
            assert (json.loads(done.stdout)["mode"], json.loads(done.stdout)["items"]) == ("none", 51)
            assert job(read).stdout == "51\n"

    def test_job_fails_if_the_api_cannot_be_reached(self, job, commands, home):
        (home / "empty").mkdir()
        done = job(commands[0], home / "empty")
        assert (done.returncode, done.stdout) == (1, "") and done.stderr.startswith("larder: "), done
