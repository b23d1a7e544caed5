"""Answers of an API that `larder add` drafts, because the document does not describe them, and that try to harm."""

import re
import time

import pytest

from scripted import serving

ITEMS = [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]
DEEP = b'{"items": [' + b'{"a": ' * 100_000 + b"1" + b"}" * 100_000 + b"]}"
ANSWERS = {
    "deep values": DEEP,
    "deeper than the draft": b'{"items": [' + b'{"a": ' * 300 + b"1" + b"}" * 300 + b"]}",
    "many members": {"items": [{f"m{number}": number for number in range(5_000)}]},
    "other members in each item": {"items": [{f"m{number}": 1} for number in range(5_000)]},
    "a large answer": b'{"items": ["' + b"x" * (5 << 20) + b'"]}',
    "variables": {"items": [{"${env:HOME}": "${env:HOME}", "id": "${file:/etc/passwd}"}]},
    "ids that leave the path": {"items": [{"id": "../../../secret?x=1#y"}, {"id": "\u0000"}]},
    "control characters": {"items": [{"id": 1, "\u001b[2J\n\u2028": "\u202e"}]},
    "empty names": {"": [{"": [], "id": 1}], "items": [{"": 1, "a.b": 2, "@key": 3, "id": 4}]},
    "a document": {"openapi": "3.0.0", "paths": {"/x": {"get": {}}}},
    "text": b"<html>",
    "half of a value": b'{"items": [{"id": 1',
    "wrong kinds": {"items": {"id": []}, "data": [1, "a", None, {}, []]},
}


def document():
    answer = {"responses": {"200": {"$ref": "https://other.invalid/a.yaml"}}}
    schema = {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}, "name": {}}}}
    own = {"responses": {"200": {"content": {"application/json": {"schema": schema}}}}}
    paths = {"/own": {"get": own}, "/things": {"get": answer}, "/things/{id}": {"get": answer}}
    return {"openapi": "3.0.3", "info": {"title": "Zoo", "version": "1"}, "paths": paths}


class TestSamples:
    @pytest.mark.parametrize("kind", ANSWERS)
    def test_hostile_answer_takes_limited_time_and_adds_no_secret_reference(self, command, home, kind):
        asked = []

        def answer(request):
            asked.append(request.target)
            return 200, {}, {"/openapi.json": document(), "/own": ITEMS}.get(request.path, ANSWERS[kind])

        start = time.monotonic()
        with serving(answer) as url:
            done = command("add", "zoo", f"{url}/openapi.json")
            assert command("check", "zoo").code == 0
        assert done.code == 0 and time.monotonic() - start < 60, done
        text = (home / "xdg-config" / "larder" / "zoo.jsonc").read_text()
        lines = [line for line in text.splitlines() if not line.lstrip().startswith("//")]
        # A reference is replaced only in a value, not in a name.
        assert not [line for line in lines if re.search(r'[:\[,] *"[^"]*\$\{', line)]
        assert '    "own": {' in lines and "\x1b" not in text
        assert not [target for target in asked if target.startswith("/secret")]

    def test_answer_from_another_host_is_not_read(self, command):
        asked = []

        def other(request):
            asked.append(request.path)
            return 200, {}, ITEMS

        with serving(other) as foreign:

            def answer(request):
                if request.path == "/openapi.json":
                    return 200, {}, document()
                return (200, {}, ITEMS) if request.path == "/own" else (302, {"Location": f"{foreign}/x"}, b"")

            with serving(answer) as url:
                done = command("add", "zoo", f"{url}/openapi.json")
        assert done.code == 0 and asked == [], done

    def test_credentials_go_only_to_the_named_host(self, command):
        """Credentials are sent to the host that the user names. The document comes from another host after a
        redirect."""
        seen = []

        def other(request):
            seen.append(request.headers.get("x-key"))
            return 200, {}, document() if request.path == "/openapi.json" else ITEMS

        with serving(other) as foreign, serving(lambda _: (302, {"Location": f"{foreign}/openapi.json"}, b"")) as url:
            command("add", "zoo", f"{url}/openapi.json", "--header", "X-Key: abcdefgh")
        assert seen and set(seen) == {None}, seen
