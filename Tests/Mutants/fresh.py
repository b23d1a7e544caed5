"""Generates fresh mutants: small changes of behaviour at places chosen by a seed."""

import dataclasses
import random
import re
import sys

from mutants import ROOT
from swift_bodies import enclosing, mask, places

FOLDERS = ("Sources", "clients/python/src", "clients/node/lib")
# The C code is small and mostly data. Generated code and declared types have no behaviour of their own.
UNUSED = re.compile(r"\.d\.[cm]?ts$")
NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "===": "!==", "!==": "===",
           "is": "is not", "is not": "is", "in": "not in", "not in": "in"}  # fmt: skip
MOVED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
JOINED = {"&&": "||", "||": "&&", "and": "or", "or": "and"}
TRUTH = {"true": "false", "false": "true", "True": "False", "False": "True"}
KEYWORDS = (
    "let|var|func|if|guard|else|case|default|switch|for|while|repeat|return|break|continue|throw|import|init|do|catch|"
    "deinit|subscript|extension|struct|enum|class|actor|protocol|typealias|static|public|private|package|internal|try:|"
    "except|finally|with|def|async|elif|from|raise|pass|const|function|export|new|defer|where|get|set|in|lambda|"
    "precondition|assert|fatalError|nonisolated|indirect|mutating|override|final|fileprivate|del|global|nonlocal"
)
# Larger numbers are mostly times and sizes tuned by a benchmark; half of such a number is as right as the number.
TUNED = 16
ARGUMENT = r"(?:\w+: )?"
# The order of a sort, which may stand on several lines. `<=` differs from `<` only for equal elements, whose order is
# unspecified.
SORTED = re.compile(r"\.(?:sorted|sort)\b(?:\(by:)? \{[^{}]*$")
# No test can see a mutant of these lines, because the program does the same with it:
# - Reserving and reusing memory. A buffer grows if it is too small.
# - Assertions of impossible states. Imports and code for type checkers, which only name things.
# - Descriptor 0, which no test can get, because the process keeps it open.
# - Emptying a signal set. Swift has already initialized it with zeros.
# - The first number of a counter of ids. Ids are only compared with each other.
# - The parts of a hash. Equal values still have equal hashes, and no hash is shown or stored.
UNSEEN = re.compile(
    r"reserveCapacity|minimumCapacity|keepingCapacity|JSONWriter\(capacity:|\bdefaultCapacity = "
    r"|isKnownUniquelyReferenced|precondition|assert|fatalError|#if|@available|TYPE_CHECKING|sigemptyset"
    r"|\bvar (?:last|next)ID = \d|\bhasher\.combine\(|\b(?:descriptor|folder) >= 0|^\s*(?:import|from)\b"
)
# The compiler skips the branches for other platforms, so no test of this platform can reach them.
PLATFORMS = {"canImport(Glibc)": "linux", "os(Linux)": "linux", "canImport(Darwin)": "darwin", "os(macOS)": "darwin"}
STATEMENT = re.compile(
    rf"(?!(?:{KEYWORDS})\b)(?:(?:try|await|_ =) )*[A-Za-z_][\w.?!]*(?:\[[^\]]*\])?\s*(?:\(|[-+*|&]?= )"
)


@dataclasses.dataclass(frozen=True)
class Fresh:
    """A mutant: `new` replaces the text `[start, end)` of a file."""

    file: str
    start: int
    end: int
    new: str
    kind: str

    def change(self, text):
        return self.start, self.end, self.new

    def apply(self, text):
        return text[: self.start] + self.new + text[self.end :]

    def describe(self, text):
        """Returns `file:line original -> mutated`, with the line before and after the change."""
        first = text.rfind("\n", 0, self.start) + 1
        last = text.find("\n", self.end)
        before = text[first : last if last >= 0 else len(text)]
        after = before[: self.start - first] + self.new + before[self.end - first :]
        line = text.count("\n", 0, self.start) + 1
        return f"{self.file}:{line} {before.strip()} -> {after.strip() or 'nothing'}"


def files(names):
    """Returns the tracked source files, each with its number of lines."""
    kinds = (".swift", ".py", ".mjs", ".js")
    chosen = [name for name in names if name.startswith(FOLDERS) and name.endswith(kinds) and not UNUSED.search(name)]
    return {name: (ROOT / name).read_text(encoding="utf-8").count("\n") for name in sorted(chosen)}


def draw(lines_of, seed, count):
    """Returns `count` mutants. Longer files are more likely to be chosen, and no two mutants are on the same line."""
    dice, drawn, taken = random.Random(seed), [], set()
    names = list(lines_of)
    while len(drawn) < count:
        name = dice.choices(names, [lines_of[each] for each in names])[0]
        text = (ROOT / name).read_text(encoding="utf-8")
        by_kind = {}
        for mutant in changes(name, text):
            by_kind.setdefault(mutant.kind, []).append(mutant)
        if not by_kind:
            continue
        mutant = dice.choice(by_kind[dice.choice(sorted(by_kind))])
        place = name, text.count("\n", 0, mutant.start)
        if place not in taken:
            taken.add(place)
            drawn.append(mutant)
    return drawn


def changes(file, text):
    """Yields all mutants of a file that this script can generate."""
    python = file.endswith(".py")
    masked = _mask_python(text) if python else mask(text, '"' if file.endswith(".swift") else "\"'`")
    swift = file.endswith(".swift")
    all_places = places(text) if swift else None
    if swift:
        masked = _mask_platforms(masked)
    offset = 0
    for line, code in zip(text.splitlines(keepends=True), masked.splitlines(keepends=True)):
        for start, end, new, kind in _line_changes(line, code, python) if not UNSEEN.search(line) else ():
            if all_places is not None and not enclosing(all_places, offset + start, offset + end):
                continue
            if kind != "boundary" or not SORTED.search(masked[: offset + start]):
                yield Fresh(file, offset + start, offset + end, new, kind)
        offset += len(line)


def _mask_platforms(masked):
    """Replaces code for other platforms by spaces. If a condition is not about a platform, both of its branches
    stay."""
    out, platforms = [], []
    for line in masked.splitlines(keepends=True):
        directive = line.split()[:1]
        if directive == ["#if"]:
            platforms.append((PLATFORMS.get(line.split(maxsplit=1)[1].strip()), True))
        elif directive == ["#else"] and platforms:
            platforms.append((platforms.pop()[0], False))
        elif directive == ["#endif"] and platforms:
            platforms.pop()
        is_skipped = any(platform and (platform == sys.platform) != is_first for platform, is_first in platforms)
        out.append(re.sub(r"[^\n]", " ", line) if is_skipped else line)
    return "".join(out)


def _mask_python(text):
    docstrings = re.compile(r'"""(?:[^"\\]|\\.|"(?!""))*"""', re.S)
    text = docstrings.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    return mask(text, "\"'", "#")


def _line_changes(line, code, python):
    for match in re.finditer(r" (===|!==|==|!=|<=|>=|<|>) ", code):
        yield (*match.span(1), NEGATED[match[1]], "comparison")
        if match[1] in MOVED:
            yield (*match.span(1), MOVED[match[1]], "boundary")
    for match in re.finditer(r" (is not|not in|is|in) ", code) if python and "for " not in code else ():
        yield (*match.span(1), NEGATED[match[1]], "comparison")
    for match in re.finditer(r" (and|or) " if python else r" (&&|\|\|) ", code):
        yield (*match.span(1), JOINED[match[1]], "connective")
    for match in re.finditer(r"(?<![\w.$#\"'])(\d[\d_]*)(?![\w.xob\"'])", code):
        value = int(match[1].replace("_", ""))
        if value < TUNED:
            yield (*match.span(1), str({0: 1, 1: 0}.get(value, value + 1)), "constant")
    for match in re.finditer(r"(?<![\w.\"'])(true|false|True|False)\b", code):
        yield (*match.span(1), TRUTH[match[1]], "constant")
    yield from _condition_changes(code, python)
    yield from _swaps(line, code)
    yield from _statements(line, code, python)


def _condition_changes(code, python):
    """Yields conditions that always or never hold, so that a guard passes everything or a branch is never taken."""
    yes, no = ("True", "False") if python else ("true", "false")
    match = re.match(r"\s*(?:\} else )?(guard|if|elif|while) \(?", code)
    if not match:
        return
    end = re.search(r":$|\)? (?:else )?\{|\) |,\s*$", code.rstrip())
    if not end or end.start() <= match.end():
        return
    for start, stop in _clauses(code, match.end(), end.start()):
        if re.match(r"(?:let|var|case|await|#|\w+ :=)\b", code[start:stop]) or ":=" in code[start:stop]:
            continue
        if match[1] != "while":
            yield start, stop, yes, "condition"
        if match[1] != "guard":
            yield start, stop, no, "condition"


def _clauses(code, start, end):
    depth, first = 0, start
    for index in range(start, end):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(code[index], 0)
        if code[index] == "," and depth == 0:
            yield first, index
            first = index + 2
    if first < end and depth == 0:
        yield first, end


def _swaps(line, code):
    """Yields calls with two simple arguments swapped."""
    if re.search(r"\b(?:func|init|def|function|case|subscript)\b|\b(?:max|min)\(", code):
        return
    pair = re.compile(rf"(?<=[(,]){ARGUMENT}\s?{ARGUMENT}([a-z_][\w.]*), {ARGUMENT}([a-z_][\w.]*)(?=[,)])")
    for match in pair.finditer(code):
        if match[1] != match[2] and re.search(r"\w\($|\w\([^()]*$", code[: match.start(1)]):
            between = line[match.end(1) : match.start(2)]
            yield match.start(1), match.end(2), match[2] + between + match[1], "arguments"


def _statements(line, code, python):
    """Yields removals of a call or an assignment that is alone on its line."""
    stripped = code.strip()
    simple = STATEMENT.match(stripped)
    balanced = all(stripped.count(opening) == stripped.count(closing) for opening, closing in ("()", "[]", "{}"))
    if simple and balanced and not re.search(r"[,:{(\[+&|?=\\]$", stripped):
        indent = len(code) - len(code.lstrip())
        yield indent, len(line.rstrip()), "pass" if python else "", "statement"
