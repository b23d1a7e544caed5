"""The questions of docs/sql.md, over the local API of the built-in catalog, and the stand-ins of GitHub, Jira and
Kubernetes."""

import contextlib
import pathlib
import re
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "APIs"))
from all_standins import STAND_INS  # noqa: E402
from harness import Larder  # noqa: E402
from standins import ROOT, Server  # noqa: E402
from tables import rows  # noqa: E402
from upstream import Upstream  # noqa: E402

READS = [
    ("github.issue/prefetch", {"owner": "octo", "repo": "hello"}),
    ("github.comment/prefetch", {"owner": "octo", "repo": "hello", "issue": 7}),
    ("jira.issue/prefetch", {"filter": {"project": 'E"D', "status": "To Do", "labels": ["ui"]}}),
    ("kubernetes.pod/sync", {"namespace": "shop"}),
]
BUILT_IN = [
    [["Human", 17], ["Alien", 10], ["Poopybutthole", 2]],
    [
        ["S01E10", "Close Rick-counters of the Rick Kind", 60], ["S01E08", "Rixty Minutes", 57],
        ["S02E02", "Mortynight Run", 36],
    ],
]  # fmt: skip
ANSWERS = [
    [[4, "Issue 4"], [6, "Issue 6"]],
    [["hubot", 4]],
    [["bug", 6], ["ui", 5]],
    [[1, "2026-02-01"], [3, "2026-02-03"], [4, "2026-02-04"]],
    [[7, "Issue 7", "octocat", "2026-02-03T10:00:00.000000Z"]],
    [["To Do", "api", 3], ["To Do", "web", 3]],
    [["ui", 5, 3]],
    [[f"{app}-{number}", 2] for app in ("api", "web") for number in (1, 2, 3)],
    [["api", "node-1", 3, "Running"], ["web", "node-1", 3, "Running"]],
    [
        ["github.comment", 3, "parts"], ["github.issue", 6, "parts"], ["jira.issue", 3, "parts"],
        ["kubernetes.pod", 6, "synced"],
    ],
]  # fmt: skip


def questions():
    """Returns the statements of the page."""
    text = (ROOT / "docs" / "sql.md").read_text(encoding="utf-8")
    return re.findall(r"^```sql\n(.*?)^```$", text, re.S | re.M)


@pytest.fixture(scope="module")
def larder(tmp_path_factory):
    options, env = [], {"LARDER_VAR_KUBERNETES_CA": str(ROOT / "Fixtures/tls/authority.pem")}
    with contextlib.ExitStack() as stack:
        for name in ("github", "jira", "kubernetes"):
            api = STAND_INS[name]
            server = stack.enter_context(Server(api.answer))
            # With several catalogs, the name of an API starts with that of its catalog.
            urls = [f"{name}.{word}" if "=" in word else word for word in api.options(server.port)]
            options += ["--catalog", str(api.catalog), *urls]
            env |= api.secrets
        larder = Larder(tmp_path_factory.mktemp("questions"), *options, env=env, upstream=None)
        stack.callback(larder.close)
        for method, params in READS:
            larder.call(method, **params)
        yield larder


@pytest.fixture(scope="module")
def built_in(tmp_path_factory):
    with Upstream() as upstream, contextlib.closing(
        Larder(tmp_path_factory.mktemp("built-in"), upstream=upstream)
    ) as larder:
        for resource in ("character", "episode"):
            larder.call(f"{resource}/sync")
        yield larder


def test_page_has_a_statement_for_each_answer():
    assert len(questions()) == len(BUILT_IN) + len(ANSWERS) == 12


@pytest.mark.parametrize("number", range(len(BUILT_IN)))
def test_statement_over_the_built_in_catalog_answers_its_question(built_in, number):
    assert rows(built_in, questions()[number]) == BUILT_IN[number]


@pytest.mark.parametrize("number", range(len(ANSWERS)))
def test_statement_of_the_page_answers_its_question(larder, number):
    width = len(ANSWERS[number][0])
    assert [row[:width] for row in rows(larder, questions()[len(BUILT_IN) + number])] == ANSWERS[number]
