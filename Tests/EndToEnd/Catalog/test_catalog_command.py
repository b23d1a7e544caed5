"""`larder catalog`: prints the JSON schema of the format, the resolved catalog, and TypeScript types of its
resources."""

import json
import random
import re


import jsonschema
import pytest

from harness import ROOT

SECRET = "s3cr3t-0b51c9d2"
FIXTURES = sorted((ROOT / "Fixtures").rglob("*.jsonc"))


def plain(text):
    """Parses JSON with comments and trailing commas."""
    for noise in [r"//[^\n]*|/\*.*?\*/", r",(?=\s*[}\]])"]:
        pattern = rf'"(?:[^"\\]|\\.)*"|{noise}'
        text = re.sub(pattern, lambda match: match[0] if match[0][0] == '"' else "", text, flags=re.S)
    return json.loads(text)


def documented():
    """Returns the complete catalogs among the examples of docs/catalog.md."""
    text = (ROOT / "docs" / "catalog.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```jsonc\n(.*?)```", text, flags=re.S)
    return [plain(block) for block in blocks if '"larder": 1' in block]


@pytest.fixture
def schema(command):
    done = command("catalog", "schema")
    assert (done.code, done.stderr) == (0, ""), done
    return json.loads(done.stdout)


class TestSchema:
    def test_json_schema_accepts_every_catalog_of_the_repository(self, schema):
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        catalogs = [plain(path.read_text(encoding="utf-8")) for path in FIXTURES] + documented()
        assert len(catalogs) > 40
        for catalog in catalogs:
            validator.validate(catalog)

    def test_json_schema_agrees_with_check_on_random_catalogs(self, schema, command, home):
        """The JSON Schema accepts each changed catalog that `larder check` accepts, and rejects each key that `larder
        check` rejects."""
        validator = jsonschema.Draft202012Validator(schema)
        dice = random.Random(20)
        catalogs = [plain(path.read_text(encoding="utf-8")) for path in FIXTURES] + documented()
        path = home / "mutant.json"
        taken = refused = 0
        for turn in range(250):
            mutant = mutated(dice.choice(catalogs), dice)
            text = json.dumps(mutant)
            path.write_text(text, encoding="utf-8")
            secrets = {name: "a-long-secret" for name in re.findall(r"\$\{env:(\w+)\}", text)}
            variables = {f"LARDER_VAR_{name}": "v" for name in re.findall(r"\$\{var:(\w+)\}", text)}
            found = json.loads(command("check", path, "--json", env=secrets | variables).stdout)
            errors = [error.message for error in validator.iter_errors(mutant)]
            messages = [fault["message"] for fault in found["faults"]]
            if not messages:
                taken += 1
                assert not errors, (turn, mutant, errors)
            wrong = r"has no key '|^(the API|the resource|'auth' of) .* must be an object$"
            if any(re.search(wrong, message) for message in messages):
                refused += 1
                assert errors, (turn, mutant, messages)
        assert taken > 20 and refused > 20

    def test_json_schema_accepts_catalog_parts_for_include(self, schema):
        validator = jsonschema.Draft202012Validator(schema)
        resources = {"r": {"api": "a", "id": "integer", "rest": {"list": {"path": "/"}}}}
        for part in [{"apis": {"a": {"baseURL": "https://a"}}}, {"resources": resources},
                     {"larder": 1, "resources": resources}, {"include": ["./b.jsonc"]}]:
            assert validator.is_valid(part), part
        assert not validator.is_valid({"larder": 1}) and not validator.is_valid({"resourcs": resources})

    def test_json_schema_refuses_invalid_catalog_values(self, schema):
        validator = jsonschema.Draft202012Validator(schema)
        good = {"larder": 1, "apis": {"a": {"baseURL": "https://a"}}, "resources": {
            "r": {"api": "a", "id": "integer", "rest": {"list": {"path": "/"}}}}}
        assert validator.is_valid(good)
        for place, value in [
            (["larder"], 2), (["apis", "a", "timeout"], "soon"), (["apis", "a", "retries"], 11),
            (["apis", "a", "auth"], {}),
            (["apis", "a", "auth"], {"bearer": "a", "basic": {"user": "a", "password": "b"}}),
            (["resources", "r", "id"], "uuid"), (["resources", "r", "fields"], {"a": "strin"}),
            (["resources", "r", "fields"], {"a": {"b": {}}}),
            (["resources", "r", "rest", "list", "filters"], {"a": []}),
            (["resources", "r", "rest", "list", "pagination"], {"style": "pages", "param": "p"}),
            (["resources", "r", "rest", "list", "pagination"], {"style": "page"}),
            (["resources", "r", "rest"], {}), (["resources", "r", "cache"], {"freshFor": -1}),
        ]:
            bad = json.loads(json.dumps(good))
            inner = bad
            for step in place[:-1]:
                inner = inner[step]
            inner[place[-1]] = value
            assert not validator.is_valid(bad), (place, value)


VALUES = [None, True, 0, 1, -1, 2.5, "", "a", "5m", "16MiB", "{id}", "/x/{id}", "integer", "string?", "date", [],
          ["a"], ["a", "b"], ["string"], {}, {"a": "string"}, {"header": "X"}, {"type": "string"}, {"param": "p"},
          {"last": "id"}]


def mutated(value, dice):
    value = json.loads(json.dumps(value))
    for _ in range(dice.choice([1, 1, 2])):
        places = list(parts(value))
        holder, key = dice.choice(places)
        match dice.randrange(5):
            case 0 if isinstance(holder, dict):
                holder[key + dice.choice(["x", "?"])] = holder.pop(key)
            case 1:
                holder[key] = json.loads(json.dumps(dice.choice(places)[0]))
            case 2 if isinstance(holder, dict):
                del holder[key]
            case 3 if isinstance(holder, dict):
                other, name = dice.choice(places)
                holder[str(name)] = json.loads(json.dumps(other[name]))
            case _:
                holder[key] = dice.choice(VALUES)
    return value


def parts(value):
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield value, key
        if isinstance(inner, (dict, list)):
            yield from parts(inner)


CATALOG = """{
  "larder": 1, // a comment
  "apis": {"hub": {
    "baseURL": "https://${var:HOST:-hub.example}", "auth": {"bearer": "${env:HUB_TOKEN}"},
    "headers": {"X-Note": "for ${env:HUB_TOKEN}", "X-Lost": "${env:HUB_LOST}"},
  }},
  "resources": {"issue-note": {
    "api": "hub", "id": "integer", "scope": {"owner": "string", "repo": {"default": "larder"}},
    "fields": {
      "id": "integer", "state": {"type": ["open", "closed"], "otherwise": "other"}, "at": "date?",
      "author": {"name": "string", "e-mail?": "string"}, "sizes": {"*": "integer"}, "tags": ["string?"], "more": "any",
    },
    "rest": {"list": {
      "path": "/{owner}/{repo}", "filters": {"since": {"type": "date", "required": true}, "tag": {"type": ["string"]}},
      "complete": false, "pagination": {"style": "link"},
    }},
  }},
}"""


@pytest.fixture
def hub(home):
    path = home / "hub.jsonc"
    path.write_text(CATALOG, encoding="utf-8")
    return path


class TestShow:
    def test_catalog_show_prints_the_resolved_catalog(self, command, hub, home):
        done = command("catalog", "show", hub, "--var", "HOST=other.example", env={"HUB_TOKEN": SECRET})
        assert (done.code, done.stderr) == (0, ""), done
        shown = json.loads(done.stdout)
        api = shown["apis"]["hub"]
        assert api["baseURL"] == "https://other.example" and api["timeout"] == "10s" and api["retries"] == 2
        assert api["auth"] == {"bearer": "***"} and api["headers"] == {"X-Note": "for ***", "X-Lost": "***"}
        resource = shown["resources"]["issue-note"]
        assert resource["scope"] == {"owner": {"type": "string"}, "repo": {"type": "string", "default": "larder"}}
        tag = resource["rest"]["list"]["filters"]["tag"]
        assert tag == {"type": ["string"], "required": False, "allowEmpty": False}
        # The printed catalog works unchanged, and printing it again gives the same output.
        again = home / "again.json"
        again.write_bytes(done.stdout)
        assert command("catalog", "show", again).stdout == done.stdout

    def test_catalog_show_prints_no_secret(self, command, hub):
        for secret in [SECRET, "short"]:
            done = command("catalog", "show", "--catalog", hub, env={"HUB_TOKEN": secret})
            assert done.code == 0 and secret.encode() not in done.stdout and secret not in done.stderr

    def test_catalog_show_without_a_file_prints_the_default_catalog(self, command):
        assert "character" in json.loads(command("catalog", "show").stdout)["resources"]

    def test_faulty_catalog_is_refused(self, command, hub):
        hub.write_text(CATALOG.replace('"date?"', '"dat"'), encoding="utf-8")
        for action in ["show", "types"]:
            done = command("catalog", action, hub)
            assert done.code == 78 and not done.stdout and "did you mean 'date'?" in done.stderr


class TestTypes:
    def test_resource_names_reserved_by_typescript_get_other_type_names(self, command, hub):
        hub.write_text(CATALOG.replace("issue-note", "array"), encoding="utf-8")
        text = command("catalog", "types", hub).stdout.decode()
        assert "export interface Array2 {" in text and "  tags: Array<string | null>;" in text

    def test_typescript_types_describe_items_and_methods(self, command, hub):
        done = command("catalog", "types", hub)
        assert (done.code, done.stderr) == (0, ""), done
        text = done.stdout.decode()
        for line in [
            "export interface IssueNote {", "  id: number;", '  state: "open" | "closed" | "other";',
            "  at: string | null;", "    name: string;", '    "e-mail": string | null;',
            "  sizes: { [key: string]: number };", "  tags: Array<string | null>;", "  more: JSONValue;",
            "export interface IssueNoteScope {", "  owner: string;", "  repo?: string;",
            "export interface IssueNoteFilter {", "  since: string;", "  tag?: Array<string>;",
            '  "issue-note": { item: IssueNote; listed: IssueNoteListed; id: number; scope: IssueNoteScope; '
            "filter: IssueNoteFilter; page: number | string | null };",
        ]:
            assert line in text.splitlines(), (line, text)

    def test_typescript_type_of_a_split_filter_accepts_a_string(self, command, hub):
        hub.write_text(CATALOG.replace('"tag": {"type": ["string"]}', '"tag": {"type": ["string"], "split": ","}'))
        assert "  tag?: Array<string> | string;" in command("catalog", "types", hub).stdout.decode().splitlines()

    def test_typescript_types_of_partial_list_items_have_optional_fields(self, command, hub):
        """The TypeScript types mark fields as optional that the server omits if they are absent, also within
        records."""
        text = command("catalog", "types", hub).stdout.decode()
        listed = text.split("export interface IssueNoteListed ")[1].split("\n}")[0].splitlines()
        for line in [
            "  id?: number;", "  author?: {", "    name?: string;", '    "e-mail"?: string | null;',
            "  sizes?: { [key: string]: number };", "  tags?: Array<string | null>;",
        ]:
            assert line in listed, (line, listed)
        (hub.parent / "whole.jsonc").write_text(CATALOG.replace('"complete": false,', ""), encoding="utf-8")
        assert b"Listed" not in command("catalog", "types", hub.parent / "whole.jsonc").stdout
