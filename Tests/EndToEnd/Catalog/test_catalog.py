"""User catalogs: fields, settings, lookup order, error messages and secrets."""

import json
import re

import pytest

from harness import request

SECRET = "s3cr3t-5f1d0c77"

PLANETS = """
// Comments and trailing commas are fine.
{
  "larder": 1,
  "apis": {"rickandmorty": {"baseURL": "http://127.0.0.1:1", %(api)s}},
  "resources": {
    "planet": {
      "api": "rickandmorty", "id": "integer",
      "fields": {%(fields)s},
      "rest": {
        "get": {"path": "/api/location/{id}"},
        "list": {
          "path": "/api/location", "items": "results", "filters": {"kind": "type"},
          "pagination": {"style": "page", "param": "page", "pages": "info.pages", "count": "info.count"},
        },
      },
      "cache": {"freshFor": "1h"},
    },
  },
}
"""
FIELDS = '"id": "integer", "name": "string"'


@pytest.fixture
def catalog(home):
    def write(api="", fields=FIELDS, text=PLANETS):
        path = home / "catalog.jsonc"
        path.write_text(text % {"api": api, "fields": fields}, encoding="utf-8")
        return path

    return write


class TestFields:
    def test_items_have_the_declared_fields_in_order(self, start, catalog):
        larder = start("--catalog", catalog(fields='"name": "string", "id": "integer"'))
        assert list(larder.call("planet/get", id=1)["item"].items()) == [("name", "Earth (C-137)"), ("id", 1)]
        assert larder.fails("character/get", id=1).code == -32601

    def test_catalog_can_declare_renamed_nested_and_optional_fields(self, start, catalog, upstream):
        fields = FIELDS + (
            ', "firstResident": {"from": "residents.0", "type": "string?"}, "moons": "integer?"'
            ', "kind": {"from": "type", "type": ["Planet", "Cluster", "other"], "otherwise": "other"}'
        )
        upstream.edit("location", 3, residents=[])
        larder = start("--catalog", catalog(fields=fields))
        items = [larder.call("planet/get", id=id)["item"] for id in (1, 3)]
        assert items[0]["firstResident"].endswith("/character/38") and items[1]["firstResident"] is None
        assert [item["moons"] for item in items] == [None, None]
        assert [item["kind"] for item in items] == ["Planet", "other"]

    def test_field_value_outside_its_enumeration_is_an_error(self, start, catalog):
        larder = start("--catalog", catalog(fields=FIELDS + ', "type": ["Planet", "Cluster"]'))
        assert larder.call("planet/get", id=1)["item"]["type"] == "Planet"
        error = larder.fails("planet/get", id=3)
        assert (error.kind, error.data["path"]) == ("decodingFailed", "type")

    def test_numbers_keep_all_digits_of_the_api_reply(self, start, catalog, upstream):
        body = b'{"id": 1, "name": "x", "mass": 1.50, "seed": 12345678901234567890123}'
        upstream.fail(status=200, body=body)
        larder = start("--catalog", catalog(fields=FIELDS + ', "mass": "number", "seed": "any"'))
        larder.send("planet/get", {"id": 1})
        line = larder.line()
        assert b'"mass":1.50,' in line and b'"seed":12345678901234567890123' in line

    def test_item_has_all_fields_of_the_api_if_the_catalog_declares_none(self, start, catalog, upstream):
        text = PLANETS.replace('"fields": {%(fields)s},', "")
        item = start("--catalog", catalog(text=text)).call("planet/get", id=1)["item"]
        assert item == upstream.data.rows["location"][1]

    def test_filter_is_sent_under_its_declared_query_name(self, start, catalog, upstream):
        larder = start("--catalog", catalog())
        assert larder.call("planet/list", filter={"kind": "Planet"})["items"]
        assert "type=Planet" in upstream.requests("/api")[0]["path"]

    def test_status_404_of_a_list_is_an_error_unless_the_catalog_declares_emptyOnNotFound(self, start, catalog):
        assert start("--catalog", catalog()).fails("planet/list", filter={"kind": "none such"}).kind == "notFound"


class TestSettings:
    def test_timeout_of_the_catalog_is_enforced(self, start, catalog, upstream):
        upstream.hold("/api/location")
        error = start("--catalog", catalog(api='"timeout": 0.2, "retries": 0')).fails("planet/get", id=1)
        assert (error.code, error.kind) == (-31009, "timeout")

    def test_response_body_above_maxBodySize_is_refused(self, start, catalog):
        error = start("--catalog", catalog(api='"maxBodySize": "256B"')).fails("planet/get", id=1)
        assert (error.code, error.kind) == (-31012, "tooLarge")

    def test_changed_catalog_does_not_use_old_cache_entries(self, start, catalog):
        start("--catalog", catalog()).call("planet/get", id=1)
        other = start("--catalog", catalog(fields=FIELDS + ', "type": "string"'))
        assert other.call("planet/get", id=1)["source"] == "remote"
        assert start("--catalog", catalog()).call("planet/get", id=1)["source"] == "persistence"


class TestLookup:
    def test_catalog_is_read_from_the_environment_variable(self, start, catalog):
        larder = start(env={"LARDER_CATALOG": str(catalog())})
        assert larder.call("server/status")["resources"] == ["planet"]

    def test_catalog_is_read_from_the_configuration_folder(self, start, catalog, home):
        (home / "xdg-config" / "larder").mkdir(parents=True)
        catalog().rename(home / "xdg-config" / "larder" / "catalog.jsonc")
        assert start().call("server/status")["resources"] == ["planet"]

    def test_catalog_option_overrides_the_environment(self, start, catalog, home):
        larder = start("--catalog", catalog(), env={"LARDER_CATALOG": str(home / "no such file")})
        assert larder.call("server/status")["resources"] == ["planet"]


class TestFaults:
    def refused(self, command, places, path):
        done = command("--catalog", path, *places, input=request("server/status").encode())
        assert done.code == 78 and done.stdout == b"", done
        return done.stderr

    def test_each_catalog_fault_has_its_line_and_column(self, command, places, home):
        path = home / "bad.jsonc"
        path.write_text(
            '{\n  "larder": 1,\n  "apis": {"a": {"baseURL": "http://a"}, "c": {"baseURL": "nonsense"}},\n'
            '  "resources": {\n    "x": {\n      "api": "b",\n      "id": "number",\n'
            '      "rest": {"get": {"path": "/x/{id}"}}\n    }\n  }\n}\n'
        )
        lines = self.refused(command, places, path).splitlines()
        found = [re.match(rf"{re.escape(str(path))}:(\d+):(\d+): .+", line) for line in lines]
        at = {int(match[1]) for match in found if match}
        assert {3, 6, 7} <= at, lines

    def test_syntax_error_of_the_catalog_has_its_line_and_column(self, command, places, home):
        path = home / "bad.jsonc"
        path.write_text('{\n  "larder": 1,\n  "apis" {}\n}\n')
        assert re.search(rf"^{re.escape(str(path))}:3:10: ", self.refused(command, places, path), re.M)

    def test_unknown_catalog_key_is_refused(self, command, places, catalog):
        path = catalog(api='"timeoout": "10s"')
        errors = self.refused(command, places, path)
        assert re.search(rf"^{re.escape(str(path))}:5:\d+: .*timeoout", errors, re.M), errors

    def test_missing_catalog_file_is_refused(self, command, places, home):
        assert "no-such.jsonc" in self.refused(command, places, home / "no-such.jsonc")


class TestSecrets:
    """Tests that a secret is sent to the API and appears nowhere else."""

    AUTH = {
        "bearer": '"auth": {"bearer": "${env:PLANET_TOKEN}"}',
        "basic": '"auth": {"basic": {"user": "me", "password": "${env:PLANET_TOKEN}"}}',
        "header": '"auth": {"apiKey": {"in": "header", "name": "X-Key", "value": "${env:PLANET_TOKEN}"}}',
        "query": '"auth": {"apiKey": {"in": "query", "name": "key", "value": "${env:PLANET_TOKEN}"}}',
        "headers": '"headers": {"X-Key": "${env:PLANET_TOKEN}"}',
        "file": '"headers": {"X-Key": "${file:%s}"}',
    }

    @pytest.mark.parametrize("way", AUTH)
    def test_secret_is_sent_to_the_api_and_stored_or_logged_nowhere(self, start, catalog, upstream, home, way):
        (home / "secret").write_text(SECRET + "\n")
        api = self.AUTH[way].replace("%s", str(home / "secret"))
        options = ["--catalog", catalog(api=api), "--record", home / "tape", "--log-level", "debug"]
        larder = start(*options, env={"PLANET_TOKEN": SECRET})
        replies = [larder.call("planet/get", id=1)]
        for fault in ({"status": 500}, {"status": 401}, {"drop": True}, {"status": 200, "body": "<html>"}):
            upstream.fail(**fault)
            replies.append(larder.fails("planet/get", id=2).args)
            replies.append(larder.call("planet/get", id=1, cachePolicy="localFirst"))
            upstream.heal()
        replies.append(larder.call("server/status"))
        replies.append(larder.call("cache/stats"))
        assert larder.close() == 0

        sent = upstream.requests("/api")[0]
        shown = {
            "bearer": lambda: sent["headers"]["authorization"] == f"Bearer {SECRET}",
            "basic": lambda: sent["headers"]["authorization"] == "Basic bWU6czNjcjN0LTVmMWQwYzc3",
            "query": lambda: f"key={SECRET}" in sent["path"],
        }.get(way, lambda: sent["headers"]["x-key"] == SECRET)
        assert shown(), sent

        hidden = [SECRET, "bWU6czNjcjN0LTVmMWQwYzc3"]
        written = {"replies": json.dumps(replies), "stderr": larder.stderr()}
        for folder in ("cache", "data", "tape"):
            for path in (home / folder).rglob("*"):
                if path.is_file():
                    written[str(path)] = path.read_bytes().decode("latin-1")
        assert any("tape" in name for name in written) and any("cache.sqlite" in name for name in written)
        assert [name for name, text in written.items() if any(one in text for one in hidden)] == []

    def test_error_names_the_missing_secret_and_its_api_gets_no_request(self, start, catalog, upstream):
        larder = start("--catalog", catalog(api='"auth": {"bearer": "${env:PLANET_TOKEN}"}'))
        error = larder.fails("planet/get", id=1)
        assert error.kind == "unauthorized" and re.search(r"PLANET_TOKEN.* \(.*catalog.jsonc:5:\d+\)", error.message)
        assert upstream.requests("/api") == [] and "PLANET_TOKEN" in larder.stderr()

    def test_catalog_fault_does_not_show_the_secret(self, command, places, catalog):
        done = command(
            "--catalog", catalog(api='"headers": {"X-Key": "${env:PLANET_TOKEN}"}, "timeout": true'), *places,
            env={"PLANET_TOKEN": SECRET},
        )
        assert done.code == 78 and SECRET not in done.stderr


class TestCheck:
    """`larder check`: reports faults in a catalog and warns about likely mistakes."""

    def test_check_reports_faults(self, command, catalog):
        path = catalog(api='"timeout": "soon"')
        done = command("check", path)
        assert (done.code, done.stderr) == (78, ""), done
        lines = done.stdout.decode().splitlines()
        assert re.fullmatch(rf"{re.escape(str(path))}:5:\d+: 'timeout' .*", lines[0]) and len(lines) == 2
        assert lines[1] == f"{path}: 1 fault"

    def test_check_reports_warnings(self, command, catalog):
        text = PLANETS.replace('"apis": {', '"apis": {"idle": {"baseURL": "http://idle.example"}, ')
        path = catalog(text=text)
        done = command("check", path, "--json")
        assert done.code == 0
        found = json.loads(done.stdout)
        assert (found["file"], found["faults"], found["more"]) == (str(path), [], 0)
        assert [(warning["line"], warning["column"]) for warning in found["warnings"]] == [(5, 12), (5, 32)]
        assert "used by no resource" in found["warnings"][0]["message"]
        assert "plain http" in found["warnings"][1]["message"]

    def test_check_without_a_file_checks_the_default_catalog(self, command, catalog):
        done = command("check")
        assert done.stdout == b"built-in: 3 resources of 1 API, no fault, no warnings\n" and done.code == 0
        done = command("check", "--catalog", catalog(fields='"id": "integr"'))
        assert done.code == 78 and b"integr" in done.stdout

    def test_check_reports_variables_and_secrets_that_are_not_set(self, command, catalog):
        path = catalog(api='"headers": {"X-Region": "${var:REGION}", "X-Key": "${env:KEY_THAT_IS_NOT_SET}"}')
        done = command("check", path, "--var", "REGION=eu")
        assert done.code == 78 and b"KEY_THAT_IS_NOT_SET" in done.stdout and b"REGION" not in done.stdout
        assert b"REGION" in command("check", path).stdout

    def test_check_refuses_missing_files_and_extra_arguments(self, command, home):
        done = command("check", home / "none.jsonc")
        assert done.code == 78 and "cannot read" in done.stderr and not done.stdout
        assert command("check", "a", "b").code == 64
