"""The visible screen of a larder process on its own terminal."""

from __future__ import annotations

import re
import unicodedata
from typing import Any, List, Optional

from harness import binary, environment
from terminal import Terminal

SGR = re.compile(r"\x1b\[[0-9;]*m")


def columns(text: str) -> int:
    """Returns the width of a string in terminal columns, by Python's own tables. Joined emoji are not supported."""
    count = 0
    for character in text:
        if unicodedata.category(character) not in ("Mn", "Me", "Cf"):
            count += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return count


def plain(text: str) -> str:
    return SGR.sub("", text)


class Screen:
    """The lines that a terminal shows, without text that was overwritten or deleted.

    Fails for control sequences that larder must not use.
    """

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
    """A larder process on a terminal. Streams passed as arguments replace its `stdin`, `stdout` or `stderr`."""

    def __init__(self, home: Any, *args: str, width: int = 80, env: Optional[dict] = None, **others: Any):
        kept = {"TERM": "xterm", "NO_COLOR": "", "COLUMNS": "", **(env or {})}
        super().__init__([binary(), *map(str, args)], environment(home, kept), columns=width, **others)

    def end(self) -> int:
        """Reads all output and returns the exit code."""
        with self:
            return super().end()

    @property
    def text(self) -> str:
        return self.seen.replace("\r\n", "\n")

    @property
    def lines(self) -> List[str]:
        """The visible lines. On a slow machine, a waiting line may have been drawn and erased."""
        if "\x1b[K" not in self.text:
            return plain(self.text).splitlines()
        lines = Screen(self.text).lines
        return lines[:-1] if lines[-1] == "" else lines
