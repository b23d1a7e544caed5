"""The settings file `config.jsonc` sets defaults for command-line options."""

import json

import pytest


@pytest.fixture
def settings(home):
    """`settings(value)` writes the file and returns its path. The value is text, or an object to encode as JSON."""

    def settings(value):
        path = home / "xdg-config" / "larder" / "config.jsonc"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        return path

    return settings


def test_catalog_in_the_settings_is_used_if_no_option_or_variable_names_one(command, settings):
    settings({"catalog": "github"})
    assert {"issue", "repo"} <= {row["resource"] for row in command("resources").messages}
    named = command("resources", "--catalog", "rickandmorty").messages
    assert [row["resource"] for row in named] == ["character", "location", "episode"]
    named = command("resources", env={"LARDER_CATALOG": "rickandmorty"}).messages
    assert [row["resource"] for row in named] == ["character", "location", "episode"]
    assert "issue" in command("complete", "--", "list", "iss").stdout.decode()


def test_settings_may_list_several_default_catalogs_by_name_or_relative_path(command, settings, home):
    path = settings({"catalog": ["rickandmorty", "./mine/pets.jsonc"]})
    (path.parent / "mine").mkdir()
    pet = {"api": "pets", "id": "integer", "rest": {"get": {"path": "/pets/{id}"}}}
    catalog = {"larder": 1, "apis": {"pets": {"baseURL": "https://pets.example"}}, "resources": {"pet": pet}}
    (path.parent / "mine" / "pets.jsonc").write_text(json.dumps(catalog))
    names = [row["resource"] for row in command("resources").messages]
    assert "rickandmorty.character" in names and "pets.pet" in names


def test_table_of_a_resource_has_the_columns_in_the_settings(people, on_terminal, settings):
    settings({"columns": {"character": ["id", "status"]}})
    assert on_terminal("list", "character").lines[0].split() == ["id", "status"]
    assert on_terminal("list", "character", "--sort", "-name").lines[0].split() == ["id", "status", "name"]
    assert on_terminal("list", "character", "--fields", "name").lines[0].split() == ["name"]
    assert on_terminal("list", "location").lines[0].split()[:2] == ["id", "name"]
    assert len(people("list", "character").messages[0]) > 2
    assert any(line.startswith("species") for line in on_terminal("get", "character", "1").lines)


def test_columns_setting_accepts_resource_names_with_the_default_catalog_as_prefix(on_terminal, settings):
    settings({"columns": {"rickandmorty/character": ["id", "status"]}})
    assert on_terminal("list", "character").lines[0].split() == ["id", "status"]
    settings({"catalog": "rickandmorty", "columns": {"rickandmorty/character": ["id", "name"]}})
    assert on_terminal("list", "character").lines[0].split() == ["id", "name"]


def test_colour_setting_applies_unless_an_option_overrides_it(people, on_terminal, settings):
    settings({"color": "never"})
    assert "\x1b[1m" not in on_terminal("list", "character").text
    assert "\x1b[1m" in on_terminal("list", "character", "--color", "always").text
    settings({"color": "always"})
    assert b"\x1b[1m" in people("list", "character", "--table").stdout
    assert b"\x1b[1m" not in people("list", "character", "--table", "--color", "auto").stdout


class TestFaults:
    def test_command_fails_with_the_position_of_a_fault_in_the_settings(self, command, settings):
        path = settings('{\n  "catalogs": "github"}')
        done = command("resources")
        assert done.code == 78
        assert done.stderr == f"{path}:2:3: the settings file has no key 'catalogs'; did you mean 'catalog'?\n"
        assert command().code == 78

    def test_check_reports_faults_of_the_settings(self, command, settings, home):
        path = settings({"color": "red"})
        done = command("check")
        assert (done.code, done.stderr) == (
            78,
            f'{path}:1:11: \'color\' must be one of "always", "never", "auto"\n',
        )
        named = command("check", path)
        assert (named.code, named.stdout.decode()) == (78, done.stderr)
        settings({"color": "auto"})
        assert command("check").code == 0
        assert command("check", path).stdout.decode() == f"{path}: no faults\n"

    @pytest.mark.parametrize("words", [["--version"], ["--help"], ["help", "list"], ["completions", "bash"]])
    def test_help_and_version_are_shown_despite_faults_in_the_settings(self, command, settings, words):
        settings("{")
        assert command(*words).code == 0

    def test_settings_writable_by_everyone_are_refused(self, command, settings):
        path = settings({"color": "auto"})
        path.chmod(0o666)
        done = command("resources")
        assert done.code == 78 and done.stderr.startswith(f"larder: cannot use the settings {path}: ")

    def test_missing_default_catalog_is_reported(self, command, settings):
        path = settings({"catalog": "githb"})
        done = command("resources")
        assert done.stderr.startswith(f"larder: the catalog in {path}: cannot read githb: "), done
        assert "did you mean the shipped catalog 'github'?" in done.stderr

    def test_error_about_an_unknown_column_names_the_settings(self, command, settings):
        path = settings({"columns": {"character": ["id", "nam"]}})
        done = command("list", "character", "--table")
        assert done.code == 1 and "'fields' has an unknown field 'nam'" in done.stderr, done
        assert done.stderr.endswith(f"\n  correct the columns in {path}, or select fields with --fields\n")
        done = command("list", "character", "--table", "--fields", "nam")
        assert done.code == 1 and "config.jsonc" not in done.stderr, done

    def test_check_reports_unknown_resources_and_fields_of_columns(self, command, settings):
        path = settings(
            '{"catalog": "github", "columns": {"isue": ["id"], "issue": ["number", "tilte"],\n'
            '"gthub/repo": ["id"], "rickandmorty/character": ["id", "nam"], "github/none": ["id"],\n'
            '"github/isue": ["id"]}}'
        )
        lines = [
            f"{path}:1:35: there is no resource 'isue'; did you mean 'issue'?",
            f"{path}:1:71: 'issue' has no field 'tilte'; did you mean 'title'?",
            f"{path}:2:1: there is no catalog 'gthub'; did you mean 'github'?",
            f"{path}:2:56: 'rickandmorty/character' has no field 'nam'; did you mean 'name'?",
            f"{path}:2:64: there is no resource 'github/none'; name a resource of another catalog as CATALOG/RESOURCE",
            f"{path}:3:1: there is no resource 'github/isue'; did you mean 'github/issue'?",
        ]
        named = command("check", path)
        assert (named.code, named.stdout.decode().splitlines()) == (78, lines)
        done = command("check", env={"GITHUB_TOKEN": "a-token-of-a-test"})
        assert (done.code, done.stderr.splitlines()) == (78, lines) and b"no fault" in done.stdout
        assert command("resources").code == 0

    def test_check_reports_all_faults_if_the_default_catalog_is_unreadable(self, command, settings, home):
        path = settings(
            '{"columns": {"github/isue": ["id"], "a": ["b"], "./x.jsonc/c": ["d"]},\n"catalog": ["github", "shp"]}'
        )
        (home / "xdg-config" / "larder" / "shop.jsonc").write_text("{}")
        lines = [
            f"{path}:2:23: the catalog: cannot read shp: No such file or directory; did you mean 'shop'?",
            f"{path}:1:14: there is no resource 'github/isue'; did you mean 'github/issue'?",
        ]
        named = command("check", path)
        assert (named.code, sorted(named.stdout.decode().splitlines())) == (78, sorted(lines))
        done = command("check")
        assert (done.code, done.stdout, sorted(done.stderr.splitlines())) == (78, b"", sorted(lines))
