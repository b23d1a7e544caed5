"""Runs tests against a copy of the sources, with or without a mutant, and determines their verdict."""

import atexit
import os
import re
import signal
import subprocess
import sys
import threading

from mutants import ROOT

FOUND = ("found", "found by a crash", "found by a time limit")
# Longer than the time limit of any suite, which should end a hanging test first.
TIMEOUT = 150
QUIET = {"SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1", "LARDER_TEST_MINUTES": "1"}
QUIET["SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"] = "16"
PYTEST = ["-m", "pytest", "-c", "Tests/EndToEnd/pytest.ini", "--rootdir", ".", "-m", "not long"]
PYTEST += ["-p", "no:cacheprovider", "-rfE"]


class Runner:
    """Runs tests in one copy against the build of the same or another copy."""

    def __init__(self, copy, built):
        self.copy, self.built = copy, built
        # Runs the test binary itself, because `swift test` takes seconds more and delays the output before a hang.
        self.suites = [str(built.root / ".build/debug/larderPackageTests.xctest"), "--testing-library", "swift-testing"]

    def command(self, tests, without):
        if isinstance(tests, tuple):
            deselected = [word for name in without for word in ("--deselect", name)]
            return [str(ROOT / ".venv/bin/python"), *PYTEST, *deselected, *tests]
        skipped = [word for name in without for word in ("--skip", name)]
        return [*self.suites, *skipped, *(word for part in tests.split("\n") if part for word in ("--filter", part))]

    def start(self, tests, without=(), **variables):
        process = subprocess.Popen(
            self.command(tests, without), cwd=self.copy.root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True,
            env={**os.environ, "LARDER_BIN": str(self.built.binary), **QUIET, **variables},
        )
        _running.add(process)
        return process

    def test(self, tests, mutant=0, timeout=TIMEOUT, without=()):
        """Returns the verdict of the tests and the output line that shows it. The first failure ends the run.

        `tests` is a regular expression for `swift test --filter`, or a tuple of arguments for pytest. `mutant` is its
        number in the build. `without` are tests to skip.
        """
        process = self.start((*tests, "-x") if isinstance(tests, tuple) else tests, without, MUTANT=str(mutant))
        late = threading.Event()
        timer = threading.Timer(timeout, lambda: (late.set(), kill(process)))
        timer.start()
        try:
            return self.verdict(process, late)
        finally:
            timer.cancel()
            kill(process)

    def trace(self, tests, path):
        """Runs the given tests without any mutant, and appends the mutants that they reach to the file.

        Returns the failed tests as selections.
        """
        variables = {} if isinstance(tests, tuple) else {"PYTEST_CURRENT_TEST": f"{tests} (suite)"}
        selection = tests if isinstance(tests, tuple) else suites([tests])
        process = self.start(selection, MUTANT_TRACE=str(path), **variables)
        try:
            output = process.communicate()[0]
        finally:
            kill(process)
        if isinstance(tests, tuple):
            return [(line.split("[")[0],) for line in re.findall(r"^(?:FAILED|ERROR) (.*?)(?: - .*)?$", output, re.M)]
        return [rf"/{name}\(" for name in re.findall(r"Test (\w+)\(.*\) recorded an issue", output)]

    def list_tests(self):
        done = subprocess.run(
            [*self.suites, "--list-tests"], cwd=self.copy.root, check=True, stdout=subprocess.PIPE, text=True
        )
        return done.stdout.split("\n")

    @staticmethod
    def verdict(process, late):
        last, passed = "", 0
        for line in process.stdout:
            last = line.strip() or last
            if "recorded an issue" in line:
                kind = "found by a time limit" if "Time limit was exceeded" in line else "found"
                return kind, re.sub(r"^\W*Test (.*?) recorded an issue.*", r"\1", last)
            if re.match(r"Timeout \([\d:]+\)!", line):
                return "found by a time limit", last
            if re.match(r"(FAILED|ERROR) ", line):
                return "found", last.split(" - ")[0].split(" ", 1)[1]
            # The last line of Swift Testing or of pytest.
            match = re.search(r"Test run with ([0-9]+) tests?.* passed|^([0-9]+) passed", line)
            passed = int(match[1] or match[2]) if match else passed
        code = process.wait()
        if late.is_set():
            return "hangs", "it had to be killed"
        if code < 0:
            return "found by a crash", f"signal {-code}"
        return ("lives", f"{passed} tests passed") if code == 0 and passed else ("no tests", last)

    def judge(self, mutant, number, tests, timeout=TIMEOUT, without=()):
        """Runs `test` with a mutant. A Swift mutant is in the build; a mutated script is put into the copy during the
        run."""
        if number is not None:
            return self.test(tests, number, timeout, without)
        original = self.copy.original(mutant.file)
        self.copy.put(mutant.file, mutant.apply(original).encode())
        try:
            return self.test(tests, timeout=timeout, without=without)
        finally:
            self.copy.put(mutant.file, original.encode())


def suites(names):
    """Returns the selection of all tests in the given Swift suites."""
    return "\n".join(f"^{re.escape(name)}/" for name in names)


_running = set()


@atexit.register
def kill_all():
    """Kills all running tests. They have their own sessions and would outlive this process otherwise."""
    for process in list(_running):
        kill(process)


def end_on_signals():
    """Makes SIGTERM end this process like an error, so that no tests are left running."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


def kill(process):
    _running.discard(process)
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
