"""Tries mutants: one build with all Swift mutants, several copies of the sources, and a thread for each copy."""

import collections
import queue
import re
import threading

from copies import Copy
from schemata import Schemata
from trial import Runner


class Bench:
    """A build with all Swift mutants, and `jobs` copies in which runners try mutants concurrently.

    Call `restore` before the runners try mutants, because some tests read the sources."""

    def __init__(self, name, mutants, jobs):
        copies = [Copy(f"{name}-{job}") for job in range(max(1, jobs))]
        swift = [mutant for mutant in mutants if mutant.file.endswith(".swift")]
        schemata = Schemata(copies[0], swift)
        self.numbers = schemata.build()
        self.restore = schemata.restore
        self.left_out = schemata.left_out
        self.runners = [Runner(copy, copies[0]) for copy in copies]

    def try_each_c(self, mutants, try_one):
        """Builds each of the given mutants of C files by itself, and yields it with its result. Call this before
        `restore`."""
        runner = self.runners[0]
        for mutant in mutants:
            original = runner.copy.original(mutant.file)
            runner.copy.put(mutant.file, mutant.apply(original).encode())
            built, log = runner.copy.build()
            yield mutant, try_one(runner, mutant) if built else ("does not build", log[-300:])
            runner.copy.put(mutant.file, original.encode())
        if mutants:
            runner.copy.build()

    def run_all(self, mutants, try_one):
        """Calls `try_one(runner, mutant)` for each mutant, on one thread for each runner. Yields mutants and
        results."""
        waiting, done = queue.Queue(), queue.Queue()
        for mutant in mutants:
            waiting.put(mutant)
        threads = [
            threading.Thread(target=self._work, args=(one, waiting, done, try_one), daemon=True) for one in self.runners
        ]
        for thread in threads:
            thread.start()
        for _ in mutants:
            mutant, result = done.get()
            if isinstance(result, BaseException):
                raise result
            yield mutant, result
        for thread in threads:
            thread.join()

    def trace(self, selections):
        """Runs the given selections of tests without any mutant, and records which mutants each test reaches.

        Returns the tests by mutant number, and the failed tests. A Swift suite is written as `Target.Suite`, and a test
        of the larder program as its pytest id.
        """
        if not self.numbers:
            return {}, []
        path = self.runners[0].built.root / "trace"
        path.unlink(missing_ok=True)
        waiting, failing = queue.Queue(), []
        for tests in selections:
            waiting.put(tests)
        # Tests of the binary mostly wait, so more of them run at once than mutants are tried.
        threads = [
            threading.Thread(target=self._trace_some, args=(runner, waiting, path, failing))
            for runner in self.runners * 2
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if not path.exists():
            return {}, sorted(set(failing), key=str)
        return self._read_trace(path), sorted(set(failing), key=str)

    @staticmethod
    def _trace_some(runner, waiting, path, failing):
        while True:
            try:
                tests = waiting.get_nowait()
            except queue.Empty:
                return
            failing += runner.trace(tests, path)

    @staticmethod
    def _read_trace(path):
        reached = collections.defaultdict(set)
        # A test that closes and opens descriptors may damage a line of the trace.
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            if match := re.match(r"(\d+) (.+) \(\w+\)$", line):
                reached[int(match[1])].add(match[2])
        return reached

    def program_files(self):
        """Returns the files with tests of the larder program, the slowest file first."""
        pattern = re.compile(r"Tests/(EndToEnd|Hostile)/.*/?test_\w+\.py")
        copy = self.runners[0].copy
        files = filter(pattern.match, copy.files)
        return [(name,) for name in sorted(files, key=lambda name: -len(copy.original(name)))]

    def suites(self):
        """Returns the names of all Swift suites."""
        return sorted({name.split("/")[0] for name in self.runners[0].list_tests() if "/" in name})

    @staticmethod
    def _work(runner, waiting, done, try_one):
        while True:
            try:
                mutant = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                done.put((mutant, try_one(runner, mutant)))
            except BaseException as error:
                done.put((mutant, error))
