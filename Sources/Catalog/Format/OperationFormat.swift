/// The parts of a resource's operations.
extension CatalogPart {
    static let rest = CatalogPart(
        name: "rest", summary: "The operations over REST, at least one.",
        keys: [
            CatalogKey("get", .part(.restGet), "Asks for one item."),
            CatalogKey("getMany", .part(.restGetMany), "Asks for several items at once."),
            CatalogKey("list", .part(.restList), "Asks for a page of a list."),
        ], oneOf: [["get", "getMany", "list"]])

    static let graphQL = CatalogPart(
        name: "graphql", summary: "The operations over GraphQL, at least one.",
        keys: [
            CatalogKey("path", .text, "The path of the endpoint below 'baseURL'.", standard: "/graphql"),
            CatalogKey("get", .part(.graphQLGet), "Asks for one item."),
            CatalogKey("getMany", .part(.graphQLGetMany), "Asks for several items at once."),
            CatalogKey("list", .part(.graphQLList), "Asks for a page of a list."),
        ], oneOf: [["get", "getMany", "list"]])

    static let restGet = CatalogPart(
        name: "restGet", summary: "Asks for one item over REST.", keys: request + item)
    static let restGetMany = CatalogPart(
        name: "restGetMany", summary: "Asks for several items at once over REST.", keys: request + items)
    static let restList = CatalogPart(
        name: "restList", summary: "Asks for a page of a list over REST.", keys: request + list)
    static let graphQLGet = CatalogPart(
        name: "graphqlGet", summary: "Asks for one item over GraphQL.", keys: document + item)
    static let graphQLGetMany = CatalogPart(
        name: "graphqlGetMany", summary: "Asks for several items at once over GraphQL.", keys: document + items)
    static let graphQLList = CatalogPart(
        name: "graphqlList", summary: "Asks for a page of a list over GraphQL.", keys: document + list)

    /// What a request over REST has.
    private static let request = [
        CatalogKey("method", .word(["GET", "POST"]), "POST for a read with a body.", standard: "GET"),
        CatalogKey("path", .text, "The path below 'baseURL', with places such as {id}.", isRequired: true),
        CatalogKey(
            "query", .named(.either([.scalar, .list(.scalar), .part(.constant)])), "Constant query parameters."),
        CatalogKey("headers", .named(.text), "Header fields besides those of the API."),
        CatalogKey("body", .any, "The body of a POST, with places in its texts."),
        CatalogKey("errors", .list(.part(.errorRule)), "What tells an answer that is an error, before the API's."),
        CatalogKey(
            "as", .word(["json", "ndjson"]), "ndjson where each line of the answer is a JSON text.", standard: "json"),
    ]

    /// What a request over GraphQL has.
    private static let document = [
        CatalogKey("query", .plain, "The GraphQL document.", isRequired: true),
        CatalogKey("operationName", .plain, "Which of the document's operations is meant, where it has several."),
        CatalogKey("errors", .list(.part(.errorRule)), "What tells an answer that is an error, before the API's."),
    ]

    private static let item = [
        CatalogKey("item", .selector, "Where the item stands in the answer; default: the whole body.", standard: "")
    ]

    private static let items = [
        CatalogKey("items", .selector, "Where the items stand in the answer; default: the whole body.", standard: ""),
        CatalogKey("maxIDs", .integer(1...10_000), "How many ids a request may have.", standard: 50),
        CatalogKey("join", .text, "What stands between ids; \"repeat\" repeats the parameter.", standard: ","),
    ]

    private static let list = [
        CatalogKey("items", .selector, "Where the items stand in the answer; default: the whole body.", standard: ""),
        CatalogKey("filters", .named(.short("param", .filter)), "The filters by name."),
        CatalogKey(
            "pagination", .style(PaginationDecoder.styles.map { $0.part }),
            "How the pages of the list are told apart; default: it is one page."),
        CatalogKey(
            "emptyOnNotFound", .flag, "Whether a filtered list that is not found is an empty page.", standard: false),
        CatalogKey(
            "complete", .flag, "false where the items of the list lack some of the fields; default: true."),
        CatalogKey("absent", .word(["empty"]), "A list whose items are absent or null is an empty one."),
        CatalogKey("of", .word(["ids", "items"]), "Whether the elements are ids.", standard: "items"),
        CatalogKey("hydrate", .flag, "Whether the whole items are asked for by their ids.", standard: false),
    ]

    static let constant = CatalogPart(
        name: "constant", summary: "A query parameter that goes with a filter.",
        keys: [
            CatalogKey("value", .either([.scalar, .list(.scalar)]), "Its value.", isRequired: true),
            CatalogKey("beside", .text, "The filter together with which alone it is sent.", isRequired: true),
        ])

    static let filter = CatalogPart(
        name: "filter", summary: "A filter of a list, and how it is sent.",
        keys: [
            CatalogKey("param", .text, "The query parameter, the member of the body, or the variable."),
            CatalogKey("type", .parameterType, "What it takes.", standard: "string"),
            CatalogKey("join", .text, "What stands between several values in a query; \"repeat\" repeats it."),
            CatalogKey("default", .any, "What is sent where nothing is given."),
            CatalogKey("required", .flag, "Whether a list without it is refused.", standard: false),
            CatalogKey("as", .text, "The filter is a part of a text, such as \"label:{}\"."),
            CatalogKey("with", .text, "What stands between the parts of that text; default: a blank."),
            CatalogKey("quote", .text, "What stands around each value in that text."),
            CatalogKey("wrap", .text, "What goes around that text, such as \"AND({})\"."),
            CatalogKey("unit", .word(["s", "ms"]), "Sends a date as a number since 1970."),
            CatalogKey("in", .word(["query", "body"]), "Where a POST sends it; default: the body."),
            CatalogKey(
                "allowEmpty", .flag, "Whether an empty text is sent; else it counts as absent.", standard: false),
        ])
}

/// The parts of the styles of pages.
extension CatalogPart {
    /// A style of pages with its own keys.
    static func pagination(_ style: String, _ summary: String, _ keys: [CatalogKey]) -> CatalogPart {
        CatalogPart(
            name: "\(style)Pagination", summary: summary,
            keys: [CatalogKey("style", .word([style]), "The style.", isRequired: true)] + keys)
    }

    static let pageSize = CatalogPart(
        name: "pageSize", summary: "Asks for pages of so many items.",
        keys: [
            CatalogKey("param", .text, "The query parameter, or the variable.", isRequired: true),
            CatalogKey("value", .integer(1...100_000), "How many items.", isRequired: true),
        ])

    static let lastItem = CatalogPart(
        name: "lastItem", summary: "The cursor is a value of the last item.",
        keys: [CatalogKey("last", .selector, "Where it stands in the item.", isRequired: true)])

    static let merged = CatalogPart(
        name: "merged", summary: "The cursor is an object that is laid over the query.",
        keys: [CatalogKey("merge", .selector, "Where it stands in the answer.", isRequired: true)])
}
