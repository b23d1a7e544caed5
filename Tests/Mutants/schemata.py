"""Compiles many mutants of Swift sources into one build. The environment variable MUTANT selects the active one.

A function with mutants becomes `if isMutant(3) { its mutated body } else { its body }`, so that one build of a few
minutes serves all mutants. With MUTANT_TRACE, the build records which mutants each test reaches. Mutants that do not
compile, or are outside a function body, are left out.
"""

import collections
import re

from swift_bodies import enclosing, places

MODULE = """#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

private func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// The number of the mutant that runs; 0 is none.
private let chosen = variable("MUTANT").flatMap { Int($0) } ?? 0
/// The file that takes a line for each mutant that this process reaches, with the test that started the process.
private let trace = variable("MUTANT_TRACE").map { open($0, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600) }
private let test = variable("PYTEST_CURRENT_TEST") ?? ""
nonisolated(unsafe) private let reached: UnsafeMutablePointer<Bool> = {
    let flags = UnsafeMutablePointer<Bool>.allocate(capacity: 100_000)
    flags.initialize(repeating: false, count: 100_000)
    return flags
}()

public func isMutant(_ number: Int) -> Bool {
    if let trace, !reached[number] {
        reached[number] = true
        let line = "\\(number) \\(test)\\n"
        _ = line.utf8.withContiguousStorageIfAvailable { write(trace, $0.baseAddress, $0.count) }
    }
    return number == chosen
}
"""
# Compiler errors name the branch of a mutant by this path, and other places by the path of the file.
LOCATION = '#sourceLocation(file: "/mutant/{number}.swift", line: 1)'


class Schemata:
    """The sources of a copy with mutants. A mutant has a `file` and `change(text)`, which returns start, end and new
    text."""

    def __init__(self, copy, mutants):
        self.copy = copy
        self.numbers = {mutant: number for number, mutant in enumerate(mutants, 1)}
        self.left_out = {}
        self._ranges = {}

    def build(self, rounds=40):
        """Builds, without mutants that do not compile. Returns the remaining mutants with their numbers for MUTANT."""
        self._add_module()
        by_file = collections.defaultdict(list)
        for mutant in self.numbers:
            by_file[mutant.file].append(mutant)
        for _ in range(rounds):
            for file, mutants in by_file.items():
                inside = [mutant for mutant in mutants if mutant not in self.left_out]
                self.copy.put(file, self._compose(file, inside).encode())
            built, log = self.copy.build()
            if built:
                return {mutant: number for mutant, number in self.numbers.items() if mutant not in self.left_out}
            if not self._leave_out(log, by_file):
                raise RuntimeError(f"the build fails for another reason than its mutants:\n{log[-4000:]}")
        raise RuntimeError(f"the mutants do not compile after {rounds} builds")

    def restore(self):
        """Restores the original sources for tests that read them. The build stays."""
        for file in {"Package.swift", *(mutant.file for mutant in self.numbers)}:
            self.copy.put(file, self.copy.original(file).encode())
        self.copy.remove("Sources/Mutant/Mutant.swift")

    def _add_module(self):
        package = re.sub(r"\.treatAllWarnings\(as: \.error\),?", "", self.copy.original("Package.swift"))
        package = re.sub(r"(\.(?:executableT|testT|t)arget\([^)]*?dependencies: \[)", r'\1"Mutant", ', package)
        package = package.replace("targets: [\n", 'targets: [\n        .target(name: "Mutant"),\n', 1)
        self.copy.put("Package.swift", package.encode())
        self.copy.put("Sources/Mutant/Mutant.swift", MODULE.encode())

    def _compose(self, file, mutants):
        """Returns the text of the file with all of the given mutants."""
        text = self.copy.original(file)
        groups = self._group(text, mutants)
        out, last, self._ranges[file] = "", 0, []
        for place in sorted(groups):
            out += text[last : place.start]
            first = out.count("\n") + 1
            out += self._branches(text, place, groups[place])
            self._ranges[file].append((first, out.count("\n") + 1, groups[place]))
            last = place.end
        return out + text[last:] + ("\nimport Mutant\n" if groups else "")

    def _group(self, text, mutants):
        """Groups the mutants by place. If a place is inside another place with mutants, its mutants move to the outer
        place."""
        all_places, chosen = places(text), {}
        for mutant in mutants:
            start, end, _ = mutant.change(text)
            place = enclosing(all_places, start, end)
            if place is None:
                self.left_out[mutant] = "it stands outside of a function"
            else:
                chosen[mutant] = place
        groups = collections.defaultdict(list)
        for mutant, place in chosen.items():
            around = [other for other in chosen.values() if other.start <= place.start and place.end <= other.end]
            groups[max(around, key=lambda other: other.end - other.start)].append(mutant)
        return groups

    def _branches(self, text, place, mutants):
        original = text[place.start : place.end]
        mutated = []
        for mutant in mutants:
            start, end, new = mutant.change(text)
            mutated.append((self.numbers[mutant], text[place.start : start] + new + text[end : place.end]))
        if not place.is_body:
            chosen = "".join(f"isMutant({number}) ? ({value}) : " for number, value in mutated)
            return f"({chosen}({original}))"
        branches = "".join(
            f"if isMutant({number}) {{\n{LOCATION.format(number=number)}\n{body}\n#sourceLocation()\n}} else "
            for number, body in mutated
        )
        return f"\n{branches}{{\n{original}\n}}\n"

    def _leave_out(self, log, by_file):
        """Leaves out the mutants that the log's errors refer to. Returns whether there are any."""
        before = len(self.left_out)
        by_number = {number: mutant for mutant, number in self.numbers.items()}
        for path, line, error in set(re.findall(r"^(/\S+\.swift):(\d+):\d+: error: (.*)", log, re.M)):
            if path.startswith("/mutant/"):
                self.left_out[by_number[int(path.split("/")[-1].split(".")[0])]] = error
                continue
            for file in by_file:
                for first, last, mutants in self._ranges[file] if path.endswith("/" + file) else ():
                    if first <= int(line) <= last + 1:
                        self.left_out.update({mutant: error for mutant in mutants})
        return len(self.left_out) > before


