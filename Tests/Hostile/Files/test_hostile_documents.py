"""OpenAPI documents that try to take long, to use much memory, or to read other files and hosts."""

import resource
import subprocess
import time

import pytest

from harness import PATIENCE, binary, environment
from scripted import serving

HEAD = "openapi: 3.0.0\npaths: {}\n"
ANSWER = "responses: {'200': {content: {application/json: {schema: {$ref: '%s'}}}}}"


def bomb(item):
    """Nine levels of ten aliases each: a billion values."""
    levels = [f"l0: &l0 {item}"]
    levels += [f"l{n}: &l{n} [" + ", ".join([f"*l{n - 1}"] * 10) + "]" for n in range(1, 10)]
    return HEAD + "\n".join(levels) + "\n"


def merges():
    """A YAML document of nested mappings. Each mapping merges the previous mapping twice."""
    levels = ["m0: &m0 {a: 1}"] + [f"m{n}: &m{n} {{<<: [*m{n - 1}, *m{n - 1}], k{n}: 1}}" for n in range(1, 60)]
    return HEAD + "\n".join(levels) + "\n"


DOCUMENTS = {
    "aliases of texts": (bomb('"lol"'), "the aliases expand to too much data"),
    "aliases of mappings": (bomb("{a: 1}"), "the aliases expand to too much data"),
    "merge keys that multiply": (merges(), "the aliases expand to too much data"),
    "an alias of itself": (HEAD + "a: &a [*a]\n", "contains itself"),
    "a merge of itself": (HEAD + "a: &a {<<: *a, b: 1}\n", "contains itself"),
    "a merge of a text": (HEAD + "a: {<<: text}\n", "must be a mapping"),
    "deep sequences": (HEAD + "a: " + "[" * 100_000 + "]" * 100_000 + "\n", "nested deeper than 512 levels"),
    "deep mappings": (HEAD + "a: " + "{a: " * 100_000 + "}" * 100_000 + "\n", "nested deeper than 512 levels"),
    "deep blocks": (HEAD + "\n".join(" " * n + "a:" for n in range(2000)) + "\n", ""),
    "deep JSON": ('{"openapi": "3.0.0", "paths": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested"),
    "a repeated key": (HEAD + "paths: {}\n", "the key 'paths' of line 2 must not be repeated at line 3"),
    "a repeated key of an operation": ("openapi: 3.0.0\npaths:\n  /a: {}\n  /b: {}\n  /a: {}\n", "line 5"),
    "a key that is repeated in quotes": (HEAD + "a: {b: 1, 'b': 2}\n", "must not be repeated"),
    "a key that is a mapping": (HEAD + "? {a: 1}\n: 1\n", "must be a single value"),
    "many anchors": (HEAD + "a: [" + ", ".join(f"&a{n} x" for n in range(100_000)) + "]\n", "no path has a GET"),
    "an unknown tag": (HEAD + "a: !!python/object/apply:os.system ['true']\n", ""),
    "a second document": (HEAD + "---\na: 1\n", "a second document starts"),
    "control characters": (HEAD + "a: \x01\n", ""),
    "nothing": ("", "there is no value"),
}


class TestYAML:
    @pytest.mark.parametrize("kind", DOCUMENTS)
    def test_hostile_text_is_refused_within_time_and_memory_limits(self, home, kind):
        text, reason = DOCUMENTS[kind]
        (home / "a.yaml").write_text(text)

        def limit():
            resource.setrlimit(resource.RLIMIT_DATA, (512 << 20, 512 << 20))

        start = time.monotonic()
        done = subprocess.run(
            [binary(), "catalog", "import", home / "a.yaml"], env=environment(home), capture_output=True,
            timeout=PATIENCE, preexec_fn=limit)
        assert done.returncode == 1 and not done.stdout and reason in done.stderr.decode(), done
        assert done.stderr.count(b"\n") == 1 and time.monotonic() - start < 30

    def test_long_mappings_take_linear_time(self, home):
        times = []
        for count in (20_000, 80_000):
            (home / "a.yaml").write_text(HEAD + "a:\n" + "".join(f"  k{n}: {{x: 1}}\n" for n in range(count)))
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            subprocess.run(
                [binary(), "catalog", "import", home / "a.yaml"], env=environment(home), capture_output=True,
                timeout=PATIENCE)
            times.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
        assert (times[1] + 0.05) / (times[0] + 0.05) < 8


def paths(reference):
    return (
        "openapi: 3.0.0\nservers: [{url: 'https://zoo.test'}]\npaths:\n"
        f"  /things/{{id}}: {{get: {{{ANSWER % reference}}}}}\n"
        "  /own: {get: {responses: {'200': {content: {application/json: {schema: {type: array, items: "
        "{type: object, properties: {id: {type: integer}}}}}}}}}}\n"
    )


class TestReferences:
    SECRET = "name-in-a-secret-file"

    @pytest.mark.parametrize("reference", [
        "../secret.yaml", "v1/../../secret.yaml", "%2e%2e/secret.yaml", "link.yaml", "/etc/passwd",
        "file:///etc/passwd", "folder/secret.yaml",
    ])
    def test_file_outside_the_folder_of_the_document_is_not_read(self, command, home, reference):
        folder = home / "api"
        folder.mkdir()
        (home / "secret.yaml").write_text(f"type: object\nproperties: {{id: {{}}, {self.SECRET}: {{}}}}\n")
        (folder / "link.yaml").symlink_to("../secret.yaml")
        (folder / "folder").symlink_to("..")
        (folder / "root.yaml").write_text(paths(reference))
        done = command("catalog", "import", folder / "root.yaml")
        text = done.stdout.decode()
        assert done.code == 0 and self.SECRET not in text, done
        unread = "larder cannot follow: 1. Operations that are left out for this reason: 1."
        assert unread in text.replace("\n//", "") and f"'{reference}':" in text
        assert '"own": {' in text and '"thing": {' not in text

    def test_reference_follows_no_redirect_to_another_host(self, command, home):
        asked = []

        def other(request):
            asked.append(request.path)
            return 200, {}, {"type": "object", "properties": {"id": {}}}

        with serving(other) as foreign:

            def answer(request):
                if request.path == "/part.yaml":
                    return 302, {"Location": f"{foreign}/part.yaml"}, b""
                return 200, {}, paths("part.yaml").encode()

            with serving(answer) as url:
                done = command("catalog", "import", f"{url}/root.yaml")
        text = done.stdout.decode()
        assert done.code == 0 and asked == [] and "leads to another origin" in text.replace("\n//", ""), done

    def test_references_are_relative_to_the_url_after_redirects(self, command, home):
        """A header field is sent only to the host that the user names, not to the host of a redirect."""
        seen = {}

        def other(request):
            seen[request.path] = request.headers.get("x-key")
            if request.path == "/v2/part.yaml":
                return 200, {}, b"type: object\nproperties: {id: {type: integer}, name: {type: string}}\n"
            return 200, {}, paths("part.yaml").replace("https://zoo.test", "../v3").encode()

        with serving(other) as real, serving(lambda _: (301, {"Location": f"{real}/v2/root.yaml"}, b"")) as url:
            done = command("catalog", "import", f"{url}/root.yaml", "--header", "X-Key: abcdefgh")
        text = done.stdout.decode()
        assert done.code == 0 and '"name": "string?"' in text and f'"baseURL": "{real}/v3"' in text, done
        assert seen == {"/v2/root.yaml": None, "/v2/part.yaml": None}


BODIES = {
    "a cycle": "{$ref: '#/components/schemas/a'}",
    "a cycle over allOf": "{allOf: [{$ref: '#/components/schemas/b'}]}",
    "a reference out of the document": "{$ref: 'https://other.invalid/a.yaml'}",
    "many members": "{type: object, properties: {"
    + ", ".join(f"m{n}: {{allOf: [{{$ref: '#/components/schemas/c'}}]}}" for n in range(20_000)) + "}}",
    "deep objects": "{type: object, properties: {page: " + "{properties: {page: " * 200 + "{}" + "}}" * 200 + "}}",
    "other kinds": "{type: [], properties: [1], required: {a: 1}, anyOf: {}, oneOf: 1}",
    "names with dots": "{type: object, properties: {a.b: {}, '': {}, page: {type: object, properties: {x.y: {}}}}}",
    "a variable": "{type: object, required: [k], properties: {k: {enum: ['${env:HOME}']}}}",
}


class TestBodies:
    @pytest.mark.parametrize("kind", BODIES)
    def test_hostile_request_body_takes_limited_time_and_gives_a_valid_draft(self, command, home, kind):
        items = "{type: array, items: {type: object, required: [id], properties: {id: {type: integer}, n: {}}}}"
        answer = "responses: {'200': {content: {application/json: {schema: %s}}}}" % items
        (home / "a.yaml").write_text(
            "openapi: 3.0.0\nservers: [{url: 'https://zoo.test'}]\npaths:\n"
            f"  /own: {{get: {{{answer}}}}}\n"
            f"  /things/search: {{post: {{parameters: [{{name: page, in: query, schema: {{type: integer}}}}], "
            f"requestBody: {{content: {{application/json: {{schema: {BODIES[kind]}}}}}}}, {answer}}}}}\n"
            "components:\n  schemas:\n"
            "    a: {type: object, properties: {page: {$ref: '#/components/schemas/a'}, n: {}}}\n"
            "    b: {allOf: [{$ref: '#/components/schemas/b'}, {$ref: '#/components/schemas/a'}]}\n"
            "    c: {type: object, properties: {" + ", ".join(f"p{n}: {{}}" for n in range(300)) + "}}\n")
        start = time.monotonic()
        done = command("catalog", "import", home / "a.yaml")
        assert done.code == 0 and b'"own": {' in done.stdout and time.monotonic() - start < 20, done
        (home / "draft.jsonc").write_bytes(done.stdout)
        assert command("check", home / "draft.jsonc").code == 0
