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
        /// The expected pagination; nil for none.
        let pagination: String?
        /// The names of the remaining filters.
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
            parameters: [OpenAPIText.query("page[number]", #"{"type": "integer", "minimum": 0}"#)],
            beside: #""last": {"type": "boolean"}"#,
            pagination: #"{"style":"page","param":"page[number]","first":0,"last":"last"}"#),
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
    func paginationIsDrafted(_ item: Case) throws {
        let list = try OpenAPIText.list(item.document)
        #expect(list["pagination"]?.text == item.pagination)
        #expect(list["items"] == "data")
        var filters: [String] = []
        if case .object(let object)? = list["filters"] { filters = object.members.map(\.key) }
        #expect(filters == item.filters)
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
}
