/// The definitions of the objects that describe a resource in a catalog: the resource, its scope, ids, fields and cache
/// rules.
extension CatalogPart {
    static let resource = CatalogPart(
        name: "resource", summary: "A resource: the shape of its items, and the requests that fetch them.",
        keys: [
            CatalogKey("api", .plain, "The name of the API.", isRequired: true),
            CatalogKey(
                "scope", .named(.short("type", .scope)),
                "The parents of an item: parameters of every method, placeholders of paths, variables of queries."),
            CatalogKey(
                "id", .short("type", .id), "The type of ids, and where they are found; default: the field 'id'.",
                isRequired: true),
            CatalogKey("fields", .fields, "The fields of an item; default: every field is kept."),
            CatalogKey("rest", .part(.rest), "The operations over REST."),
            CatalogKey("graphql", .part(.graphQL), "The operations over GraphQL."),
            CatalogKey(
                "strictIDs", .flag, "Whether an item with another id than the requested one is an error.",
                standard: false),
            CatalogKey(
                "onMismatch", .word(["skip", "fail"]),
                "Whether a list leaves out items without the declared shape, or fails.", standard: "fail"),
            CatalogKey("cache", .part(.cache), "How long cache entries stay fresh."),
        ], oneOf: [["rest", "graphql"]])

    static let scope = CatalogPart(
        name: "scope", summary: "One of the parents of an item.",
        keys: [
            CatalogKey("type", .parameterType, "The type of the value.", standard: "string"),
            CatalogKey("default", .any, "The value that is used if the call gives none."),
        ])

    static let id = CatalogPart(
        name: "id", summary: "The type of ids, and where they are found.",
        keys: [
            CatalogKey("type", .word(["integer", "string"]), "The type of ids.", isRequired: true),
            CatalogKey(
                "from", .perOperation(.either([.selector, .list(.selector)]), named: "idPerOperation"),
                "The selector of the id in the API's item; with 'join', an array of selectors."),
            CatalogKey("match", .plain, "A pattern that extracts the id from a string, such as \"*/{id}/\"."),
            CatalogKey("join", .plain, "The separator of the parts of an id that consists of several values."),
            CatalogKey("hash", .flag, "Whether the id is a hash of the selected value."),
        ])

    static let field = CatalogPart(
        name: "field", summary: "The long form of a field.",
        keys: [
            CatalogKey(
                "from", .perOperation(.selector, named: "selectorPerOperation"),
                "The selector of the value in the API's item."),
            CatalogKey("type", .fieldType, "The type of the value.", isRequired: true),
            CatalogKey("otherwise", .plain, "The string that replaces an unknown value of an enumeration."),
            CatalogKey("unit", .word(["s", "ms"]), "The unit of a date that is a number since 1970."),
            CatalogKey(
                "zone", .word(["UTC"]), "The time zone of dates without an offset. If absent, such dates are errors."),
        ])

    static let cache = CatalogPart(
        name: "cache", summary: "How long a resource's cache entries stay fresh, and which processes share them.",
        keys: [
            CatalogKey(
                "freshFor", .duration(isPositive: false), "The age at which an entry becomes stale; default: never."),
            CatalogKey(
                "keepFor", .duration(isPositive: false), "The age at which an entry is dropped; default: never."),
            CatalogKey(
                "staleWhileRevalidate", .flag,
                "Whether a stale entry is returned at once and refreshed in the background.", standard: false),
            CatalogKey(
                "shared", .word(CacheRules.SharedRule.allCases.map(\.rawValue)),
                "Which processes share entries on a shared level; default: those with equal static credentials."),
        ])
}
