"""A catalog in several files, joined by `include`."""

import json
import os

import pytest

from harness import eventually, run

API = {"rickandmorty": {"baseURL": "http://127.0.0.1:1"}}


def resource(name):
    get = {"path": f"/api/{name}/{{id}}"}
    return {"api": "rickandmorty", "id": "integer", "fields": {"id": "integer", "name": "string"}, "rest": {"get": get}}


@pytest.fixture
def write(home):
    """`write(path, value)` writes or atomically replaces a file below the folder of catalogs."""

    def write(name, value):
        path = home / "catalogs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        new = home / "new"
        new.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
        new.replace(path)
        return path

    return write


def test_resources_of_all_included_files_are_served(start, write):
    main = write("main.jsonc", {"larder": 1, "include": ["./people.jsonc"], "apis": API})
    write("people.jsonc", {"include": ["more/places.jsonc"], "resources": {"person": resource("character")}})
    write("more/places.jsonc", {"resources": {"place": resource("location")}})
    # Larder runs in another folder: an included path is relative to the including file.
    larder = start("--catalog", main)
    assert larder.call("server/status")["resources"] == ["person", "place"]
    assert larder.call("person/get", id=1)["item"]["name"] == "Rick Sanchez"
    assert larder.call("place/get", id=1)["item"]["id"] == 1


def test_changed_include_is_reloaded_and_a_faulty_one_is_reported(start, write):
    main = write("main.jsonc", {"larder": 1, "include": ["./people.jsonc"], "apis": API})
    part = write("people.jsonc", {"resources": {"person": resource("character")}})
    larder = start("--catalog", main)
    assert larder.call("server/status")["resources"] == ["person"]
    write("people.jsonc", {"resources": {"figure": resource("character")}})
    eventually(lambda: larder.call("server/status")["resources"] == ["figure"], "the new include")
    # A new include with a fault is watched, although it was never served.
    write("new.jsonc", '{"resources": {\n"place": {}}}')
    write("main.jsonc", {"larder": 1, "include": ["./people.jsonc", "new.jsonc"], "apis": API})
    degraded = eventually(lambda: larder.call("server/status")["degraded"], "the fault")
    assert f"{part.parent}/new.jsonc:2:10: " in degraded[0]["reason"]
    assert larder.call("figure/get", id=1)["item"]["id"] == 1
    write("new.jsonc", {"resources": {"place": resource("location")}})
    eventually(lambda: larder.call("server/status")["resources"] == ["figure", "place"], "the corrected catalog")
    assert larder.call("server/status")["degraded"] == []


def test_check_reports_each_fault_with_the_included_file(home, write):
    main = write("main.jsonc", {"larder": 1, "include": ["./people.jsonc"], "apis": API})
    part = write("people.jsonc", '{"resources": {"person": {"api": "rickandmorty",\n "idd": "integer"}}}')
    done = run(home, "check", str(main))
    assert done.code == 78 and f"{part}:2:2: the resource 'person' has no key 'idd'; did you mean 'id'?" in (
        done.stdout.decode()
    )
    found = json.loads(run(home, "check", str(main), "--json").stdout)
    assert {fault["file"] for fault in found["faults"]} == {str(part)}


def test_secret_in_an_include_path_is_refused(home, write):
    secret = "s3cr3t-5f1d0c77"
    (home / "secret").write_text(secret)
    paths = ["${env:SEC}", "./parts/${file:%s}.jsonc" % (home / "secret")]
    main = write("main.jsonc", {"larder": 1, "include": paths, "apis": API})
    for args in (["check", str(main)], ["check", str(main), "--json"], ["--catalog", str(main)]):
        done = run(home, *args, env={"SEC": secret})
        told = done.stdout.decode() + done.stderr
        assert done.code == 78 and told.count("'include' must not contain a secret") == 2, done
        assert secret not in told


def test_include_path_may_contain_a_variable(start, write):
    main = write("main.jsonc", {"larder": 1, "include": ["./${var:PART}.jsonc"], "apis": API})
    write("people.jsonc", {"resources": {"person": resource("character")}})
    larder = start("--catalog", main, "--var", "PART=people")
    assert larder.call("server/status")["resources"] == ["person"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_file_included_by_the_default_catalog_is_refused_if_every_user_may_write_it(home, write):
    config = home / "xdg-config" / "larder"
    config.mkdir(parents=True)
    main = {"larder": 1, "include": ["people.jsonc"], "apis": API}
    (config / "catalog.jsonc").write_text(json.dumps(main))
    part = config / "people.jsonc"
    part.write_text(json.dumps({"resources": {"person": resource("character")}}))
    assert run(home, "check").code == 0
    part.chmod(0o666)
    refused = run(home, "check")
    assert refused.code == 78 and b"people.jsonc is refused: every user may write to the file" in refused.stdout
    part.chmod(0o644)
    # A folder elsewhere, writable by everyone.
    open_folder = home / "open"
    open_folder.mkdir()
    open_folder.chmod(0o777)
    (open_folder / "people.jsonc").write_text(part.read_text())
    (config / "catalog.jsonc").write_text(json.dumps({**main, "include": [str(open_folder / "people.jsonc")]}))
    refused = run(home, "check")
    assert refused.code == 78 and b"every user may write to the folder" in refused.stdout
    # A catalog named by the user is trusted, and so are the files that it includes.
    assert run(home, "check", str(config / "catalog.jsonc")).code == 0
    served = run(home, "--catalog", str(config / "catalog.jsonc"))
    assert served.code == 0
    assert run(home).code == 78
