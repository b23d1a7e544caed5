"""A copy of the sources in which mutants are built and tried."""

import subprocess

from mutants import ROOT


class Copy:
    """A copy of the current files under version control, with its own build folder."""

    def __init__(self, name):
        self.root = ROOT / ".build" / "mutate" / str(name)
        self.binary = self.root / ".build/debug/larder"
        tracked = run_git("ls-files", "-z").split("\0")
        self.files = {name for name in tracked if (ROOT / name).is_file()}
        for path in [path for path in self.root.rglob("*") if path.is_file()]:
            name = path.relative_to(self.root)
            if name.parts[0] != ".build" and str(name) not in self.files:
                path.unlink()
        # The sources may be edited while mutants are tried.
        self._originals = {name: (ROOT / name).read_bytes() for name in self.files}
        for name, content in self._originals.items():
            self.put(name, content)
            (self.root / name).chmod((ROOT / name).stat().st_mode)

    def original(self, name):
        return self._originals[name].decode()

    def put(self, name, content):
        """Writes a file if its contents differ. Unchanged files are not compiled again."""
        path = self.root / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def remove(self, name):
        """Deletes a file, and its folder if that is empty afterwards."""
        (self.root / name).unlink(missing_ok=True)
        if not any((self.root / name).parent.iterdir()):
            (self.root / name).parent.rmdir()

    def build(self):
        command = ["swift", "build", "--build-tests", "--ignore-lock"]
        done = subprocess.run(
            command, cwd=self.root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        return done.returncode == 0, done.stdout


def run_git(*arguments):
    return subprocess.run(["git", "-C", str(ROOT), *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout
