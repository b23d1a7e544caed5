"""What would be seen of a larder that has a terminal of its own."""

from __future__ import annotations

import re
import unicodedata
from typing import Any, List, Optional

from harness import binary, environment
from terminal import Terminal

SGR = re.compile(r"\x1b\[[0-9;]*m")


def columns(text: str) -> int:
    """How many columns a text takes, by Python's own tables; for texts without joined pictures."""
    count = 0
    for character in text:
        if unicodedata.category(character) not in ("Mn", "Me", "Cf"):
            count += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return count


def plain(text: str) -> str:
    return SGR.sub("", text)


class Screen:
    """The lines that a terminal shows: what is written over others, or deleted, is gone. It knows no more controls
    than larder may use, and fails at others."""

    def __init__(self, text: str):
        self.lines: List[str] = [""]
        self.column = 0
        text = plain(text)
        at = 0
        while at < len(text):
            if text.startswith("\x1b[K", at):
                self.lines[-1] = self.lines[-1][: self.column]
                at += 3
                continue
            character = text[at]
            at += 1
            if character == "\r":
                self.column = 0
            elif character == "\n":
                self.lines.append("")
                self.column = 0
            else:
                assert unicodedata.category(character) != "Cc", (character, text)
                line = self.lines[-1]
                self.lines[-1] = line[: self.column] + character + line[self.column + 1 :]
                self.column += 1


class OnTerminal(Terminal):
    """One larder whose `stdin`, `stdout` and `stderr` are a terminal, but for those that are given."""

    def __init__(self, home: Any, *args: str, width: int = 80, env: Optional[dict] = None, **others: Any):
        kept = {"TERM": "xterm", "NO_COLOR": "", "COLUMNS": "", **(env or {})}
        super().__init__([binary(), *map(str, args)], environment(home, kept), columns=width, **others)

    def end(self) -> int:
        """The exit code, when all is read."""
        with self:
            return super().end()

    @property
    def text(self) -> str:
        return self.seen.replace("\r\n", "\n")

    @property
    def lines(self) -> List[str]:
        return plain(self.text).splitlines()
