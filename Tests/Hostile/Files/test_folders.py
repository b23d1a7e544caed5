"""Folders and files that other users created, may change or may read, or whose names are not UTF-8."""

import contextlib
import json
import os
import pathlib
import shutil
import stat
import subprocess
import tempfile

import pytest

from harness import CASSETTES, ROOT, Larder, binary, environment, mutation

US, OTHER = 54321, 54322  # users without an entry in the password database
TRACELESS = 54323  # for one test, which searches /tmp for files of this user
ROOT_ONLY = pytest.mark.skipif(os.getuid() != 0, reason="only root may become another user")

CATALOG = json.dumps(
    {
        "larder": 1,
        "apis": {"planted": {"baseURL": "https://planted.example"}},
        "resources": {"trap": {"api": "planted", "id": "integer", "rest": {"get": {"path": "/{id}"}}}},
    }
)


@pytest.fixture
def place():
    """A folder that other users may enter, with a copy of the binary."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        shutil.copy(binary(), folder / "larder")
        shutil.copytree(CASSETTES, folder / "cassettes")
        yield folder


def larder(place, *args, user=None, env=None, umask=None):
    """Runs the copy until it exits, as another user and with only the given environment variables."""

    def become():
        if umask is not None:
            os.umask(umask)
        if user is not None:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)

    command = [str(place / "larder"), *args, "--replay", str(place / "cassettes")]
    done = subprocess.run(
        command, capture_output=True, env={**(env or {}), **mutation()}, cwd=place, timeout=30,
        preexec_fn=become, stdin=subprocess.DEVNULL,
    )
    done.stderr = done.stderr.decode("utf-8", "replace")
    return done


def status(done):
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def write(path, text=CATALOG, mode=0o644, owner=None, folder_mode=0o755, folder_owner=None):
    """Writes a file in a new folder with the given modes and owners."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    path.parent.chmod(folder_mode)
    for target, user in ((path, owner), (path.parent, folder_owner)):
        if user is not None:
            os.chown(target, user, user)
    return path


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def left_in_tmp(user):
    """Returns the names of the files in /tmp that belong to this user. Concurrent tests run as other users."""
    found = set()
    with os.scandir("/tmp") as entries:
        for entry in entries:
            with contextlib.suppress(FileNotFoundError):
                if entry.stat(follow_symlinks=False).st_uid == user:
                    found.add(entry.name)
    return found


class TestWithoutAHomeFolder:
    @ROOT_ONLY
    def test_catalog_planted_in_the_temporary_folder_is_not_read(self, place):
        planted = pathlib.Path(f"/tmp/larder-{US}")
        write(planted / ".config" / "larder" / "catalog.jsonc")
        try:
            for env in ({}, {"HOME": ""}, {"HOME": "relative"}):
                done = larder(place, "call", "server/status", user=US, env=env)
                assert status(done)["catalog"] == "built-in"
                parts = {part["part"]: part["reason"] for part in status(done)["degraded"]}
                assert set(parts) == {"catalog", "persistence", "recents"}
                options = {"catalog": "--catalog", "persistence": "--cache-dir", "recents": "--data-dir"}
                for part, option in options.items():
                    assert "HOME" in parts[part] and option in parts[part]
                    assert f"larder: warning: {part}: {parts[part]}" in done.stderr
        finally:
            shutil.rmtree(planted)

    @ROOT_ONLY
    def test_process_without_a_home_folder_caches_in_memory(self, place):
        before = left_in_tmp(TRACELESS)
        script = "\n".join(
            json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
            for id, (method, params) in enumerate(
                [("character/get", {"id": 1}), ("recents/add", {"text": "rick"}), ("recents/list", {})]
            )
        )

        def become():
            os.setgroups([])
            os.setgid(TRACELESS)
            os.setuid(TRACELESS)

        done = subprocess.run(
            [place / "larder", "--replay", place / "cassettes"],
            input=script.encode() + b"\n", capture_output=True, env={}, cwd=place, preexec_fn=become, timeout=30,
        )
        results = {reply["id"]: reply["result"] for reply in map(json.loads, done.stdout.splitlines())}
        assert results[0]["item"]["name"] == "Rick Sanchez"
        assert results[1] == results[2] == {"recents": ["rick"]}
        assert left_in_tmp(TRACELESS) <= before

    @ROOT_ONLY
    def test_variables_and_options_set_the_folders_without_a_home_folder(self, place):
        for name in ("cache", "data", "config"):
            (place / name).mkdir()
            os.chown(place / name, US, US)
        env = {f"XDG_{kind.upper()}_HOME": str(place / kind) for kind in ("cache", "data", "config")}
        assert status(larder(place, "call", "server/status", user=US, env=env))["degraded"] == []
        options = ["--cache-dir", str(place / "cache"), "--data-dir", str(place / "data")]
        degraded = status(larder(place, "call", "server/status", *options, user=US))["degraded"]
        assert [part["part"] for part in degraded] == ["catalog"]

    @ROOT_ONLY
    def test_cache_path_without_a_home_folder_is_an_error(self, place):
        done = larder(place, "cache", "path", user=US)
        assert done.returncode == 1 and done.stdout == b"" and "--cache-dir" in done.stderr


class TestCatalogOwners:
    def status(self, place, *args, env=None, user=None):
        return larder(place, "call", "server/status", *args, env={"HOME": str(place), **(env or {})}, user=user)

    def default(self, place, **options):
        return write(place / ".config" / "larder" / "catalog.jsonc", **options)

    def refused(self, done, *words):
        assert done.returncode == 78 and done.stdout == b"", done
        assert all(word in done.stderr for word in ("catalog.jsonc", "cannot use", *words)), done.stderr

    @pytest.mark.parametrize("mode, folder_mode", [(0o644, 0o755), (0o664, 0o775), (0o600, 0o700), (0o644, 0o1777)])
    def test_catalog_owned_by_the_user_is_accepted(self, place, mode, folder_mode):
        path = self.default(place, mode=mode, folder_mode=folder_mode)
        assert status(self.status(place))["catalog"] == str(path)

    @pytest.mark.parametrize("mode, folder_mode", [(0o666, 0o755), (0o644, 0o777)])
    def test_catalog_writable_by_everyone_is_refused(self, place, mode, folder_mode):
        self.default(place, mode=mode, folder_mode=folder_mode)
        self.refused(self.status(place), "every user may write", "--catalog")

    def test_catalog_set_by_an_option_is_refused_only_if_everyone_can_write_it(self, place):
        path = self.default(place, folder_mode=0o777)
        for options in ({"env": {"LARDER_CATALOG": str(path)}}, {}):
            args = [] if options else ["--catalog", str(path)]
            path.chmod(0o644)
            assert status(self.status(place, *args, **options))["catalog"] == str(path)
            path.chmod(0o646)
            self.refused(self.status(place, *args, **options), "every user may write to the file")

    @ROOT_ONLY
    @pytest.mark.parametrize("owner, folder_owner", [(OTHER, US), (US, OTHER), (OTHER, OTHER), (0, OTHER)])
    def test_catalog_of_another_user_is_refused(self, place, owner, folder_owner):
        self.default(place, owner=owner, folder_owner=folder_owner)
        self.refused(self.status(place, user=US), str(OTHER), str(US), "--catalog")

    @ROOT_ONLY
    @pytest.mark.parametrize("owner, folder_owner", [(0, 0), (US, 0), (0, US), (US, US)])
    def test_catalog_of_the_user_or_root_is_accepted(self, place, owner, folder_owner):
        path = self.default(place, owner=owner, folder_owner=folder_owner)
        assert status(self.status(place, user=US))["catalog"] == str(path)

    @ROOT_ONLY
    def test_catalog_option_accepts_a_catalog_of_another_user(self, place):
        path = self.default(place, owner=OTHER, folder_owner=OTHER)
        assert status(self.status(place, "--catalog", str(path), user=US))["catalog"] == str(path)

    @ROOT_ONLY
    def test_link_to_a_catalog_is_trusted_if_its_target_is_trusted(self, place):
        theirs = write(place / "theirs" / "catalog.jsonc", owner=OTHER, folder_owner=OTHER)
        link = place / ".config" / "larder" / "catalog.jsonc"
        link.parent.mkdir(parents=True)
        link.symlink_to(theirs)
        self.refused(self.status(place, user=US), str(OTHER))
        os.chown(theirs, US, US)
        assert status(self.status(place, user=US))["catalog"] == str(link)

    @ROOT_ONLY
    @pytest.mark.parametrize("mounted", ["", ".config", ".config/larder", ".config/larder/catalog.jsonc"])
    def test_container_root_may_use_mounted_files_of_other_users(self, place, mounted):
        home = place / "home"
        path = write(home / ".config" / "larder" / "catalog.jsonc")
        for part in [home / mounted, *(home / mounted).glob("**/*")]:
            os.chown(part, OTHER, OTHER)
        assert status(self.status(place, env={"HOME": str(home)}))["catalog"] == str(path)

    @ROOT_ONLY
    @pytest.mark.parametrize("sticky", [0o1777, 0o777])
    def test_root_refuses_files_that_other_users_could_have_created(self, place, sticky):
        path = self.default(place)
        place.chmod(sticky)
        assert status(self.status(place))["catalog"] == str(path)
        for part in (place / ".config", place / ".config" / "larder", path):
            os.chown(part, OTHER, OTHER)
        self.refused(self.status(place), str(OTHER))
        (place / ".config").rename(place / "theirs")
        (place / ".config").symlink_to(place / "theirs")
        os.lchown(place / ".config", OTHER, OTHER)
        # In a sticky folder, the system itself may refuse to follow another user's link.
        done = self.status(place)
        assert done.returncode == 78 or status(done)["catalog"] == "built-in"

    @pytest.mark.parametrize("way", ["pipe", "fifo", "/dev/stdin"])
    def test_catalog_may_be_read_from_a_pipe(self, place, way):
        command = [place / "larder", "call", "server/status", "--catalog"]
        options = {"env": {"HOME": str(place)}, "stdout": subprocess.PIPE, "cwd": place}
        if way == "/dev/stdin":
            done = subprocess.run([*command, way], input=CATALOG.encode(), timeout=30, **options)
            assert json.loads(done.stdout)["resources"] == ["trap"]
            return
        if way == "pipe":
            reading, writing = os.pipe()
            process = subprocess.Popen([*command, f"/dev/fd/{reading}"], pass_fds=[reading], **options)
            os.close(reading)
        else:
            os.mkfifo(place / "fifo", 0o600)
            process = subprocess.Popen([*command, "fifo"], **options)
            writing = os.open(place / "fifo", os.O_WRONLY)
        os.write(writing, CATALOG.encode())
        os.close(writing)
        assert json.loads(process.communicate(timeout=30)[0])["resources"] == ["trap"]


class TestCacheAndDataFolders:
    PARTS = {"persistence": ".cache/larder/cache.sqlite", "recents": ".local/share/larder/recents.sqlite"}

    def run(self, place, part, *args, user=None, umask=None):
        method = ["character/get", "id=1"] if part == "persistence" else ["recents/add", "text=rick"]
        return larder(place, "call", *method, *args, env={"HOME": str(place)}, user=user, umask=umask)

    def home(self, place, part, owner=None):
        """Runs Larder so that it creates its files in a home folder. Returns the folder of the given kind of file."""
        folder = place / self.PARTS[part]
        self.run(place, part)
        folder = folder.parent
        for path in [place, *place.glob(".*/**/*"), *place.glob(".*")]:
            if owner is not None:
                os.chown(path, owner, owner)
        return folder

    def assert_refused(self, place, part, *words, user=None):
        done = self.run(place, part, user=user)
        assert done.returncode == 0, done
        assert f"larder: warning: {part}: " in done.stderr and all(word in done.stderr for word in words), done.stderr
        if part == "persistence":
            assert json.loads(done.stdout)["source"] == "remote"
        else:
            assert json.loads(done.stdout) == {"recents": ["rick"]}

    def assert_used(self, place, part, user=None):
        done = self.run(place, part, user=user)
        assert done.returncode == 0 and done.stderr == "", done
        if part == "persistence":
            assert json.loads(done.stdout)["source"] == "persistence"

    @pytest.mark.parametrize("part", PARTS)
    def test_folder_or_file_writable_by_everyone_is_not_used(self, place, part):
        folder = self.home(place, part)
        self.assert_used(place, part)
        for target, wrong in ((folder, 0o777), (folder, 0o1777), (place / self.PARTS[part], 0o666)):
            right = mode(target)
            target.chmod(wrong)
            self.assert_refused(place, part, "every user may write", "chmod")
            target.chmod(right)
            self.assert_used(place, part)

    @ROOT_ONLY
    @pytest.mark.parametrize("part", PARTS)
    def test_folder_or_file_of_another_user_is_not_used(self, place, part):
        folder = self.home(place, part, owner=US)
        self.assert_used(place, part, user=US)
        for target in (folder, place / self.PARTS[part]):
            os.chown(target, OTHER, OTHER)
            target.chmod(mode(target) | 0o055)
            self.assert_refused(place, part, str(OTHER), user=US)
            os.chown(target, US, US)
            self.assert_used(place, part, user=US)

    @ROOT_ONLY
    def test_cache_file_prepared_by_another_user_is_not_read(self, place):
        """Another user has created the cache folder and its file, in a folder in which all users may create files."""
        theirs = place / "tmp"
        theirs.mkdir()
        theirs.chmod(0o1777)
        env = {"XDG_CACHE_HOME": str(theirs)}
        assert larder(place, "call", "character/get", "id=1", user=OTHER, env=env).returncode == 0
        (theirs / "larder").chmod(0o755)
        for path in (theirs / "larder").iterdir():
            path.chmod(0o644)
        for user in (US, None):
            done = larder(place, "call", "character/get", "id=1", user=user, env=env)
            assert json.loads(done.stdout)["source"] == "remote" and "belongs to the user" in done.stderr

    def test_folder_below_a_sticky_folder_is_accepted(self, place):
        place.chmod(0o1777)
        for part in self.PARTS:
            self.run(place, part)
            self.assert_used(place, part)

    def test_folder_option_is_refused_only_if_the_cache_file_is_world_writable(self, place):
        folder = place / "named"
        folder.mkdir()
        folder.chmod(0o777)
        args = ["--cache-dir", str(folder)]
        assert self.run(place, "persistence", *args).stderr == ""
        assert json.loads(self.run(place, "persistence", *args).stdout)["source"] == "persistence"
        (folder / "cache.sqlite").chmod(0o666)
        done = self.run(place, "persistence", *args)
        assert json.loads(done.stdout)["source"] == "remote" and "every user may write to the file" in done.stderr

    def test_status_is_degraded_if_the_cache_file_is_refused(self, place):
        self.home(place, "persistence").chmod(0o777)
        lines = [
            {"jsonrpc": "2.0", "id": 1, "method": "character/get", "params": {"id": 1}},
            {"jsonrpc": "2.0", "id": 2, "method": "cache/stats"},
            {"jsonrpc": "2.0", "id": 3, "method": "server/status"},
        ]
        with subprocess.Popen(
            [place / "larder", "--replay", place / "cassettes"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={"HOME": str(place)},
        ) as process:
            results = []
            for line in lines:
                process.stdin.write(json.dumps(line).encode() + b"\n")
                process.stdin.flush()
                results.append(json.loads(process.stdout.readline())["result"])
            process.stdin.close()
        assert results[1]["persistence"]["state"] == "unavailable"
        (part,) = results[2]["degraded"]
        assert part["part"] == "persistence" and "every user may write to the folder" in part["reason"]


class TestFileModes:
    def test_created_files_are_private_to_their_owner(self, place):
        env = {"HOME": str(place)}
        lines = [
            {"jsonrpc": "2.0", "id": 1, "method": "character/get", "params": {"id": 1}},
            {"jsonrpc": "2.0", "id": 2, "method": "recents/add", "params": {"text": "rick"}},
            {"jsonrpc": "2.0", "id": 3, "method": "cache/stats"},
        ]
        with subprocess.Popen(
            [place / "larder", "--replay", place / "cassettes"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, preexec_fn=lambda: os.umask(0),
        ) as process:
            process.stdin.write("".join(json.dumps(line) + "\n" for line in lines).encode())
            process.stdin.flush()
            for _ in lines:
                assert "result" in json.loads(process.stdout.readline())
            made = [*(place / ".cache").glob("**/*"), *(place / ".local").glob("**/*")]
            names = {path.name for path in made if path.is_file()}
            assert names >= {"cache.sqlite", "cache.sqlite-wal", "cache.sqlite-shm", "cache.key", "recents.sqlite"}
            for path in [place / ".cache", place / ".local", *made]:
                assert mode(path) == (0o700 if path.is_dir() else 0o600), path
            process.stdin.close()

    def test_recordings_are_private_to_their_owner(self, home, upstream):
        with Larder(home, "--record", str(home / "a" / "b"), upstream=upstream, prepare=lambda: os.umask(0)) as larder:
            larder.call("character/get", id=1)
        assert mode(home / "a") == mode(home / "a" / "b") == 0o700
        (cassette,) = (home / "a" / "b").iterdir()
        assert mode(cassette) == 0o600

    def test_umask_of_the_process_is_respected(self, home, upstream):
        with Larder(home, "--record", str(home / "a"), upstream=upstream, prepare=lambda: os.umask(0o200)) as larder:
            larder.call("character/get", id=1)
            larder.call("cache/stats")
        (cassette,) = (home / "a").iterdir()
        assert mode(cassette) == 0o400 and mode(home / "a") == 0o500
        assert mode(home / "cache" / "cache.key") == 0o400

    def test_cache_readable_by_others_is_made_private(self, start, home):
        larder = start()
        larder.call("character/get", id=1)
        larder.call("recents/add", text="rick")
        larder.call("cache/stats")
        larder.process.kill()  # The write-ahead log must remain.
        larder.process.wait()
        kept = [*(home / "cache").iterdir(), *(home / "data").iterdir()]
        assert {"cache.sqlite", "cache.sqlite-wal", "cache.sqlite-shm", "cache.key"} <= {path.name for path in kept}
        for path in kept:
            path.chmod(0o644)
        again = start()
        assert again.call("character/get", id=1)["source"] == "persistence"
        assert again.call("recents/list") == {"recents": ["rick"]}
        for path in [*(home / "cache").iterdir(), *(home / "data").iterdir()]:
            assert mode(path) == 0o600, path


class TestNamesThatAreNotUTF8:
    NAME = b"\xff\xfe"

    @pytest.fixture
    def odd(self, home):
        folder = os.fsencode(home) + b"/" + self.NAME
        os.mkdir(folder)
        return folder

    def call(self, *args, env):
        done = subprocess.run([binary(), b"call", *args], capture_output=True, env=env, timeout=30)
        assert done.returncode == 0, done
        return json.loads(done.stdout)

    def test_home_folder_whose_name_is_not_utf8_is_used(self, odd):
        env = {b"HOME": odd}
        replay = os.fsencode(CASSETTES)
        assert self.call(b"character/get", b"id=1", b"--replay", replay, env=env)["source"] == "remote"
        assert self.call(b"character/get", b"id=1", b"--offline", env=env)["source"] == "persistence"
        self.call(b"recents/add", b"text=rick", env=env)
        assert os.path.exists(odd + b"/.cache/larder/cache.sqlite")
        assert os.path.exists(odd + b"/.local/share/larder/recents.sqlite")
        assert sorted(os.listdir(os.path.dirname(odd))) == [os.fsdecode(self.NAME).encode("utf-8", "surrogateescape")]
        assert "\ufffd\ufffd/.cache/larder/cache.sqlite" in self.call(b"cache/stats", env=env)["persistence"]["path"]
        path = subprocess.run([binary(), "cache", "path"], capture_output=True, env=env, timeout=30).stdout
        assert path == odd + b"/.cache/larder/cache.sqlite\n"

    def test_option_paths_that_are_not_utf8_are_accepted(self, odd):
        shutil.copytree(os.fsencode(CASSETTES), odd + b"/cassettes")
        with open(odd + b"/catalog.jsonc", "w") as file:
            file.write(CATALOG)
        env = {b"HOME": b"/nonexistent"}
        places = [b"--cache-dir", odd + b"/c", b"--data-dir=" + odd + b"/d"]
        item = self.call(b"character/get", b"id=1", *places, b"--replay", odd + b"/cassettes", env=env)
        assert item["source"] == "remote"
        assert self.call(b"character/get", b"id=1", b"--offline", *places, env=env)["source"] == "persistence"
        self.call(b"recents/add", b"text=rick", *places, env=env)
        assert {b"cache.sqlite", b"cache.key"} <= set(os.listdir(odd + b"/c"))
        assert os.listdir(odd + b"/d") == [b"recents.sqlite"]
        for named in ([b"--catalog", odd + b"/catalog.jsonc"], []):
            named_by = {} if named else {b"LARDER_CATALOG": odd + b"/catalog.jsonc"}
            told = self.call(b"server/status", *named, *places, env={**env, **named_by})
            assert told["resources"] == ["trap"] and told["catalog"].endswith("\ufffd\ufffd/catalog.jsonc")

    def test_recordings_are_written_to_a_folder_whose_name_is_not_utf8(self, odd, upstream):
        args = [b"--record", odd + b"/r", b"--cache-dir", odd, b"--data-dir", odd]
        url = b"--base-url=rickandmorty=" + upstream.url.encode()
        self.call(b"character/get", b"id=1", *args, url, env={})
        assert len(os.listdir(odd + b"/r")) == 1

    def test_arguments_that_are_not_utf8_are_refused_unless_they_are_paths(self, odd):
        for args in ([b"call", b"recents/add", b"text=" + self.NAME], [b"--log-level", self.NAME], [self.NAME]):
            done = subprocess.run([binary(), *args], capture_output=True, env={}, timeout=30)
            assert done.returncode == 64, done


class TestSecretsThatAreNotUTF8:
    def unasked(self, home, reference, env):
        path = home / "secret.jsonc"
        auth = f'"https://a.example", "auth": {{"bearer": "{reference}"}}'
        path.write_text(CATALOG.replace('"https://planted.example"', auth))
        done = subprocess.run(
            [binary(), "call", "server/status", "--catalog", path], capture_output=True, env=env, timeout=30
        )
        assert done.returncode == 0, done
        assert b"hidden" not in done.stdout + done.stderr, done
        (told,) = [part["reason"] for part in json.loads(done.stdout)["degraded"] if part["part"] == "api planted"]
        return told

    def test_error_names_the_secret_variable_that_is_not_utf8(self, home):
        told = self.unasked(home, "${env:TOKEN}", {b"HOME": os.fsencode(home), b"TOKEN": b"caf\xe9-hidden"})
        assert ":1:" in told and "'TOKEN' is not UTF-8" in told

    def test_error_names_the_secret_file_that_is_not_utf8(self, home):
        (home / "token").write_bytes(b"caf\xe9-hidden\n")
        told = self.unasked(home, f"${{file:{home}/token}}", {"HOME": str(home)})
        assert ":1:" in told and "token' is not UTF-8" in told


class TestFingerprints:
    """A password of a catalog cannot be guessed by comparing the displayed fingerprint."""

    def catalog(self, home, token="s3cret-token"):
        path = home / "secret.jsonc"
        auth = {"baseURL": "https://rickandmortyapi.com", "auth": {"bearer": token}}
        rest = {"get": {"path": "/api/character/{id}"}}
        character = {"api": "a", "id": "integer", "rest": rest}
        path.write_text(json.dumps({"larder": 1, "apis": {"a": auth}, "resources": {"character": character}}))
        return path

    def explained(self, home, name, *args):
        places = ["--cache-dir", str(home / name), "--data-dir", str(home / "data")]
        done = subprocess.run(
            [binary(), "call", "request/explain", "method=character/get", "params.id=1", *places, *map(str, args)],
            capture_output=True, env=environment(home), timeout=30,
        )
        assert done.returncode == 0, done
        return json.loads(done.stdout)["entries"][0]["key"]["fingerprint"]

    def test_cache_key_fingerprints_are_stable_on_a_machine_and_differ_between_machines(self, home):
        catalog = self.catalog(home)
        first = self.explained(home, "one", "--catalog", catalog)
        assert self.explained(home, "one", "--catalog", catalog) == first
        assert self.explained(home, "two", "--catalog", catalog) != first
        assert self.explained(home, "one", "--catalog", self.catalog(home, "another-token")) != first
        assert mode(home / "one" / "cache.key") == 0o600

    def test_processes_without_a_cache_file_have_different_fingerprints(self, home):
        options = ["--catalog", self.catalog(home), "--no-persistence"]
        assert self.explained(home, "one", *options) != self.explained(home, "one", *options)
        assert not (home / "one").exists()

    def test_damaged_fingerprint_key_file_is_replaced_and_reported(self, start, home):
        with start() as larder:
            larder.call("character/get", id=1)
        (home / "cache" / "cache.key").write_bytes(b"short")
        with start() as larder:
            (part,) = larder.call("server/status")["degraded"]
            assert part["part"] == "persistence" and "cache.key" in part["reason"]
            assert larder.call("character/get", id=1)["source"] == "remote"
        with start() as larder:
            assert larder.call("server/status")["degraded"] == []
            assert larder.call("character/get", id=1)["source"] == "persistence"

    def test_simultaneously_started_processes_share_one_fingerprint_key_file(self, home):
        processes = [
            subprocess.Popen(
                [binary(), "call", "request/explain", "method=character/get", "params.id=1"],
                env={"HOME": str(home)}, stdout=subprocess.PIPE,
            )
            for _ in range(8)
        ]
        assert len({process.communicate(timeout=60)[0] for process in processes}) == 1


@pytest.mark.skipif(shutil.which("readelf") is None, reason="needs readelf")
def test_binary_has_no_search_path_for_libraries():
    manifest = ROOT / ".build" / "release.yaml"
    if "LARDER_BIN" in os.environ or (manifest.exists() and "$ORIGIN" in manifest.read_text()):
        pytest.skip("this binary was not built by `make build`")
    dynamic = subprocess.run(["readelf", "-d", binary()], capture_output=True, text=True, check=True).stdout
    assert "NEEDED" in dynamic and "RUNPATH" not in dynamic and "RPATH" not in dynamic and "$ORIGIN" not in dynamic
