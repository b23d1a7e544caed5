import JSON
import TestSupport
import Testing

@testable import DataSources

/// What asks for a page stands in the body of a `POST`, or where the catalog says.
@Suite(.limited) struct PostedPagesTests {
    private func preview(_ pagination: String, page: PageToken, method: String = "POST") throws -> RemotePreview {
        let body = #""body": {"page": {"sort": "id"}, "query": "x"}, "#
        let list = #"""
            {"method": "\#(method)", "path": "/search", "query": {"v": 2}, \#(method == "POST" ? body : "")
             "filters": {"state": "filter.state"}, "pagination": \#(pagination)}
            """#
        let catalog = try CatalogText.decode(CatalogText.make(rest: #"{"list": \#(list)}"#))
        guard case .rest(let operations) = catalog.resources[0].transport else { throw Missing() }
        let source = RESTDataSource(
            resource: catalog.resources[0], operations: operations, api: catalog.apis[0], client: HTTPClientMock(),
            redactor: .none)
        return try source.preview(.page(PageRequest(page: page, filters: [.init("state", "open")])))
    }

    private struct Missing: Error {}

    private static let size = #""size": {"param": "page.size", "value": 10}"#

    private static let cases: [(pagination: String, page: PageToken, query: String, body: String)] = [
        (
            #"{"style": "cursor", "param": "page.after", "next": "next", \#(size)}"#, .opaque("abc"), "?v=2",
            #"{"page":{"sort":"id","size":10,"after":"abc"},"query":"x","filter":{"state":"open"}}"#
        ),
        (
            #"{"style": "cursor", "param": "page.after", "next": "next", \#(size), "in": "body"}"#, .first, "?v=2",
            #"{"page":{"sort":"id","size":10},"query":"x","filter":{"state":"open"}}"#
        ),
        (
            #"{"style": "offset", "param": "from", "in": "query"}"#, .number(20), "?v=2&from=20",
            #"{"page":{"sort":"id"},"query":"x","filter":{"state":"open"}}"#
        ),
        (
            #"{"style": "page", "param": "v", \#(size), "in": "query"}"#, .number(3), "?v=3&page.size=10",
            #"{"page":{"sort":"id"},"query":"x","filter":{"state":"open"}}"#
        ),
        (
            #"{"style": "cursor", "next": {"merge": "continue"}, "in": "query"}"#, .opaque(#"json:{"a":1,"b":"x"}"#),
            "?v=2&a=1&b=x", #"{"page":{"sort":"id"},"query":"x","filter":{"state":"open"}}"#
        ),
        // A URL has the query of the page before, and nothing of its body.
        (
            #"{"style": "nextURL", "next": "next", \#(size)}"#, .opaque("/search?v=2&after=7"), "?v=2&after=7",
            #"{"page":{"sort":"id","size":10},"query":"x","filter":{"state":"open"}}"#
        ),
        (
            #"{"style": "nextURL", "next": "next", "take": "query"}"#, .opaque("?after=7"), "?v=2&after=7",
            #"{"page":{"sort":"id"},"query":"x","filter":{"state":"open"}}"#
        ),
    ]

    @Test(arguments: cases)
    func theParametersStandWhereTheCatalogSays(pagination: String, page: PageToken, query: String, body: String) throws
    {
        let preview = try preview(pagination, page: page)
        #expect(preview.url == "https://a.test/search" + query)
        #expect(preview.operation?.text == body)
    }

    @Test func aGetHasThemInItsQuery() throws {
        let preview = try preview(#"{"style": "page", "param": "p.n"}"#, page: .number(3), method: "GET")
        #expect(preview.url == "https://a.test/search?v=2&p.n=3&filter.state=open" && preview.operation == nil)
    }
}
