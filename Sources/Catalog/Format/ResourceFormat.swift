/// The parts of a resource, but for its operations.
extension CatalogPart {
    static let resource = CatalogPart(
        name: "resource", summary: "A resource: what its items look like, and how they are asked for.",
        keys: [
            CatalogKey("api", .plain, "The name of the API.", isRequired: true),
            CatalogKey(
                "scope", .named(.short("type", .scope)),
                "The parents of an item: parameters of every method, places of paths, variables of queries."),
            CatalogKey(
                "id", .short("type", .id), "What ids are, and where they are found; the field 'id' by default.",
                isRequired: true),
            CatalogKey("fields", .fields, "The fields of an item; left out, every field passes through."),
            CatalogKey("rest", .part(.rest), "The operations over REST."),
            CatalogKey("graphql", .part(.graphQL), "The operations over GraphQL."),
            CatalogKey(
                "strictIDs", .flag, "Whether an item with another id than was asked for is a fault.",
                standard: false),
            CatalogKey(
                "onMismatch", .word(["skip", "fail"]),
                "Whether a list leaves out items that are not of the declared shape, or fails.", standard: "fail"),
            CatalogKey("cache", .part(.cache), "How long entries are good."),
        ], oneOf: [["rest", "graphql"]])

    static let scope = CatalogPart(
        name: "scope", summary: "One of the parents of an item.",
        keys: [
            CatalogKey("type", .parameterType, "What it takes.", standard: "string"),
            CatalogKey("default", .any, "What stands for it where it is not given."),
        ])

    static let id = CatalogPart(
        name: "id", summary: "What ids are, and where they are found.",
        keys: [
            CatalogKey("type", .word(["integer", "string"]), "What ids are.", isRequired: true),
            CatalogKey(
                "from", .perOperation(.either([.selector, .list(.selector)]), named: "idPerOperation"),
                "Where it stands in the API's item; with 'join' an array of such places."),
            CatalogKey("match", .plain, "Cuts the id out of a text, such as \"*/{id}/\"."),
            CatalogKey("join", .plain, "What stands between the parts of an id that is made of several."),
            CatalogKey("hash", .flag, "Whether the id is a hash of what stands there."),
        ])

    static let field = CatalogPart(
        name: "field", summary: "The long form of a field.",
        keys: [
            CatalogKey(
                "from", .perOperation(.selector, named: "selectorPerOperation"), "Where it stands in the API's item."),
            CatalogKey("type", .fieldType, "What it must be.", isRequired: true),
            CatalogKey("otherwise", .plain, "What stands for an unknown text of an enumeration."),
            CatalogKey("unit", .word(["s", "ms"]), "What the number of a date counts, since 1970."),
        ])

    static let cache = CatalogPart(
        name: "cache", summary: "How long a resource's entries are good, and who shares them.",
        keys: [
            CatalogKey("freshFor", .duration(isPositive: false), "A younger entry is fresh; default: for ever."),
            CatalogKey("keepFor", .duration(isPositive: false), "An older one counts as absent; default: never."),
            CatalogKey(
                "staleWhileRevalidate", .flag,
                "Whether a stale entry is the answer at once, and the API is asked behind it.", standard: false),
            CatalogKey(
                "shared", .word(CacheRules.SharedRule.allCases.map(\.rawValue)),
                "With whom a shared level shares entries; default: those who have equal static credentials."),
        ])
}
