"""The step of docs/getting-started.md that drafts a catalog from the answers of an API.

The API is replaced by recorded answers. `Program/test_documents.py` runs all other steps.
"""

import json
import pathlib
import re
import shlex

import pytest

from harness import ROOT, binary
from scripted import serving

PAGE = (ROOT / "docs" / "getting-started.md").read_text(encoding="utf-8")
REAL = "https://pokeapi.co"


@pytest.fixture
def api():
    """The recorded PokeAPI. It also answers URLs without a final slash or without page parameters."""
    recorded = {}
    for path in (ROOT / "Fixtures" / "cassettes" / "pokeapi").glob("*.json"):
        exchange = json.loads(path.read_text(encoding="utf-8"))
        recorded[exchange["request"]["url"].removeprefix(REAL)] = exchange["response"]["body"]
    first = recorded["/api/v2/pokemon/?offset=0&limit=100"]

    def answer(request):
        body = recorded.get(request.target) or recorded.get(request.target + "/") or first
        return 200, {"Content-Type": "application/json"}, body.encode()

    with serving(answer) as url:
        yield url


def test_inferred_catalog_equals_the_documented_one_and_works(api, command, places, home):
    (line,) = re.findall(r"^larder (catalog infer .*) > pokemon.jsonc$", PAGE, re.M)
    drafted = command(*shlex.split(line.replace(REAL, api)))
    assert drafted.code == 0 and drafted.stderr == "", drafted
    (shown,) = re.findall(r"^```text\n(.*?)^```$", PAGE, re.M | re.S)
    pattern = ".*".join(map(re.escape, shown.split("...")))
    assert re.search(pattern, drafted.stdout.decode().replace(api, REAL), re.S), drafted
    path = home / "pokemon.jsonc"
    path.write_bytes(drafted.stdout)
    assert command("check", path).code == 0
    done = command("call", "pokemon/get", "id=1", "--catalog", path, *places)
    assert json.loads(done.stdout)["item"]["name"] == "bulbasaur", done


def test_inferred_list_has_the_keys_shown_in_getting_started(api, command):
    (line,) = re.findall(r"`larder (catalog infer \S*/pokemon \S*/pokemon/1)` drafts the list", PAGE)
    drafted = command(*shlex.split(line.replace(REAL, api))).stdout.decode()
    # The parts that the catalog of the page uses.
    for part in ('"items": "results"', '"param": "offset"', '"next": "next"', '"count": "count"', '"param": "limit"'):
        assert part in drafted and part in PAGE, drafted


def test_getting_started_shows_commands_for_people_before_the_command_for_programs():
    shown = re.findall(r"^\$ (?:\S+=\S+ )?larder (get|list|prefetch|search|call)\b", PAGE, re.M)
    assert {"get", "list", "prefetch", "search"} <= set(shown[: shown.index("call")]), shown


def test_faq_names_the_systems_that_the_packages_need():
    text = (ROOT / "docs" / "faq.md").read_text(encoding="utf-8")
    answer = text.split("**Which systems do the packages need?**")[1].split("\n## ")[0]
    for part in ("x86_64", "glibc 2.34", "libcurl 7.68", "Older glibc", "aarch64", "musl"):
        assert part in answer, part


def test_getting_started_states_the_size_of_the_binary():
    size = float(re.search(r"binary of `make build` has ([\d.]+) MB", PAGE)[1])
    if pathlib.Path(binary()).parent.name == "release":
        assert abs(pathlib.Path(binary()).stat().st_size / 1e6 - size) < 0.5


def test_getting_started_states_the_right_number_of_examples():
    assert "[six examples](../examples/README.md)" in PAGE
    assert len([path for path in (ROOT / "examples").iterdir() if path.is_dir()]) == 6
