import JSON

/// A string, number, boolean or null in an API's answer, such as a page count. Values inside the items are excluded.
struct AnswerScalar: Equatable {
    let path: [String]
    let kind: Kind

    enum Kind: Equatable {
        case text, integer, flag
        /// A string that is an absolute URL, or a relative URL that starts with `/` or `?`.
        case link
        /// The value is null, so its type is unknown.
        case nothing
    }

    /// Whether this value is the number of the next page, such as `3` in `"next_page": 3`.
    var isPageNumber: Bool { kind == .integer && leaf == "nextpage" }

    /// Whether the path selects the link to the next page in an array of links, as in `links.[rel=next].href`.
    var isOfNextRelation: Bool { path.dropLast().last.map { Self.relations.contains($0) } ?? false }

    /// The parts of a selector that choose the link to the next page in an array of links.
    static let relations = ["[rel=next]", "[relation=next]"]
    /// The usual names of the member that contains the URL in a link object.
    static let urls = ["href", "url"]

    fileprivate var leaf: String { DraftNames.normalized(path.last ?? "") }
    fileprivate var parent: String { path.count > 1 ? DraftNames.normalized(path[path.count - 2]) : "" }
}

/// The names that APIs use for pagination in parameters and answers. Names are compared without case and punctuation.
enum PaginationVocabulary {
    static let sizes = [
        "perpage", "pagesize", "limit", "size", "maxresults", "maxitems", "pagelimit", "itemsperpage",
        "resultsperpage", "hitsperpage", "take", "top", "first", "count", "num", "rows",
    ]
    static let pages = ["page", "pagenumber", "pageno", "pageindex", "pagenum", "currentpage", "p"]
    static let offsets = ["offset", "skip", "startindex", "startat", "pageoffset", "start", "from"]
    static let cursors = [
        "cursor", "pagetoken", "nexttoken", "nextpagetoken", "startingafter", "after", "continuationtoken", "continue",
        "continuation", "marker", "startcursor", "nextcursor", "pagecursor", "pageafter", "paginationtoken",
        "aftercursor", "scrollid", "pagestate", "exclusivestartkey", "startafter", "afterid", "sinceid",
        "bookmark",
    ]
    /// The names of parameters that request the previous page. Larder does not send such parameters.
    static let backwards = [
        "endingbefore", "before", "beforecursor", "pagebefore", "prevcursor", "previouscursor", "beforeid", "maxid",
        "minid",
    ]
    /// The names of parameters that take the id of the last item as the cursor. Drafts use these parameters only if the
    /// answer contains no cursor.
    static let lastIDs = ["startingafter", "after", "startafter", "afterid", "sinceid"]

    private static let nextCursors = [
        "nextcursor", "nextpagetoken", "nexttoken", "nextpage", "nextcontinuationtoken", "continuationtoken",
        "continue", "endcursor", "nextmarker", "nextpagecursor", "nextstartcursor", "aftercursor", "nextoffset",
        "nextid", "scrollid", "after", "next", "cursor", "pagetoken", "paginationtoken", "lastevaluatedkey", "offset",
        "bookmark",
    ]
    private static let nextLinks = [
        "next", "nexturl", "nexturi", "nextlink", "nextpageurl", "nextpageuri", "nextpagelink", "nexthref",
        "odatanextlink", "nextpage",
    ]
    /// Names of members that contain the URL of the next page. A member with one of these names is used even if its
    /// value does not look like a URL.
    private static let namedLinks = nextLinks.filter { $0 != "next" && $0 != "nextpage" }
    /// Names in brackets that request a page or set the page size, such as `pageSize` in the parameter `x[pageSize]`.
    /// The name before the brackets does not matter.
    static let bracketed = ["currentpage", "pagenumber", "pagesize", "perpage"]
    /// Phrases in a parameter's description which mean that the first page has the number 0.
    static let zeroBased = [
        "zero-based", "zero based", "0-based", "0 based", "zero-indexed", "0-indexed", "starts at 0", "starting at 0",
        "starts from 0", "starting from 0", "starts with 0", "first page is 0",
    ]
    private static let linkHeaders = [
        "link header", "`link`", "link response header", "link http header", "next link relation", "rel=\"next\"",
        "rel=next",
    ]

    /// Whether the name of a parameter means a cursor, a page number or an offset.
    static func isPosition(_ plain: String) -> Bool {
        cursors.contains(plain) || pages.contains(plain) || offsets.contains(plain)
    }

    /// Whether a description mentions the header field `Link`.
    static func namesLinkHeader(_ text: String) -> Bool {
        let text = text.lowercased()
        return linkHeaders.contains { text.contains($0) }
    }

    /// Returns the path to a string of the answer whose name, such as `next`, means the next page's URL, although its
    /// value is not a URL. Nil if there is none.
    static func bareNext(_ scalars: [AnswerScalar]) -> [String]? { first(nextLinks, in: scalars) { $0 == .text } }
    private static let mores = [
        "hasmore", "hasnext", "hasnextpage", "hasmoreitems", "hasmoreresults", "more", "morepages",
    ]
    private static let lasts = ["last", "islast", "islastpage", "lastpage"]
    private static let pageCounts = [
        "totalpages", "pagecount", "pages", "lastpage", "numpages", "pagestotal", "nbpages",
    ]
    private static let counts = [
        "totalcount", "total", "totalitems", "totalresults", "totalelements", "totalrecords", "totalsize",
        "totalentries", "totalhits", "numfound", "numbermatched",
    ]

    /// Returns the path to the member of the answer that is true if there are more pages; nil if there is none.
    static func more(_ scalars: [AnswerScalar]) -> [String]? { first(mores, in: scalars) { $0 == .flag } }

    /// Returns the path to the member of the answer that is true on the last page; nil if there is none.
    static func last(_ scalars: [AnswerScalar]) -> [String]? { first(lasts, in: scalars) { $0 == .flag } }

    static func pageCount(_ scalars: [AnswerScalar]) -> [String]? { first(pageCounts, in: scalars) { $0 == .integer } }

    /// Returns the path to the member of the answer that contains the total number of items; nil if there is none.
    /// Accepts the name `count` only if the answer also contains a page count or the next page's URL. Otherwise,
    /// `count` often means the size of the page.
    static func count(_ scalars: [AnswerScalar]) -> [String]? {
        first(counts, in: scalars) { $0 == .integer }
            ?? (nextLink(scalars) == nil && pageCount(scalars) == nil
                ? nil : first(["count"], in: scalars) { $0 == .integer })
    }

    /// Returns the path to the member of the answer that contains the next page's URL; nil if there is none.
    static func nextLink(_ scalars: [AnswerScalar]) -> [String]? {
        first(nextLinks, in: scalars) { $0 == .link }
            ?? scalars.first { $0.leaf == "href" && $0.parent == "next" && $0.kind != .integer }?.path
            ?? scalars.first { $0.isOfNextRelation && $0.kind == .link }?.path
            ?? first(namedLinks, in: scalars) { $0 == .text || $0 == .nothing }
            ?? scalars.first {
                $0.leaf == "next" && ["links", "link"].contains($0.parent) && [.text, .nothing].contains($0.kind)
            }?.path
    }

    /// Returns the path to the member of the answer that contains the next page's cursor or number; nil if there is
    /// none.
    ///
    /// - Parameter parameter: the request parameter that takes the cursor or number.
    static func nextCursor(_ scalars: [AnswerScalar], for parameter: String) -> [String]? {
        let plain = DraftNames.normalized(parameter)
        let fits: (AnswerScalar.Kind) -> Bool = { $0 == .text || $0 == .nothing || $0 == .integer }
        // `next_page` is the next value of the parameter `page`.
        if let exact = first(["next" + plain], in: scalars, fits) { return exact }
        let own = scalars.first { $0.leaf == plain && ["next", "cursors", "paging", "metadata"].contains($0.parent) }
        // Not for page numbers, because `paging.page` is the number of the current page.
        if let own, fits(own.kind), !pages.contains(plain) { return own.path }
        return first(nextCursors.filter { $0 != "offset" || plain == "offset" }, in: scalars, fits)
    }

    private static func first(
        _ names: [String], in scalars: [AnswerScalar], _ fits: (AnswerScalar.Kind) -> Bool
    ) -> [String]? {
        for name in names {
            if let found = scalars.first(where: { $0.leaf == name && fits($0.kind) }) { return found.path }
        }
        return nil
    }
}
