"""Four questions about tickets and users, each with two strategies of a scripted model: with and without SQL.

A strategy is a generator. It yields the name of a tool and its arguments, receives the tool's answer, and returns the
answer to the question.
"""
import collections

STATES = ["open", "closed", "stalled", "rejected"]
TEAM = "team-3"
# The maximum number of ids of one call.
IDS = 50

TEXTS = {
    "states": "How many tickets does each state have?",
    "team": "Which team has the most open tickets, and how many?",
    "votes": "Which three users have the most votes for their tickets?",
    "idle": f"How many users of {TEAM} own no ticket?",
}
STATEMENTS = {
    "states": "select state, count(*) from ticket group by 1",
    "team": "select u.team, count(*) from ticket t join user u on u._id = t.owner where t.state = 'open' group by 1"
    " order by 2 desc, 1 limit 1",
    "votes": "select u.name, sum(t.votes) from ticket t join user u on u._id = t.owner group by t.owner"
    " order by 2 desc, t.owner limit 3",
    "idle": f"select count(*) from user where team = '{TEAM}' and _id not in (select owner from ticket)",
}
# The resources that a question needs.
RESOURCES = {"states": ["ticket"], "team": ["ticket", "user"], "votes": ["ticket", "user"], "idle": ["ticket", "user"]}


def prepared(question):
    """Learns the names of the fields, and fills the cache."""
    for resource in RESOURCES[question]:
        yield "describe_resource", {"resource": resource}
        yield "prefetch_list", {"resource": resource}


def queried(question):
    """Returns the strategy with `query_cached`. It makes the same calls before its query as the other strategy."""
    yield from prepared(question)
    answer = yield "query_cached", {"sql": STATEMENTS[question]}
    rows = answer["rows"]
    return sorted(rows) if question == "states" else rows


def searched(resource, fields, **filter):
    """Returns all matching items with some fields."""
    found, more = [], {}
    while more is not None:
        given = {"resource": resource, "fields": fields, "limit": 1000, **more}
        answer = yield "search_cached", {**given, "filter": filter} if filter else given
        found += answer["items"]
        more = {"offset": answer["nextOffset"]} if answer.get("nextOffset") else None
    return found


def users(ids, fields):
    """Returns the users with these ids."""
    found = []
    for start in range(0, len(ids), IDS):
        given = {"resource": "user", "ids": ids[start : start + IDS], "fields": ["id", *fields]}
        found += (yield "get_item", given)["items"]
    return {user["id"]: user for user in found}


def counted_states():
    yield from prepared("states")
    found = []
    for state in STATES:
        answer = yield "search_cached", {"resource": "ticket", "filter": {"state": state}, "limit": 1, "fields": ["id"]}
        found.append([state, answer["count"]])
    return sorted(found)


def counted_teams():
    yield from prepared("team")
    tickets = yield from searched("ticket", ["owner"], state="open")
    owners = sorted({ticket["owner"] for ticket in tickets})
    known = yield from users(owners, ["team"])
    counts = collections.Counter(known[ticket["owner"]]["team"] for ticket in tickets)
    return [list(max(counts.items(), key=lambda pair: (pair[1], [-ord(one) for one in pair[0]])))]


def counted_votes():
    yield from prepared("votes")
    votes = collections.Counter()
    for ticket in (yield from searched("ticket", ["owner", "votes"])):
        votes[ticket["owner"]] += ticket["votes"]
    first = sorted(votes, key=lambda owner: (-votes[owner], owner))[:3]
    known = yield from users(first, ["name"])
    return [[known[owner]["name"], votes[owner]] for owner in first]


def counted_idle():
    yield from prepared("idle")
    team = yield from searched("user", ["id"], team=TEAM)
    tickets = yield from searched("ticket", ["owner"])
    return [[len({user["id"] for user in team} - {ticket["owner"] for ticket in tickets})]]


COUNTED = {"states": counted_states, "team": counted_teams, "votes": counted_votes, "idle": counted_idle}


def strategy(question, is_sql):
    return queried(question) if is_sql else COUNTED[question]()


def run(steps, call):
    """Runs a strategy. `call(tool, **arguments)` returns the answer of a tool; None for an error."""
    answer = None
    while True:
        try:
            tool, arguments = steps.send(answer)
        except StopIteration as end:
            return end.value
        answer = call(tool, **arguments)
