"""Stand-ins for the APIs of documents, shops, forums, mail and other content."""

import base64

from standins import SIZE, Error, Failure, Get, Schema, Walk, connection, cut, find, need, stand_in

# Notion


def _notion(number):
    return {
        "object": "page",
        "id": f"page-{number}",
        "archived": False,
        "last_edited_time": "2026-01-01T00:00:00.000Z",
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
)
def notion(request):
    words = {"object": "error", "status": 401, "code": "unauthorized", "message": "API token is invalid."}
    request.bearer("NOTION_TOKEN", words)
    assert request.headers["Notion-Version"] == "2025-09-03"
    pages = [_notion(number) for number in (1, 2, 3)]
    if parts := request.match("/v1/pages/*"):
        words = {"code": "object_not_found", "message": f"Could not find page with ID: {parts[0]}."}
        return find(pages, lambda page: page["id"] == parts[0], 404, words)
    source = request.match("/v1/data_sources/*/query")
    need(source == ("src",), 400, {"code": "validation_error", "message": "body failed validation"})
    assert request.method == "POST" and request.body["filter"] == DONE and request.body["page_size"] == 100
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
    questions = [_question(number) for number in (11, 12, 13)]
    if parts := request.match("/2.3/questions/*"):
        wanted = parts[0].split(";")
        return {"items": [one for one in questions if str(one["question_id"]) in wanted], "has_more": False, **limits}
    assert request.one("tagged") == "swift;linux" and request.one("fromdate") == "1767225600"
    items, end = cut(questions, (int(request.one("page")) - 1) * SIZE)
    return {"items": items, "has_more": end is not None, **limits}


# Wikipedia over REST


@stand_in(
    "wikipedia-rest",
    gets=[Get("page", {"id": "Red_panda"}, {"key": "Red_panda", "title": "Red panda", "extract": "A mammal."})],
    walks=[Walk("page", {"filter": {"q": "panda"}}, "key", ["Red_panda", "Giant_panda"], None)],
    errors=[Error("page/get", {"id": "Nowhere"}, "notFound", "Page or revision not found.")],
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
    request.bearer("REDDIT_TOKEN", {"message": "Unauthorized", "error": 401})
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


# Contentful


def _entry(number):
    return {
        "sys": {
            "id": f"e{number}",
            "type": "Entry",
            "updatedAt": "2026-01-01T00:00:00.000Z",
            "contentType": {"sys": {"type": "Link", "linkType": "ContentType", "id": "cat"}},
        },
        "fields": {"name": f"Cat {number}", "friend": {"sys": {"type": "Link", "linkType": "Entry", "id": "e1"}}},
    }


@stand_in(
    "contentful",
    gets=[
        Get("entry", {"space": "s1", "id": "e2"}, {"id": "e2", "type": "cat"}),
        Get("entry", {"space": "s1", "ids": ["e3", "e9"]}, {"missing": ["e9"]}, "getMany"),
    ],
    walks=[Walk("entry", {"space": "s1", "filter": {"type": "cat", "tags": ["a", "b"]}}, "id", ["e1", "e2", "e3"])],
    errors=[
        Error("entry/get", {"space": "s1", "id": "e9"}, "notFound", "The resource could not be found."),
        Error(
            "entry/list",
            {"space": "s1", "filter": {"type": "dog"}},
            "invalidRequest",
            "The query you sent was invalid.",
        ),
    ],
)
def contentful(request):
    words = {
        "sys": {"type": "Error", "id": "AccessTokenInvalid"},
        "message": "The access token you sent could not be found.",
    }
    request.bearer("CONTENTFUL_TOKEN", words)
    entries = [_entry(number) for number in (1, 2, 3)]
    if parts := request.match("/spaces/s1/environments/master/entries/*"):
        words = {"sys": {"type": "Error", "id": "NotFound"}, "message": "The resource could not be found."}
        return find(entries, lambda entry: entry["sys"]["id"] == parts[0], 404, words)
    assert request.path == "/spaces/s1/environments/master/entries"
    if request.one("sys.id[in]"):
        found = [entry for entry in entries if entry["sys"]["id"] in request.one("sys.id[in]").split(",")]
        return {"sys": {"type": "Array"}, "total": len(found), "skip": 0, "limit": 1000, "items": found}
    words = {"sys": {"type": "Error", "id": "InvalidQuery"}, "message": "The query you sent was invalid."}
    need(request.one("content_type") == "cat", 400, words)
    assert request.one("fields.tags[in]") == "a,b" and request.one("order") == "sys.id"
    skip = int(request.one("skip"))
    items, _ = cut(entries, skip)
    return {
        "sys": {"type": "Array"},
        "total": 3,
        "skip": skip,
        "limit": SIZE,
        "items": items,
        "includes": {"Entry": []},
    }


# JSON:API


def _resource(number):
    chapters = [{"type": "chapters", "id": str(number * 10 + index)} for index in (1, 2)]
    return {
        "type": "books",
        "id": str(number),
        "attributes": {"title": f"Book {number}"},
        "relationships": {"author": {"data": {"type": "authors", "id": "7"}}, "chapters": {"data": chapters}},
    }


@stand_in(
    "jsonapi",
    gets=[Get("book", {"id": "2"}, {"id": "2", "title": "Book 2", "author": "7", "chapters": ["21", "22"]})],
    walks=[Walk("book", {"filter": {"author": "7", "sort": ["-title", "id"]}}, "id", ["1", "2", "3"])],
    errors=[
        Error("book/get", {"id": "9"}, "notFound", "No Book matches the given query."),
        Error("book/list", {"filter": {"author": "x"}}, "invalidRequest", "Select a valid choice."),
    ],
)
def jsonapi(request):
    request.bearer("LIBRARY_TOKEN", {"errors": [{"detail": "Invalid token.", "status": "401"}]})
    assert request.headers["Accept"] == "application/vnd.api+json"
    books = [_resource(number) for number in (1, 2, 3)]
    if parts := request.match("/api/books/*/"):
        words = {"errors": [{"detail": "No Book matches the given query.", "status": "404"}]}
        return {"data": find(books, lambda book: book["id"] == parts[0], 404, words)}
    need(
        request.one("filter[author]") == "7", 400, {"errors": [{"detail": "Select a valid choice.", "code": "invalid"}]}
    )
    assert request.path == "/api/books/" and request.one("sort") == "-title,id" and request.one("page[size]") == "2"
    page = int(request.one("page[number]"))
    items, end = cut(books, (page - 1) * SIZE)
    url = f"https://library.example/api/books/?page%5Bnumber%5D={page + 1}"
    info = {"pagination": {"page": page, "pages": 2, "count": 3}}
    return {"links": {"next": url if end else None}, "data": items, "meta": info, "included": []}


# Microsoft Graph


@stand_in(
    "msgraph",
    gets=[Get("user", {"id": "u2"}, {"id": "u2", "name": "User 2", "mail": None})],
    walks=[
        Walk("user", {"filter": {"startsWith": "O'N", "department": "Sales"}}, "id", ["u1", "u2", "u3"]),
        Walk("message", {"user": "ada@example.com"}, "id", ["m1", "m2", "m3"]),
    ],
    errors=[
        Error("user/get", {"id": "u9"}, "notFound", "Resource 'u9' does not exist."),
        Error("user/list", {"filter": {"department": "?"}}, "invalidRequest", "Invalid filter clause"),
    ],
)
def msgraph(request):
    request.bearer(
        "GRAPH_TOKEN", {"error": {"code": "InvalidAuthenticationToken", "message": "Access token is invalid."}}
    )
    users = [{"id": f"u{number}", "displayName": f"User {number}", "mail": None} for number in (1, 2, 3)]
    if parts := request.match("/v1.0/users/*"):
        words = {"error": {"code": "Request_ResourceNotFound", "message": f"Resource '{parts[0]}' does not exist."}}
        return find(users, lambda user: user["id"] == parts[0], 404, words)
    if request.path == "/v1.0/users":
        words = {"error": {"code": "BadRequest", "message": "Invalid filter clause"}}
        need(request.one("$filter") != "department eq '?'", 400, words)
        assert request.one("$filter") == "startswith(displayName,'O''N') and department eq 'Sales'"
        assert request.one("$select") == "id,displayName,mail"
        found = users
    else:
        assert request.match("/v1.0/users/*/messages") == ("ada@example.com",)
        found = [
            {"id": f"m{number}", "subject": None, "receivedDateTime": "2026-01-01T00:00:00Z"} for number in (1, 2, 3)
        ]
    items, end = cut(found, int(request.one("$skiptoken", "0")))
    rest = "&".join(part for part in request.raw_query.split("&") if "skiptoken" not in part)
    url = f"https://graph.microsoft.com{request.path}?{rest}&$skiptoken={end}"
    return {"@odata.context": "x", **({"@odata.nextLink": url} if end else {}), "value": items}


# Google


@stand_in(
    "google",
    gets=[
        Get("event", {"calendar": "team@example.com", "id": "e2"}, {"id": "e2", "start": "2026-01-01T09:00:00Z"}),
        Get("message", {"id": "m2"}, {"id": "m2", "snippet": "Hello 2"}),
    ],
    walks=[
        Walk(
            "event",
            {"calendar": "team@example.com", "filter": {"q": "standup", "from": "2026-01-01T00:00:00Z"}},
            "id",
            ["e1", "e2", "e3"],
        ),
        Walk("message", {"filter": {"labels": ["INBOX", "UNREAD"]}}, "snippet", ["Hello 1", "Hello 2", "Hello 3"]),
        Walk("message", {"filter": {"q": "nothing"}}, "id", []),
    ],
    errors=[
        Error("event/get", {"id": "e9"}, "notFound", "Not Found"),
        Error("event/list", {"calendar": "busy"}, "rateLimited", "Rate Limit Exceeded"),
        Error("event/list", {"calendar": "closed"}, "unauthorized", "Forbidden"),
    ],
)
def google(request):
    request.bearer(
        "GOOGLE_TOKEN", {"error": {"code": 401, "message": "Request had invalid authentication credentials."}}
    )

    def event(number):
        return {"id": f"e{number}", "status": "confirmed", "start": {"dateTime": "2026-01-01T10:00:00+01:00"}}

    if parts := request.match("/calendar/v3/calendars/*/events/*"):
        need(
            parts[1] != "e9", 404, {"error": {"code": 404, "message": "Not Found", "errors": [{"reason": "notFound"}]}}
        )
        return event(int(parts[1][1:]))
    if parts := request.match("/gmail/v1/users/me/messages/*"):
        number = parts[0][1:]
        return {
            "id": parts[0],
            "threadId": "t",
            "snippet": f"Hello {number}",
            "labelIds": ["INBOX"],
            "internalDate": "1767225600000",
        }
    if request.path == "/gmail/v1/users/me/messages":
        if request.one("q") == "nothing":
            return {"resultSizeEstimate": 0}
        assert request.all("labelIds") == ["INBOX", "UNREAD"]
        items, end = cut(
            [{"id": f"m{number}", "threadId": "t"} for number in (1, 2, 3)], int(request.one("pageToken", "0"))
        )
        return {"messages": items, "resultSizeEstimate": 3, **({"nextPageToken": str(end)} if end else {})}
    (calendar,) = request.match("/calendar/v3/calendars/*/events")
    for name, reason, text in (
        ("busy", "rateLimitExceeded", "Rate Limit Exceeded"),
        ("closed", "forbidden", "Forbidden"),
    ):
        words = {"error": {"code": 403, "message": text, "errors": [{"domain": "usageLimits", "reason": reason}]}}
        need(calendar != name, 403, words)
    assert calendar == "team@example.com" and request.one("timeMin") == "2026-01-01T00:00:00Z"
    items, end = cut([event(number) for number in (1, 2, 3)], int(request.one("pageToken", "0")))
    return {
        "kind": "calendar#events",
        "items": items,
        **({"nextPageToken": str(end)} if end else {"nextSyncToken": "x"}),
    }


# HAL


@stand_in(
    "hal",
    gets=[Get("order", {"id": 2}, {"customer": "Ada", "total": 20, "state": "open"})],
    walks=[
        Walk("order", {"filter": {"state": "open", "sort": ["total,asc", "customer"]}}, "total", [10, 20, 30]),
        Walk("order", {"filter": {"state": "lost", "sort": ["total,asc", "customer"]}}, "total", []),
    ],
    errors=[
        Error("order/get", {"id": 9}, "notFound", None),
        Error("order/list", {"filter": {"state": "?"}}, "invalidRequest", "Failed to convert '?'"),
    ],
)
def hal(request):
    request.basic("SHOP_USER", "SHOP_PASSWORD", {"status": 401, "error": "Unauthorized", "path": "/orders"})

    def order(number):
        url = {"self": {"href": f"https://shop.example/orders/{number}"}}
        return {"customer": "Ada", "total": 10 * number, "state": "open", "_links": url}

    if parts := request.match("/orders/*"):
        need(parts[0] != "9", 404, "")
        return order(int(parts[0]))
    state = request.one("state")
    need(state != "?", 400, {"cause": None, "message": "Failed to convert '?'"})
    assert request.path == "/orders/search/findByState" and request.all("sort") == ["total,asc", "customer"]
    page, count = int(request.one("page")), 3 if state == "open" else 0
    items, end = cut([order(number) for number in (1, 2, 3)][:count], page * SIZE)
    links = {"next": {"href": f"https://shop.example{request.path}?state=open&page={page + 1}&size=2"}} if end else {}
    info = {"size": SIZE, "totalElements": count, "totalPages": -(-count // SIZE), "number": page}
    return {**({"_embedded": {"orders": items}} if items else {}), "_links": links, "page": info}


# Django REST framework


@stand_in(
    "drf",
    gets=[
        Get("book", {"id": 2}, {"id": 2, "title": "Book 2", "genre": "novel"}),
        Get("review", {"book": 7, "id": 2}, {"id": 2, "text": "Review 2"}),
    ],
    walks=[
        Walk("book", {"filter": {"genre": "novel", "ordering": ["-title", "id"]}}, "id", [1, 2, 3]),
        Walk("author", {}, "name", ["Author 1", "Author 2", "Author 3"]),
        Walk("review", {"book": 7}, "id", [1, 2, 3]),
    ],
    errors=[
        Error("book/get", {"id": 9}, "notFound", "No Book matches the given query."),
        Error(
            "book/list",
            {"page": 7, "filter": {"genre": "novel", "ordering": ["-title", "id"]}},
            "notFound",
            "Invalid page.",
        ),
        Error("book/list", {"filter": {"ordering": ["shape"]}}, "invalidRequest", "ordering: Select a valid choice."),
        Error("review/list", {"book": 8}, "rateLimited", "Request was throttled. Expected available in 60 seconds."),
    ],
)
def drf(request):
    need(request.headers.get("Authorization") == "Token secret-of-books_token", 401, {"detail": "Invalid token."})
    books = [{"id": number, "title": f"Book {number}", "genre": "novel"} for number in (1, 2, 3)]
    base = f"https://books.example{request.path}"

    def listed(items, end, url, **more):
        return {**more, "next": url if end else None, "previous": None, "results": items}

    if parts := request.match("/api/books/*/"):
        return find(
            books, lambda book: str(book["id"]) == parts[0], 404, {"detail": "No Book matches the given query."}
        )
    if parts := request.match("/api/books/7/reviews/*/"):
        return {"id": int(parts[0]), "text": f"Review {parts[0]}"}
    if request.path == "/api/authors/":
        start = int(request.one("offset"))
        items, end = cut([{"id": number, "name": f"Author {number}"} for number in (1, 2, 3)], start)
        return listed(items, end, f"{base}?limit=2&offset={end}", count=3)
    if parts := request.match("/api/books/*/reviews/"):
        text = "Request was throttled. Expected available in 60 seconds."
        need(parts[0] == "7", 429, {"detail": text}, {"Retry-After": "60"})
        items, end = cut([{"id": number, "text": "x"} for number in (1, 2, 3)], int(request.one("cursor", "0")))
        return listed(items, end, f"{base}?cursor={end}")
    need(request.one("ordering") != "shape", 400, {"ordering": ["Select a valid choice."]})
    assert request.path == "/api/books/" and (request.one("genre"), request.one("ordering")) == ("novel", "-title,id")
    page = int(request.one("page"))
    items, end = cut(books, (page - 1) * SIZE)
    need(items, 404, {"detail": "Invalid page."})
    return listed(items, end, f"{base}?genre=novel&page={page + 1}", count=3)


# WordPress


@stand_in(
    "wordpress",
    gets=[
        Get("post", {"id": 2}, {"id": 2, "title": "Post 2", "categories": [4, 5]}),
        Get("post", {"ids": [3, 9]}, {"missing": [9]}, "getMany"),
    ],
    walks=[
        Walk(
            "post",
            {"filter": {"categories": [4, 5], "after": "2026-01-01T00:00:00Z", "orderBy": "id"}},
            "id",
            [1, 2, 3],
        )
    ],
    errors=[
        Error("post/get", {"id": 9}, "notFound", "Invalid post ID."),
        Error("post/list", {"filter": {"search": "?"}}, "invalidRequest", "Invalid parameter(s): search"),
    ],
)
def wordpress(request):
    request.basic("WORDPRESS_USER", "WORDPRESS_PASSWORD", {"code": "incorrect_password", "message": "Wrong password."})
    posts = [
        {
            "id": number,
            "title": {"rendered": f"Post {number}"},
            "status": "publish",
            "categories": [4, 5],
            "modified_gmt": "2026-01-01T00:00:00",
        }
        for number in (1, 2, 3)
    ]
    if parts := request.match("/wp-json/wp/v2/posts/*"):
        words = {"code": "rest_post_invalid_id", "message": "Invalid post ID.", "data": {"status": 404}}
        return find(posts, lambda post: str(post["id"]) == parts[0], 404, words)
    if request.one("include"):
        return [post for post in posts if str(post["id"]) in request.one("include").split(",")]
    words = {"code": "rest_invalid_param", "message": "Invalid parameter(s): search", "data": {"status": 400}}
    need(not request.one("search"), 400, words)
    assert request.one("categories") == "4,5" and request.one("after") == "2026-01-01T00:00:00Z"
    items, _ = cut(posts, (int(request.one("page")) - 1) * SIZE)
    past = {"code": "rest_post_invalid_page_number", "message": "The page number requested is larger than available."}
    need(items, 400, past)
    return items, {"X-WP-Total": "3", "X-WP-TotalPages": "2"}


# datasette


@stand_in(
    "datasette",
    gets=[Get("stock", {"database": "shop", "id": "berlin,tea"}, {"shop": "berlin", "product": "tea", "amount": 7})],
    walks=[
        Walk(
            "stock",
            {"database": "shop", "filter": {"shop": "berlin", "atLeast": 5}},
            "product",
            ["coffee", "tea", "water"],
        )
    ],
    errors=[
        Error(
            "stock/get", {"database": "shop", "id": "berlin,gold"}, "notFound", "Record not found: ['berlin', 'gold']"
        ),
        Error(
            "stock/list",
            {"database": "shop", "filter": {"sort": "shape"}},
            "invalidRequest",
            "Cannot sort table by shape",
        ),
    ],
)
def datasette(request):
    request.bearer("DATASETTE_TOKEN", {"ok": False, "error": "Permission denied", "status": 403}, 403)
    assert request.one("_shape") == "objects"
    rows = [{"shop": "berlin", "product": product, "amount": 7} for product in ("coffee", "tea", "water")]
    if parts := request.match("/shop/stock/*"):
        shop, product = parts[0].removesuffix(".json").split(",")
        assert "%2C" not in request.path
        words = {"ok": False, "error": f"Record not found: ['{shop}', '{product}']", "status": 404}
        return {"ok": True, "rows": [find(rows, lambda row: row["product"] == product, 404, words)]}
    words = {"ok": False, "error": "Cannot sort table by shape", "status": 400, "title": None}
    need(request.one("_sort") != "shape", 400, words)
    assert (request.one("shop__exact"), request.one("amount__gte")) == ("berlin", "5")
    assert request.all("_extra") == ["count", "next"]
    after = request.one("_next")
    items, end = cut(rows, [row["product"] for row in rows].index(after.split(",")[1]) + 1 if after else 0)
    return {"ok": True, "rows": items, "count": 3, "next": f"berlin,{items[-1]['product']}" if end else None}


# Kinto


@stand_in(
    "kinto",
    gets=[Get("record", {"collection": "notes", "id": "r2"}, {"id": "r2", "modified": "2026-01-01T00:00:00.000Z"})],
    walks=[
        Walk(
            "record",
            {"collection": "notes", "filter": {"title": "A", "sort": ["-last_modified"]}},
            "id",
            ["r1", "r2", "r3"],
        )
    ],
    errors=[
        Error("record/get", {"collection": "notes", "id": "r9"}, "notFound", None),
        Error("record/list", {"collection": "none"}, "unauthorized", "This user cannot access this resource."),
    ],
)
def kinto(request):
    request.basic(
        "KINTO_USER", "KINTO_PASSWORD", {"errno": 104, "message": "Please authenticate yourself.", "code": 401}
    )
    records = [{"id": f"r{number}", "title": "A", "last_modified": 1767225600000} for number in (1, 2, 3)]
    if parts := request.match("/v1/buckets/default/collections/notes/records/*"):
        words = {"errno": 110, "code": 404, "details": {"id": parts[0], "resource_name": "record"}}
        return {"data": find(records, lambda record: record["id"] == parts[0], 404, words)}
    words = {"errno": 121, "message": "This user cannot access this resource.", "code": 403, "error": "Forbidden"}
    need(request.path == "/v1/buckets/default/collections/notes/records", 403, words)
    assert (request.one("title"), request.one("_sort"), request.one("_limit")) == ("A", "-last_modified", "100")
    token = request.one("_token")
    items, end = cut(records, int(base64.b64decode(token)) if token else 0)
    going = base64.b64encode(str(end).encode()).decode()
    url = f"https://demo.kinto-storage.org{request.path}?title=A&_sort=-last_modified&_limit=100&_token={going}"
    return {"data": items}, {"Total-Records": "3", **({"Next-Page": url} if end else {})}
