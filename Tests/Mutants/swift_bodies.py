"""Finds the places in Swift source text that can hold an original and its mutants side by side."""

import dataclasses
import re

MODIFIERS = (
    "public|package|private|fileprivate|internal|open|static|class|final|override|mutating|nonmutating|nonisolated|"
    "consuming|borrowing|convenience|required|dynamic|indirect|lazy|weak|unowned|isolated"
)
PREFIX = rf"\s*(?:(?:@\w+(?:\([^)]*\))?|(?:{MODIFIERS})(?:\(\w+\))?)\s+)*"
FUNCTION = re.compile(PREFIX + r"(?:func|init|deinit|subscript|get|set|_modify|_read|willSet|didSet)\b")
PROPERTY = re.compile(PREFIX + r"var\s+\w+\s*:[^=]*$")
CONSTANT = re.compile(rf"^{PREFIX}(?:let|var)\s+\w+(?:\s*:[^=\n]+?)?\s=\s", re.M)
CONTINUED = re.compile(r"\s*(?:[.?:]|&&|\|\||[-+*/]\s)")
INTRODUCED = re.compile(r"\s*(?:where|throws|async|->)\b|\s*->")


@dataclasses.dataclass(frozen=True, order=True)
class Place:
    """A range `[start, end)` of a source text: the inside of a function's braces, or the value of a constant."""

    start: int
    end: int
    is_body: bool


def mask(text, quotes='"', comment="//", newline="\n"):
    """Returns the text with each character of comments and strings replaced by a space.

    Offsets and lines stay the same. `newline` replaces each line end within them.
    """
    out, index = list(text), 0
    while index < len(text):
        end = _skip(text, index, quotes, comment)
        for at in range(index, end):
            out[at] = newline if text[at] == "\n" else " "
        index = end if end > index else index + 1
    return "".join(out)


def _skip(text, index, quotes, comment):
    """Returns the end of the comment or string that starts at `index`; `index` itself if none starts there."""
    if text.startswith(comment, index):
        end = text.find("\n", index)
        return len(text) if end < 0 else end
    if text.startswith("/*", index) and comment == "//":
        end = text.find("*/", index)
        return len(text) if end < 0 else end + 2
    opening = re.compile(rf'(#*)("""|[{quotes}])').match(text, index)
    return _string_end(text, opening.end(), opening[2], opening[1]) if opening else index


def _string_end(text, index, quote, hashes):
    while index < len(text) and not text.startswith(quote + hashes, index):
        if text.startswith("\\" + hashes, index):
            index += 1 + len(hashes)
            if quote[0] == '"' and text.startswith("(", index):
                index = _interpolation_end(text, index + 1)
                continue
        index += 1
    return index + len(quote + hashes)


def _interpolation_end(text, index):
    depth = 1
    while depth and index < len(text):
        end = _skip(text, index, '"', "//")
        depth += {"(": 1, ")": -1}.get(text[index], 0) if end == index else 0
        index = end if end > index else index + 1
    return index


def places(text):
    """Returns all bodies of functions and accessors, and all one-line constants outside them."""
    masked = mask(text)
    found, open_braces = [], []
    for match in re.finditer(r"[{}]", masked):
        if match[0] == "{":
            open_braces.append((match.end(), _is_body(masked, match.start())))
        elif open_braces:
            start, is_body = open_braces.pop()
            if is_body:
                found.append(Place(start, match.start(), True))
    return found + [place for place in _constants(text, masked) if not enclosing(found, place.start, place.end)]


def _is_body(masked, brace):
    header = _header(masked, brace)
    return bool(FUNCTION.match(header) or PROPERTY.match(header))


def _header(masked, brace):
    """Returns the declaration before a brace. It may span several lines, within parentheses or before `where`."""
    depth, index = 0, brace - 1
    while index >= 0:
        character = masked[index]
        depth += {")": 1, "(": -1, "]": 1, "[": -1}.get(character, 0)
        ends_here = character in "{};" or (character == "\n" and not INTRODUCED.match(masked, index + 1))
        if depth < 0 or (depth == 0 and ends_here):
            break
        index -= 1
    return masked[index + 1 : brace]


def _constants(text, masked):
    whole = mask(text, newline=" ")
    for match in CONSTANT.finditer(masked):
        end = _value_end(whole, match.end())
        if end > match.end():
            yield Place(match.end(), end, False)


def _value_end(masked, index):
    """Returns the end of the value that starts at `index`: the first line end outside all brackets."""
    depth = 0
    while index < len(masked) and depth >= 0:
        character = masked[index]
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(character, 0)
        if character == "\n" and depth == 0 and not CONTINUED.match(masked, index + 1):
            return index
        index += 1
    return -1


def enclosing(all_places, start, end):
    """Returns the smallest place around `[start, end)`, or None."""
    around = [place for place in all_places if place.start <= start and end <= place.end]
    return min(around, key=lambda place: place.end - place.start, default=None)
