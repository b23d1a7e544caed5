"""Simulated APIs of frameworks and services that host data of their users, such as content systems, office suites and
databases."""

import base64

from standins import SIZE, Error, Get, Sync, Walk, changes, cut, find, need, secret, stand_in

# Contentful


def _entry(number):
    return {
        "sys": {
            "id": f"e{number}",
            "type": "Entry",
            "updatedAt": f"2026-01-0{number}T00:00:00.000Z",
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
    syncs=[
        Sync(
            "entry",
            {"space": "s1", "filter": {"type": "cat"}},
            ["e1", "e2", "e3"],
            changed="e3",
            edit={"sys": {"updatedAt": "2026-01-09T00:00:00.000Z"}, "fields": {"name": "New"}},
            item={"updated": "2026-01-09T00:00:00.000Z"},
            marks=("sys.updatedAt[gte]=2026-01-02T23:59:00.000Z", "sys.updatedAt[gte]=2026-01-08T23:59:00.000Z"),
            time="updatedAt",
        )
    ],
)
def contentful(request):
    words = {
        "sys": {"type": "Error", "id": "AccessTokenInvalid"},
        "message": "The access token you sent could not be found.",
    }
    request.bearer("CONTENTFUL_TOKEN", words)
    entries = request.current([_entry(number) for number in (1, 2, 3)], lambda entry: entry["sys"]["id"])
    if parts := request.match("/spaces/s1/environments/master/entries/*"):
        words = {"sys": {"type": "Error", "id": "NotFound"}, "message": "The resource could not be found."}
        return find(entries, lambda entry: entry["sys"]["id"] == parts[0], 404, words)
    assert request.path == "/spaces/s1/environments/master/entries"
    if request.one("sys.id[in]"):
        found = [entry for entry in entries if entry["sys"]["id"] in request.one("sys.id[in]").split(",")]
        return {"sys": {"type": "Array"}, "total": len(found), "skip": 0, "limit": 1000, "items": found}
    words = {"sys": {"type": "Error", "id": "InvalidQuery"}, "message": "The query you sent was invalid."}
    need(request.one("content_type") == "cat", 400, words)
    if request.one("order") == "sys.updatedAt,sys.id":
        entries = changes(entries, lambda entry: entry["sys"]["updatedAt"], request.one("sys.updatedAt[gte]"))
    else:
        assert request.one("fields.tags[in]") == "a,b" and request.one("order") == "sys.id"
    skip = int(request.one("skip"))
    items, _ = cut(entries, skip)
    return {
        "sys": {"type": "Array"},
        "total": len(entries),
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
    syncs=[
        Sync(
            "user",
            {},
            ["u1", "u2", "u3"],
            changed="u2",
            edit={"displayName": "New"},
            item={"name": "New"},
            marks=("$deltatoken=0", "$deltatoken=2"),
            deleted="u1",
            tombstone={"id": "u1", "@removed": {"reason": "deleted"}},
            time="id",
            mode="token",
        )
    ],
)
def msgraph(request):
    scope = "https://graph.microsoft.com/.default"
    form = {"where": "body", "grant_type": "client_credentials", "scope": scope}
    if token := request.token("/common/oauth2/v2.0/token", "GRAPH", **form):
        return token
    users = [{"id": f"u{number}", "displayName": f"User {number}", "mail": None} for number in (1, 2, 3)]
    users = request.current(users, lambda user: user["id"])
    if request.path == "/v1.0/users/delta":
        return _delta(request, users)
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


def _delta(request, users):
    """Returns the changes of the users: all changes, or none if the token already includes them."""
    url, token = f"https://graph.microsoft.com{request.path}?", len(request.edits) + len(request.deletions)
    if since := request.one("$deltatoken"):
        words = {"error": {"code": "syncStateNotFound", "message": "The sync state generation is not found."}}
        need(not request.are_expired, 410, words)
        found = [user for user in users if user["id"] in request.edits] + [*request.deletions.values()]
        return {"@odata.deltaLink": f"{url}$deltatoken={token}", "value": [] if int(since) == token else found}
    start = request.one("$skiptoken")
    assert start or (request.one("$select"), request.one("$top")) == ("id,displayName,mail", None)
    items, end = cut(users, int(start or 0))
    link = {"@odata.nextLink": f"{url}$skiptoken={end}"} if end else {"@odata.deltaLink": f"{url}$deltatoken={token}"}
    return {"@odata.context": "x", "value": items, **link}


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
    syncs=[
        Sync(
            "event",
            {"calendar": "team@example.com"},
            ["e1", "e2", "e3"],
            changed="e2",
            edit={"summary": "New"},
            item={"summary": "New"},
            marks=("syncToken=s0", "syncToken=s2"),
            deleted="e1",
            tombstone={"id": "e1", "status": "cancelled"},
            time="status",
            mode="token",
        )
    ],
)
def google(request):
    form = {"where": "body", "grant_type": "refresh_token", "refresh_token": secret("GOOGLE_REFRESH")}
    if token := request.token("/token", "GOOGLE", **form):
        return token

    def event(number):
        return {
            "id": f"e{number}",
            "status": "confirmed",
            "start": {"dateTime": "2026-01-01T10:00:00+01:00"},
            "updated": f"2026-01-0{number}T00:00:00.000Z",
        }

    events = request.current([event(number) for number in (1, 2, 3)], lambda one: one["id"])
    if parts := request.match("/calendar/v3/calendars/*/events/*"):
        words = {"error": {"code": 404, "message": "Not Found", "errors": [{"reason": "notFound"}]}}
        return find(events, lambda one: one["id"] == parts[1], 404, words)
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
    assert calendar == "team@example.com" and request.one("maxResults") == "250"
    token = len(request.edits) + len(request.deletions)
    if since := request.one("syncToken"):
        assert set(request.query) <= {"syncToken", "maxResults", "pageToken"}
        words = {"error": {"code": 410, "message": "Sync token is no longer valid, a full sync is required."}}
        need(not request.are_expired, 410, words)
        changed = [one for one in events if one["id"] in request.edits] + [*request.deletions.values()]
        events = [] if since == f"s{token}" else changed
    elif request.one("q") is None:
        # The list has the cancelled instances of recurring events, but not other cancelled events.
        instance = {"id": "e3_20260108T090000Z", "recurringEventId": "e3", "status": "cancelled"}
        events = [*events, instance]
    else:
        assert request.one("timeMin") == "2026-01-01T00:00:00Z"
    items, end = cut(events, int(request.one("pageToken", "0")))
    return {
        "kind": "calendar#events",
        "items": items,
        **({"nextPageToken": str(end)} if end else {"nextSyncToken": f"s{token}"}),
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
    syncs=[
        Sync(
            "post",
            {},
            [1, 2, 3],
            changed=3,
            edit={"title": {"rendered": "New"}, "modified": "2026-01-09T01:00:00"},
            item={"title": "New"},
            marks=("modified_after=2026-01-02T23:59:00", "modified_after=2026-01-08T23:59:00"),
            time="modified",
        )
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
            "modified": f"2026-01-0{number}T01:00:00",
            "modified_gmt": f"2026-01-0{number}T00:00:00",
        }
        for number in (1, 2, 3)
    ]
    posts = request.current(posts, lambda post: post["id"])
    if parts := request.match("/wp-json/wp/v2/posts/*"):
        words = {"code": "rest_post_invalid_id", "message": "Invalid post ID.", "data": {"status": 404}}
        return find(posts, lambda post: str(post["id"]) == parts[0], 404, words)
    if request.one("include"):
        return [post for post in posts if str(post["id"]) in request.one("include").split(",")]
    words = {"code": "rest_invalid_param", "message": "Invalid parameter(s): search", "data": {"status": 400}}
    need(not request.one("search"), 400, words)
    if request.one("orderby") == "modified":
        assert request.one("order") == "asc"
        posts = changes(posts, lambda post: post["modified"], request.one("modified_after"), exclusive=True)
    else:
        assert request.one("categories") == "4,5" and request.one("after") == "2026-01-01T00:00:00Z"
    items, _ = cut(posts, (int(request.one("page")) - 1) * SIZE)
    past = {"code": "rest_post_invalid_page_number", "message": "The page number requested is larger than available."}
    need(items or request.one("page") == "1", 400, past)
    return items, {"X-WP-Total": str(len(posts)), "X-WP-TotalPages": str(-(-len(posts) // SIZE))}


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
    gets=[Get("record", {"collection": "notes", "id": "r2"}, {"id": "r2", "modified": "2026-01-01T00:00:00.002Z"})],
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
    syncs=[
        Sync(
            "record",
            {"collection": "notes"},
            ["r1", "r2", "r3"],
            changed="r2",
            edit={"title": "New", "last_modified": 1767225600008},
            item={"title": "New"},
            marks=("_since=1767225600003", "_since=1767225600009"),
            deleted="r1",
            tombstone={"id": "r1", "deleted": True, "last_modified": 1767225600009},
            time="last_modified",
        )
    ],
    validators=True,
)
def kinto(request):
    request.basic(
        "KINTO_USER", "KINTO_PASSWORD", {"errno": 104, "message": "Please authenticate yourself.", "code": 401}
    )
    records = [{"id": f"r{number}", "title": "A", "last_modified": 1767225600000 + number} for number in (1, 2, 3)]
    records = request.current(records, lambda record: record["id"])
    if parts := request.match("/v1/buckets/default/collections/notes/records/*"):
        words = {"errno": 110, "code": 404, "details": {"id": parts[0], "resource_name": "record"}}
        return {"data": find(records, lambda record: record["id"] == parts[0], 404, words)}
    words = {"errno": 121, "message": "This user cannot access this resource.", "code": 403, "error": "Forbidden"}
    need(request.path == "/v1/buckets/default/collections/notes/records", 403, words)
    assert request.one("_limit") == "100"
    if request.one("_sort") == "last_modified":
        since = request.one("_since")
        records += list(request.deletions.values()) if since else []
        records = changes(records, lambda record: record["last_modified"], since and int(since), exclusive=True)
    else:
        assert (request.one("title"), request.one("_sort")) == ("A", "-last_modified")
    token = request.one("_token")
    items, end = cut(records, int(base64.b64decode(token)) if token else 0)
    going = base64.b64encode(str(end).encode()).decode()
    rest = "&".join(part for part in request.raw_query.split("&") if not part.startswith("_token="))
    url = f"https://demo.kinto-storage.org{request.path}?{rest}&_token={going}"
    return {"data": items}, {"Total-Records": str(len(records)), **({"Next-Page": url} if end else {})}
