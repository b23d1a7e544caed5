/// The definitions of the catalog objects that declare `sync`, the requests for changes of a list.
extension CatalogPart {
    /// Returns the definition of `sync`: the keys that only `sync` has, followed by the keys of `list`. In `sync`, the
    /// keys of `list` have no default values.
    static func sync(_ name: String, over list: CatalogPart) -> CatalogPart {
        let keys = list.keys.filter { $0.name != "filters" }.map { CatalogKey($0.name, $0.type, $0.summary) }
        return CatalogPart(
            name: name,
            summary: "How a sync asks for changes in this list. List keys that are set here replace those of 'list'.",
            keys: syncKeys + keys)
    }

    private static let syncKeys = [
        CatalogKey("style", .word(["since"]), "How changes are requested.", isRequired: true),
        CatalogKey(
            "param", .text, "The query parameter, member of the body or variable that requests items changed since.",
            isRequired: true),
        CatalogKey(
            "from", .selector, "The selector of the time or number of the last change, in the API's item.",
            isRequired: true),
        CatalogKey("type", .word(["date", "integer", "number"]), "The type of 'from'.", standard: "date"),
        CatalogKey("unit", .word(["s", "ms"]), "The unit of a date that is a number since 1970."),
        CatalogKey(
            "overlap", .duration(isPositive: false),
            "How much earlier changes are requested again; default: \"1m\" for dates, 0 for numbers."),
        CatalogKey("ascending", .flag, "Whether the oldest changes come first.", standard: false),
        CatalogKey("deleted", .part(.elementRule), "The elements whose items were deleted."),
        CatalogKey("skip", .part(.elementRule), "The elements to ignore."),
        CatalogKey(
            "whole", .duration(isPositive: true),
            "The time after which a sync reads the whole list again, instead of only changes; default: \"7d\"."),
        CatalogKey("filters", .list(.plain), "The names of the filters that an item never leaves."),
    ]

    static let elementRule = CatalogPart(
        name: "elementRule", summary: "A rule that recognises elements of a list.",
        keys: [
            CatalogKey("when", .selector, "The selector of a value in the element.", isRequired: true),
            CatalogKey(
                "is", .either([.scalar, .list(.scalar)]),
                "The values for which the rule applies; default: all but null, false and empty."),
        ])
}
