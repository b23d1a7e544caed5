"""`python -m larder.models`: the generated module type-checks, and its types match the data."""

import pathlib
import subprocess
import sys

import pytest

from harness import PATIENCE, ROOT, binary, environment

PACKAGE = pathlib.Path(__file__).resolve().parents[1]
CATALOGS = sorted(path.stem for path in (ROOT / "Fixtures" / "catalogs").glob("*.jsonc"))
GOOD = """
from typing import List, Union
from larder import AsyncLarder, Larder
from github_models import TypedLarder
import rickandmorty_models as shows
from pokeapi_models import TypedLarder as Pokemons

def blocking(one: Larder) -> None:
    issues = TypedLarder(one).issue.at(owner="apple", repo="swift")
    title: str = issues.get(1).item.title
    numbers: List[int] = [issue.number for page in issues.pages(state="open") for issue in page.items]
    planet: str = shows.TypedLarder(one).character.list(name="rick").items[0].origin.name
    shows.TypedLarder(one).character.prefetch(progress=lambda step: print(step.percentage))
    synced = shows.TypedLarder(one).character.sync(name="rick", max_age="1h", max_requests=5, changes=True)
    ids: List[Union[int, str]] = [change.id for change in synced.changes]
    steps: List[str] = shows.TypedLarder(one).character.explain(1).steps
    known = Pokemons(one).pokemon.list().items[0].weight
    weight = 0 if known is None else known + 1

async def asynchronous(one: AsyncLarder) -> None:
    name: str = (await shows.AsyncTypedLarder(one).character.get(1)).item.name
    async for page in shows.AsyncTypedLarder(one).character.pages():
        ids: List[int] = [character.id for character in page.items]
    requests: int = (await shows.AsyncTypedLarder(one).character.sync(whole=True, accept_removals=True)).requests
"""
WRONG = {
    "TypedLarder(one).issue.get(1)": 'has no attribute "get"',
    'TypedLarder(one).issue.at(owner="apple")': 'Missing named argument "repo"',
    'TypedLarder(one).issue.at(owner="a", repo="b").list(state="ajar")': "incompatible type",
    'TypedLarder(one).issue.at(owner="a", repo="b").get(1).item.titel': 'maybe "title"?',
}


@pytest.fixture
def models(home, places):
    """models(name, *args): the path of the module generated with the given arguments."""

    def models(name, *args):
        command = [sys.executable, "-W", "error", "-m", "larder.models", *args]
        env = environment(home, {"PYTHONPATH": str(PACKAGE / "src"), "LARDER_BIN": binary()})
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr
        path = home / f"{name.replace('-', '_')}_models.py"
        path.write_text(done.stdout, encoding="utf-8")
        return path

    return models


def mypy(home, *paths):
    """Returns the errors of the type checker for the oldest supported Python."""
    options = ["--strict", "--python-version", "3.9", "--cache-dir", str(home / "mypy")]
    command = [sys.executable, "-m", "mypy", *options, *map(str, paths)]
    env = {**environment(home), "MYPYPATH": f"{PACKAGE / 'src'}:{home}"}
    done = subprocess.run(command, env=env, cwd=home, capture_output=True, text=True, timeout=10 * PATIENCE)
    assert done.returncode in (0, 1) and not done.stderr, f"mypy does not run: {done.stderr}"
    return [] if done.returncode == 0 else done.stdout.splitlines()[:-1]


def test_generated_modules_of_shipped_catalogs_pass_type_checking(home, models):
    paths = [models(name, "--catalog", name) for name in CATALOGS]
    (home / "good.py").write_text(GOOD)
    assert mypy(home, *paths, home / "good.py") == []
    lines = ["from larder import Larder", "from github_models import TypedLarder", "def wrong(one: Larder) -> None:"]
    (home / "wrong.py").write_text("\n".join([*lines, *(f"    {line}" for line in WRONG)]) + "\n")
    errors = [line for line in mypy(home, home / "wrong.py") if ": error: " in line]
    assert len(errors) == len(WRONG)
    for line, expected in zip(errors, WRONG.values()):
        assert expected in line


def test_package_passes_type_checking(home):
    assert mypy(home, PACKAGE / "src" / "larder") == []


def test_generated_module_reads_typed_items(home, models, client, monkeypatch):
    models("shows")
    monkeypatch.syspath_prepend(str(home))
    import shows_models

    typed = shows_models.TypedLarder(client)
    rick = typed.character.get(1)
    assert rick.item.origin == shows_models.CharacterOrigin(
        "Earth (C-137)", "https://rickandmortyapi.com/api/location/1"
    )
    assert rick.source == "remote" and "name='Rick Sanchez'" in repr(rick)
    assert [character.id for character in typed.character.pages(name="rick").all()][:1] == [1]
    assert typed.character.get_many([2, 1]).items[1] == rick.item
    assert typed.character.search("rick san").items == [rick.item]
    assert typed.character.list().records()[0]["origin.name"] == "Earth (C-137)"
    assert typed.location.prefetch(max_pages=1).pages == 1
    assert typed.location.sync(max_requests=1, changes=True).requests == 1
    assert typed.location.sync(changes=True).changes and typed.location.sync(max_age="1h").mode == "none"
    assert typed.character.explain(1).steps == ["memory: fresh, returned"]
    with typed.character.observe(1) as changes:
        client.cache.remove("character", id=1)
        assert next(changes).gone
        typed.character.get(1)
        assert next(changes).item.item == rick.item


def test_generated_module_replaces_invalid_python_names(home, models, client, monkeypatch):
    """Fields and filters may have any name."""
    from larder.models.document import module

    fields = {"class": "integer", "created-at": "string", "2nd": "string", "str": "string", "of": "string"}
    properties = {name: {"type": kind} for name, kind in fields.items()}
    properties["nested"] = {"type": ["object", "null"], "properties": {"a": {"type": "integer"}}, "required": []}
    properties["many"] = {"type": "array", "items": {"type": "object", "properties": {"b": {}}, "required": ["b"]}}
    schema = {"type": "object", "properties": properties, "required": [*fields, "nested"]}
    filters = {"type": "object", "properties": {"page": {"type": "string"}, "from": {"enum": ["a", "b"]}}}
    filters["properties"]["whole"] = {"type": "string"}
    params = [{"name": "filter", "required": False, "schema": filters}]
    methods = [{"name": f"odd-thing/{verb}", "params": params} for verb in ("list", "search")]
    text = module({"info": {"title": "odd"}, "methods": methods, "components": {"schemas": {"item.odd-thing": schema}}})
    (home / "odd_models.py").write_text(text, encoding="utf-8")
    assert mypy(home, home / "odd_models.py") == []
    monkeypatch.syspath_prepend(str(home))
    import odd_models

    item = {"class": 1, "created-at": "now", "2nd": "x", "str": "y", "of": "z", "nested": None}
    odd = odd_models.OddThing.of(item)
    assert (odd.class_, odd.created_at, odd.f2nd, odd.str_, odd.of_, odd.nested, odd.many) == (
        (1, "now", "x", "y", "z", None, None)
    )
    assert odd_models.OddThing.of({**item, "nested": {"a": 1}, "many": [{"b": 2}]}).many[0].b == 2
    with pytest.raises(Exception, match="there is no method 'odd-thing/list'"):
        odd_models.TypedLarder(client).odd_thing.list(page_="x", from_="a", whole_="b")
    with pytest.raises(Exception, match="there is no method 'odd-thing/sync'"):
        odd_models.TypedLarder(client).odd_thing.sync(page_="x", from_="a", whole_="b", whole=True)


def test_generated_module_keeps_valid_python_names():
    from larder.models.types import identifiers

    assert identifiers(["a-b", "class", "a_b", "class_", "a.b"], {"page"}) == {
        "a_b": "a_b", "class_": "class_", "a-b": "a_b_", "class": "class__", "a.b": "a_b__"
    }
    assert identifiers(["page", "page_"], {"page"}) == {"page": "page__", "page_": "page_"}


def test_invalid_catalog_is_reported_once(home):
    command = [sys.executable, "-m", "larder.models", "--catalog", str(home / "none.jsonc")]
    env = environment(home, {"PYTHONPATH": str(PACKAGE / "src"), "LARDER_BIN": binary()})
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1 and done.stderr.count("none.jsonc") == 1 and done.stdout == ""
