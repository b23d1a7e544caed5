"""API documents and replies that try to choose a secret, or to make `larder catalog` and `larder check` take long."""

import json
import re
import resource
import subprocess

import pytest

from harness import PATIENCE, binary, environment
from scripted import serving

TOKEN = "gh-token-of-24-characters"


def answers(schema):
    return {"responses": {"200": {"content": {"application/json": {"schema": schema}}}}}


ITEM = {"type": "object", "properties": {"id": {"type": "integer"}}}
LIST, GET = answers({"type": "array", "items": ITEM}), answers(ITEM)
BEARER = {"securitySchemes": {"one": {"type": "http", "scheme": "bearer"}}}


def document(paths=None, title="GitHub", server="https://api.zoo.test", **more):
    return {"openapi": "3.0.0", "info": {"title": title, "version": "1"}, "servers": [{"url": server}],
            "paths": paths or {"/items": {"get": LIST}}, **more}


class TestSecretsOfGeneratedCatalogs:
    @pytest.mark.parametrize("server", [
        "https://evil.test", "https://github.com.de", "https://github.evil.com", "https://api.github.com@evil.test",
        "https://api.github.com%2f.evil.test", "https://github.localhost", "http://127.0.0.1:1",
        "https://{github}.evil.test",
        "https://api-github.com", "https://github.security", "/github", "",
    ])
    def test_imported_title_and_host_cannot_choose_the_secret_to_send(self, command, home, server):
        path = home / "api.json"
        path.write_text(json.dumps(document(server=server, components=BEARER)))
        done = command("catalog", "import", path)
        assert done.code == 0, done
        names = re.findall(r"\$\{env:(\w+)\}", done.stdout.decode())
        assert names and all(name == "API_TOKEN" or name.startswith("HOST_") for name in names)
        assert "sent to " in done.stdout.decode()

    def test_check_of_a_draft_sends_no_token_that_belongs_to_another_host(self, command, home):
        """The documented procedure: import a document, then check each operation."""
        sent = []

        def answer(request):
            sent.append(request.headers.get("authorization"))
            return 200, {}, [{"id": 1}]

        with serving(answer) as url:
            path = home / "api.json"
            path.write_text(json.dumps(document(server=url, components=BEARER)))
            draft = home / "draft.jsonc"
            draft.write_bytes(command("catalog", "import", path).stdout)
            env = {"GITHUB_TOKEN": TOKEN, "API_TOKEN": "another-token-of-this-test"}
            done = command("check", draft, "--live", env=env)
        assert done.code == 0 and sent and TOKEN not in " ".join(sent)

    def test_live_check_names_secrets_and_hosts_before_the_first_request(self, command, home):
        order = []

        def answer(request):
            order.append(request.path)
            return 200, {}, [{"id": 1}]

        with serving(answer) as url:
            host = url.partition("://")[2]
            path = home / "catalog.json"
            api = {"baseURL": url, "headers": {"X-Key": "${env:KEY}"}, "auth": {"bearer": {"command": ["false"]}}}
            rest = {"list": {"path": "/items", "query": {"k": "${file:secret}"}}}
            path.write_text(json.dumps(catalog(resources(rest=rest), {"a": api})))
            (home / "secret").write_text(TOKEN)
            done = command("check", path, "--live", env={"KEY": TOKEN})
        # The check stops after this line and sends no request.
        assert order == []
        line = f"larder: {host} gets ${{env:KEY}}, the output of the command 'false', ${{file:secret}}\n"
        assert done.stderr.count(line) == 1
        assert TOKEN not in done.stderr

    def test_secret_reference_in_an_api_reply_is_not_copied_as_a_value(self, command, home):
        body = {"items": [{"id": 1, "${env:HOME}": 2}], "next_cursor${}": "abc", "${env:HOME}": "x"}
        with serving(lambda request: (200, {}, body)) as url:
            done = command("catalog", "infer", f"{url}/things")
        assert done.code == 0, done
        # A key of 'fields' is a name; the catalog replaces references only in values.
        assert not re.search(r'[:\[,] *"[^"]*\$\{[^"]*"(?! *:)', re.sub(r"//.*", "", done.stdout.decode()))
        assert "'pagination' is left out" in done.stdout.decode()


def query(count, **more):
    return [{"name": f"p{n}", "in": "query", "schema": {"type": "string"}, **more} for n in range(count)]


DOCUMENTS = {
    "paths of the same words": lambda n: document({f"/v{k}/a/b/items": {"get": LIST} for k in range(n)}),
    "parameters": lambda n: document({"/items": {"get": {**LIST, "parameters": query(2 * n)}}}),
    "required parameters": lambda n: document({"/items/{id}": {"get": {
        **GET, "parameters": query(2 * n, required=True, schema={"type": "string", "enum": ["a"]})}}}),
    "references": lambda n: document(
        {f"/a{k}": {"get": answers({"$ref": f"#/components/schemas/S{k}"})} for k in range(n)},
        components={"schemas": {f"S{k}": {"type": "array", "items": ITEM} for k in range(n)}}),
    "security schemes": lambda n: document(
        components={"securitySchemes": {f"s{k}": {"type": "http", "scheme": "bearer"} for k in range(3 * n)}}),
    "variables of a server": lambda n: document(
        server="https://a.test/" + "".join(f"{{v{k}}}" for k in range(4 * n))),
    "values": lambda n: document({"/items": {"get": {**LIST, "parameters": [
        {"name": "p", "in": "query", "schema": {"type": "string", "enum": [f"v{k}" for k in range(10 * n)]}}]}}}),
}


def resources(**more):
    return {"x": {"api": "a", "id": "integer", **more}}


def catalog(declared=None, apis=None, **more):
    declared = declared or resources(rest={"get": {"path": "/x/{id}"}})
    return {"larder": 1, "apis": apis or {"a": {"baseURL": "https://a.example"}}, "resources": declared, **more}


def graphql(query):
    return catalog(resources(graphql={"get": {"query": query, "item": "x"}}))


def listing(**more):
    return catalog(resources(rest={"list": {"path": "/x", **more}}))


CATALOGS = {
    "fragments": lambda n: graphql("query ($id: Int) { " + " ".join(f"...F{k}" for k in range(3 * n)) + " }"),
    "escaped variables": lambda n: graphql(
        "query ($id: Int) {\n" + "\n".join(f"a{k}: x(id: $v{k})" for k in range(3 * n)) + "}"),
    "names that stand twice": lambda n: graphql("query A { a } " * 3 * n),
    "unused variables": lambda n: graphql(
        "query ($id: Int, " + ", ".join(f"$v{k}: Int" for k in range(3 * n)) + ") { x(id: $id) }"),
    "filters": lambda n: listing(filters={f"f{k}": "same" for k in range(3 * n)}),
    "filters beside constants": lambda n: listing(
        query={f"q{k}": {"value": "1", "beside": f"f{k}"} for k in range(2 * n)},
        filters={f"f{k}": f"p{k}" for k in range(2 * n)}),
    "composed filters": lambda n: listing(
        filters={f"f{k}": {"param": "q", "as": "{}", "with": f"{k}"} for k in range(2 * n)}),
    "headers": lambda n: catalog(resources(
        rest={"get": {"path": "/x/{id}", "headers": {f"h{k}": "{x}" for k in range(3 * n)}}})),
    "APIs": lambda n: catalog(
        {f"x{k}": {"api": f"a{k}", "id": "integer", "rest": {"get": {"path": "/x/{id}"}}} for k in range(n)},
        {f"a{k}": {"baseURL": "http://a.example"} for k in range(n)}),
    "scopes": lambda n: catalog(resources(
        scope={f"s{k}": "string" for k in range(2 * n)},
        rest={"get": {"path": "/{id}" + "".join(f"/{{s{k}}}" for k in range(2 * n))}})),
    "included files": lambda n: catalog(include=[f"./no{k}.jsonc" for k in range(4 * n)]),
}


def seconds(home, *arguments):
    """Returns the user-mode processor time of a run, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([binary(), *map(str, arguments)], env=environment(home), capture_output=True, timeout=PATIENCE)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def growth(home, make, *arguments, count=1000):
    """Returns how many times longer a run with a file of four times the size takes. The time of the program's start is
    subtracted."""
    times = []
    for size in (count, 4 * count):
        path = home / f"{size}.json"
        path.write_text(json.dumps(make(size)))
        times.append(seconds(home, *arguments, path))
    return (times[1] + 0.05) / (times[0] + 0.05)


class TestLinearTime:
    """If the work were quadratic, a file of four times the size would take 16 times as long."""

    @pytest.mark.parametrize("kind", DOCUMENTS)
    def test_import_of_a_large_document_takes_linear_time(self, home, kind):
        assert growth(home, DOCUMENTS[kind], "catalog", "import") < 8

    @pytest.mark.parametrize("kind", CATALOGS)
    def test_check_of_a_large_catalog_takes_linear_time(self, home, kind):
        assert growth(home, CATALOGS[kind], "check") < 8

    def test_import_of_often_referenced_schemas_takes_linear_time(self, home):
        """A document in which each of n operations refers to the same schema with n properties is imported in linear
        time."""

        def make(count):
            wide = {"type": "object", "properties": {"id": {"type": "integer"}} | {
                f"f{k}": {"type": "array", "items": ITEM} for k in range(count)}}
            refer = {"$ref": "#/components/schemas/wide"}
            paths = {f"/a{k}/{{id}}": {"get": answers(refer)} for k in range(count)}
            return document(paths, components={"schemas": {"wide": wide}})

        assert growth(home, make, "catalog", "import", count=500) < 8


class TestCatalogLimits:
    def test_import_of_a_document_with_a_long_title_takes_little_memory(self, command, home):
        size = 30 << 20
        path = home / "api.json"
        path.write_text(json.dumps(document(title="a b " * (size // 4))))

        def limit():
            resource.setrlimit(resource.RLIMIT_DATA, (4 * size, 4 * size))

        done = subprocess.run(
            [binary(), "catalog", "import", path], env=environment(home), capture_output=True, timeout=PATIENCE,
            preexec_fn=limit)
        assert done.returncode == 0 and len(done.stdout) < 4096, done.stderr

    def test_check_reports_only_the_first_missing_includes(self, command, places, home):
        path = home / "catalog.json"
        path.write_text(json.dumps(catalog(include=[f"./no{k}.jsonc" for k in range(50_000)]), indent=1))
        done = command(*places, "--catalog", path)
        *lines, last = done.stderr.splitlines()
        assert done.code == 78 and len(lines) == 100 and last == f"{path}: and 49900 more faults"
        assert all("No such file or directory" in line for line in lines[:99])
        assert lines[99].endswith("a catalog can have at most 100 files; merge some of them")

    def test_catalog_scope_has_at_most_100_names(self, command, home):
        path = home / "catalog.json"
        path.write_text(json.dumps(CATALOGS["scopes"](1000)))
        done = command("check", path)
        assert done.code == 78 and b"'scope' of the resource 'x' can have at most 100 names; remove some" in done.stdout
