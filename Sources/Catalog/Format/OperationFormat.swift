/// The definitions of the catalog objects that describe operations.
extension CatalogPart {
    static let rest = CatalogPart(
        name: "rest", summary: "The operations over REST; at least one is required.",
        keys: [
            CatalogKey("get", .part(.restGet), "Fetches one item."),
            CatalogKey("getMany", .part(.restGetMany), "Fetches several items with one request."),
            CatalogKey("list", .part(.restList), "Fetches a page of a list."),
            CatalogKey("sync", .part(.restSync), "How a sync asks only for changes of the list."),
        ], oneOf: [["get", "getMany", "list"]])

    static let graphQL = CatalogPart(
        name: "graphql", summary: "The operations over GraphQL; at least one is required.",
        keys: [
            CatalogKey("path", .text, "The path of the endpoint below 'baseURL'.", standard: "/graphql"),
            CatalogKey("get", .part(.graphQLGet), "Fetches one item."),
            CatalogKey("getMany", .part(.graphQLGetMany), "Fetches several items with one request."),
            CatalogKey("list", .part(.graphQLList), "Fetches a page of a list."),
            CatalogKey("sync", .part(.graphQLSync), "How a sync asks only for changes of the list."),
        ], oneOf: [["get", "getMany", "list"]])

    static let restGet = CatalogPart(
        name: "restGet", summary: "Fetches one item over REST.", keys: request + item)
    static let restGetMany = CatalogPart(
        name: "restGetMany", summary: "Fetches several items with one request over REST.", keys: request + items)
    static let restList = CatalogPart(
        name: "restList", summary: "Fetches a page of a list over REST.", keys: request + list)
    static let restSync = sync("restSync", over: restList)
    static let graphQLSync = sync("graphqlSync", over: graphQLList)
    static let graphQLGet = CatalogPart(
        name: "graphqlGet", summary: "Fetches one item over GraphQL.", keys: document + item)
    static let graphQLGetMany = CatalogPart(
        name: "graphqlGetMany", summary: "Fetches several items with one request over GraphQL.", keys: document + items)
    static let graphQLList = CatalogPart(
        name: "graphqlList", summary: "Fetches a page of a list over GraphQL.", keys: document + list)

    /// The catalog keys that describe a request over REST.
    private static let request = [
        CatalogKey(
            "method", .word(["GET", "POST"]), "The HTTP method; POST is for a read with a body.", standard: "GET"),
        CatalogKey("path", .text, "The path below 'baseURL', with placeholders such as {id}.", isRequired: true),
        CatalogKey(
            "query", .named(.either([.scalar, .list(.scalar), .part(.constant)])), "Constant query parameters."),
        CatalogKey("headers", .named(.text), "Header fields in addition to those of the API."),
        CatalogKey("body", .any, "The body of a POST, with placeholders in its strings."),
        CatalogKey(
            "errors", .list(.part(.errorRule)),
            "Rules that recognize error responses; they apply before the rules of the API."),
        CatalogKey(
            "as", .word(["json", "ndjson"]), "The form of the response; ndjson means that each line is a JSON text.",
            standard: "json"),
    ]

    /// The catalog keys that describe a request over GraphQL.
    private static let document = [
        CatalogKey("query", .plain, "The GraphQL document.", isRequired: true),
        CatalogKey("operationName", .plain, "The operation to execute; required if the document has several."),
        CatalogKey(
            "errors", .list(.part(.errorRule)),
            "Rules that recognize error responses; they apply before the rules of the API."),
    ]

    private static let item = [
        CatalogKey(
            "item", .selector, "The selector of the item in the response; default: the whole body.", standard: "")
    ]

    private static let items = [
        CatalogKey(
            "items", .selector, "The selector of the items in the response; default: the whole body.", standard: ""),
        CatalogKey("maxIDs", .integer(1...10_000), "The maximum number of ids in a request.", standard: 50),
        CatalogKey("join", .text, "The separator of ids; \"repeat\" repeats the parameter for each id.", standard: ","),
    ]

    private static let list = [
        CatalogKey(
            "items", .selector, "The selector of the items in the response; default: the whole body.", standard: ""),
        CatalogKey("filters", .named(.short("param", .filter, array: "type")), "The filters by name."),
        CatalogKey(
            "pagination", .style(PaginationDecoder.styles.map { $0.part }),
            "How pages are requested and linked; default: the list is one page."),
        CatalogKey(
            "emptyOnNotFound", .flag, "Whether 'not found' for a filtered list means an empty page.", standard: false),
        CatalogKey(
            "complete", .flag, "false if the items of the list lack some of the fields; default: true."),
        CatalogKey("absent", .word(["empty"]), "\"empty\": if the items are missing or null, the list is empty."),
        CatalogKey(
            "of", .word(["ids", "items"]), "Whether the elements of the list are ids or items.", standard: "items"),
        CatalogKey("hydrate", .flag, "Whether the whole items are fetched by the ids in the list.", standard: false),
    ]

    static let constant = CatalogPart(
        name: "constant", summary: "A query parameter that is sent only with a filter.",
        keys: [
            CatalogKey("value", .either([.scalar, .list(.scalar)]), "The value of the parameter.", isRequired: true),
            CatalogKey("beside", .text, "The name of the filter with which the parameter is sent.", isRequired: true),
        ])

    static let filter = CatalogPart(
        name: "filter", summary: "A filter of a list, and how it is sent.",
        keys: [
            CatalogKey("param", .text, "The query parameter, the member of the body, or the variable."),
            CatalogKey("type", .parameterType, "The type of the value.", standard: "string"),
            CatalogKey("join", .text, "The separator of several values in a query; \"repeat\" repeats the parameter."),
            CatalogKey(
                "split", .plain, "The separator at which a text is split into the values of an array filter."),
            CatalogKey("default", .any, "The value that is sent if the call gives none."),
            CatalogKey("required", .flag, "Whether a list call without the filter is refused.", standard: false),
            CatalogKey("as", .text, "The filter's part of a composed text, such as \"label:{}\"."),
            CatalogKey("with", .text, "The separator of the parts of the composed text; default: a space."),
            CatalogKey("quote", .text, "The quotation mark around each value in the composed text."),
            CatalogKey("wrap", .text, "The text around the composed text, such as \"AND({})\"."),
            CatalogKey("unit", .word(["s", "ms"]), "The unit of a date that is sent as a number since 1970."),
            CatalogKey(
                "in", .word(["query", "body"]), "The part of a POST that carries the filter; default: the body."),
            CatalogKey(
                "allowEmpty", .flag, "Whether an empty string is sent; otherwise it counts as missing.", standard: false
            ),
        ])
}

/// The definitions of the catalog objects that describe pagination styles.
extension CatalogPart {
    /// Returns the definition of a pagination style.
    static func pagination(_ style: String, _ summary: String, _ keys: [CatalogKey]) -> CatalogPart {
        CatalogPart(
            name: "\(style)Pagination", summary: summary,
            keys: [CatalogKey("style", .word([style]), "The style.", isRequired: true)] + keys)
    }

    static let pageSize = CatalogPart(
        name: "pageSize", summary: "The page size, and the parameter that sends it.",
        keys: [
            CatalogKey("param", .text, "The query parameter or variable that sends the size.", isRequired: true),
            CatalogKey("value", .integer(1...100_000), "The number of items on a page.", isRequired: true),
        ])

    static let lastItem = CatalogPart(
        name: "lastItem", summary: "A cursor that is a value of the last item.",
        keys: [CatalogKey("last", .selector, "The selector of the cursor in the item.", isRequired: true)])

    static let merged = CatalogPart(
        name: "merged", summary: "A cursor that is an object, whose members are merged into the query.",
        keys: [CatalogKey("merge", .selector, "The selector of the object in the response.", isRequired: true)])
}
