"""What the scripts that pack a binary of larder find out about it. They end, with a word on what to do, where it is
none."""

import pathlib
import re
import subprocess
import sys

ELF, MACH = b"\x7fELF", b"\xcf\xfa\xed\xfe"


class Program:
    def __init__(self, path, script):
        self.path, self.bytes, self.script = path, pathlib.Path(path).read_bytes(), script
        kind = MACH if sys.platform == "darwin" else ELF
        if self.bytes[:4] != kind:
            self.refuse("is no binary of this system")

    def refuse(self, why):
        sys.exit(f"{self.script}: {self.path} {why}: run `make portable`, or name another one")

    def version(self):
        """What it says of itself."""
        try:
            said = subprocess.run([self.path, "--version"], capture_output=True, timeout=60).stdout
        except (OSError, subprocess.TimeoutExpired):
            said = b""
        found = re.match(rb"larder (\d+\.\d+\.\d+\S*)\n", said)
        return found.group(1).decode() if found else self.refuse("does not answer --version as larder does")

    def needs_sqlite(self):
        """Whether it loads SQLite of the system. The name stands in it as a string then, and nowhere else."""
        return sys.platform != "darwin" and b"\0libsqlite3.so" in self.bytes
