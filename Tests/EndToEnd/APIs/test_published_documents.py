"""Drafts of trimmed public documents. Each draft is used without changes, against a server that answers from the
document."""

import json
import sys

import pytest

from harness import ROOT, binary

sys.path.insert(0, str(ROOT / "Tests" / "OpenAPI"))

from openapi_trial import run  # noqa: E402

FOLDER = ROOT / "Fixtures" / "openapi" / "published"
ENTRIES = {entry["name"]: entry for entry in json.loads((ROOT / "Tests" / "OpenAPI" / "corpus.json").read_text())}
# Resources whose draft does not work without changes.
WRONG = {
    "asana": ["tag", "workspace_user"],
    "kratos": ["identity", "identity_session", "schema"],
    "lob": ["bank_account", "booklet"],
    "okta": ["app-authenticator-configuration"],
    "slack": ["files.list"],
}
# Lists that are not drafted.
MISSING = {"slack": ["/conversations.history"], "spotify": ["/albums", "/artists", "/shows"]}


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.json")))
def test_drafted_resources_list_and_get_their_items(name):
    outcome = run(binary(), FOLDER / f"{name}.json", ENTRIES[name])
    assert outcome.accepted and outcome.checks, outcome.error
    assert sorted(line.split(":")[0] for line in outcome.wrong) == WRONG.get(name, []), outcome.wrong
    assert outcome.drafted and sorted(outcome.missing) == MISSING.get(name, [])
