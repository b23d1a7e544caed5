"""What is installed, and the packages: they are made, unpacked, and what is in them runs."""

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
# What runs them may keep another time than UTC, other rights, other words and a catalog of its own.
CALLER = {"TZ": "Asia/Kolkata", "LC_ALL": "C", "LARDER_CATALOG": "/nowhere"}


def make(script, *arguments, umask=0o022, **variables):
    """What the script prints. It must succeed and complain of nothing."""
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
    """What there is to read and to copy from: what is under version control, but for tests."""
    folders = ("docs", "examples", "clients")
    held = subprocess.run(["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=True)
    names = [name for name in held.stdout.splitlines() if not {"test", "tests"} & set(name.split("/"))]
    assert {name.split("/")[0] for name in names} == set(folders)
    return {"README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md", *names}


def answers(program, home, upstream):
    """A program that came out of a package answers, from recordings and through libcurl."""
    with Larder(home, "--replay", str(CASSETTES), program=program) as larder:
        assert larder.call("location/get", id=15)["item"]["name"] == "Bird World"
    with Larder(home, program=program, upstream=upstream) as larder:
        assert larder.call("location/get", id=1, cachePolicy="none")["item"]["id"] == 1


def stage(folder):
    """The prefix of an installation in the folder."""
    make("stage", folder / "usr" / "local", binary(), umask=0o077, **CALLER)
    return folder / "usr" / "local"


@pytest.mark.xdist_group("stage")
class TestStage:
    @pytest.fixture(scope="class")
    def staged(self, tmp_path_factory):
        """A prefix that tests only read."""
        return stage(tmp_path_factory.mktemp("stage"))

    @pytest.fixture
    def prefix(self, tmp_path):
        return stage(tmp_path)

    def test_what_is_there_for_everybody(self, staged):
        assert files(staged) == {"bin/larder", MAN, *SHARED}
        for path in [staged, staged.parent, *staged.rglob("*")]:
            runs = path.is_dir() or path.parent.name == "bin"
            assert path.stat().st_mode & 0o7777 == (0o755 if runs else 0o644), path

    def test_what_it_says_of_itself(self, staged):
        assert (staged / "bin" / "larder").read_bytes() == pathlib.Path(binary()).read_bytes()
        page = (staged / MAN).read_text(encoding="utf-8")
        assert re.search(r'^\.TH "?larder"? "?1"?( |$)', page, re.M | re.I) and "catalog" in page
        completions = staged / "share/bash-completion/completions/larder"
        subprocess.run(["bash", "-n", completions], check=True, timeout=PATIENCE)
        assert (staged / "share/zsh/site-functions/_larder").read_text().startswith("#compdef larder")
        assert "complete " in (staged / "share/fish/vendor_completions.d/larder.fish").read_text()

    @pytest.mark.parametrize("name", CATALOGS)
    def test_a_catalog_is_the_one_of_its_name(self, staged, home, name):
        program = staged / "bin" / "larder"
        show = [program, "catalog", "show"]
        shown = [
            subprocess.run(
                [*show, *more], env=environment(home), capture_output=True, timeout=PATIENCE, check=True
            ).stdout
            for more in ([staged / "share/larder/catalogs" / name], ["--catalog", name.partition(".")[0]])
        ]
        assert shown[0] == shown[1] and json.loads(shown[0])["resources"]

    def test_over_an_installation_that_runs(self, prefix, home):
        with Larder(home, "--replay", str(CASSETTES), program=prefix / "bin" / "larder") as larder:
            larder.alive()
            make("stage", prefix, binary())
            assert larder.call("location/get", id=15)["source"] == "remote"

    def test_what_is_no_program(self, tmp_path):
        (tmp_path / "text").write_text("")
        for missing in (tmp_path / "nothing", tmp_path / "text", tmp_path):
            done = subprocess.run([ROOT / "scripts" / "stage", tmp_path / "usr", missing], capture_output=True)
            assert done.returncode == 66 and b"build it" in done.stderr, done
        assert not (tmp_path / "usr").exists()

    def test_a_program_that_fails_replaces_nothing(self, prefix, tmp_path):
        broken = tmp_path / "broken"
        broken.write_text("#!/bin/sh\nexit 1\n")
        broken.chmod(0o755)
        done = subprocess.run([ROOT / "scripts" / "stage", prefix, broken], capture_output=True)
        assert done.returncode == 70 and b"help man failed" in done.stderr, done
        assert (prefix / "bin" / "larder").read_bytes() == pathlib.Path(binary()).read_bytes()


@pytest.mark.skipif(not shutil.which("dpkg"), reason="packages for Debian are made on Debian: there is no dpkg")
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

    def test_it_says_what_it_is(self, package):
        version, architecture = self.field(package, "Version"), self.field(package, "Architecture")
        assert package.name == f"larder_{version}_{architecture}.deb"
        said = subprocess.run([binary(), "--version"], capture_output=True, text=True).stdout
        assert said.splitlines()[0] == f"larder {version}"
        assert "<" in self.field(package, "Maintainer") and int(self.field(package, "Installed-Size")) > 5000
        control = subprocess.run(["dpkg-deb", "--field", package], capture_output=True, text=True).stdout
        assert not re.search(r"@[A-Z]+@", control)

    def test_what_it_needs_is_declared(self, package):
        depends = self.field(package, "Depends")
        linked = subprocess.run(["ldd", binary()], capture_output=True, text=True, check=True).stdout
        # libcurl is opened late, so no tool finds it.
        assert "libcurl4" in depends and "libc6 (>= 2." in depends and "libcurl" not in linked
        packed = b"GLIBC_ABI_DT_RELR" in pathlib.Path(binary()).read_bytes()
        assert depends.count("libc6 ") == 1
        [libc] = re.findall(r"libc6 \(>= 2\.(\d+)", depends)
        assert not packed or int(libc) >= 36, "relocations that older loaders do not know"
        assert ("libsqlite3-0" in depends) == ("libsqlite3.so" in linked)

    def test_its_files(self, package, unpacked):
        held = files(unpacked / "usr")
        assert {"bin/larder", f"{MAN}.gz", *SHARED} <= held
        rest = held - {"bin/larder", f"{MAN}.gz", *SHARED}
        assert all(name.startswith("share/doc/larder/") for name in rest)
        names = {name.removeprefix("share/doc/larder/") for name in rest}
        assert names == {"copyright", "changelog.gz", *documents()}
        listed = subprocess.run(["dpkg-deb", "-c", package], capture_output=True, text=True, check=True).stdout
        assert all(re.match(r"[-d]rw[-x]r-[-x]r-[-x] root/root ", line) for line in listed.splitlines()), listed

    def test_its_sums_are_right(self, package, unpacked):
        told = subprocess.run(["dpkg-deb", "-I", package, "md5sums"], capture_output=True, text=True, check=True)
        sums = dict(reversed(line.split("  ", 1)) for line in told.stdout.splitlines())
        assert set(sums) == {f"usr/{name}" for name in files(unpacked / "usr")}
        assert all(hashlib.md5((unpacked / name).read_bytes()).hexdigest() == told for name, told in sums.items())

    def test_its_program_and_its_page(self, unpacked, home, upstream):
        answers(unpacked / "usr" / "bin" / "larder", home, upstream)
        assert ".TH" in gzip.decompress((unpacked / "usr" / f"{MAN}.gz").read_bytes()).decode()

    def test_it_comes_out_the_same(self, package, tmp_path):
        again = make("deb", binary(), tmp_path / "new" / "folder", umask=0o077, **CALLER)
        assert pathlib.Path(again).read_bytes() == package.read_bytes()

    def test_nothing_in_it_has_the_time_of_the_day(self, package, unpacked):
        for name in (f"{MAN}.gz", "share/doc/larder/changelog.gz"):
            # gzip's flags (no name) and time.
            assert (unpacked / "usr" / name).read_bytes()[3:8] == bytes(5)
        assert {int(path.stat().st_mtime) for path in unpacked.rglob("*")} == {1767225600}

    def test_who_answers_for_it(self, tmp_path):
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

    def test_its_files(self, archive, unpacked):
        assert re.fullmatch(r"larder-\d+\.\d+\.\d+-(linux|darwin)-\w+", unpacked.name)
        assert files(unpacked) == {"bin/larder", MAN, *SHARED, *documents()}
        with tarfile.open(archive) as opened:
            members = opened.getmembers()
        names = [member.name.split("/") for member in members]
        assert names == sorted(names)
        assert {(member.uid, member.gid, member.uname, member.mtime) for member in members} == {
            (0, 0, "root", 1767225600)
        }

    def test_its_program(self, unpacked, home, upstream):
        answers(unpacked / "bin" / "larder", home, upstream)

    def test_no_link_in_its_documents_leads_nowhere(self, unpacked):
        links = 0
        for page in unpacked.rglob("*.md"):
            for target in re.findall(r"\]\(([^)#\s:]+)(?=[)#])", page.read_text(encoding="utf-8")):
                assert (page.parent / target).exists(), f"{page}: {target}"
                links += 1
        assert links > 100

    def test_its_client_talks_to_its_program(self, unpacked, home):
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

    def test_it_comes_out_the_same(self, archive, tmp_path):
        again = make("tarball", binary(), tmp_path / "new" / "folder", umask=0o077, **CALLER)
        assert pathlib.Path(again).read_bytes() == archive.read_bytes()

    def test_no_binary(self, tmp_path):
        done = subprocess.run([ROOT / "scripts" / "tarball", tmp_path / "none", tmp_path], capture_output=True)
        assert done.returncode == 66 and files(tmp_path) == set(), done

    def test_a_binary_that_needs_a_library_is_made_known(self, tmp_path):
        done = subprocess.run([ROOT / "scripts" / "tarball", binary(), tmp_path], capture_output=True, text=True)
        linked = subprocess.run(["ldd", binary()], capture_output=True, text=True, check=True).stdout
        assert ("libsqlite3" in linked) == ("libsqlite3" in done.stderr), done


@pytest.mark.parametrize("script", ["deb", "tarball"])
def test_what_is_not_larder(script, tmp_path):
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
def test_wrong_use(script, tmp_path):
    for arguments in (["--help"], ["a", "b", "c"]):
        done = subprocess.run([ROOT / "scripts" / script, *arguments], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode != 0 and "usage: scripts/" in done.stderr, done
    assert files(tmp_path) == set()
