"""Simulated APIs of documents, shops, forums and other content."""

from standins import SIZE, Error, Failure, Get, Schema, Sync, Walk, changes, connection, cut, find, need, stand_in

# Notion


def _notion(number):
    return {
        "object": "page",
        "id": f"page-{number}",
        "archived": False,
        "last_edited_time": f"2026-01-0{number}T00:00:00.000Z",
        "properties": {
            "Name": {"type": "title", "title": [{"plain_text": f"Note {number}"}]},
            "Done": {"checkbox": True},
        },
    }


DONE = {"property": "Done", "checkbox": {"equals": True}}


@stand_in(
    "notion",
    gets=[Get("page", {"source": "src", "id": "page-2"}, {"id": "page-2", "title": "Note 2", "archived": False})],
    walks=[Walk("page", {"source": "src", "filter": {"filter": DONE}}, "id", ["page-1", "page-2", "page-3"])],
    errors=[
        Error("page/get", {"source": "src", "id": "page-9"}, "notFound", "Could not find page with ID: page-9."),
        Error("page/list", {"source": "none"}, "invalidRequest", "body failed validation"),
    ],
    syncs=[
        Sync(
            "page",
            {"source": "src"},
            ["page-1", "page-2", "page-3"],
            changed="page-3",
            edit={
                "last_edited_time": "2026-01-09T00:00:00.000Z",
                "properties": {"Name": {"title": [{"plain_text": "New"}]}},
            },
            item={"title": "New"},
            marks=('"on_or_after":"2026-01-02T23:58:00.000Z"', '"on_or_after":"2026-01-08T23:58:00.000Z"'),
            time="last_edited_time",
        )
    ],
)
def notion(request):
    words = {"object": "error", "status": 401, "code": "unauthorized", "message": "API token is invalid."}
    request.bearer("NOTION_TOKEN", words)
    assert request.headers["Notion-Version"] == "2025-09-03"
    pages = request.current([_notion(number) for number in (1, 2, 3)], lambda page: page["id"])
    if parts := request.match("/v1/pages/*"):
        words = {"code": "object_not_found", "message": f"Could not find page with ID: {parts[0]}."}
        return find(pages, lambda page: page["id"] == parts[0], 404, words)
    source = request.match("/v1/data_sources/*/query")
    need(source == ("src",), 400, {"code": "validation_error", "message": "body failed validation"})
    assert request.method == "POST" and request.body["page_size"] == 100
    if "sorts" in request.body:
        assert request.body["sorts"] == [{"timestamp": "last_edited_time", "direction": "ascending"}]
        wanted = request.body["filter"]
        assert wanted["timestamp"] == "last_edited_time" and list(wanted) == ["timestamp", "last_edited_time"]
        since = wanted["last_edited_time"]["on_or_after"]
        pages = changes(pages, lambda page: page["last_edited_time"], since)
    else:
        assert request.body["filter"] == DONE
    start = int(request.body.get("start_cursor", "at-0")[3:])
    items, end = cut(pages, start)
    return {
        "object": "list",
        "results": items,
        "has_more": end is not None,
        "next_cursor": f"at-{end}" if end else None,
    }


# Airtable


def _record(number):
    return {"id": f"rec{number}", "createdTime": "2026-01-01T00:00:00.000Z", "fields": {"Name": f"Row {number}"}}


@stand_in(
    "airtable",
    gets=[
        Get("record", {"base": "app1", "table": "My Tasks", "id": "rec2"}, {"id": "rec2", "fields": {"Name": "Row 2"}})
    ],
    walks=[
        Walk(
            "record",
            {"base": "app1", "table": "My Tasks", "filter": {"status": 'To "do"', "owner": "O'Neil", "view": "Grid"}},
            "id",
            ["rec1", "rec2", "rec3"],
        )
    ],
    errors=[
        Error("record/get", {"base": "app1", "table": "My Tasks", "id": "rec9"}, "notFound", "Record not found"),
        Error(
            "record/list",
            {"base": "app1", "table": "My Tasks", "filter": {"view": "None"}},
            "invalidRequest",
            "View None not found",
        ),
    ],
)
def airtable(request):
    request.bearer(
        "AIRTABLE_TOKEN", {"error": {"type": "AUTHENTICATION_REQUIRED", "message": "Authentication required"}}
    )
    records = [_record(number) for number in (1, 2, 3)]
    if parts := request.match("/v0/app1/My%20Tasks/*"):
        words = {"error": {"type": "NOT_FOUND", "message": "Record not found"}}
        return find(records, lambda record: record["id"] == parts[0], 404, words)
    assert request.path == "/v0/app1/My%20Tasks"
    need(
        request.one("view") == "Grid", 422, {"error": {"type": "VIEW_NAME_NOT_FOUND", "message": "View None not found"}}
    )
    assert request.one("filterByFormula") == r'AND({Status} = "To \"do\"", {Owner} = "O' + "'" + 'Neil")'
    items, end = cut(records, int(request.one("offset", "itr/0").split("/")[1]))
    return {"records": items, **({"offset": f"itr/{end}"} if end else {})}


# Shopify

SHOPIFY_SCHEMA = """
type PageInfo { hasNextPage: Boolean! endCursor: String }
type Product { id: ID! title: String! status: String! tags: [String!]! updatedAt: String! }
type ProductConnection { nodes: [Product!]! pageInfo: PageInfo! }
type Query { product(id: ID!): Product products(first: Int after: String query: String): ProductConnection! }
"""
PRODUCTS = [
    {
        "id": f"gid://shopify/Product/{number}",
        "title": f"Shirt {number}",
        "status": "ACTIVE",
        "tags": ["summer"],
        "updatedAt": "2026-01-01T00:00:00Z",
    }
    for number in range(1, 4)
]


@stand_in(
    "shopify",
    gets=[Get("product", {"id": "gid://shopify/Product/2"}, {"title": "Shirt 2", "tags": ["summer"]})],
    walks=[
        Walk(
            "product",
            {"filter": {"title": "Red shirt", "status": "active", "tag": ["summer", "new"]}},
            "title",
            ["Shirt 1", "Shirt 2", "Shirt 3"],
        )
    ],
    errors=[
        Error("product/get", {"id": "gid://shopify/Product/9"}, "notFound", None),
        Error("product/list", {"filter": {"title": "busy"}}, "rateLimited", "Throttled"),
    ],
)
def shopify(request):
    assert request.path == "/admin/api/2025-01/graphql.json"
    words = {"errors": "[API] Invalid API key or access token (unrecognized login or wrong password)"}
    need(request.headers["X-Shopify-Access-Token"] == "secret-of-shopify_token", 401, words)

    def products(_info, first, query, after=None):
        if query == 'title:"busy"':
            raise Failure("Throttled", extensions={"code": "THROTTLED"})
        assert query == 'title:"Red shirt" status:active tag:"summer" tag:"new"'
        return connection(PRODUCTS, after)

    def product(_info, id):
        return next((one for one in PRODUCTS if one["id"] == id), None)

    return Schema(SHOPIFY_SCHEMA).answer(request, {"product": product, "products": products})


# SWAPI

PEOPLE = ["Luke Skywalker", "C-3PO", "R2-D2"]


def _person(index):
    return {
        "name": PEOPLE[index],
        "height": "172",
        "films": ["https://swapi.dev/api/films/1/"],
        "edited": "2014-12-20T21:17:56.891000Z",
        "url": f"https://swapi.dev/api/people/{index + 1}/",
    }


@stand_in(
    "swapi",
    gets=[
        Get("person", {"id": 3}, {"name": "R2-D2", "url": "https://swapi.dev/api/people/3/"}),
        Get("stub", {"id": 2}, {"name": "C-3PO", "height": "172"}),
    ],
    walks=[
        Walk("person", {"filter": {"search": "a"}}, "name", PEOPLE),
        Walk("stub", {}, "name", PEOPLE),
    ],
    errors=[
        Error("person/get", {"id": 9}, "notFound", "Not found"),
        Error("stub/get", {"id": 9}, "notFound", "not found"),
    ],
)
def swapi(request):
    if parts := request.match("/api/people/*/"):
        need(parts[0] in "123", 404, {"detail": "Not found"})
        return _person(int(parts[0]) - 1)
    if parts := request.match("/api/people/*"):
        if parts[0]:
            need(parts[0] in "123", 404, {"message": "not found"})
            return {
                "message": "ok",
                "result": {"properties": {**_person(int(parts[0]) - 1), "url": "x"}, "uid": parts[0]},
            }
    page = int(request.one("page"))
    items, end = cut(PEOPLE, (page - 1) * SIZE)
    if request.path == "/api/people":
        assert request.one("limit") == "2"
        stubs = [{"uid": str(PEOPLE.index(name) + 1), "name": name, "url": "x"} for name in items]
        return {"message": "ok", "total_records": 3, "total_pages": 2, "results": stubs}
    assert request.one("search") == "a"
    url = f"https://swapi.dev/api/people/?page={page + 1}"
    found = [_person(PEOPLE.index(name)) for name in items]
    return {"count": 3, "next": url if end else None, "previous": None, "results": found}


# Stack Exchange


def _question(number):
    return {
        "question_id": number,
        "title": f"Q{number}",
        "tags": ["swift", "linux"],
        "score": 1,
        "answer_count": 0,
        "owner": {"display_name": "A"},
        "creation_date": 1767225600,
        "last_activity_date": 1767225600 + 3600 * number,
    }


@stand_in(
    "stackexchange",
    gets=[
        Get("question", {"id": 12}, {"question_id": 12, "owner": "A", "created": "2026-01-01T00:00:00Z"}),
        Get(
            "question",
            {"ids": [13, 99, 11]},
            {"missing": [99]},
            "getMany",
        ),
    ],
    walks=[
        Walk(
            "question",
            {"filter": {"tagged": ["swift", "linux"], "fromDate": "2026-01-01T00:00:00Z"}},
            "question_id",
            [11, 12, 13],
        )
    ],
    errors=[
        Error("question/get", {"id": 99}, "notFound", None),
        Error("question/list", {"site": "nowhere"}, "invalidRequest", "No site found for name `nowhere`"),
        Error(
            "question/list",
            {"site": "busy"},
            "rateLimited",
            "too many requests from this IP, more requests available in 9 seconds",
        ),
    ],
    syncs=[
        Sync(
            "question",
            {},
            [11, 12, 13],
            changed=13,
            edit={"title": "New", "last_activity_date": 1768000000},
            item={"title": "New"},
            marks=(f"min={1767225600 + 3600 * 13 - 60}", "min=1767999940"),
            time="last_activity_date",
        )
    ],
)
def stackexchange(request):
    words = {
        "error_id": 403,
        "error_name": "access_denied",
        "error_message": "`key` is not valid for passed `access_token`",
    }
    need(request.one("key") == "secret-of-stackexchange_key", 400, words)
    words = {"error_id": 400, "error_message": "No site found for name `nowhere`", "error_name": "bad_parameter"}
    need(request.one("site") != "nowhere", 400, words)
    text = "too many requests from this IP, more requests available in 9 seconds"
    need(
        request.one("site") != "busy", 400, {"error_id": 502, "error_message": text, "error_name": "throttle_violation"}
    )
    assert request.one("site") == "stackoverflow"
    limits = {"quota_max": 300, "quota_remaining": 299}
    questions = request.current([_question(number) for number in (11, 12, 13)], lambda one: one["question_id"])
    if parts := request.match("/2.3/questions/*"):
        wanted = parts[0].split(";")
        return {"items": [one for one in questions if str(one["question_id"]) in wanted], "has_more": False, **limits}
    if request.one("sort") == "activity":
        assert request.one("order") == "asc"
        since = request.one("min")
        questions = changes(questions, lambda one: one["last_activity_date"], since and int(since))
    else:
        assert request.one("tagged") == "swift;linux" and request.one("fromdate") == "1767225600"
    items, end = cut(questions, (int(request.one("page")) - 1) * SIZE)
    return {"items": items, "has_more": end is not None, **limits}


# Wikipedia over REST


@stand_in(
    "wikipedia-rest",
    gets=[Get("page", {"id": "Red_panda"}, {"key": "Red_panda", "title": "Red panda", "extract": "A mammal."})],
    walks=[Walk("page", {"filter": {"q": "panda"}}, "key", ["Red_panda", "Giant_panda"], None)],
    errors=[Error("page/get", {"id": "Nowhere"}, "notFound", "Page or revision not found.")],
    validators=True,
)
def wikipedia_rest(request):
    if parts := request.match("/api/rest_v1/page/summary/*"):
        need(
            parts[0] == "Red_panda", 404, {"type": "x", "title": "Not found.", "detail": "Page or revision not found."}
        )
        return {"title": "Red panda", "titles": {"canonical": "Red_panda"}, "extract": "A mammal.", "lang": "en"}
    assert request.path == "/w/rest.php/v1/search/page" and (request.one("q"), request.one("limit")) == ("panda", "50")
    return {"pages": [{"id": 1, "key": key, "title": key.replace("_", " ")} for key in ("Red_panda", "Giant_panda")]}


# Discourse


def _topic(number):
    return {"id": number, "title": f"Topic {number}", "posts_count": 3, "created_at": "2026-01-01T00:00:00.000Z"}


@stand_in(
    "discourse",
    gets=[Get("topic", {"id": 2}, {"id": 2, "title": "Topic 2", "posts": 3})],
    walks=[
        Walk("topic", {"filter": {"order": "created", "ascending": True}}, "id", [1, 2, 3]),
        Walk("categoryTopic", {"slug": "support", "category": 6}, "id", [1, 2, 3]),
    ],
    errors=[
        Error("topic/get", {"id": 9}, "notFound", "The requested URL or resource could not be found."),
        Error(
            "topic/get",
            {"id": 7},
            "rateLimited",
            "You've performed this action too many times, please try again later.",
        ),
    ],
)
def discourse(request):
    fine = request.headers.get("Api-Key") == "secret-of-discourse_key" and request.headers["Api-Username"] == "system"
    need(
        fine, 403, {"errors": ["You are not permitted to view the requested resource."], "error_type": "invalid_access"}
    )
    topics = [_topic(number) for number in (1, 2, 3)]
    if parts := request.match("/t/*"):
        busy = {
            "errors": ["You've performed this action too many times, please try again later."],
            "extras": {"wait_seconds": 9},
        }
        need(parts[0] != "7.json", 429, busy)
        words = {"errors": ["The requested URL or resource could not be found."], "error_type": "not_found"}
        return find(topics, lambda topic: f"{topic['id']}.json" == parts[0], 404, words)
    assert request.path in ("/latest.json", "/c/support/6.json")
    page = int(request.one("page"))
    items, end = cut(topics, page * SIZE)
    more = {"more_topics_url": f"{request.path.removesuffix('.json')}?page={page + 1}"} if end else {}
    return {"users": [], "topic_list": {"per_page": 30, "topics": items, **more}}


# Mastodon


def _toot(number):
    return {
        "id": f"10{number}",
        "content": f"<p>{number}</p>",
        "account": {"acct": "ada"},
        "tags": [{"name": "swift"}],
        "created_at": "2026-01-01T00:00:00.000Z",
        "type": "mention",
    }


@stand_in(
    "mastodon",
    gets=[Get("status", {"account": "1", "id": "102"}, {"id": "102", "author": "ada", "tags": ["swift"]})],
    walks=[
        Walk("status", {"account": "1", "filter": {"excludeReplies": True}}, "id", ["103", "102", "101"]),
        Walk("notification", {"filter": {"types": ["mention", "follow"]}}, "id", ["103", "102", "101"]),
    ],
    errors=[
        Error("status/get", {"account": "1", "id": "109"}, "notFound", "Record not found"),
        Error("status/list", {"account": "busy"}, "rateLimited", "Too many requests"),
    ],
)
def mastodon(request):
    request.bearer("MASTODON_TOKEN", {"error": "The access token is invalid"})
    toots = [_toot(number) for number in (3, 2, 1)]
    if parts := request.match("/api/v1/statuses/*"):
        return find(toots, lambda toot: toot["id"] == parts[0], 404, {"error": "Record not found"})
    need(request.path != "/api/v1/accounts/busy/statuses", 429, {"error": "Too many requests"})
    if request.path == "/api/v1/notifications":
        assert request.all("types[]") == ["mention", "follow"]
    else:
        assert request.path == "/api/v1/accounts/1/statuses" and request.one("exclude_replies") == "true"
    last = request.one("max_id")
    items, end = cut(toots, [toot["id"] for toot in toots].index(last) + 1 if last else 0)
    url = f"https://mastodon.social{request.path}?{request.raw_query.split('&max_id')[0]}"
    before = f'<{url}&min_id={items[0]["id"]}>; rel="prev"'
    return items, {"Link": f'<{url}&max_id={items[-1]["id"]}>; rel="next", {before}' if end else before}


# Reddit


def _post(number):
    data = {"name": f"t3_{number}", "title": f"Post {number}", "author": "ada", "score": 7, "created_utc": 1767225600.0}
    return {"kind": "t3", "data": data}


@stand_in(
    "reddit",
    gets=[
        Get("post", {"sub": "swift", "id": "t3_2"}, {"name": "t3_2", "created": "2026-01-01T00:00:00.0Z"}),
        Get("post", {"sub": "swift", "ids": ["t3_3", "t3_9"]}, {"missing": ["t3_9"]}, "getMany"),
    ],
    walks=[Walk("post", {"sub": "swift", "filter": {"show": "all"}}, "name", ["t3_3", "t3_2", "t3_1"])],
    errors=[
        Error("post/get", {"sub": "swift", "id": "t3_9"}, "notFound", None),
        Error("post/list", {"sub": "none"}, "notFound", "Not Found"),
    ],
)
def reddit(request):
    if token := request.token("/api/v1/access_token", "REDDIT", grant_type="client_credentials"):
        return token
    assert request.one("raw_json") == "1"
    posts = [_post(number) for number in (3, 2, 1)]
    if request.path == "/r/swift/api/info":
        items, end = [post for post in posts if post["data"]["name"] in request.one("id").split(",")], None
    else:
        need(request.path == "/r/swift/new", 404, {"message": "Not Found", "error": 404})
        after = request.one("after")
        items, end = cut(posts, [post["data"]["name"] for post in posts].index(after) + 1 if after else 0)
    after = items[-1]["data"]["name"] if end else None
    return {"kind": "Listing", "data": {"after": after, "before": None, "dist": len(items), "children": items}}


# Confluence


def _confluence(number):
    return {
        "id": str(number),
        "title": f"Page {number}",
        "status": "current",
        "spaceId": "7",
        "createdAt": "2026-01-01T00:00:00.000Z",
    }


@stand_in(
    "confluence",
    gets=[
        Get("page", {"id": "2"}, {"id": "2", "title": "Page 2", "space": "7"}),
        Get("page", {"ids": ["3", "9"]}, {"missing": ["9"]}, "getMany"),
    ],
    walks=[Walk("page", {"filter": {"spaces": [7, 8], "status": ["current", "archived"]}}, "id", ["1", "2", "3"])],
    errors=[Error("page/get", {"id": "9"}, "notFound", "Page not found")],
)
def confluence(request):
    words = {"errors": [{"status": 401, "code": "UNAUTHORIZED", "title": "Unauthorized"}]}
    request.basic("CONFLUENCE_USER", "CONFLUENCE_TOKEN", words)
    pages = [_confluence(number) for number in (1, 2, 3)]
    if parts := request.match("/wiki/api/v2/pages/*"):
        words = {"errors": [{"status": 404, "code": "NOT_FOUND", "title": "Page not found", "detail": None}]}
        return find(pages, lambda page: page["id"] == parts[0], 404, words)
    assert request.path == "/wiki/api/v2/pages" and request.one("limit") == "250"
    if request.one("id"):
        return {"results": [page for page in pages if page["id"] in request.one("id").split(",")], "_links": {}}
    assert request.one("space-id") == "7,8" and request.one("status") == "current,archived"
    items, end = cut(pages, int(request.one("cursor", "c0")[1:]))
    rest = "&".join(part for part in request.raw_query.split("&") if not part.startswith("cursor="))
    return {
        "results": items,
        "_links": {"base": "x", **({"next": f"{request.path}?{rest}&cursor=c{end}"} if end else {})},
    }


# Open Library


@stand_in(
    "openlibrary",
    gets=[
        Get("work", {"id": "OL2W"}, {"key": "/works/OL2W", "title": "Work 2", "authors": ["/authors/OL9A"]}),
        Get("book", {"ids": ["ISBN:1", "ISBN:9"]}, {"missing": ["ISBN:9"]}, "getMany"),
    ],
    walks=[Walk("work", {"filter": {"q": "light", "language": "eng"}}, "title", ["Work 1", "Work 2", "Work 3"])],
    errors=[
        Error("work/get", {"id": "OL9W"}, "notFound", "notfound"),
        Error("work/list", {"filter": {"q": "!"}}, "invalidRequest", "Query is too short"),
    ],
)
def openlibrary(request):
    if parts := request.match("/works/*"):
        need(parts[0] == "OL2W.json", 404, {"error": "notfound", "key": "/works/OL9W"})
        authors = [{"author": {"key": "/authors/OL9A"}, "type": {"key": "/type/author_role"}}]
        return {"key": "/works/OL2W", "title": "Work 2", "subjects": ["Light"], "authors": authors}
    if request.path == "/api/books":
        known = {"ISBN:1": {"bib_key": "ISBN:1", "info_url": "https://openlibrary.org/books/OL1M"}}
        return {key: known[key] for key in request.one("bibkeys").split(",") if key in known}
    need(request.one("q") == "light", 422, {"error": "Query is too short"})
    assert request.path == "/search.json" and request.one("language") == "eng"
    page = int(request.one("page"))
    items, _ = cut([1, 2, 3], (page - 1) * SIZE)
    documents = [
        {"key": f"/works/OL{n}W", "title": f"Work {n}", "author_key": ["OL9A"], "first_publish_year": 1900}
        for n in items
    ]
    return {"numFound": 3, "start": (page - 1) * SIZE, "docs": documents}


# AniList

ANILIST_SCHEMA = """
enum MediaType { ANIME MANGA }
type Title { romaji: String }
type Media { id: Int! title: Title genres: [String] }
type PageInfo { hasNextPage: Boolean lastPage: Int }
type Page { pageInfo: PageInfo media(genre_in: [String] type: MediaType): [Media] }
type Query { Media(id: Int): Media Page(page: Int perPage: Int): Page }
"""
MEDIA = [{"id": number, "title": {"romaji": f"Anime {number}"}, "genres": ["Action"]} for number in (1, 5, 6)]


@stand_in(
    "anilist",
    gets=[Get("media", {"id": 5}, {"id": 5, "title": "Anime 5", "genres": ["Action"]})],
    walks=[Walk("media", {"filter": {"genres": ["Action", "Drama"], "type": "ANIME"}}, "id", [1, 5, 6])],
    errors=[Error("media/get", {"id": 9}, "notFound", "Not Found.")],
)
def anilist(request):
    assert request.path == "/"

    def media(_info, id):
        found = next((one for one in MEDIA if one["id"] == id), None)
        if found is None:
            raise Failure("Not Found.", status=404)
        return found

    def page(_info, page, perPage):
        items, end = cut(MEDIA, (page - 1) * SIZE)

        def filtered(_info, genre_in, type):
            assert (genre_in, type, perPage) == (["Action", "Drama"], "ANIME", 50)
            return items

        return {"pageInfo": {"hasNextPage": end is not None, "lastPage": 99}, "media": filtered}

    answer = Schema(ANILIST_SCHEMA).answer(request, {"Media": media, "Page": page})
    need("errors" not in answer, 404, answer)
    return answer
