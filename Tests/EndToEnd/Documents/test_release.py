"""scripts/release: runs the checks, sets the version in every file, dates the changelog, commits and tags."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from harness import PATIENCE, ROOT

WRITER = {f"GIT_{role}_{part}": value for role in ("AUTHOR", "COMMITTER")
          for part, value in (("NAME", "Tester"), ("EMAIL", "tester@localhost"))}
# Ignore the user's Git hooks and signing settings.
SETTINGS = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
ENTRY = "- A larger shelf.\n"


def copied():
    """Returns the tracked files that show the current version, and the release script."""
    current = re.search(r'"version": "([\d.]+)"', (ROOT / "clients/node/package.json").read_text()).group(1)
    listed = ["git", "grep", "-lwF", current, "--", "Sources", "clients", "docs", "packaging", "*.md", ":!**/tests/**"]
    done = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True)
    return [*done.stdout.splitlines(), "scripts/release"] if done.returncode == 0 else []


class Checkout:
    def __init__(self, folder):
        self.folder = folder

    def git(self, *arguments):
        done = subprocess.run(["git", *arguments], cwd=self.folder, env={**os.environ, **WRITER, **SETTINGS},
                              capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done
        return done.stdout.strip()

    def release(self, *arguments, checks=False, **variables):
        skipped = [] if checks else ["--no-checks"]
        return subprocess.run([sys.executable, self.folder / "scripts" / "release", *arguments, *skipped],
                              cwd=self.folder,
                              env={**os.environ, **WRITER, **SETTINGS, **variables},
                              capture_output=True, text=True, timeout=PATIENCE)

    def text(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        self.git("commit", "--all", "--quiet", "--message", f"change {name}")

    def add_checks(self, script):
        file = self.folder / ".ci" / "run"
        file.parent.mkdir()
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "add checks")

    @property
    def current(self):
        return re.search(r'"version": "([\d.]+)"', self.text("clients/node/package.json")).group(1)

    @property
    def next(self):
        major, minor, _ = self.current.split(".")
        return f"{major}.{int(minor) + 1}.0"

    def shows(self, version):
        return self.git("grep", "-lwF", version).splitlines()

    def state(self):
        return self.git("log", "--format=%H"), self.git("tag"), self.git("status", "--porcelain")


@pytest.fixture
def checkout(tmp_path):
    names = copied()
    if not names:
        pytest.skip("not a checkout")
    for name in names:
        target = tmp_path / "larder" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    checkout = Checkout(tmp_path / "larder")
    checkout.git("init", "--quiet", "--initial-branch", "main")
    checkout.git("add", "--all")
    checkout.git("commit", "--quiet", "--message", "all")
    # Right after a release, the section is empty.
    section = f"## [Unreleased]\n\n### Added\n\n{ENTRY}"
    checkout.write("CHANGELOG.md", checkout.text("CHANGELOG.md").replace("## [Unreleased]\n", section, 1))
    return checkout


class TestRelease:
    def test_release_sets_the_version_in_every_file_and_tags_the_commit(self, checkout):
        before, version = checkout.current, checkout.next
        done = checkout.release(version, "--no-packages")
        assert done.returncode == 0 and f"v{version}" in done.stdout, done
        assert checkout.git("status", "--porcelain") == ""
        assert checkout.git("log", "-1", "--format=%s") == f"release: version {version}"
        assert checkout.git("for-each-ref", "--format=%(objecttype) %(*objectname)", f"refs/tags/v{version}") == (
            "tag " + checkout.git("rev-parse", "HEAD"))
        # Only the changelog may still show the old version.
        assert checkout.shows(before) == ["CHANGELOG.md"]
        assert f'current = "{version}"' in checkout.git("grep", "-h", "static let current =", "--", "Sources")

    def test_release_adds_a_dated_and_an_empty_changelog_section(self, checkout):
        version = checkout.next
        assert checkout.release(version, "--no-packages").returncode == 0
        heading = rf"## \[Unreleased\]\n\n## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d\n\n"
        assert re.search(heading + re.escape(f"### Added\n\n{ENTRY}"), checkout.text("CHANGELOG.md"))
        # The next release needs a changelog entry of its own.
        refused = checkout.release(checkout.next, "--no-packages")
        assert refused.returncode == 1 and "no entry" in refused.stderr, refused

    def test_release_changes_nothing_if_packaging_fails(self, checkout, tmp_path):
        before = checkout.state()
        (tmp_path / "bin").mkdir()
        make = tmp_path / "bin" / "make"
        make.write_text('#!/bin/sh\necho "$@" >"$0.called"; exit 2\n')
        make.chmod(0o755)
        done = checkout.release(checkout.next, PATH=f"{make.parent}{os.pathsep}{os.environ['PATH']}")
        assert done.returncode == 1 and "package" in done.stderr, done
        assert "wheel tarball vsix" in pathlib.Path(f"{make}.called").read_text()
        assert checkout.state() == before and checkout.current != checkout.next

    def test_release_changes_nothing_if_tagging_fails(self, checkout):
        # Git refuses a tag whose name is a prefix of another tag's path.
        checkout.git("tag", f"v{checkout.next}/old")
        before = checkout.state()
        done = checkout.release(checkout.next, "--no-packages")
        assert done.returncode == 1 and "git tag" in done.stderr, done
        assert checkout.state() == before and checkout.current != checkout.next

    def test_release_of_the_current_version_is_allowed_until_it_is_tagged(self, checkout):
        current = checkout.current
        changelog = checkout.text("CHANGELOG.md").replace(f"## [{current}]", "## [0.0.0]")
        checkout.write("CHANGELOG.md", changelog)
        assert checkout.release(current, "--no-packages").returncode == 0
        assert checkout.git("tag") == f"v{current}"
        refused = checkout.release(current, "--no-packages")
        assert refused.returncode == 1 and f"the tag v{current} exists" in refused.stderr, refused


class TestChecks:
    def test_release_checks_do_not_inherit_make_variables(self, checkout, tmp_path):
        checkout.add_checks(f'echo "$ARGS$MAKEFLAGS$VERSION" >"{tmp_path}/called"')
        variables = {"ARGS": "--no-packages", "MAKEFLAGS": "-- VERSION=1.2.3", "VERSION": "1.2.3"}
        version = checkout.next
        done = checkout.release(version, "--no-packages", checks=True, **variables)
        assert done.returncode == 0 and checkout.git("tag") == f"v{version}", done
        assert (tmp_path / "called").read_text() == "\n"

    def test_release_changes_nothing_if_a_check_fails(self, checkout):
        checkout.add_checks("exit 1")
        before = checkout.state()
        done = checkout.release(checkout.next, "--no-packages", checks=True)
        assert done.returncode == 1 and ".ci/run" in done.stderr, done
        assert checkout.state() == before

    def test_release_is_refused_if_files_change_during_the_checks(self, checkout):
        checkout.add_checks("touch untracked")
        done = checkout.release(checkout.next, "--no-packages", checks=True)
        assert done.returncode == 1 and "untracked" in done.stderr and checkout.git("tag") == "", done


class TestRefusals:
    @pytest.fixture(autouse=True)
    def nothing_is_released(self, checkout):
        """Checks that a refused release leaves no tag and no commit."""
        yield
        assert checkout.git("tag") == "" and not checkout.git("log", "-1", "--format=%s").startswith("release")

    @pytest.mark.parametrize("version", ["1.2", "v1.2.3", "1.2.3-beta", "01.2.3", "1.2.3\n", "", "next"])
    def test_release_of_an_invalid_version_is_refused(self, checkout, version):
        done = checkout.release(version, "--no-packages")
        assert done.returncode == 1 and "is not a version" in done.stderr, done

    def test_release_of_an_older_version_is_refused(self, checkout):
        done = checkout.release("0.0.1", "--no-packages")
        assert done.returncode == 1 and checkout.current in done.stderr, done

    def test_release_outside_the_main_branch_is_refused(self, checkout):
        checkout.git("checkout", "--quiet", "-b", "topic")
        done = checkout.release(checkout.next, "--no-packages")
        assert done.returncode == 1 and "'topic'" in done.stderr, done

    @pytest.mark.parametrize("name", ["README.md", "untracked"])
    def test_release_with_uncommitted_changes_is_refused(self, checkout, name):
        with open(checkout.folder / name, "a") as file:
            file.write("one line more\n")
        done = checkout.release(checkout.next, "--no-packages")
        assert done.returncode == 1 and name in done.stderr, done
        assert (checkout.folder / name).read_text().endswith("one line more\n")

    def test_release_with_an_empty_changelog_section_is_refused(self, checkout):
        section = re.compile(r"(## \[Unreleased\]\n).*?(?=\n## |\Z)", re.S)
        checkout.write("CHANGELOG.md", section.sub(r"\1\n### Added\n", checkout.text("CHANGELOG.md")))
        done = checkout.release(checkout.next, "--no-packages")
        assert done.returncode == 1 and "no entry" in done.stderr, done

    def test_release_is_refused_if_a_file_has_another_version(self, checkout):
        package = checkout.text("clients/vscode/package.json")
        checkout.write("clients/vscode/package.json", package.replace(checkout.current, "0.0.7", 1))
        done = checkout.release(checkout.next, "--no-packages")
        assert done.returncode == 1 and "clients/vscode/package.json" in done.stderr, done

    def test_release_script_refuses_wrong_arguments(self, checkout):
        for arguments in ([], ["1.2.3", "1.2.4"], ["--packages"]):
            done = checkout.release(*arguments)
            assert done.returncode == 64 and done.stderr.startswith("usage: "), done


def test_release_is_refused_if_its_tag_or_changelog_section_exists(checkout):
    version = checkout.next
    checkout.git("tag", f"v{version}")
    done = checkout.release(version, "--no-packages")
    assert done.returncode == 1 and f"v{version}" in done.stderr, done
    checkout.git("tag", "--delete", f"v{version}")
    checkout.write("CHANGELOG.md", checkout.text("CHANGELOG.md") + f"\n## [{version}] - 2020-01-01\n")
    done = checkout.release(version, "--no-packages")
    assert done.returncode == 1 and f"[{version}]" in done.stderr, done


def test_every_file_shows_the_current_version():
    """The script scripts/release knows every place with the version, and each place has the current version."""
    script = (ROOT / "scripts" / "release").read_text()
    table = {"__name__": "release", "__file__": str(ROOT / "scripts" / "release")}
    exec(compile(script, "scripts/release", "exec"), table)
    _, current = table["current_version"]()
    for name, around in table["COPIES"].items():
        assert around.format(current) in (ROOT / name).read_text(encoding="utf-8"), name
