"""Inspects a binary of larder for the packaging scripts. If the binary cannot be packaged, the script
exits with an error message."""

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
            self.refuse("is not a binary for this system")

    def refuse(self, reason):
        sys.exit(f"{self.script}: {self.path} {reason}: run `make portable`, or name another one")

    def version(self):
        """Returns the version that `larder --version` prints."""
        try:
            output = subprocess.run([self.path, "--version"], capture_output=True, timeout=60).stdout
        except (OSError, subprocess.TimeoutExpired):
            output = b""
        found = re.match(rb"larder (\d+\.\d+\.\d+\S*)\n", output)
        return found.group(1).decode() if found else self.refuse("does not print a version of larder")

    def needed_libraries(self):
        """Returns the libraries of the system that the binary loads and that a portable binary contains.

        Only a binary that loads a library contains its name.
        """
        if sys.platform == "darwin":
            return []
        return [name for name in ("libsqlite3.so.0", "libyaml-0.so.2") if b"\0" + name.encode() in self.bytes]
