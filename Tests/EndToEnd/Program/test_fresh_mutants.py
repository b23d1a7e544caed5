"""Tests/Mutants/sample: the generated mutants change the intended code, and one build holds the original and the
mutants."""

import functools
import pathlib
import re
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Mutants"))

import fresh  # noqa: E402
from mutants import ROOT, read  # noqa: E402
from schemata import Schemata  # noqa: E402
from swift_bodies import enclosing, mask, places  # noqa: E402

SWIFT = """
struct Gate {
    static let limit = 10
    var isOpen: Bool { count < Self.limit }
    func enter(_ name: String, from place: String) throws {
        // count == 3
        guard isOpen, let key = keys[name] else { return }
        print("a { brace", key)
        note(name, place)
    }
}
"""


def changed(text, file="Sources/Gate.swift"):
    """Returns the lines that the mutants of a source text change, by kind of mutant."""
    found = {}
    for mutant in fresh.changes(file, text):
        line = mutant.describe(text).split(" -> ")[1]
        found.setdefault(mutant.kind, []).append(line)
    return found


def test_mutation_ignores_comments_and_strings():
    text = 'a /* { */ "}" // {\n"""\n{\n""" "\\(f("}"))" #"\\"}"# b'
    masked = mask(text)
    assert len(masked) == len(text) and masked.count("\n") == text.count("\n")
    assert masked.split() == ["a", "b"]


def test_mutant_is_placed_in_the_smallest_enclosing_body_or_constant():
    found = places(SWIFT)
    inside = [SWIFT[place.start : place.end].strip() for place in found]
    assert inside[0] == "count < Self.limit" and inside[1].startswith("// count") and inside[2] == "10"
    guard = SWIFT.index("return")
    assert enclosing(found, guard, guard + 6) == found[1]
    assert enclosing(found, SWIFT.index("struct"), guard) is None


@pytest.mark.parametrize(
    "header",
    ["init(\n    a: Int = 1\n) throws {", "func f<T>()\n    -> T\nwhere T: P {", "var x: Int {", "didSet {"],
)
def test_mutant_generator_finds_function_and_accessor_bodies(header):
    assert [place.is_body for place in places(f"{header} 5 }}")] == [True]


@pytest.mark.parametrize("header", ["struct A {", "if var x = y {", "let x = {", "items.map {", "enum B: Int {"])
def test_braces_of_types_and_closures_are_not_function_bodies(header):
    assert not any(place.is_body for place in places(f"{header} 5 }}"))


def test_each_mutation_kind_changes_swift_code_as_expected():
    found = changed(SWIFT)
    assert found["comparison"] == ["var isOpen: Bool { count >= Self.limit }"]
    assert found["boundary"] == ["var isOpen: Bool { count <= Self.limit }"]
    assert found["constant"] == ["static let limit = 11"]
    assert found["condition"] == ["guard true, let key = keys[name] else { return }"]
    assert found["arguments"] == ["note(place, name)"]
    assert found["statement"] == ["nothing", "nothing"]


def test_each_mutation_kind_changes_python_code_as_expected():
    text = '"""A < b."""\nif a < b and c is None:\n    stop(a, b)\nx = True\n'
    found = changed(text, "clients/python/src/x.py")
    assert found["comparison"] == ["if a >= b and c is None:", "if a < b and c is not None:"]
    assert found["connective"] == ["if a < b or c is None:"]
    assert found["condition"] == ["if True:", "if False:"]
    assert found["arguments"] == ["stop(b, a)"] and found["statement"] == ["pass", "pass"]
    assert found["constant"] == ["x = False"]


def test_mutant_sample_depends_only_on_its_seed():
    lines_of = {"clients/python/src/larder/session.py": 180, "Sources/JSON/JSONParser.swift": 200}
    one, again, other = (fresh.draw(lines_of, seed, 10) for seed in (1, 1, 2))
    assert one == again and one != other
    assert len({(mutant.file, mutant.start) for mutant in one}) == 10


class Copy:
    """Sources in memory, with a compiler that refuses each line containing a word of `refused`."""

    def __init__(self, texts, refused=()):
        self.texts, self.refused, self.files, self.builds = texts, refused, {}, 0

    def original(self, name):
        return self.texts[name]

    def put(self, name, content):
        self.files[name] = content.decode()

    def remove(self, name):
        del self.files[name]

    def build(self):
        self.builds += 1
        errors, path, line = [], "", 0
        for text in self.files["Gate.swift"].split("\n"):
            line += 1
            if location := re.match(r'#sourceLocation\((?:file: "(.*)", line: 1)?\)', text):
                path, line = location[1] or "", 0 if location[1] else line
            errors += [f"{path or '/x/Gate.swift'}:{line}:1: error: no" for word in self.refused if word in text]
        return not errors, "\n".join(errors)


def compose(copy):
    schemata = Schemata(copy, list(fresh.changes("Gate.swift", SWIFT)))
    return schemata, schemata.build()


def test_one_build_contains_all_mutants_of_the_sample():
    copy = Copy({"Gate.swift": SWIFT, "Package.swift": 'targets: [\n.target(name: "A", dependencies: ["B"])\n]'})
    schemata, numbers = compose(copy)
    text = copy.files["Gate.swift"]
    assert schemata.left_out == {} and sorted(numbers.values()) == list(range(1, len(numbers) + 1))
    assert all(f"isMutant({number}) " in text for number in numbers.values()) and "import Mutant" in text
    assert re.search(r"static let limit = \(isMutant\(\d+\) \? \(11\) : \(10\)\)", text)
    assert '"Mutant", "B"' in copy.files["Package.swift"] and "getenv" in copy.files["Sources/Mutant/Mutant.swift"]
    schemata.restore()
    assert copy.files == copy.texts


def test_mutant_that_does_not_compile_is_left_out_of_the_build():
    copy = Copy({"Gate.swift": SWIFT, "Package.swift": "targets: [\n]"}, refused=["guard true", "(11)"])
    schemata, numbers = compose(copy)
    assert sorted(mutant.new for mutant in schemata.left_out) == ["11", "true"]
    assert copy.builds == 2 and len(numbers) == len(list(fresh.changes("Gate.swift", SWIFT))) - 2


def test_build_that_fails_without_mutants_is_an_error():
    with pytest.raises(RuntimeError, match="another reason"):
        compose(Copy({"Gate.swift": SWIFT, "Package.swift": "targets: [\n]"}, refused=["struct"]))


def test_every_kept_swift_mutant_is_inside_a_function_body_or_constant():
    places_of = functools.cache(places)
    for mutant in read():
        text = (ROOT / mutant.file).read_text(encoding="utf-8")
        if mutant.file.endswith(".swift"):
            start, end, _ = mutant.change(text)
            assert enclosing(places_of(text), start, end), f"{mutant.name} is outside of a function"
