/// The definitions of the catalog key `sync` and of the objects in its value.
extension CatalogPart {
    /// Returns the definition of `sync`: the keys that only `sync` has, followed by the keys of `list`. In `sync`, the
    /// keys of `list` have no default values.
    static func sync(_ name: String, over list: CatalogPart) -> CatalogPart {
        let keys = list.keys.filter { $0.name != "filters" }.map { key in
            let type = key.name == "pagination" ? CatalogType.either([key.type, .word(["none"])]) : key.type
            return CatalogKey(key.name, type, key.summary)
        }
        return CatalogPart(
            name: name,
            summary: "How a sync asks for changes in this list. List keys that are set here replace those of 'list'.",
            keys: syncKeys + keys)
    }

    /// Returns the names of the keys that are allowed only in a `sync` of the given style.
    static func syncKeys(ofStyle style: String) -> [String] { syncKeys.filter { $0.style == style }.map(\.name) }

    private static let syncKeys = [
        CatalogKey("style", .word(["since", "token"]), "How changes are requested.", isRequired: true),
        CatalogKey(
            "param", .text,
            "The query parameter, member of the body or variable that sends the value of 'from', or the token."),
        CatalogKey(
            "from", .selector,
            "since: the selector of the update time or sequence number in the API's item; required.", style: "since"),
        CatalogKey(
            "type", .word(["date", "integer", "number"]), "The type of 'from'.", standard: "date", style: "since"),
        CatalogKey(
            "unit", .word(["s", "ms"]), "The unit of a date that is a number since 1970.", style: "since"),
        CatalogKey(
            "overlap", .duration(isPositive: false),
            "How far before the mark a request for changes starts; default: \"1m\" for dates, 0 for numbers.",
            style: "since",
            derived: { [nil, "date"].contains($0["type"]) ? "1m" : 0 }),
        CatalogKey(
            "ascending", .flag, "Whether the oldest changes come first.", standard: false, style: "since"),
        CatalogKey(
            "next", .either([.answerSelector, .part(.firstItem), .part(.lastItem)]),
            "token: the source of the next token in an answer with changes; required.", style: "token"),
        CatalogKey(
            "initial", .either([.answerSelector, .part(.firstItem), .part(.lastItem), .part(.tokenRequest)]),
            "token: the source of the first token, in the whole list or by a separate request; default: that of 'next'.",
            style: "token"),
        CatalogKey(
            "begin", .word(["list", "feed"]),
            "token: \"feed\" if a request for changes without a token returns the whole list.", standard: "list",
            style: "token"),
        CatalogKey(
            "item", .selector, "token: the selector of the item in an element; default: the element.", style: "token"),
        CatalogKey("id", .selector, "token: the selector of the item's id in an element.", style: "token"),
        CatalogKey("deleted", .part(.elementRule), "The elements whose items were deleted."),
        CatalogKey("skip", .part(.elementRule), "The elements to ignore."),
        CatalogKey(
            "whole", .duration(isPositive: true),
            "The time after which a sync reads the whole list again, instead of only changes; default: \"7d\"; no"
                + " limit if 'style' is \"token\" and the API reports deletions.",
            derived: { sync in
                let reportsDeletions = sync["deleted"] != nil || sync["of"] == "ids"
                return sync["style"] == "token" && reportsDeletions ? nil : "7d"
            }),
        CatalogKey("filters", .list(.plain), "The names of the filters that an item matches either always or never."),
    ]

    static let firstItem = CatalogPart(
        name: "firstItem", summary: "A value in the first element of the page.",
        keys: [CatalogKey("first", .selector, "The selector of the value in the element.", isRequired: true)])

    /// The request for the first token. A sync sends this request before it reads the whole list.
    static let tokenRequest = CatalogPart(
        name: "tokenRequest", summary: "A request for the first token.",
        keys: [
            CatalogKey("path", .text, "The path of the request.", isRequired: true),
            CatalogKey(
                "query", .named(.either([.scalar, .list(.scalar), .part(.constant)])), "Constant query parameters."),
            CatalogKey("from", .answerSelector, "The selector of the token in the answer.", isRequired: true),
        ])

    static let elementRule = CatalogPart(
        name: "elementRule", summary: "A rule that recognizes elements of a list.",
        keys: [
            CatalogKey("when", .selector, "The selector of a value in the element.", isRequired: true),
            CatalogKey(
                "is", .either([.scalar, .list(.scalar)]),
                "The values for which the rule applies; default: all but null, false and empty."),
        ])
}
