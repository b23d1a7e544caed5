"""`larder add` and `catalog infer` on a GraphQL endpoint whose lists return unions of pages and errors."""

import graphql
import pytest

from harness import binary, environment
from scripted import serving
from terminal import Terminal

SCHEMA = graphql.build_schema(
    """
    type Query {
      runsOrError(filter: RunsFilter, order: RunsOrder, cursor: String, limit: Int): RunsOrError!
      runOrError(runId: ID!): RunOrError!
      jobs(page: Int): Envelope
    }
    union RunsOrError = Runs | InvalidFilterError | PythonError
    union RunOrError = Run | RunNotFoundError | PythonError
    type Runs { results: [Run!]! count: Int }
    type Run { id: ID! status: String! }
    type InvalidFilterError { message: String! }
    type PythonError { message: String! stack: [String!]! }
    type RunNotFoundError { runId: String! message: String! }
    input RunsFilter { status: String }
    input RunsOrder { status: Boolean }
    type Envelope { data: JobList }
    type JobList { items: [Node] total: Int }
    interface Node { id: ID! name: String }
    type Job implements Node { id: ID! name: String }
    """
)
RUNS = [{"__typename": "Run", "id": str(number), "status": "DONE"} for number in range(1, 121)]
JOBS = [{"__typename": "Job", "id": str(number), "name": f"job {number}"} for number in range(1, 6)]


class Root:
    def runsOrError(self, _, filter=None, order=None, cursor="0", limit=10):
        if filter and filter.get("status") == "BAD":
            return {"__typename": "InvalidFilterError", "message": "BAD is no status"}
        start = int(cursor)
        return {"__typename": "Runs", "results": RUNS[start : start + limit], "count": len(RUNS)}

    def runOrError(self, _, runId):
        missing = {"__typename": "RunNotFoundError", "runId": runId, "message": f"no run {runId}"}
        return next((run for run in RUNS if run["id"] == runId), missing)

    def jobs(self, _, page=1):
        return {"data": {"items": JOBS[(page - 1) * 2 : page * 2], "total": len(JOBS)}}


def answer(request):
    if request.json is None:
        return 400, {}, {"errors": [{"message": "send a query"}]}
    # Without validation, the server would not detect an invalid draft.
    faults = graphql.validate(SCHEMA, graphql.parse(request.json["query"]))
    if faults:
        return 400, {}, {"errors": [{"message": fault.message} for fault in faults]}
    variables = request.json.get("variables")
    result = graphql.graphql_sync(SCHEMA, request.json["query"], root_value=Root(), variable_values=variables)
    return 200, {}, result.formatted


@pytest.fixture
def endpoint():
    with serving(answer) as url:
        yield f"{url}/graphql"


@pytest.fixture
def added(home):
    return home / "xdg-config" / "larder" / "dag.jsonc"


TABLE = [
    "TYPE  LIST         ITEM        PAGES   ID  SURE",
    "Node  jobs         -           page    id  yes",
    "Run   runsOrError  runOrError  cursor  id  guess: pages",
]


class TestAdd:
    def test_add_without_a_chosen_type_is_refused_with_a_table_of_types(self, command, endpoint, added):
        done = command("add", "dag", endpoint)
        refusal = f"larder: {endpoint} is a GraphQL endpoint: name one or more of its types with --only TYPE"
        assert (done.code, done.stderr.splitlines()) == (1, [refusal, *TABLE]), done
        assert not added.exists()

    def test_chosen_types_are_added_and_tried(self, command, endpoint, added):
        done = command("add", "dag", endpoint, "--only", "Run", "--only", "Node")
        assert done.code == 0, done
        assert "larder: 5 requests tried, no failures: larder check dag --live shows all" in done.stderr.splitlines()
        assert command("check", str(added)).code == 0
        runs = command("list", "run", "--all", "--catalog", "dag").messages
        assert [run["id"] for run in runs] == [run["id"] for run in RUNS]
        jobs = command("list", "node", "--all", "--catalog", "dag").messages
        assert [job["name"] for job in jobs] == [job["name"] for job in JOBS]

    def test_error_members_of_a_union_are_reported_as_errors(self, command, endpoint):
        command("add", "dag", endpoint, "--only", "Run")
        missing = command("get", "run", "999", "--catalog", "dag")
        assert missing.code != 0 and "notFound" in missing.stderr and "no run 999" in missing.stderr, missing
        refused = command("list", "run", "status=BAD", "--catalog", "dag")
        assert refused.code != 0 and "BAD is no status" in refused.stderr, refused

    def test_user_on_a_terminal_chooses_types(self, home, endpoint, added):
        env = environment(home, {"TERM": "xterm"})
        with Terminal([binary(), "add", "dag", endpoint], env, columns=120) as terminal:
            terminal.wait("types to add")
            terminal.type("Run\n")
            terminal.end()
        assert '"run": {' in added.read_text()


class TestInfer:
    def test_endpoint_without_a_type_shows_the_types(self, command, endpoint):
        done = command("catalog", "infer", endpoint)
        assert done.code == 1 and "with --graphql TYPE" in done.stderr and done.stderr.splitlines()[1:] == TABLE, done

    def test_list_option_prints_the_types_of_the_schema(self, command, endpoint):
        done = command("catalog", "infer", endpoint, "--list")
        assert (done.code, done.stdout.decode().splitlines()) == (0, TABLE), done

    def test_unknown_type_gets_a_hint(self, command, endpoint):
        done = command("catalog", "infer", endpoint, "--graphql", "Ruin")
        assert done.code == 1 and "did you mean 'Run'?" in done.stderr, done
