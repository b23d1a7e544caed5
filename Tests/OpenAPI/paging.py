"""The pagination of lists, from corpus.json, otherwise from the names of the parameters."""

import dataclasses
import re
import urllib.parse

from document import plain

TOKENS = {"cursor", "pagetoken", "nexttoken", "nextcursor", "after", "startingafter", "startcursor", "pagecursor",
          "pageafter", "marker", "bookmark", "continue",
          "continuationtoken", "pagingtoken", "iterator", "paginationtoken"}
OFFSETS = {"offset", "skip", "start", "startat", "startposition", "startindex", "pageoffset"}
PAGES = {"page", "pagenumber", "pageno", "pageindex", "pagenum", "currentpage", "searchcriteriacurrentpage"}
SIZES = {"limit", "perpage", "pagesize", "size", "count", "maxresults", "max", "pagelen", "pagelimit", "first", "take",
         "resultsperpage"}
TOTALS = {"total", "totalcount", "totalresults", "totalentries", "totalitems", "totalsize", "totalrecords",
          "totalelements", "totalhits", "numberofresults", "totalobjects", "count", "resulttotal", "totalsetsize"}
COUNTS = {"totalpages", "pages", "pagecount", "numpages", "pagestotal", "numberofpages", "lastpage"}
SHOWN = {"perpage", "pagesize", "limit", "size", "pagelength", "pagelen", "maxresults", "itemsperpage",
         "resultsperpage"}
MORE = {"hasmore", "hasnext", "hasnextpage", "more", "hasmoreitems", "moreresults", "hasmoreresults", "hasmoredata"}
DONE = {"islast", "last", "islastpage", "isend"}


@dataclasses.dataclass
class Style:
    kind: str
    param: str = ""
    size: str = ""
    first: int = 0


@dataclasses.dataclass
class Page:
    """The state of one answer: the items from `start` to `end` of `total`."""

    style: Style
    start: int
    end: int
    total: int
    size: int
    url: str
    token: object = None

    @property
    def is_last(self):
        return self.end >= self.total

    @property
    def next_url(self):
        parts = urllib.parse.urlsplit(self.url)
        query = [(key, value) for key, value in urllib.parse.parse_qsl(parts.query) if key != self.style.param]
        query.append((self.style.param, str(self.token)))
        return urllib.parse.urlunsplit(parts._replace(query=urllib.parse.urlencode(query)))


def _found(names, words):
    return next((name for name in names if plain(name) in words), "")


def style_of(operation, envelope, entry):
    names = operation.names()
    size = _found(names, SIZES)
    for told in entry.get("pages", []):
        if not told.get("param") or told["param"] in names or told.get("hidden"):
            return Style(told["style"], told.get("param", "__next"), size, told.get("first", 0))
    if plain(_found(names, OFFSETS)).startswith("start") and not size:
        names = {name: found for name, found in names.items() if plain(name) not in OFFSETS}  # a time
    token, offset, page = _found(names, TOKENS), _found(names, OFFSETS), _found(names, PAGES)
    scalars = list(_names(envelope))
    if any(plain(header) == "link" for header in operation.headers):
        first = _first(names[page]) if page and not token else 0
        return Style("link", token or page or "__next", size, first)
    if token and any(plain(name) in MORE for name in scalars) and plain(token) in ("startingafter", "after") \
            and not any("next" in name.lower() or "cursor" in name.lower() for name in scalars):
        return Style("lastID", token, size)
    if token and any(re.search("next|cursor|token|after|continue|bookmark", name.lower()) for name in scalars):
        return Style("cursor", token, size)
    if offset:
        return Style("offset", offset, size, 1 if plain(offset) == "startindex" else 0)
    if page:
        return Style("page", page, size, _first(names[page]))
    if any("next" in name.lower() for name in scalars):
        return Style("nextURL", "__next", size)
    return Style("none")


def _first(parameter):
    schema = {**(parameter.get("schema") or {}), **parameter}
    text = f"{parameter.get('description')} {schema.get('description')}".lower()
    is_said = re.search(r"(zero|0)[- ](based|indexed)", text)
    return 0 if is_said or schema.get("default") == 0 or schema.get("example") == 0 else 1


def _names(value):
    for key, member in value.items() if isinstance(value, dict) else []:
        yield key
        yield from _names(member)


def page_of(style, query, total, ids, url):
    """Returns the page that a request asks for."""
    size = 2
    given = query.get(style.param)
    asked = query.get(style.size) or ""
    if asked.isdigit() and 0 < int(asked) < size and style.kind in ("offset", "cursor", "lastID"):
        size = int(asked)
    start, is_number = 0, bool(re.fullmatch(r"-?\d+", given or ""))
    if style.kind == "none":
        size = total
    elif given is None or given == "":
        start = 0
    elif style.kind == "offset":
        start = int(given) - style.first if is_number else -1
    elif style.kind == "page" or style.kind == "link" and is_number:
        start = (int(given) - style.first) * size if is_number else -1
    elif style.kind == "lastID":
        start = next((index + 1 for index, value in enumerate(ids) if str(value) == given), -1)
    else:
        start = int(given[1:]) if re.fullmatch(r"c\d+", given) else -1
    if start < 0:
        return None
    end = min(start + size, total)
    is_page = style.kind == "page" or style.kind == "link" and plain(style.param) in PAGES
    token = start // size + 1 + style.first if is_page else end + style.first if style.kind == "offset" else f"c{end}"
    return Page(style, min(start, total), end, total, size, url, token)


def fill(value, page, skip):
    """Replaces the page info in an answer by the info of the given page. The items stay unchanged."""
    for key in list(value):
        member, name = value[key], plain(key)
        if skip == (key,):
            continue
        inner = skip[1:] if skip[:1] == (key,) else ()
        if "next" in name or name in TOKENS | {"endcursor"} and page.style.kind == "cursor":
            _fill_next(value, key, page)
        elif name in ("prev", "previous", "prevpage", "previouspage", "before", "previouscursor", "prevcursor"):
            _remove(value, key)
        elif isinstance(member, dict):
            fill(member, page, inner)
        elif isinstance(member, list) and name == "links" and member and "rel" in member[0]:
            member[:] = [] if page.is_last else [{**member[0], "rel": "next", "href": page.next_url}]
        elif isinstance(member, bool):
            value[key] = name in MORE and not page.is_last or name in DONE and page.is_last
        elif isinstance(member, (int, float)) or name in TOTALS | COUNTS and isinstance(member, str):
            number = _number(name, page, value)
            value[key] = member if number is None else str(number) if isinstance(member, str) else number


def _number(name, page, value):
    others = {plain(key) for key in value} & TOTALS - {"count"}
    if name == "count" and others:
        return page.end - page.start
    if name in TOTALS:
        return page.total
    if name in COUNTS:
        return -(-page.total // page.size)
    if name in SHOWN:
        return page.size
    if name in OFFSETS:
        return page.start + (page.style.first if page.style.kind == "offset" else 0)
    if name in PAGES | {"number"}:
        return page.start // page.size + (page.style.first if page.style.kind == "page" else 1)
    return None


def _remove(value, key):
    if isinstance(value[key], str) or value[key] is None:
        value[key] = None
    else:
        del value[key]


def _fill_next(value, key, page):
    member = value[key]
    if page.style.kind == "none" or page.is_last:
        if isinstance(member, bool):
            value[key] = False
        else:
            _remove(value, key)
    elif isinstance(member, bool):
        value[key] = True
    elif isinstance(member, dict):
        for inner in member:
            member[inner] = _next_text(inner, member[inner], page)
    else:
        value[key] = _next_text(key, member, page)


def _next_text(key, member, page):
    if isinstance(member, (int, float)):
        return page.token if isinstance(page.token, int) else page.end
    name = plain(key)
    is_address = bool(re.search("url|uri|href|link", name)) or isinstance(member, str) and member.startswith("http")
    is_token = page.style.kind == "cursor" and (name != "next" or not is_address)
    return page.token if is_token and not is_address else page.next_url
