"""The kept mutants: small changes of behaviour that the tests must detect.

Each file in `Kept` has blocks like this one, separated by empty lines:

    limiter-loses-a-place  Sources/DataSources/API/RequestLimiter.swift
    - func leave() { change { $0.free += 1 } }
    + func leave() { change { _ in } }
    ? RequestLimiterTests
    = the reason, only if no test can detect the mutant

The first line has the mutant's name and its file. The lines after `- ` must occur exactly once in that file, with their
indentation except for the first line. The lines after `+ `, or nothing, replace them. `? ` lines name the tests for the
mutant: a regular expression for `swift test --filter`, or `pytest` with arguments. `= ` gives the reason if no test can
detect the mutant. Lines that start with `#` are comments.
"""

import os
import pathlib
import re
import shlex

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]


class Mutant:
    def __init__(self, block):
        lines = block.split("\n")
        self.name, _, self.file = (part.strip() for part in lines[0].partition(" "))
        self.old, self.new, self.tests, self.reason = (
            "\n".join(line[2:] for line in lines[1:] if line[0] == mark) for mark in "-+?="
        )
        if any(line[:2] not in ("- ", "+ ", "? ", "= ") for line in lines[1:]):
            raise ValueError(f"not a mutant:\n{block}")

    @property
    def target(self):
        """The target that the mutant changes, such as JSON or Protocol; or `clients`."""
        return re.sub(r"^Sources/|/src/.*", "", self.file).split("/")[0]

    @property
    def selection(self):
        """The tests for the mutant: a filter for Swift tests, or a tuple of arguments for pytest."""
        return tuple(shlex.split(self.tests)[1:]) if self.tests.startswith("pytest ") else self.tests

    def change(self, text):
        """Returns the start and end of the changed range of the text, and the replacement."""
        if text.count(self.old) != 1:
            raise ValueError(f"{self.name} is stale: its text stands {text.count(self.old)} times in {self.file}")
        start = text.index(self.old)
        before = len(os.path.commonprefix([self.old, self.new]))
        old, new = self.old[before:], self.new[before:]
        after = len(os.path.commonprefix([old[::-1], new[::-1]]))
        return start + before, start + len(self.old) - after, new[: len(new) - after]

    def apply(self, text):
        start, end, new = self.change(text)
        return text[:start] + new + text[end:]


def read(folder=FOLDER / "Kept"):
    """Returns all kept mutants, file by file."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.mutants"))]
    lines = [line for text in texts for line in [*text.split("\n"), ""] if not line.startswith("#")]
    blocks = re.split(r"\n{2,}", "\n".join(lines).strip("\n"))
    return sorted((Mutant(block) for block in blocks), key=lambda mutant: mutant.file)


def faults(mutants, root=ROOT):
    """Yields the errors in the list itself."""
    seen = set()
    for mutant in mutants:
        if mutant.name in seen:
            yield f"{mutant.name} is there twice"
        seen.add(mutant.name)
        if not mutant.old or not mutant.tests or mutant.old == mutant.new:
            yield f"{mutant.name} names no text, no change of it or no tests"
            continue
        try:
            mutant.apply((root / mutant.file).read_text(encoding="utf-8"))
        except (OSError, ValueError) as fault:
            yield str(fault)
