import JSON

/// A single value of an answer, beside its items: its place, and what it is.
struct AnswerScalar: Equatable {
    let path: [String]
    let kind: Kind

    enum Kind: Equatable {
        case text, integer, flag
        /// A URL, or a part of one.
        case link
        /// It is null: there it may be anything.
        case nothing
    }

    fileprivate var leaf: String { DraftNames.plain(path.last ?? "") }
    fileprivate var parent: String { path.count > 1 ? DraftNames.plain(path[path.count - 2]) : "" }
}

/// The names by which APIs tell, and ask for, pages. All are compared without case and punctuation.
enum PageWords {
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
    ]
    /// What asks for the page before, which nothing here needs.
    static let backwards = [
        "endingbefore", "before", "beforecursor", "pagebefore", "prevcursor", "previouscursor", "beforeid", "maxid",
        "minid",
    ]
    /// Cursors that are the id of the last item where the answer names none.
    static let lastIDs = ["startingafter", "after", "startafter", "afterid", "sinceid"]

    private static let nextCursors = [
        "nextcursor", "nextpagetoken", "nexttoken", "nextpage", "nextcontinuationtoken", "continuationtoken",
        "continue", "endcursor", "nextmarker", "nextpagecursor", "nextstartcursor", "aftercursor", "nextoffset",
        "nextid", "scrollid", "after", "next", "cursor", "pagetoken", "paginationtoken", "lastevaluatedkey", "offset",
    ]
    private static let nextLinks = [
        "next", "nexturl", "nextlink", "nextpageurl", "nexthref", "odatanextlink", "nextpage",
    ]
    private static let mores = [
        "hasmore", "hasnext", "hasnextpage", "hasmoreitems", "hasmoreresults", "more", "morepages",
    ]
    private static let lasts = ["last", "islast", "islastpage", "lastpage"]
    private static let pageCounts = [
        "totalpages", "pagecount", "pages", "lastpage", "numpages", "pagestotal", "nbpages",
    ]
    private static let counts = [
        "totalcount", "total", "totalitems", "totalresults", "totalelements", "totalrecords", "totalsize",
        "totalentries", "totalhits", "numfound",
    ]

    /// Whether the answer says that there is more.
    static func more(_ scalars: [AnswerScalar]) -> [String]? { first(mores, in: scalars) { $0 == .flag } }

    /// Whether the answer says that this was the last page.
    static func last(_ scalars: [AnswerScalar]) -> [String]? { first(lasts, in: scalars) { $0 == .flag } }

    static func pageCount(_ scalars: [AnswerScalar]) -> [String]? { first(pageCounts, in: scalars) { $0 == .integer } }

    /// How many items there are. A bare `count` often is that of the page; beside a link to the next one it is not.
    static func count(_ scalars: [AnswerScalar]) -> [String]? {
        first(counts, in: scalars) { $0 == .integer }
            ?? (nextLink(scalars) == nil && pageCount(scalars) == nil
                ? nil : first(["count"], in: scalars) { $0 == .integer })
    }

    /// The URL of the next page.
    static func nextLink(_ scalars: [AnswerScalar]) -> [String]? {
        first(nextLinks, in: scalars) { $0 == .link }
            ?? scalars.first { $0.leaf == "href" && $0.parent == "next" && $0.kind != .integer }?.path
            ?? scalars.first {
                $0.leaf == "next" && ["links", "link"].contains($0.parent) && [.text, .nothing].contains($0.kind)
            }?.path
    }

    /// What names the next page, other than by a URL.
    ///
    /// - Parameter parameter: the parameter that takes it.
    static func nextCursor(_ scalars: [AnswerScalar], for parameter: String) -> [String]? {
        let plain = DraftNames.plain(parameter)
        let fits: (AnswerScalar.Kind) -> Bool = { $0 == .text || $0 == .nothing || $0 == .integer }
        // `next_page` says the value of `page`.
        if let exact = first(["next" + plain], in: scalars, fits) { return exact }
        let own = scalars.first { $0.leaf == plain && ["next", "cursors", "paging", "metadata"].contains($0.parent) }
        if let own, fits(own.kind) { return own.path }
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
