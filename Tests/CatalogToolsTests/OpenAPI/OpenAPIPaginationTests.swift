import JSON
import TestSupport
import Testing

@testable import CatalogTools

/// Tests how pagination is drafted from parameters, answers and header fields.
@Suite(.limited) struct OpenAPIPaginationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var parameters: [String] = []
        /// The properties of the answer besides `data`.
        var beside = ""
        var headers = "{}"
        var extra = ""
        /// The expected pagination in the draft; nil if the draft must have none.
        let pagination: String?
        /// The names of the parameters that must become filters.
        var filters: [String] = []

        var testDescription: String { name }

        var document: String {
            let data = ##""data": {"type": "array", "items": {"$ref": "#/components/schemas/thing"}}"##
            return OpenAPIText.things(
                parameters: parameters.joined(separator: ", "),
                answer: #"{"type": "object", "properties": {\#(data)\#(beside.isEmpty ? "" : ", " + beside)}}"#,
                headers: headers, extra: extra)
        }
    }

    private static let integer = #"{"type": "integer"}"#

    static let cases: [Case] = [
        Case(name: "no pagination", parameters: [OpenAPIText.query("color")], pagination: nil, filters: ["color"]),
        Case(
            name: "a declared Link is preferred to parameters",
            parameters: [
                OpenAPIText.query("page", integer),
                OpenAPIText.query("per_page", #"{"type": "integer", "maximum": 50}"#),
            ], headers: #"{"link": {"schema": {"type": "string"}}}"#,
            pagination: #"{"style":"link","size":{"param":"per_page","value":50}}"#),
        Case(
            name: "an array of links is the last resort",
            beside:
                ##""links": {"type": "array", "items": {"type": "object", "properties": {"rel": {}, "href": {}}}}"##,
            pagination: #"{"style":"nextURL","next":"links.[rel=next].href"}"#),
        Case(
            name: "an array of links of FHIR",
            beside: ##""link": {"type": "array", "items": {"properties": {"relation": {}, "url": {}}}}"##,
            pagination: #"{"style":"nextURL","next":"link.[relation=next].url"}"#),
        Case(
            name: "an array without URLs has no pages",
            beside: ##""links": {"type": "array", "items": {"properties": {"rel": {}, "title": {}}}}"##, pagination: nil
        ),
        Case(
            name: "a page number goes before an array of links", parameters: [OpenAPIText.query("page", integer)],
            beside: ##""links": {"type": "array", "items": {"properties": {"rel": {}, "href": {}}}}"##,
            pagination: #"{"style":"page","param":"page"}"#),
        Case(
            name: "a name that says URL needs no format", parameters: [OpenAPIText.query("after")],
            beside: #""next_url": {"type": "string", "nullable": true}"#,
            pagination: #"{"style":"nextURL","next":"next_url"}"#),
        Case(
            name: "the name in brackets counts",
            parameters: [
                OpenAPIText.query("searchCriteria[currentPage]", integer),
                OpenAPIText.query("searchCriteria[pageSize]", #"{"type": "integer", "maximum": 9}"#),
                OpenAPIText.query("filter[limit]", integer),
            ],
            pagination:
                #"{"style":"page","param":"searchCriteria[currentPage]","size":{"param":"searchCriteria[pageSize]","value":9}}"#,
            filters: ["filter_limit"]),
        Case(
            name: "a cursor with the next one in the body",
            parameters: [
                OpenAPIText.query("cursor"), OpenAPIText.query("limit", #"{"type": "integer", "default": 20}"#),
            ],
            beside: #""next_cursor": {"type": "string", "nullable": true}"#,
            pagination: #"{"style":"cursor","param":"cursor","next":"next_cursor","size":{"param":"limit","value":20}}"#
        ),
        Case(
            name: "a cursor in a nested object", parameters: [OpenAPIText.query("after")],
            beside:
                #""paging": {"type": "object", "properties": {"next": {"type": "object", "properties": {"after": {"type": "string"}}}}}"#,
            pagination: #"{"style":"cursor","param":"after","next":"paging.next.after"}"#),
        Case(
            name: "pageToken", parameters: [OpenAPIText.query("pageToken"), OpenAPIText.query("pageSize", integer)],
            beside: #""nextPageToken": {"type": "string"}"#,
            pagination: #"{"style":"cursor","param":"pageToken","next":"nextPageToken"}"#, filters: ["pageSize"]),
        Case(
            name: "the id of the last item as cursor", parameters: [OpenAPIText.query("starting_after")],
            beside: #""has_more": {"type": "boolean"}"#,
            pagination: #"{"style":"cursor","param":"starting_after","next":{"last":"id"},"more":"has_more"}"#),
        Case(
            name: "starting_after alone is the last item's id", parameters: [OpenAPIText.query("starting_after")],
            pagination: #"{"style":"cursor","param":"starting_after","next":{"last":"id"}}"#),
        Case(
            name: "after alone is a filter", parameters: [OpenAPIText.query("after")], pagination: nil,
            filters: ["after"]),
        Case(
            name: "a text parameter 'page' is a cursor", parameters: [OpenAPIText.query("page")],
            beside: #""next_page": {"type": "string"}, "has_more": {"type": "boolean"}"#,
            pagination: #"{"style":"cursor","param":"page","next":"next_page","more":"has_more"}"#),
        Case(
            name: "a text parameter 'offset' is a cursor", parameters: [OpenAPIText.query("offset")],
            beside: #""offset": {"type": "string"}"#,
            pagination: #"{"style":"cursor","param":"offset","next":"offset"}"#),
        Case(
            name: "a cursor without the next one in the answer", parameters: [OpenAPIText.query("cursor")],
            pagination: nil, filters: ["cursor"]),
        Case(
            name: "numbered pages with counts in the answer",
            parameters: [OpenAPIText.query("page", integer)],
            beside:
                #""meta": {"type": "object", "properties": {"total_pages": {"type": "integer"}, "total": {"type": "integer"}}}"#,
            pagination: #"{"style":"page","param":"page","pages":"meta.total_pages","count":"meta.total"}"#),
        Case(
            name: "pages numbered from 0",
            parameters: [OpenAPIText.query("page[number]", #"{"type": "integer", "default": 0}"#)],
            beside: #""last": {"type": "boolean"}"#,
            pagination: #"{"style":"page","param":"page[number]","first":0,"last":"last"}"#),
        Case(
            name: "a minimum of 0 does not number pages from 0",
            parameters: [OpenAPIText.query("page", #"{"type": "integer", "minimum": 0}"#)],
            pagination: #"{"style":"page","param":"page"}"#),
        Case(
            name: "a description numbers pages from 0",
            parameters: [OpenAPIText.query("page", integer, #""description": "Zero-based page number""#)],
            pagination: #"{"style":"page","param":"page","first":0}"#),
        Case(
            name: "an example numbers pages from 0",
            parameters: [OpenAPIText.query("page", #"{"type": "integer", "example": 0}"#)],
            pagination: #"{"style":"page","param":"page","first":0}"#),
        Case(
            name: "the present page is not the next cursor", parameters: [OpenAPIText.query("page")],
            beside: #""paging": {"type": "object", "properties": {"page": {"type": "string"}}}"#, pagination: nil,
            filters: ["page"]),
        Case(
            name: "a URL is preferred to a number beside a token",
            parameters: [OpenAPIText.query("Page", integer), OpenAPIText.query("PageToken")],
            beside: #""next_page_uri": {"type": "string", "format": "uri"}"#,
            pagination: #"{"style":"nextURL","next":"next_page_uri"}"#),
        Case(
            name: "a URL is preferred to a deprecated number and to a number of the next page",
            parameters: [
                OpenAPIText.query("cursor"), OpenAPIText.query("page", integer, #""description": "DEPRECATED""#),
            ],
            beside:
                #""next_page": {"type": "integer"}, "links": {"type": "object", "properties": {"next": {"type": "string"}}}"#,
            pagination: #"{"style":"nextURL","next":"links.next"}"#),
        Case(
            name: "a text 'next_page' is a URL if no parameter accepts it",
            beside: #""next_page": {"type": "string", "nullable": true}"#,
            pagination: #"{"style":"nextURL","next":"next_page"}"#),
        Case(
            name: "a description names the header Link",
            parameters: [
                OpenAPIText.query("cursor", #"{"type": "string"}"#, #""description": "from the Link header""#)
            ],
            pagination: #"{"style":"link"}"#),
        Case(
            name: "members of an object in the query",
            parameters: [
                #"{"name": "paging", "in": "query", "schema": {"type": "object", "properties": {"offset": {"type": "integer"}, "limit": {"type": "integer", "maximum": 100}, "color": {"type": "string"}}}}"#
            ],
            pagination: #"{"style":"offset","param":"offset","size":{"param":"limit","value":100}}"#,
            filters: ["color"]),
        Case(
            name: "members of a deep object in the query",
            parameters: [
                #"{"name": "page", "in": "query", "style": "deepObject", "schema": {"type": "object", "properties": {"after": {"type": "string"}, "size": {"type": "integer", "maximum": 100}}}}"#
            ],
            beside:
                #""meta": {"type": "object", "properties": {"after_cursor": {"type": "string"}, "has_more": {"type": "boolean"}}}"#,
            pagination:
                #"{"style":"cursor","param":"page[after]","next":"meta.after_cursor","size":{"param":"page[size]","value":100},"more":"meta.has_more"}"#
        ),
        Case(
            name: "numbered pages with the URL of the next page", parameters: [OpenAPIText.query("page", integer)],
            beside: #""count": {"type": "integer"}, "next": {"type": "string", "format": "uri", "nullable": true}"#,
            pagination: #"{"style":"page","param":"page","count":"count","next":"next"}"#),
        Case(
            name: "a bare 'count' may be the size of the page", parameters: [OpenAPIText.query("page", integer)],
            beside: #""count": {"type": "integer"}"#, pagination: #"{"style":"page","param":"page"}"#),
        Case(
            name: "offset and limit",
            parameters: [
                OpenAPIText.query("offset", integer),
                OpenAPIText.query("limit", #"{"type": "integer", "maximum": 200}"#),
            ],
            beside: #""total_count": {"type": "integer"}"#,
            pagination:
                #"{"style":"offset","param":"offset","size":{"param":"limit","value":200},"count":"total_count"}"#),
        Case(
            name: "an index that may start at 1", parameters: [OpenAPIText.query("startIndex", integer)],
            pagination: nil, filters: ["startIndex"]),
        Case(
            name: "an index that starts at 0",
            parameters: [OpenAPIText.query("startIndex", #"{"type": "integer", "default": 0}"#)],
            pagination: #"{"style":"offset","param":"startIndex"}"#),
        Case(
            name: "'from' alone is not an offset", parameters: [OpenAPIText.query("from", integer)], pagination: nil,
            filters: ["from"]),
        Case(
            name: "the URL of the next page without parameters",
            beside: #""links": {"type": "object", "properties": {"next": {"type": "string"}}}"#,
            pagination: #"{"style":"nextURL","next":"links.next"}"#),
        Case(
            name: "a key with a dot", beside: #""@odata.nextLink": {"type": "string", "format": "uri"}"#,
            pagination: #"{"style":"nextURL","next":["@odata.nextLink"]}"#),
        Case(
            name: "a cursor with the URL of the next page", parameters: [OpenAPIText.query("cursor")],
            beside: #""next": {"type": "string", "format": "uri"}"#, pagination: #"{"style":"nextURL","next":"next"}"#),
        Case(
            name: "x-speakeasy-pagination is preferred to all others",
            parameters: [OpenAPIText.query("nr", integer), OpenAPIText.query("cursor")],
            beside: #""next_cursor": {"type": "string"}"#,
            extra:
                ##""x-speakeasy-pagination": {"type": "offsetLimit", "inputs": [{"name": "nr", "in": "parameters", "type": "page"}], "outputs": {"results": "$.data"}}"##,
            pagination: #"{"style":"page","param":"nr"}"#),
        Case(
            name: "x-fern-pagination", parameters: [OpenAPIText.query("mark")],
            extra:
                ##""x-fern-pagination": {"cursor": "$request.mark", "next_cursor": "$response.meta.mark", "results": "$response.data"}"##,
            pagination: #"{"style":"cursor","param":"mark","next":"meta.mark"}"#),
        Case(
            name: "x-ms-pageable", extra: #""x-ms-pageable": {"nextLinkName": "more.link", "itemName": "data"}"#,
            pagination: #"{"style":"nextURL","next":["more.link"]}"#),
    ]

    @Test(arguments: cases)
    func paginationIsDraftedFromTheDocument(_ item: Case) throws {
        let list = try OpenAPIText.list(item.document)
        #expect(list["pagination"]?.text == item.pagination)
        #expect(list["items"] == "data")
        var filters: [String] = []
        if case .object(let object)? = list["filters"] { filters = object.members.map(\.key) }
        #expect(filters == item.filters)
    }

    @Test(
        arguments: [
            ([OpenAPIText.query("cursor")], #"{"style":"link"}"#),
            (
                [OpenAPIText.query("after"), OpenAPIText.query("before")],
                #"{"style":"cursor","param":"after","next":{"last":"id"}}"#
            ),
            (
                [OpenAPIText.query("after", #"{"type": "string"}"#, #""description": "Users after this user id""#)],
                #"{"style":"cursor","param":"after","next":{"last":"id"}}"#
            ),
            (
                [OpenAPIText.query("after", #"{"type": "string"}"#, #""description": "A cursor from the `Link`""#)],
                #"{"style":"link"}"#
            ),
            ([OpenAPIText.query("color")], nil),
        ] as [([String], String?)])
    func cursorOfAnArrayIsReadFromAHeaderOrTheLastID(parameters: [String], pagination: String?) throws {
        let list = try OpenAPIText.list(OpenAPIText.things(parameters: parameters.joined(separator: ", ")))
        #expect(list["pagination"]?.text == pagination)
    }

    @Test func listWithoutDescribedPaginationUsesTheMostCommonPagination() throws {
        let thing = #"{"type": "object", "properties": {"id": {"type": "integer"}}}"#
        func path(_ name: String, next: Bool) -> String {
            let beside = next ? #", "next": {"type": "object", "properties": {"offset": {"type": "string"}}}"# : ""
            let answer = #"{"type": "object", "properties": {"data": {"type": "array", "items": \#(thing)}\#(beside)}}"#
            return
                #""/\#(name)": {"get": {"parameters": [\#(OpenAPIText.query("offset"))], \#(OpenAPIText.get(answer))}}"#
        }
        let names = ["as", "bs", "cs"].map { path($0, next: true) } + [path("things", next: false)]
        let list = try OpenAPIText.list(OpenAPIText.document(paths: names.joined(separator: ", ")))
        #expect(list["pagination"]?.text == #"{"style":"cursor","param":"offset","next":"next.offset"}"#)
    }

    @Test(
        arguments: [
            ("The number of results (max 100)", 100), ("between 1 and 250, default 10", 250),
            ("Acceptable range is 3 - 1000. Default is 1000.", 1000), ("Maximum: 500", 500), ("at most 20", 20),
            ("How many", nil), ("the maximum", nil), ("between the lines", nil),
        ] as [(String, Int?)])
    func maximumPageSizeIsReadFromDescriptions(words: String, value: Int?) {
        #expect(OpenAPIPagination.largest(in: words) == value)
    }

    @Test(arguments: [
        ("$.page.next", ["page", "next"]), ("$response.body", ["body"]), ("$.items[0].next", nil), ("$.last(id)", nil),
        ("page.next", nil), ("$", nil),
    ])
    func pathInAPaginationExtensionBecomesASelector(path: String, steps: [String]?) {
        #expect(OpenAPIPageExtensions.steps(path) == steps)
    }
}
