"""Simulated APIs of developer tools: issue trackers, chats, package registries and others."""

import base64
import json
import re

from standins import SIZE, Error, Failure, Get, Schema, Sync, Walk, changes, connection, cut, find, need, stand_in

# Jira


def _jira(number, status="To Do"):
    return {
        "id": str(10000 + number),
        "key": f"ED-{number}",
        "fields": {
            "summary": f"Task {number}",
            "status": {"name": status},
            "assignee": None,
            "labels": ["ui"],
            "components": [{"name": "web"}, {"name": "api"}],
        },
    }


JIRA = [_jira(number) for number in (5, 4, 3)] + [_jira(1, "Done")]


@stand_in(
    "jira",
    gets=[
        Get(
            "issue",
            {"id": "ED-4"},
            {"key": "ED-4", "summary": "Task 4", "components": ["web", "api"], "assignee": None},
        )
    ],
    walks=[
        Walk(
            "issue",
            {"filter": {"project": 'E"D', "status": "To Do", "labels": ["ui"]}},
            "key",
            ["ED-5", "ED-4", "ED-3"],
        )
    ],
    errors=[
        Error("issue/get", {"id": "ED-9"}, "notFound", "Issue does not exist or you do not have permission to see it."),
        Error(
            "issue/list",
            {"filter": {"project": "NO"}},
            "invalidRequest",
            "The value 'NO' does not exist for the field 'project'.",
        ),
        Error("issue/list", {}, None, None),
    ],
)
def jira(request):
    request.basic("JIRA_USER", "JIRA_TOKEN", "Client must be authenticated to access this resource.")
    if parts := request.match("/rest/api/3/issue/*"):
        assert "components" in request.one("fields")
        words = {"errorMessages": ["Issue does not exist or you do not have permission to see it."], "errors": {}}
        return find(JIRA, lambda issue: issue["key"] == parts[0], 404, words)
    assert (request.method, request.path) == ("POST", "/rest/api/3/search/jql") and "summary" in request.body["fields"]
    words = {"errorMessages": ["The value 'NO' does not exist for the field 'project'."], "errors": {}}
    need(request.body["jql"] != 'project = "NO"', 400, words)
    assert request.body["jql"] == 'project = "E\\"D" AND status = "To Do" AND labels = "ui"'
    items, end = cut(JIRA[:3], int(request.body.get("nextPageToken", "t0")[1:]))
    return {"issues": items, "isLast": end is None, **({"nextPageToken": f"t{end}"} if end else {})}


# Linear

LINEAR_SCHEMA = """
input StringComparator { eq: String in: [String!] }
input StateFilter { name: StringComparator }
input LabelFilter { name: StringComparator }
input DateComparator { gte: String }
input IssueFilter { state: StateFilter labels: LabelFilter updatedAt: DateComparator }
type PageInfo { hasNextPage: Boolean! endCursor: String }
type State { name: String! }
type Label { name: String! }
type LabelConnection { nodes: [Label!]! }
type Issue { identifier: String! title: String! updatedAt: String! state: State! labels: LabelConnection! }
type IssueConnection { nodes: [Issue!]! pageInfo: PageInfo! }
type Query { issue(id: String!): Issue! issues(first: Int after: String filter: IssueFilter): IssueConnection! }
"""
LINEAR = [
    {
        "identifier": f"LIN-{number}",
        "title": f"Task {number}",
        "updatedAt": f"2026-01-0{number}T00:00:00.000Z",
        "state": {"name": "Todo"},
        "labels": {"nodes": [{"name": "bug"}]},
    }
    for number in range(1, 6)
]


@stand_in(
    "linear",
    gets=[Get("issue", {"id": "LIN-2"}, {"identifier": "LIN-2", "state": "Todo", "labels": ["bug"]})],
    walks=[
        Walk(
            "issue",
            {"filter": {"state": "Todo", "labels": ["bug", "ui"]}},
            "identifier",
            [f"LIN-{number}" for number in range(1, 6)],
        )
    ],
    errors=[
        Error("issue/get", {"id": "LIN-9"}, "notFound", "Entity not found: Issue"),
        Error("issue/list", {"filter": {"state": "Busy"}}, "rateLimited", "Rate limit exceeded"),
    ],
    syncs=[
        Sync(
            "issue",
            {},
            [f"LIN-{number}" for number in range(1, 6)],
            changed="LIN-5",
            edit={"title": "New", "updatedAt": "2026-01-09T00:00:00.000Z"},
            item={"title": "New"},
            marks=('"gte":"2026-01-04T23:59:00.000Z"', '"gte":"2026-01-08T23:59:00.000Z"'),
            time="updatedAt",
        )
    ],
)
def linear(request):
    words = {"message": "Authentication required, not authenticated", "extensions": {"code": "AUTHENTICATION_ERROR"}}
    need(request.headers["Authorization"] == "secret-of-linear_api_key", 401, {"errors": [words]})

    current = request.current(LINEAR, lambda one: one["identifier"])

    def issue(_info, id):
        found = next((one for one in current if one["identifier"] == id), None)
        if found is None:
            raise Failure("Entity not found: Issue", extensions={"code": "ENTITY_NOT_FOUND"})
        return found

    def issues(_info, first, filter=None, after=None):
        if "$filter" in request.body["query"] and "updatedAt" in request.body["query"]:
            since = filter and filter["updatedAt"]["gte"]
            return connection([one for one in current if since is None or one["updatedAt"] >= since], after)
        if filter["state"]["name"]["eq"] == "Busy":
            raise Failure("Rate limit exceeded", extensions={"code": "RATELIMITED"})
        assert filter == {"state": {"name": {"eq": "Todo"}}, "labels": {"name": {"in": ["bug", "ui"]}}}
        return connection(LINEAR, after)

    answer = Schema(LINEAR_SCHEMA).answer(request, {"issue": issue, "issues": issues})
    need("Rate limit" not in json.dumps(answer), 400, answer)
    return answer


# Slack

CHANNELS = [
    {
        "id": f"C{number}",
        "name": f"channel-{number}",
        "is_archived": False,
        "topic": {"value": "x"},
        "created": 1767225600,
    }
    for number in range(1, 6)
]
MESSAGES = [
    {"type": "message", "ts": f"176722560{number}.000{number}00", "user": "U1", "text": f"m{number}"}
    for number in (5, 4, 3)
]


@stand_in(
    "slack",
    gets=[
        Get("channel", {"id": "C2"}, {"id": "C2", "name": "channel-2", "created": "2026-01-01T00:00:00Z"}),
        Get("message", {"channel": "C1", "id": "1767225604.000400"}, {"ts": "1767225604.000400", "text": "m4"}),
    ],
    walks=[
        Walk(
            "channel",
            {"filter": {"types": ["public_channel", "im"], "excludeArchived": True}},
            "id",
            ["C1", "C2", "C3", "C4", "C5"],
        ),
        Walk("message", {"channel": "C1"}, "text", ["m5", "m4", "m3"]),
    ],
    errors=[
        Error("channel/get", {"id": "C9"}, "notFound", "channel_not_found"),
        Error("message/list", {"channel": "C7"}, "rateLimited", "ratelimited"),
        Error("message/list", {"channel": "C8"}, "invalidRequest", "invalid_limit"),
    ],
)
def slack(request):
    request.bearer("SLACK_TOKEN", {"ok": False, "error": "invalid_auth"}, 200)
    start = int(base64.b64decode(request.one("cursor", "MA==")))
    if request.path == "/api/conversations.info":
        words = {"ok": False, "error": "channel_not_found"}
        return {"ok": True, "channel": find(CHANNELS, lambda one: one["id"] == request.one("channel"), 200, words)}
    if request.path == "/api/conversations.history":
        faults = {"C7": "ratelimited", "C8": "invalid_limit"}
        if fault := faults.get(request.one("channel")):
            need(False, 200, {"ok": False, "error": fault})
        if request.one("latest"):
            found = [one for one in MESSAGES if one["ts"] == request.one("latest") == request.one("oldest")]
            assert request.one("inclusive") == "true"
            return {"ok": True, "messages": found, "has_more": False}
        items, end = cut(MESSAGES, start)
        named = "messages"
    else:
        assert request.path == "/api/conversations.list" and request.one("types") == "public_channel,im"
        assert request.one("exclude_archived") == "true"
        items, end = cut(CHANNELS, start)
        named = "channels"
    cursor = base64.b64encode(str(end).encode()).decode() if end else ""
    more = {"has_more": end is not None} if named == "messages" else {}
    return {"ok": True, named: items, **more, "response_metadata": {"next_cursor": cursor}}


# npm

PACKAGES = ["left-pad", "@scope/pad", "pad-right"]


@stand_in(
    "npm",
    gets=[
        Get(
            "package",
            {"id": "@scope/pad"},
            {
                "name": "@scope/pad",
                "latest": "1.1.0",
                "tags": {"latest": "1.1.0", "next": "2.0.0-1"},
                "versions": ["1.0.0", "1.1.0"],
            },
        )
    ],
    walks=[Walk("package", {"filter": {"text": "pad"}}, "name", PACKAGES)],
    errors=[
        Error("package/get", {"id": "none"}, "notFound", "Not found"),
        Error("package/list", {"filter": {"text": "!"}}, "invalidRequest", "bad query"),
    ],
    validators=True,
)
def npm(request):
    if request.path == "/-/v1/search":
        need(request.one("text") == "pad", 400, {"error": "bad query"})
        items, _ = cut(PACKAGES, int(request.one("from")))
        objects = [{"package": {"name": name, "version": "1.1.0"}, "score": {"final": 0.5}} for name in items]
        return {"objects": objects, "total": len(PACKAGES), "time": "x"}
    (name,) = request.match("/*")
    assert "/" not in request.path[1:]
    find(PACKAGES, lambda one: one == name, 404, {"error": "Not found"})
    versions = {version: {"name": name, "version": version} for version in ("1.0.0", "1.1.0")}
    return {
        "name": name,
        "dist-tags": {"latest": "1.1.0", "next": "2.0.0-1"},
        "versions": versions,
        "time": {"created": "2020-01-01T00:00:00.000Z"},
    }


# PyPI


@stand_in(
    "pypi",
    gets=[
        Get("project", {"id": "pip"}, {"name": "pip", "version": "25.0", "requires": None}),
        Get(
            "release", {"project": "pip", "id": "24.0"}, {"version": "24.0", "file": "pip-24.0.tar.gz", "yanked": False}
        ),
    ],
    walks=[
        Walk("project", {}, "name", ["pip", "wheel", "setuptools"]),
        Walk("release", {"project": "pip"}, "version", ["24.0", "25.0"]),
    ],
    errors=[Error("project/get", {"id": "none"}, "notFound", None)],
    validators=True,
)
def pypi(request):
    if request.path == "/simple/":
        assert request.headers["Accept"] == "application/vnd.pypi.simple.v1+json"
        return {"meta": {"api-version": "1.3"}, "projects": [{"name": name} for name in ("pip", "wheel", "setuptools")]}
    parts = request.match("/pypi/*/json") or request.match("/pypi/*/*/json")
    need(parts[0] == "pip", 404, "<html><h1>404</h1></html>", {"Content-Type": "text/html"})
    version = parts[1] if len(parts) == 2 else "25.0"
    files = {
        number: [{"filename": f"pip-{number}.{kind}", "yanked": False} for kind in ("tar.gz", "whl")]
        for number in ("24.0", "25.0")
    }
    info = {"name": "pip", "version": version, "summary": "Installs packages", "requires_dist": None, "yanked": False}
    return {"info": info, "urls": files[version], **({"releases": {**files, "0.1": []}} if len(parts) == 1 else {})}


# crates.io

CRATES = ["serde", "serde_json", "serde_yaml"]


@stand_in(
    "crates",
    gets=[Get("crate", {"id": "serde"}, {"id": "serde", "version": "1.0.0", "downloads": 7})],
    walks=[Walk("crate", {"filter": {"q": "serde", "sort": "downloads"}}, "id", CRATES)],
    errors=[Error("crate/get", {"id": "none"}, "notFound", "crate `none` does not exist")],
)
def crates(request):
    assert request.headers["User-Agent"].startswith("larder/")

    def crate(name):
        return {
            "id": name,
            "name": name,
            "max_version": "1.0.0",
            "downloads": 7,
            "updated_at": "2026-01-01T00:00:00.123456Z",
        }

    if parts := request.match("/api/v1/crates/*"):
        find(CRATES, lambda one: one == parts[0], 404, {"errors": [{"detail": f"crate `{parts[0]}` does not exist"}]})
        return {"crate": crate(parts[0]), "versions": []}
    assert (request.one("q"), request.one("sort"), request.one("per_page")) == ("serde", "downloads", "100")
    page = int(request.one("page"))
    items, end = cut(CRATES, (page - 1) * SIZE)
    meta = {
        "total": len(CRATES),
        "next_page": f"?q=serde&per_page=100&page={page + 1}" if end else None,
        "prev_page": None,
    }
    return {"crates": [crate(name) for name in items], "meta": meta}


# Docker Hub

TAGS = ["latest", "3.21", "3.20"]


def _tag(name):
    return {
        "name": name,
        "full_size": 3600000,
        "digest": "sha256:1",
        "last_updated": "2026-01-01T00:00:00.123456Z",
        "images": [{"architecture": "amd64"}, {"architecture": "arm64"}],
    }


@stand_in(
    "dockerhub",
    gets=[Get("tag", {"repository": "alpine", "id": "3.21"}, {"name": "3.21", "architectures": ["amd64", "arm64"]})],
    walks=[Walk("tag", {"repository": "alpine", "filter": {"name": "3", "ordering": "-last_updated"}}, "name", TAGS)],
    errors=[
        Error("tag/get", {"repository": "alpine", "id": "9"}, "notFound", "httperror 404: tag '9' not found"),
        Error("tag/list", {"repository": "busy"}, "rateLimited", "Rate limit exceeded"),
    ],
)
def dockerhub(request):
    request.bearer("DOCKERHUB_TOKEN", {"detail": "Incorrect authentication credentials."})
    if parts := request.match("/v2/namespaces/library/repositories/alpine/tags/*"):
        words = {"message": f"httperror 404: tag '{parts[0]}' not found", "errinfo": {}}
        return _tag(find(TAGS, lambda one: one == parts[0], 404, words))
    (repository,) = request.match("/v2/namespaces/library/repositories/*/tags")
    need(repository != "busy", 429, {"detail": "Rate limit exceeded", "error": False}, {"Retry-After": "60"})
    assert (request.one("name"), request.one("ordering")) == ("3", "-last_updated")
    page = int(request.one("page"))
    items, end = cut(TAGS, (page - 1) * SIZE)
    url = f"https://hub.docker.com{request.path}?page={page + 1}&page_size=100"
    return {
        "count": len(TAGS),
        "next": url if end else None,
        "previous": None,
        "results": [_tag(name) for name in items],
    }


# A Docker registry


@stand_in(
    "docker-registry",
    gets=[
        Get("manifest", {"name": "team/app", "id": "v1"}, {"config": "sha256:v1", "layers": ["sha256:a", "sha256:b"]})
    ],
    walks=[
        Walk("repository", {}, "id", ["team/app", "team/db", "tools"]),
        Walk("manifest", {"name": "team/app"}, "config", ["sha256:v1", "sha256:v2", "sha256:v3"]),
    ],
    errors=[
        Error("manifest/get", {"name": "team/app", "id": "v9"}, "notFound", "manifest unknown"),
        Error("manifest/list", {"name": "team/none"}, "notFound", "repository name not known to registry"),
    ],
)
def docker_registry(request):
    challenge = {"WWW-Authenticate": 'Bearer realm="https://auth.example/token",service="registry.example"'}
    need(
        request.headers.get("Authorization") == "Bearer secret-of-registry_token",
        401,
        {"errors": [{"code": "UNAUTHORIZED", "message": "authentication required"}]},
        challenge,
    )
    if found := re.fullmatch("/v2/team/app/manifests/(v.)", request.path):
        tag = found.group(1)
        assert request.headers["Accept"] == "application/vnd.oci.image.manifest.v1+json"
        need(tag != "v9", 404, {"errors": [{"code": "MANIFEST_UNKNOWN", "message": "manifest unknown"}]})
        return {
            "schemaVersion": 2,
            "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "config": {"digest": f"sha256:{tag}"},
            "layers": [{"digest": "sha256:a"}, {"digest": "sha256:b"}],
        }
    if request.path == "/v2/_catalog":
        named, texts = "repositories", ["team/app", "team/db", "tools"]
    else:
        words = {"errors": [{"code": "NAME_UNKNOWN", "message": "repository name not known to registry"}]}
        need(request.path == "/v2/team/app/tags/list", 404, words)
        named, texts = "tags", ["v1", "v2", "v3"]
    after = request.one("last")
    items, end = cut(texts, texts.index(after) + 1 if after else 0)
    return {named: items}, (
        {"Link": f'<{request.path}?last={items[-1]}&n={request.one("n")}>; rel="next"'} if end else {}
    )


# Sentry


def _sentry(number):
    return {
        "id": str(number),
        "title": f"Error {number}",
        "status": "unresolved",
        "project": {"slug": "web"},
        "count": "12",
        "lastSeen": "2026-01-01T00:00:00.123456Z",
    }


@stand_in(
    "sentry",
    gets=[Get("issue", {"org": "acme", "id": "3"}, {"id": "3", "title": "Error 3", "project": "web"})],
    walks=[
        Walk(
            "issue",
            {"org": "acme", "filter": {"project": [1, 2], "is": "unresolved", "level": "error"}},
            "id",
            ["5", "4", "3"],
        )
    ],
    errors=[
        Error("issue/get", {"org": "acme", "id": "9"}, "notFound", "The requested resource does not exist"),
        Error(
            "issue/list",
            {"org": "acme", "filter": {"text": "busy"}},
            "rateLimited",
            "You are attempting to use this endpoint too frequently.",
        ),
    ],
)
def sentry(request):
    request.bearer("SENTRY_TOKEN", {"detail": "Invalid token"})
    if parts := request.match("/api/0/organizations/acme/issues/*/"):
        words = {"detail": "The requested resource does not exist"}
        return find([_sentry(number) for number in (5, 4, 3)], lambda one: one["id"] == parts[0], 404, words)
    busy = {"detail": "You are attempting to use this endpoint too frequently."}
    need(request.one("query") != "busy", 429, busy)
    assert request.all("project") == ["1", "2"] and request.one("query") == "is:unresolved level:error"
    items, end = cut([_sentry(number) for number in (5, 4, 3)], int(request.one("cursor", "0:0:0").split(":")[1]))
    url = f"https://sentry.io{request.path}?project=1&project=2&query=is%3Aunresolved+level%3Aerror"
    link = (
        f'<{url}&cursor=0:0:1>; rel="previous"; results="false"; cursor="0:0:1", '
        f'<{url}&cursor=0:{end or 3}:0>; rel="next"; results="{"true" if end else "false"}"; cursor="0:{end or 3}:0"'
    )
    return items, {"Link": link, "X-Hits": "3"}


# PagerDuty


def _incident(number):
    return {
        "id": f"P{number}",
        "title": f"Fire {number}",
        "status": "triggered",
        "service": {"summary": "web"},
        "created_at": "2026-01-01T00:00:00Z",
    }


@stand_in(
    "pagerduty",
    gets=[Get("incident", {"id": "P2"}, {"id": "P2", "service": "web"})],
    walks=[
        Walk(
            "incident",
            {"filter": {"statuses": ["triggered", "acknowledged"], "since": "2026-01-01T00:00:00Z"}},
            "id",
            ["P1", "P2", "P3"],
        )
    ],
    errors=[
        Error("incident/get", {"id": "P9"}, "notFound", "Not Found"),
        Error(
            "incident/list",
            {"filter": {"since": "2036-01-01T00:00:00Z"}},
            "invalidRequest",
            "Since must be in the past.",
        ),
    ],
)
def pagerduty(request):
    need(request.headers["Authorization"] == "Token token=secret-of-pagerduty_token", 401, {"error": {"message": "no"}})
    incidents = [_incident(number) for number in (1, 2, 3)]
    if parts := request.match("/incidents/*"):
        words = {"error": {"message": "Not Found", "code": 2100}}
        return {"incident": find(incidents, lambda one: one["id"] == parts[0], 404, words)}
    words = {"error": {"message": "Invalid Input Provided", "errors": ["Since must be in the past."], "code": 2001}}
    need(not request.one("since").startswith("2036"), 400, words)
    assert request.all("statuses[]") == ["triggered", "acknowledged"] and request.one("total") == "true"
    start = int(request.one("offset"))
    items, end = cut(incidents, start)
    return {"incidents": items, "limit": SIZE, "offset": start, "more": end is not None, "total": 3}


# Elasticsearch

DOCUMENTS = {
    id: {"message": message, "@timestamp": f"2026-01-0{day}T00:00:00.000Z"}
    for id, message, day in (("a", "one", 3), ("b", "two", 2), ("c", "three", 1))
}


@stand_in(
    "elasticsearch",
    gets=[Get("document", {"index": "logs", "id": "b"}, {"id": "b", "source": DOCUMENTS["b"]})],
    walks=[
        Walk("document", {"index": "logs", "filter": {"query": {"match_all": {}}}}, "id", ["a", "b", "c"]),
        Walk("document", {"index": "logs", "filter": {"text": "two"}}, "id", ["a", "b", "c"]),
    ],
    errors=[
        Error("document/get", {"index": "logs", "id": "z"}, "notFound", None),
        Error("document/get", {"index": "none", "id": "z"}, "notFound", "no such index [none]"),
        Error("document/list", {"index": "slow"}, "timeout", None),
        Error("document/list", {"index": "broken"}, "serverError", "shard is gone"),
    ],
    syncs=[
        Sync(
            "document",
            {"index": "logs"},
            ["a", "b", "c"],
            changed="a",
            edit={"source": {"message": "new", "@timestamp": "2026-01-09T00:00:00.000Z"}},
            item={"source": {"message": "new", "@timestamp": "2026-01-09T00:00:00.000Z"}},
            marks=('"gte":"2026-01-02T23:50:00.000Z"', '"gte":"2026-01-08T23:50:00.000Z"'),
            time="@timestamp",
            requests=2,
        )
    ],
)
def elasticsearch(request):
    words = {"error": {"type": "security_exception", "reason": "unable to authenticate"}, "status": 401}
    need(request.headers.get("Authorization") == "ApiKey secret-of-elastic_key", 401, words)
    rows = request.current([{"id": id, "source": source} for id, source in DOCUMENTS.items()], lambda row: row["id"])
    documents = {row["id"]: row["source"] for row in rows}
    if parts := request.match("/*/_doc/*"):
        words = {"error": {"type": "index_not_found_exception", "reason": "no such index [none]"}, "status": 404}
        need(parts[0] == "logs", 404, words)
        need(parts[1] in documents, 404, {"_index": "logs", "_id": parts[1], "found": False})
        return {"_index": "logs", "_id": parts[1], "found": True, "_source": documents[parts[1]]}
    (index,) = request.match("/*/_search")
    body = request.body
    assert (request.method, body["size"], body["track_total_hits"]) == ("POST", 1000, True) and len(body["sort"]) == 2
    if index == "slow":
        return {"timed_out": True, "_shards": {"failed": 0}, "hits": {"hits": []}}
    if index == "broken":
        failures = [{"reason": {"type": "x", "reason": "shard is gone"}}]
        return {"timed_out": False, "_shards": {"failed": 1, "failures": failures}, "hits": {"hits": []}}
    since = None
    if body["sort"][0] == {"@timestamp": "asc"}:
        since = body.get("query", {"range": {"@timestamp": {"gte": None}}})["range"]["@timestamp"]["gte"]
    else:
        assert body["query"] in ({"match_all": {}}, {"simple_query_string": {"query": "two"}})
    found = changes(list(documents.items()), lambda item: item[1]["@timestamp"], since)
    if body["sort"][0] == {"@timestamp": "desc"}:
        found.reverse()
    hits = [
        {"_index": "logs", "_id": id, "_source": source, "sort": [source["@timestamp"], list(documents).index(id)]}
        for id, source in found
    ]
    after = body.get("search_after")
    assert after is None or isinstance(after, list)
    count = len(hits)
    hits, _ = cut(hits, [hit["sort"] for hit in hits].index(after) + 1 if after else 0)
    return {
        "timed_out": False,
        "_shards": {"failed": 0},
        "hits": {"total": {"value": count, "relation": "eq"}, "hits": hits},
    }
