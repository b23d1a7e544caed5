"""The installation and the packages: each is built and unpacked, and its contents work."""

import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile

import pytest

from harness import CASSETTES, PATIENCE, ROOT, Larder, binary, environment

CATALOGS = sorted(path.name for path in (ROOT / "Fixtures" / "catalogs").glob("*.jsonc"))
MAN = "share/man/man1/larder.1"
SHARED = {
    "share/bash-completion/completions/larder",
    "share/zsh/site-functions/_larder",
    "share/fish/vendor_completions.d/larder.fish",
    *(f"share/larder/catalogs/{name}" for name in CATALOGS),
}
# The builder's time zone, locale and catalog must not affect the packages.
CALLER = {"TZ": "Asia/Kolkata", "LC_ALL": "C", "LARDER_CATALOG": "/nowhere"}


def make(script, *arguments, umask=0o022, **variables):
    """Runs a script and returns its output. It must succeed without warnings."""
    done = subprocess.run(
        [ROOT / "scripts" / script, *map(str, arguments)],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=4 * PATIENCE,
        preexec_fn=lambda: os.umask(umask),
    )
    assert done.returncode == 0 and "warning" not in done.stderr, done
    return done.stdout.strip()


def files(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


def documents():
    """Returns the names of the documents to install: the tracked files, without tests."""
    folders = ("docs", "examples", "clients")
    held = subprocess.run(["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=True)
    left_out = {"test", "tests", ".gitignore"}
    names = [name for name in held.stdout.splitlines() if not left_out & set(name.split("/"))]
    assert {name.split("/")[0] for name in names} == set(folders)
    return {"README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md", *names}


def answers(program, home, upstream):
    """Checks that a packaged program answers requests, from recordings and over HTTP."""
    with Larder(home, "--replay", str(CASSETTES), program=program) as larder:
        assert larder.call("location/get", id=15)["item"]["name"] == "Bird World"
    with Larder(home, program=program, upstream=upstream) as larder:
        assert larder.call("location/get", id=1, cachePolicy="none")["item"]["id"] == 1


def stage(folder):
    """Installs into the folder and returns the prefix."""
    make("stage", folder / "usr" / "local", binary(), umask=0o077, **CALLER)
    return folder / "usr" / "local"


@pytest.mark.xdist_group("stage")
class TestStage:
    @pytest.fixture(scope="class")
    def staged(self, tmp_path_factory):
        """A prefix that the tests must not change."""
        return stage(tmp_path_factory.mktemp("stage"))

    @pytest.fixture
    def prefix(self, tmp_path):
        return stage(tmp_path)

    def test_installed_files_have_the_right_permissions(self, staged):
        assert files(staged) == {"bin/larder", MAN, *SHARED}
        for path in [staged, staged.parent, *staged.rglob("*")]:
            runs = path.is_dir() or path.parent.name == "bin"
            assert path.stat().st_mode & 0o7777 == (0o755 if runs else 0o644), path

    def test_installed_program_manual_and_completions_are_valid(self, staged):
        assert (staged / "bin" / "larder").read_bytes() == pathlib.Path(binary()).read_bytes()
        page = (staged / MAN).read_text(encoding="utf-8")
        assert re.search(r'^\.TH "?larder"? "?1"?( |$)', page, re.M | re.I) and "catalog" in page
        completions = staged / "share/bash-completion/completions/larder"
        subprocess.run(["bash", "-n", completions], check=True, timeout=PATIENCE)
        assert (staged / "share/zsh/site-functions/_larder").read_text().startswith("#compdef larder")
        assert "complete " in (staged / "share/fish/vendor_completions.d/larder.fish").read_text()

    @pytest.mark.parametrize("name", CATALOGS)
    def test_installed_catalog_equals_the_shipped_one(self, staged, home, name):
        program = staged / "bin" / "larder"
        show = [program, "catalog", "show"]
        shown = [
            subprocess.run(
                [*show, *more], env=environment(home), capture_output=True, timeout=PATIENCE, check=True
            ).stdout
            for more in ([staged / "share/larder/catalogs" / name], ["--catalog", name.partition(".")[0]])
        ]
        assert shown[0] == shown[1] and json.loads(shown[0])["resources"]

    def test_installing_over_a_running_program_does_not_disturb_it(self, prefix, home):
        with Larder(home, "--replay", str(CASSETTES), program=prefix / "bin" / "larder") as larder:
            larder.alive()
            make("stage", prefix, binary())
            assert larder.call("location/get", id=15)["source"] == "remote"

    def test_installation_without_a_program_is_refused(self, tmp_path):
        (tmp_path / "text").write_text("")
        for missing in (tmp_path / "nothing", tmp_path / "text", tmp_path):
            done = subprocess.run([ROOT / "scripts" / "stage", tmp_path / "usr", missing], capture_output=True)
            assert done.returncode == 66 and b"run make build" in done.stderr, done
        assert not (tmp_path / "usr").exists()

    def test_installation_of_a_failing_program_replaces_no_file(self, prefix, tmp_path):
        broken = tmp_path / "broken"
        broken.write_text("#!/bin/sh\nexit 1\n")
        broken.chmod(0o755)
        done = subprocess.run([ROOT / "scripts" / "stage", prefix, broken], capture_output=True)
        assert done.returncode == 70 and b"help man failed" in done.stderr, done
        assert (prefix / "bin" / "larder").read_bytes() == pathlib.Path(binary()).read_bytes()


@pytest.mark.skipif(not shutil.which("dpkg"), reason="needs dpkg")
@pytest.mark.xdist_group("debian")
class TestDebian:
    @pytest.fixture(scope="class")
    def package(self, tmp_path_factory):
        return pathlib.Path(make("deb", binary(), tmp_path_factory.mktemp("deb")))

    @pytest.fixture(scope="class")
    def unpacked(self, package):
        subprocess.run(["dpkg-deb", "-x", package, package.parent / "root"], check=True, timeout=PATIENCE)
        return package.parent / "root"

    def field(self, package, name):
        told = subprocess.run(["dpkg-deb", "--field", package, name], capture_output=True, text=True, check=True)
        return told.stdout.strip()

    def test_debian_package_has_version_and_architecture(self, package):
        version, architecture = self.field(package, "Version"), self.field(package, "Architecture")
        assert package.name == f"larder_{version}_{architecture}.deb"
        said = subprocess.run([binary(), "--version"], capture_output=True, text=True).stdout
        assert said.splitlines()[0] == f"larder {version}"
        assert "<" in self.field(package, "Maintainer") and int(self.field(package, "Installed-Size")) > 5000
        control = subprocess.run(["dpkg-deb", "--field", package], capture_output=True, text=True).stdout
        assert not re.search(r"@[A-Z]+@", control)

    def test_debian_package_declares_its_dependencies(self, package):
        depends = self.field(package, "Depends")
        linked = subprocess.run(["ldd", binary()], capture_output=True, text=True, check=True).stdout
        # libcurl is loaded at run time, so no tool detects the dependency.
        assert "libcurl4" in depends and "libc6 (>= 2." in depends and "libcurl" not in linked
        packed = b"GLIBC_ABI_DT_RELR" in pathlib.Path(binary()).read_bytes()
        assert depends.count("libc6 ") == 1
        [libc] = re.findall(r"libc6 \(>= 2\.(\d+)", depends)
        assert not packed or int(libc) >= 36, "older loaders do not support these relocations"
        assert ("libsqlite3-0" in depends) == ("libsqlite3.so" in linked)
        assert ("libyaml-0-2" in depends) == ("libyaml" in linked)

    def test_debian_package_has_the_expected_files(self, package, unpacked):
        held = files(unpacked / "usr")
        # Debian's zsh does not search site-functions.
        shared = {name.replace("site-functions", "vendor-completions") for name in SHARED}
        assert {"bin/larder", f"{MAN}.gz", *shared} <= held
        rest = held - {"bin/larder", f"{MAN}.gz", "share/lintian/overrides/larder", *shared}
        assert all(name.startswith("share/doc/larder/") for name in rest)
        names = {name.removeprefix("share/doc/larder/") for name in rest}
        assert names == {"copyright", "changelog.gz", *documents()}
        listed = subprocess.run(["dpkg-deb", "-c", package], capture_output=True, text=True, check=True).stdout
        assert all(re.match(r"[-d]rw[-x]r-[-x]r-[-x] root/root ", line) for line in listed.splitlines()), listed

    def test_checksums_of_the_debian_package_are_right(self, package, unpacked):
        told = subprocess.run(["dpkg-deb", "-I", package, "md5sums"], capture_output=True, text=True, check=True)
        sums = dict(reversed(line.split("  ", 1)) for line in told.stdout.splitlines())
        assert set(sums) == {f"usr/{name}" for name in files(unpacked / "usr")}
        assert all(hashlib.md5((unpacked / name).read_bytes()).hexdigest() == told for name, told in sums.items())

    def test_program_and_manual_of_the_debian_package_work(self, unpacked, home, upstream):
        answers(unpacked / "usr" / "bin" / "larder", home, upstream)
        assert ".TH" in gzip.decompress((unpacked / "usr" / f"{MAN}.gz").read_bytes()).decode()

    def test_debian_package_is_reproducible(self, package, tmp_path):
        again = make("deb", binary(), tmp_path / "new" / "folder", umask=0o077, **CALLER)
        assert pathlib.Path(again).read_bytes() == package.read_bytes()

    def test_debian_package_contains_no_build_time(self, package, unpacked):
        for name in (f"{MAN}.gz", "share/doc/larder/changelog.gz"):
            # The flags (no file name) and the time in the gzip header.
            assert (unpacked / "usr" / name).read_bytes()[3:8] == bytes(5)
        assert {int(path.stat().st_mtime) for path in unpacked.rglob("*")} == {1767225600}

    @pytest.mark.skipif(not shutil.which("lintian"), reason="needs lintian")
    def test_lintian_finds_no_fault_in_the_debian_package(self, package):
        arguments = ["--allow-root", "--fail-on", "error,warning", package]
        found = subprocess.run(["lintian", *arguments], capture_output=True, text=True, timeout=PATIENCE)
        assert found.returncode == 0 and not re.search("^[EW]:", found.stdout, re.M), found.stdout

    def test_debian_maintainer_is_set_by_environment_variables(self, tmp_path):
        made = make("deb", binary(), tmp_path, DEBFULLNAME="A & B", DEBEMAIL="ab@host/x")
        assert self.field(made, "Maintainer") == "A & B <ab@host/x>"


@pytest.mark.xdist_group("tarball")
class TestTarball:
    @pytest.fixture(scope="class")
    def archive(self, tmp_path_factory):
        return pathlib.Path(make("tarball", binary(), tmp_path_factory.mktemp("tarball")))

    @pytest.fixture
    def unpacked(self, archive, tmp_path):
        subprocess.run(["tar", "-xf", archive, "-C", tmp_path], check=True, timeout=PATIENCE)
        return tmp_path / archive.name.removesuffix(".tar.gz")

    def test_tarball_has_the_expected_files(self, archive, unpacked):
        assert re.fullmatch(r"larder-\d+\.\d+\.\d+-(linux|darwin)-\w+", unpacked.name)
        assert files(unpacked) == {"bin/larder", MAN, *SHARED, *documents()}
        with tarfile.open(archive) as opened:
            members = opened.getmembers()
        names = [member.name.split("/") for member in members]
        assert names == sorted(names)
        assert {(member.uid, member.gid, member.uname, member.mtime) for member in members} == {
            (0, 0, "root", 1767225600)
        }

    def test_program_of_the_tarball_works(self, unpacked, home, upstream):
        answers(unpacked / "bin" / "larder", home, upstream)

    def test_links_of_the_tarball_documents_resolve(self, unpacked):
        links = 0
        for page in unpacked.rglob("*.md"):
            for target in re.findall(r"\]\(([^)#\s:]+)(?=[)#])", page.read_text(encoding="utf-8")):
                assert (page.parent / target).exists(), f"{page}: {target}"
                links += 1
        assert links > 100

    def test_python_client_of_the_tarball_works(self, unpacked, home):
        lines = [
            "import larder",
            f"with larder.Larder(['--replay', {str(CASSETTES)!r}]) as one: print(one.location.get(15).item['name'])",
        ]
        env = environment(home, {"PYTHONPATH": str(unpacked / "clients/python/src")})
        env["PATH"] = f"{unpacked / 'bin'}:{env['PATH']}"
        env.pop("LARDER_BIN", None)
        command = [shutil.which("python3"), "-c", "\n".join(lines)]
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=PATIENCE)
        assert (done.stdout, done.stderr) == ("Bird World\n", ""), done

    def test_tarball_is_reproducible(self, archive, tmp_path):
        again = make("tarball", binary(), tmp_path / "new" / "folder", umask=0o077, **CALLER)
        assert pathlib.Path(again).read_bytes() == archive.read_bytes()

    def test_tarball_without_a_binary_is_refused(self, tmp_path):
        done = subprocess.run([ROOT / "scripts" / "tarball", tmp_path / "none", tmp_path], capture_output=True)
        assert done.returncode == 66 and files(tmp_path) == set(), done

    def test_tarball_script_notes_a_binary_that_needs_libsqlite3(self, tmp_path):
        done = subprocess.run([ROOT / "scripts" / "tarball", binary(), tmp_path], capture_output=True, text=True)
        linked = subprocess.run(["ldd", binary()], capture_output=True, text=True, check=True).stdout
        for library in ("libsqlite3", "libyaml"):
            assert (library in linked) == (library in done.stderr), done


@pytest.mark.parametrize("hasGit", [True, False])
def test_generated_files_are_not_packed(tmp_path, hasGit):
    checkout = tmp_path / "checkout"
    for name in ("docs", "examples", "clients/python/src", "clients/python/build", "scripts", "clients/python/tests"):
        (checkout / name).mkdir(parents=True)
    shutil.copy(ROOT / "scripts" / "documents", checkout / "scripts")
    kept = ["README.md", "SECURITY.md", "CHANGELOG.md", "LICENSE", "docs/a.md", "clients/python/src/b.py"]
    for name in kept:
        (checkout / name).write_text("text\n")
    (checkout / "clients/python/tests/test.py").write_text("text\n")
    if hasGit:
        for words in (["init", "-q"], ["add", "-A"]):
            subprocess.run(["git", *words], cwd=checkout, check=True)
    (checkout / "clients/python/build/c.py").write_text("text\n")
    (tmp_path / "made").mkdir()
    subprocess.run([checkout / "scripts" / "documents", tmp_path / "made"], check=True)
    assert files(tmp_path / "made") == set(kept)


@pytest.mark.parametrize("script", ["deb", "tarball"])
def test_package_scripts_refuse_programs_other_than_larder(script, tmp_path):
    texts = {"script": "#!/bin/sh\necho larder 1.0.0\n", "text": "no program\n", "empty": "#!/bin/sh\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    (tmp_path / "other").symlink_to(shutil.which("true"))
    for name in [*texts, "other", "none/none"]:
        command = [ROOT / "scripts" / script, tmp_path / name, tmp_path / "out"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode != 0 and not (tmp_path / "out").exists(), done
        [line] = done.stderr.splitlines()
        assert line.startswith(f"{script}: /") and line.endswith("or name another one"), done


@pytest.mark.parametrize("script", ["stage", "deb", "tarball"])
def test_package_scripts_refuse_wrong_arguments(script, tmp_path):
    for arguments in (["--help"], ["a", "b", "c"]):
        done = subprocess.run([ROOT / "scripts" / script, *arguments], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode != 0 and "usage: scripts/" in done.stderr, done
    assert files(tmp_path) == set()
