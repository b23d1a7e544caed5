"""Answers to the introspection of a GraphQL schema that try to take long, to use much memory, or to inject text."""

import json
import resource
import subprocess
import time

import pytest

from harness import PATIENCE, binary, environment

ID = {"kind": "SCALAR", "name": "ID"}


def field(name, kind, *arguments):
    return {"name": name, "args": list(arguments), "type": kind}


def named(name, kind="OBJECT"):
    return {"kind": kind, "name": name}


def many(name, kind="OBJECT"):
    return {"kind": "LIST", "ofType": named(name, kind)}


def of(name, *fields, kind="OBJECT", **more):
    return {"kind": kind, "name": name, "fields": list(fields), **more}


def schema(*types, root="Query"):
    cat = of("Cat", field("id", ID), field("friends", many("Cat")))
    query = of("Query", field("cats", many("Cat")), field("pets", named("Pets", "UNION")))
    given = {str(kind["name"]): kind for kind in [query, cat, ID, *types]}
    return {"data": {"__schema": {"queryType": {"name": root}, "types": list(given.values())}}}


def wrapped(depth, kind="LIST"):
    return b'{"kind": "%s", "ofType": ' % kind.encode() * depth + b'{"kind": "OBJECT", "name": "Cat"}' + b"}" * depth


def with_type(text):
    """A schema that declares the type of its field `cats` with the given string."""
    whole = json.dumps(schema(of("Query", field("cats", "TYPE"), field("kittens", many("Cat")))))
    return whole.encode().replace(b'"TYPE"', text)


def chain(count):
    """Types that contain the next two types each, so that the number of routes doubles with each type."""
    links = [of(f"T{n}", field("a", many(f"T{n + 1}")), field("b", named(f"T{n + 1}"))) for n in range(count)]
    return schema(of("Query", field("cats", many("Cat")), *[field(f"t{n}", named(f"T{n}")) for n in range(count)]),
                  *links)


ANSWERS = {
    "deep lists": with_type(wrapped(100_000)),
    "lists deeper than the query asks": with_type(wrapped(400)),
    "deep non-null types": with_type(wrapped(400, "NON_NULL")),
    "a cycle of objects": schema(
        of("A", field("b", many("B"))), of("B", field("a", many("A")), field("c", many("Cat")))),
    "a chain of types": chain(4_000),
    "many types": schema(*[of(f"T{n}", field("id", ID), field("cats", many("Cat"))) for n in range(20_000)]),
    "many fields": schema(
        of("Cat", field("id", ID), *[field(f"f{n}", many("Cat")) for n in range(50_000)]),
        of("Query", *[field(f"q{n}", many("Cat")) for n in range(50_000)])),
    "many arguments": schema(of("Query", field("cats", many("Cat"), *[
        {"name": f"a{n}", "type": ID, "defaultValue": None} for n in range(50_000)]))),
    "a large union": schema(
        {"kind": "UNION", "name": "Pets", "possibleTypes": [named("Cat")] * 50_000
         + [named(f"P{n}") for n in range(20_000)]},
        *[of(f"P{n}", field("id", ID), field("message", ID)) for n in range(20_000)]),
    "a union of itself": schema({"kind": "UNION", "name": "Pets", "possibleTypes": [named("Pets"), named("Cat")]}),
    "an interface of itself": schema(
        of("Pets", field("pets", named("Pets", "INTERFACE")), kind="INTERFACE", possibleTypes=[named("Pets")])),
    "an input object of itself": schema(
        of("Query", field("cats", many("Cat"), {"name": "f", "type": named("F", "INPUT_OBJECT")})),
        {"kind": "INPUT_OBJECT", "name": "F", "inputFields": [
            {"name": "f", "type": {"kind": "NON_NULL", "ofType": named("F", "INPUT_OBJECT")}}]}),
    "wrong kinds": schema(
        {"kind": 7, "name": "A"}, {"kind": "OBJECT", "name": {"x": 1}, "fields": {}},
        {"kind": "OBJECT", "name": "B", "fields": [7, None, {"name": 1}, {"name": "x", "type": []}, {"args": "x"}]},
        {"kind": "UNION", "name": "Pets", "possibleTypes": "Cat"},
        {"kind": "ENUM", "name": "E", "enumValues": {"a": 1}}),
    "references in names": schema(
        of("Query", field("cats", many("Cat")), field("${env:HOME}", many("Cat"))),
        of("Cat", field("id", ID), field("${file:/etc/passwd}", ID), field("x\n}", ID), field("__typename", ID))),
    "a root that is a union": schema({"kind": "UNION", "name": "Query", "possibleTypes": [named("Cat")]}),
    "a root that is not there": schema(root="Mutation"),
    "repeated types": json.dumps(schema()).replace(
        '"types": [', '"types": [' + json.dumps(of("Cat", field("name", ID))) + ", ").encode(),
    "types that are no array": {"data": {"__schema": {"queryType": {"name": "Query"}, "types": {"a": 1}}}},
    "an error": {"errors": [{"message": "\x1b[2J" + "x" * 100_000}]},
    "half of an answer": json.dumps(schema()).encode()[:-20],
}


class TestIntrospection:
    @pytest.mark.parametrize("options", [["--graphql", "Cat"], ["--list"]], ids=["a type", "the table"])
    @pytest.mark.parametrize("kind", ANSWERS)
    def test_hostile_schema_takes_limited_time_and_gives_a_valid_draft(self, command, home, kind, options):
        answer = ANSWERS[kind]
        (home / "schema.json").write_bytes(answer if isinstance(answer, bytes) else json.dumps(answer).encode())

        def limit():
            resource.setrlimit(resource.RLIMIT_DATA, (512 << 20, 512 << 20))

        start = time.monotonic()
        done = subprocess.run(
            [binary(), "catalog", "infer", home / "schema.json", *options], env=environment(home), capture_output=True,
            timeout=PATIENCE, preexec_fn=limit)
        assert time.monotonic() - start < 30 and done.returncode in (0, 1), done.stderr[:300]
        assert b"\x1b" not in done.stdout + done.stderr
        lines = [line for line in done.stdout.decode().splitlines() if not line.lstrip().startswith("//")]
        assert not [line for line in lines if "${" in line.replace("${var:API_URL}", "")]
        if done.returncode:
            assert not done.stdout and done.stderr.count(b"\n") == 1 and len(done.stderr) < 4_000, done.stderr[:300]
        elif "--list" not in options:
            (home / "draft.jsonc").write_bytes(done.stdout)
            assert command("check", home / "draft.jsonc", "--var", "API_URL=https://zoo.test").code == 0, done
