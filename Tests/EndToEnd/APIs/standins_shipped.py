"""Simulated APIs, other than GitHub, whose catalogs ship with Larder."""

from standins import SIZE, Error, Get, Sync, Walk, changes, cut, find, need, stand_in

# GitLab


def _gitlab_issue(iid):
    return {
        "id": 500 + iid,
        "iid": iid,
        "project_id": 9,
        "title": f"Issue {iid}",
        "state": "opened" if iid != 2 else "closed",
        "description": None,
        "author": {"username": "root"},
        "assignees": [{"username": "jane"}],
        "labels": ["bug", "ui"],
        "milestone": None,
        "confidential": False,
        "due_date": None,
        "upvotes": 0,
        "user_notes_count": 1,
        "web_url": f"https://gitlab.com/group/app/-/issues/{iid}",
        "created_at": f"2026-01-0{iid}T10:00:00.000Z",
        "updated_at": f"2026-02-01T{7 + iid:02}:00:00.000+01:00",
        "closed_at": None,
    }


GITLAB_ISSUES = [_gitlab_issue(iid) for iid in (6, 5, 4, 3, 2, 1)]
MERGE_REQUESTS = [
    {
        "iid": iid,
        "title": f"Merge {iid}",
        "state": "opened",
        "author": {"username": "root"},
        "reviewers": [],
        "labels": [],
        "source_branch": "topic",
        "target_branch": "main",
        "web_url": f"https://gitlab.com/group/app/-/merge_requests/{iid}",
        "created_at": "2026-01-01T10:00:00.000Z",
        "updated_at": f"2026-02-0{iid}T10:00:00.000Z",
    }
    for iid in (3, 2, 1)
]
PIPELINES = [
    {
        "id": id,
        "status": "running",
        "ref": "main",
        "sha": "a1",
        "web_url": f"https://gitlab.com/group/app/-/pipelines/{id}",
        "created_at": "2026-01-01T10:00:00.000Z",
        "updated_at": f"2026-02-{id}T10:00:00.000Z",
    }
    for id in (13, 12, 11)
]
PROJECTS = [
    {
        "id": number,
        "path_with_namespace": f"group/{name}",
        "name": name,
        "description": "",
        "visibility": "public",
        "archived": False,
        "topics": [],
        "star_count": number,
        "forks_count": 0,
        "default_branch": "main",
        "web_url": f"https://gitlab.com/group/{name}",
        "created_at": "2020-01-01T00:00:00.000Z",
        "last_activity_at": "2026-01-01T00:00:00.000Z",
    }
    for number, name in [(9, "app"), (8, "site"), (7, "docs")]
]


@stand_in(
    "gitlab",
    gets=[
        Get(
            "issue",
            {"project": "group/app", "id": 3},
            {
                "iid": 3,
                "title": "Issue 3",
                "assignees": ["jane"],
                "labels": ["bug", "ui"],
                "updated": "2026-02-01T09:00:00.000Z",
            },
        ),
        Get("project", {"id": "group/app"}, {"id": 9, "path": "group/app", "stars": 9}),
    ],
    walks=[
        Walk(
            "issue",
            {"project": "group/app", "filter": {"state": "opened", "labels": ["bug", "ui"], "iids": [6, 4, 3, 1]}},
            "iid",
            [6, 4, 3, 1],
        ),
        Walk("project", {"filter": {"membership": True}}, "path", ["group/app", "group/site", "group/docs"]),
    ],
    errors=[
        Error("issue/get", {"project": "group/app", "id": 99}, "notFound", "404 Not found"),
        Error(
            "issue/list",
            {"project": "9", "filter": {"search": "x"}},
            "invalidRequest",
            "scope does not have a valid value",
        ),
        Error("user/get", {"id": 1}, "rateLimited", "429 Too Many Requests"),
    ],
    syncs=[
        Sync(
            "issue",
            {"project": "group/app", "filter": {"author": "root"}},
            [1, 2, 3, 4, 5, 6],
            changed=6,
            edit={"title": "New", "updated_at": "2026-02-01T15:00:00.000+01:00"},
            item={"title": "New"},
            marks=("updated_after=2026-02-01T12:59:00.000+01:00", "updated_after=2026-02-01T14:59:00.000+01:00"),
        ),
        Sync(
            "mergeRequest",
            {"project": "group/app", "filter": {"author": "root"}},
            [1, 2, 3],
            changed=3,
            edit={"state": "merged", "updated_at": "2026-02-09T10:00:00.000Z"},
            item={"state": "merged"},
            marks=("updated_after=2026-02-03T09:59:00.000Z", "updated_after=2026-02-09T09:59:00.000Z"),
        ),
        Sync(
            "pipeline",
            {"project": "group/app", "filter": {"ref": "main"}},
            [11, 12, 13],
            changed=13,
            edit={"status": "success", "updated_at": "2026-02-19T10:00:00.000Z"},
            item={"status": "success"},
            marks=("updated_after=2026-02-13T09:59:00.000Z", "updated_after=2026-02-19T09:59:00.000Z"),
        ),
    ],
    validators=True,
)
def gitlab(request):
    need(request.headers.get("PRIVATE-TOKEN") == "secret-of-gitlab_token", 401, {"message": "401 Unauthorized"})
    lost = {"message": "404 Not found"}
    parts = request.match("/api/v4/projects/*/*/*") or request.match("/api/v4/projects/*/*")
    kinds = {"issues": GITLAB_ISSUES, "merge_requests": MERGE_REQUESTS, "pipelines": PIPELINES}
    if parts:
        assert parts[0] == "9" or "group%2Fapp" in request.path
        rows, id = kinds[parts[1]], "id" if parts[1] == "pipelines" else "iid"
        rows = request.current(rows, lambda row: row[id])
    if parts and len(parts) == 3:
        return find(rows, lambda row: str(row[id]) == parts[2], 404, lost)
    if path := request.match("/api/v4/projects/*"):
        return find(PROJECTS, lambda project: project["path_with_namespace"] == path[0], 404, lost)
    need(not request.match("/api/v4/users/*"), 429, {"message": "429 Too Many Requests"}, {"Retry-After": "60"})
    if request.path == "/api/v4/projects":
        assert request.one("membership") == "true"
        found = PROJECTS
    else:
        need(not request.one("search"), 400, {"error": "scope does not have a valid value"})
        assert parts[0] == "group/app"
        if request.one("order_by") == "updated_at":
            assert request.one("sort") == "asc"
            assert request.one("author_username") == "root" or request.one("ref") == "main"
            found = changes(rows, lambda row: row["updated_at"], request.one("updated_after"))
        else:
            assert parts[1] == "issues" and request.one("labels") == "bug,ui"
            found = [
                issue
                for issue in rows
                if issue["state"] == request.one("state") and str(issue["iid"]) in request.all("iids[]")
            ]
    page = int(request.one("page", "1"))
    items, end = cut(found, (page - 1) * SIZE)
    headers = {"X-Total": str(len(found)), "X-Total-Pages": str(-(-len(found) // SIZE)), "X-Page": str(page)}
    headers["X-Next-Page"] = str(page + 1) if end else ""
    if end:
        headers["Link"] = f'<https://gitlab.com{request.path}?membership=true&per_page=100&page={page + 1}>; rel="next"'
    return items, headers


# Hacker News

STORIES = {
    8863: ("story", "dhouston", "My YC app: Dropbox - Throw away your USB drive"),
    121003: ("story", "tel", "Ask HN: The Arc Effect"),
    126809: ("poll", "pg", "Poll: What would happen if News.YC had explicit support for polls?"),
    192327: ("job", "justin", "Justin.tv is looking for a Lead Flash Engineer!"),
}


@stand_in(
    "hackernews",
    gets=[
        Get(
            "story",
            {"id": 8863},
            {
                "id": 8863,
                "by": "dhouston",
                "comments": 71,
                "time": "2007-04-04T19:16:40Z",
                "url": "https://www.getdropbox.com/u/2/screencast.html",
            },
        ),
        Get("item", {"id": 2921983}, {"type": "comment", "parent": 2921506, "title": None}),
        Get("user", {"id": "jl"}, {"id": "jl", "karma": 2937, "created": "2007-03-15T01:50:46Z"}),
    ],
    walks=[
        Walk("story", {}, "id", list(STORIES)),
        Walk("story", {"list": "job"}, "id", [192327]),
    ],
    errors=[Error("item/get", {"id": 99}, "notFound", None), Error("user/get", {"id": "nobody"}, "notFound", None)],
)
def hackernews(request):
    if parts := request.match("/v0/user/*"):
        user = {"id": "jl", "karma": 2937, "created": 1173923446, "about": "This is a test", "submitted": [8863]}
        return user if parts[0] == "jl.json" else None
    if request.path == "/v0/topstories.json":
        return list(STORIES)
    if request.path == "/v0/jobstories.json":
        return [192327]
    number = int(request.match("/v0/item/*")[0].removesuffix(".json"))
    if number == 2921983:
        return {
            "by": "norvig",
            "id": number,
            "kids": [2922097],
            "parent": 2921506,
            "text": "Aw shucks",
            "type": "comment",
            "time": 1314211127,
        }
    if number not in STORIES:
        return None
    kind, author, title = STORIES[number]
    story = {"by": author, "descendants": 71, "id": number, "kids": [9224, 8917], "score": 104, "time": 1175714200}
    url = {"url": "https://www.getdropbox.com/u/2/screencast.html"} if number == 8863 else {}
    return {**story, "title": title, "type": kind, **url}


# PokeAPI

POKEMON = [(1, "bulbasaur"), (2, "ivysaur"), (3, "venusaur"), (10001, "deoxys-attack"), (10002, "deoxys-defense")]


@stand_in(
    "pokeapi",
    gets=[
        Get(
            "pokemon",
            {"id": 1},
            {
                "id": 1,
                "name": "bulbasaur",
                "types": ["grass", "poison"],
                "abilities": ["overgrow"],
                "stats": [{"name": "hp", "base": 45, "effort": 0}],
                "image": None,
            },
        ),
    ],
    walks=[Walk("pokemon", {}, "id", [number for number, _ in POKEMON])],
    errors=[Error("pokemon/get", {"id": 99}, "notFound", "Not Found")],
    validators=True,
)
def pokeapi(request):
    if request.path == "/api/v2/pokemon/":
        start = int(request.one("offset"))
        assert request.one("limit") == "100"
        items, end = cut(POKEMON, start)
        base = "https://pokeapi.co/api/v2/pokemon/"
        return {
            "count": len(POKEMON),
            "next": f"{base}?offset={end}&limit=100" if end else None,
            "previous": f"{base}?offset=0&limit=100" if start else None,
            "results": [{"name": name, "url": f"{base}{number}/"} for number, name in items],
        }
    (number,) = request.match("/api/v2/pokemon/*/")
    number, name = find(POKEMON, lambda one: str(one[0]) == number, 404, "Not Found")
    return {
        "id": number,
        "name": name,
        "height": 7,
        "weight": 69,
        "base_experience": 64,
        "is_default": True,
        "species": {"name": name, "url": f"https://pokeapi.co/api/v2/pokemon-species/{number}/"},
        "types": [{"slot": slot, "type": {"name": kind}} for slot, kind in ((1, "grass"), (2, "poison"))],
        "abilities": [{"ability": {"name": "overgrow"}, "is_hidden": False, "slot": 1}],
        "moves": [{"move": {"name": "tackle"}}],
        "stats": [{"base_stat": 45, "effort": 0, "stat": {"name": "hp"}}],
        "sprites": {"front_default": None},
    }


# Wikipedia

TITLES = {18172: "Lighthouse", 21: "Pharos", 3: "Lantern room", 44: "Lightvessel", 5: "Fresnel lens"}


@stand_in(
    "wikipedia",
    gets=[
        Get(
            "page",
            {"id": 18172},
            {"id": 18172, "title": "Lighthouse", "namespace": 0, "bytes": 4321, "extract": "A tower."},
        ),
        Get("summary", {"id": "Lighthouse"}, {"title": "Lighthouse", "page": 18172, "language": "en"}),
    ],
    walks=[
        Walk("page", {"filter": {"search": "light", "namespaces": [0, 4]}}, "id", list(TITLES)),
        Walk(
            "member",
            {"category": "Category:Lighthouses", "filter": {"types": ["page"]}},
            "title",
            list(TITLES.values()),
        ),
        Walk("revision", {"title": "Lighthouse"}, "id", [9, 8, 7, 6, 5]),
    ],
    errors=[
        Error("page/get", {"id": 99}, "notFound", None),
        Error("page/list", {"filter": {"search": "!"}}, "invalidRequest", 'The "srsearch" parameter must be set.'),
        Error("recentChange/list", {}, "rateLimited", "Waiting for a database server: 7 seconds lagged."),
        Error("revision/list", {"title": "Nowhere"}, "notFound", None),
        Error("summary/get", {"id": "Nowhere"}, "notFound", "Page or revision not found."),
    ],
)
def wikipedia(request):
    if parts := request.match("/api/rest_v1/page/summary/*"):
        need(parts[0] == "Lighthouse", 404, {"title": "Not found.", "detail": "Page or revision not found."})
        return {
            "type": "standard",
            "title": "Lighthouse",
            "titles": {"canonical": "Lighthouse"},
            "pageid": 18172,
            "lang": "en",
            "extract": "A tower.",
            "timestamp": "2026-01-01T00:00:00Z",
            "content_urls": {"desktop": {"page": "https://en.wikipedia.org/wiki/Lighthouse"}},
        }
    assert request.path == "/w/api.php" and request.one("action") == "query" and request.one("formatversion") == "2"
    if request.one("pageids"):
        number = int(request.one("pageids"))
        if number not in TITLES:
            return {"batchcomplete": True, "query": {"pages": [{"pageid": number, "missing": True}]}}
        page = {
            "pageid": number,
            "ns": 0,
            "title": TITLES[number],
            "touched": "2026-01-01T00:00:00Z",
            "length": 4321,
            "fullurl": "https://en.wikipedia.org/wiki/Lighthouse",
            "extract": "A tower.",
            "description": "Structure",
        }
        return {"batchcomplete": True, "query": {"pages": [page]}}
    if request.one("list") == "recentchanges":
        return {"error": {"code": "maxlag", "info": "Waiting for a database server: 7 seconds lagged."}}
    if request.one("list") == "search":
        wanted = request.one("srsearch")
        if wanted == "!":
            return {"error": {"code": "missingparam", "info": 'The "srsearch" parameter must be set.'}}
        assert request.one("srnamespace") == "0|4" and request.one("srlimit") == "50"
        start = int(request.one("sroffset", "0"))
        items, end = cut(list(TITLES.items()), start)
        found = [
            {
                "ns": 0,
                "title": title,
                "pageid": number,
                "size": 10,
                "snippet": "x",
                "timestamp": "2026-01-01T00:00:00Z",
            }
            for number, title in items
        ]
        listed, going = {"searchinfo": {"totalhits": len(TITLES)}, "search": found}, {"sroffset": end}
    elif request.one("list") == "categorymembers":
        assert request.one("cmtitle") == "Category:Lighthouses" and request.one("cmtype") == "page"
        start = int(request.one("cmcontinue", "page|0").split("|")[1])
        items, end = cut(list(TITLES.items()), start)
        found = [{"ns": 0, "title": title, "pageid": number, "type": "page"} for number, title in items]
        listed, going = {"categorymembers": found}, {"cmcontinue": f"page|{end}"}
    else:
        if request.one("titles") == "Nowhere":
            return {"batchcomplete": True, "query": {"pages": [{"ns": 0, "title": "Nowhere", "missing": True}]}}
        start = int(request.one("rvcontinue", "x|0").split("|")[1])
        numbers, end = cut([9, 8, 7, 6, 5], start)
        found = [
            {
                "revid": number,
                "parentid": number - 1,
                "user": "A",
                "timestamp": "2026-01-01T00:00:00Z",
                "size": 4,
                "comment": "",
                "minor": False,
            }
            for number in numbers
        ]
        listed = {"pages": [{"pageid": 18172, "ns": 0, "title": "Lighthouse", "revisions": found}]}
        going = {"rvcontinue": f"x|{end}"}
    # The next page needs both parameters.
    assert ("continue" in request.query) == (start > 0)
    more = {"continue": {**going, "continue": "-||"}} if end else {"batchcomplete": True}
    return {**more, "query": listed}


# Prometheus


@stand_in(
    "prometheus",
    gets=[],
    walks=[
        Walk("sample", {"filter": {"query": "up", "time": "2026-01-01T00:00:00Z"}}, "value", ["1", "0"], None),
        Walk(
            "range",
            {"filter": {"query": "up", "start": "2026-01-01T00:00:00Z", "end": "2026-01-02T00:00:00Z", "step": "1h"}},
            "values",
            [[[1767225600, "1"], [1767229200, "1"]]],
            None,
        ),
        Walk("series", {"filter": {"match": ["up", "down"]}}, "job", ["prometheus", "node"], None),
        Walk("labelValue", {"label": "job"}, "id", ["node", "prometheus"], None),
        Walk("metric", {}, "name", ["go_goroutines", "up"], None),
        Walk("target", {"filter": {"pool": "node"}}, "health", ["up"], None),
    ],
    errors=[
        Error(
            "sample/list", {"filter": {"query": "up{"}}, "invalidRequest", "1:4: parse error: unexpected end of input"
        ),
        Error("sample/list", {"filter": {"query": "1 + 1"}}, "invalidRequest", None),
    ],
)
def prometheus(request):
    if request.path == "/api/v1/query":
        text = request.one("query")
        fault = "1:4: parse error: unexpected end of input"
        need(text != "up{", 400, {"status": "error", "errorType": "bad_data", "error": fault})
        if text == "1 + 1":
            return {"status": "success", "data": {"resultType": "scalar", "result": [1767225600, "2"]}}
        assert request.one("time") == "2026-01-01T00:00:00Z"
        found = [
            {"metric": {"__name__": "up", "job": job}, "value": [1767225600.5, value]}
            for job, value in (("prometheus", "1"), ("node", "0"))
        ]
        return {"status": "success", "data": {"resultType": "vector", "result": found}}
    if request.path == "/api/v1/query_range":
        assert request.one("step") == "1h" and request.one("end") == "2026-01-02T00:00:00Z"
        row = {"metric": {"__name__": "up"}, "values": [[1767225600, "1"], [1767229200, "1"]]}
        return {"status": "success", "data": {"resultType": "matrix", "result": [row]}}
    if request.path == "/api/v1/series":
        assert request.all("match[]") == ["up", "down"]
        return {"status": "success", "data": [{"__name__": "up", "job": job} for job in ("prometheus", "node")]}
    if request.path == "/api/v1/label/job/values":
        return {"status": "success", "data": ["node", "prometheus"]}
    if request.path == "/api/v1/targets":
        assert request.one("scrapePool") == "node" and request.one("state") == "active"
        target = {
            "labels": {"instance": "localhost:9100", "job": "node"},
            "scrapePool": "node",
            "health": "up",
            "scrapeUrl": "http://localhost:9100/metrics",
            "lastScrape": "2026-01-01T00:00:00.123456789+01:00",
            "lastError": "",
        }
        return {"status": "success", "data": {"activeTargets": [target], "droppedTargets": []}}
    assert request.path == "/api/v1/metadata"
    told = {name: [{"type": "gauge", "help": f"What {name} says.", "unit": ""}] for name in ("go_goroutines", "up")}
    return {"status": "success", "data": told}
