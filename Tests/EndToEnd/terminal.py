"""A program on its own terminal: typed input and visible output."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
from typing import Any, Dict, List

from harness import PATIENCE


class Terminal:
    """A program whose standard streams are a terminal, except for the given ones.

    `seen` is all output so far. `wait` reads until a text appears in it.
    """

    def __init__(
        self, command: List[str], env: Dict[str, str], echo: bool = True, columns: int = 200, **streams: Any
    ):
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        if not echo:
            settings = termios.tcgetattr(theirs)
            settings[3] &= ~termios.ECHO
            termios.tcsetattr(theirs, termios.TCSANOW, settings)

        def own_it() -> None:
            os.setsid()
            fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

        streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs, **streams}
        self.process = subprocess.Popen(command, **streams, env=env, preexec_fn=own_it)
        os.close(theirs)
        self.seen = ""
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._taken = 0

    def type(self, text: str) -> None:
        os.write(self.ours, text.encode())

    def wait(self, text: str) -> str:
        """Returns the output since the last wait, up to and including the given text."""
        while text not in self.seen[self._taken :]:
            assert self._comes(text) and self._read(), f"no {text!r} in {self.seen[self._taken :]!r}"
        end = self.seen.index(text, self._taken) + len(text)
        found, self._taken = self.seen[self._taken : end], end
        return found

    def wait_shown(self, text: str) -> None:
        """Waits until a visible line has the given text, for shells that redraw the typed line."""
        while text not in _shown(self.seen[self._taken :]):
            assert self._comes(text) and self._read(), f"no {text!r} in {_shown(self.seen[self._taken :])!r}"
        self._taken = len(self.seen)

    def _comes(self, what: str) -> bool:
        ready, _, _ = select.select([self.ours], [], [], PATIENCE)
        assert ready, f"no output within the time limit, waiting for {what!r}; seen: {self.seen[self._taken :]!r}"
        return True

    def _read(self) -> bool:
        try:
            piece = os.read(self.ours, 65536)
        except OSError:
            return False  # Reading fails when no process has the terminal open.
        self.seen += self._decode(piece)
        return bool(piece)

    def end(self) -> int:
        """Waits until the program exits, and returns its exit code."""
        while self._comes("the end") and self._read():
            pass
        return self.process.wait(PATIENCE)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.ours)
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)


def recent(text: str) -> str:
    """Replaces each age of less than two minutes by `just now`, because it depends on the speed of the computer."""
    return re.sub(r"\b(the oldest )?\d+ s old\b", "just now", text)


def _shown(text: str) -> str:
    """Returns the visible text: removes control sequences and applies backspaces."""
    text = re.sub(r"\x1b(\[[0-9;?<>=]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[()].|[=>78])", "", text)
    while "\b" in text[1:]:
        text = re.sub(r"[^\b]\x08", "", text, count=1)
    return text
