"""Tries mutants: one build that holds those of Swift files, copies of the sources, a thread for each."""

import collections
import queue
import re
import threading

from copies import Copy
from schemata import Schemata
from trial import Runner


class Bench:
    """One build with all Swift mutants, and copies in which so many runners try them at once."""

    def __init__(self, name, mutants, jobs):
        copies = [Copy(f"{name}-{job}") for job in range(max(1, jobs))]
        swift = [mutant for mutant in mutants if mutant.file.endswith(".swift")]
        schemata = Schemata(copies[0], swift)
        self.numbers = schemata.build()
        schemata.restore()
        self.left_out = schemata.left_out
        self.runners = [Runner(copy, copies[0]) for copy in copies]

    def run_all(self, mutants, try_one):
        """Calls `try_one(runner, mutant)` for each mutant, on a thread for each runner; yields mutants and results."""
        waiting, done = queue.Queue(), queue.Queue()
        for mutant in mutants:
            waiting.put(mutant)
        threads = [threading.Thread(target=self._work, args=(one, waiting, done, try_one)) for one in self.runners]
        for thread in threads:
            thread.start()
        for _ in mutants:
            mutant, result = done.get()
            if isinstance(result, BaseException):
                raise result
            yield mutant, result
        for thread in threads:
            thread.join()

    def trace(self):
        """Which tests reach each mutant of the build, by its number; "" stands for a Swift test. And the tests that
        failed meanwhile, as pairs of the selection and the line that names them."""
        path = self.runners[0].built.root / "trace"
        path.unlink(missing_ok=True)
        shares = [self._program_tests()[index :: len(self.runners)] for index in range(len(self.runners))]
        outputs = queue.Queue()
        threads = [
            threading.Thread(target=lambda runner=runner, share=share: outputs.put(runner.trace(share, path)))
            for runner, share in zip(self.runners, shares)
        ]
        swift = self.runners[0].trace("", path)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        failing = [("", name) for name in re.findall(r"Test (\w+\(.*\)) recorded an issue", swift)]
        for _ in threads:
            lines = re.findall(r"^(?:FAILED|ERROR) (.*?)(?: - .*)?$", outputs.get(), re.M)
            failing += [((line,), line) for line in lines]
        reached = collections.defaultdict(set)
        for line in path.read_text(encoding="utf-8").splitlines():
            number, _, test = line.partition(" ")
            reached[int(number)].add(test.rpartition(" (")[0])
        return reached, failing

    def _program_tests(self):
        """The files of tests of the binary, long and short ones by turns."""
        pattern = re.compile(r"Tests/(EndToEnd|Hostile)/.*/?test_\w+\.py")
        files = filter(pattern.match, self.runners[0].copy.files)
        return tuple(sorted(files, key=lambda name: (len(Copy.original(name)), name)))

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
