import JSON
import Mocks
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests where pagination parameters are sent: in the body of a `POST`, or as the catalog declares.
@Suite(.limited) struct PostedListRequestTests {
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
        // A page's URL replaces the query parameters, but not the parameters in the body.
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
    func parametersAreSentInTheDeclaredQueryOrBody(pagination: String, page: PageToken, query: String, body: String)
        throws
    {
        let preview = try preview(pagination, page: page)
        #expect(preview.url == "https://a.test/search" + query)
        #expect(preview.operation?.text == body)
    }

    @Test func listRequestedByGETSendsItsParametersInTheQuery() throws {
        let preview = try preview(#"{"style": "page", "param": "p.n"}"#, page: .number(3), method: "GET")
        #expect(preview.url == "https://a.test/search?v=2&p.n=3&filter.state=open" && preview.operation == nil)
    }

    /// Returns the body of a REST request with the given filters, or the variables of a GraphQL request.
    private static func nested(
        _ filters: String, _ given: [PageRequest.Filter], _ pagination: String, isPosted: Bool = true
    ) throws -> String? {
        let list = isPosted ? #""method": "POST", "path": "/x""# : #""query": "query Q($f: F) { x(f: $f) { id } }""#
        let text = #"""
            {"larder": 1, "apis": {"a": {"baseURL": "https://a.test"}},
             "resources": {"thing": {"api": "a", "id": "integer", "\#(isPosted ? "rest" : "graphql")": {"list": {
               \#(list), "items": "x", "filters": \#(filters), "pagination": \#(pagination)}}}}}
            """#
        let catalog = try CatalogText.decode(text)
        let page = RemoteQuestion.page(PageRequest(page: .number(2), filters: given))
        let (resource, api) = (catalog.resources[0], catalog.apis[0])
        switch resource.transport {
        case .rest(let operations):
            return try RESTDataSource(
                resource: resource, operations: operations, api: api, client: HTTPClientMock(), redactor: .none
            ).preview(page).operation?.text
        case .graphql(let path, let operations):
            return try GraphQLDataSource(
                resource: resource, path: path, operations: operations, api: api, client: GraphQLClientMock(),
                redactor: .none
            ).preview(page).operation?["variables"]?.text
        }
    }

    private static let inner = #"{"style": "page", "param": "f.page", "size": {"param": "f.size", "value": 3}}"#

    /// The members of a filter object are kept, but pagination parameters replace members of the same name.
    @Test(arguments: [true, false]) func filterObjectKeepsItsMembersNextToThePageParameter(isPosted: Bool) throws {
        let any = #"{"f": {"type": "any"}}"#
        let bare = try Self.nested(any, [.init("f", ["q": 1])], Self.inner, isPosted: isPosted)
        #expect(bare == #"{"f":{"q":1,"page":2,"size":3}}"#)
        let both = try Self.nested(any, [.init("f", ["page": 7, "q": 1])], Self.inner, isPosted: isPosted)
        #expect(both == #"{"f":{"page":2,"q":1,"size":3}}"#)
    }

    @Test(arguments: [
        #"{"n": {"param": "f.n.x", "type": "integer"}, "m": "f.n", "f": {"type": "any"}}"#,
        #"{"f": {"type": "any"}, "m": "f.m", "n": {"param": "f.n.x", "type": "integer"}}"#,
    ])
    func nestedFiltersAreMerged(filters: String) throws {
        let given: [PageRequest.Filter] = [.init("f", ["n": ["y": 1], "a": 1]), .init("n", 2)]
        let body = try Self.nested(filters, given, #"{"style": "page", "param": "p"}"#)
        #expect(body == #"{"p":2,"f":{"n":{"y":1,"x":2},"a":1}}"#)
    }

    @Test(arguments: ["x", ["page": 1], ["n": 5], .null] as [JSONValue])
    func errorForConflictingFiltersContainsBothNames(value: JSONValue) throws {
        let filters = #"{"f": {"type": "any"}, "n": {"param": "f.n.x", "type": "integer"}}"#
        let ask = { try Self.nested(filters, [.init("f", value), .init("n", 2)], #"{"style": "page", "param": "p"}"#) }
        if value == ["page": 1] {
            #expect(try ask() == #"{"p":2,"f":{"page":1,"n":{"x":2}}}"#)
            return
        }
        #expect {
            _ = try ask()
        } throws: { error in
            let error = error as? APIError
            return error?.kind == .invalidRequest
                && error?.message.contains("Larder sends 'f.n.x' inside of 'f'") == true
        }
    }

    /// The query and the body may have parameters of the same name.
    @Test func equalNamesInQueryAndBodyAreBothSent() throws {
        let catalog = try CatalogText.decode(
            CatalogText.make(
                rest: #"""
                    {"list": {"method": "POST", "path": "/x", "query": {"page": 9}, "filters": {"page": {"in": "query"}},
                     "pagination": {"style": "page", "param": "page"}}}
                    """#))
        guard case .rest(let operations) = catalog.resources[0].transport else { throw Missing() }
        let source = RESTDataSource(
            resource: catalog.resources[0], operations: operations, api: catalog.apis[0], client: HTTPClientMock(),
            redactor: .none)
        let given = try source.preview(.page(PageRequest(page: .number(2), filters: [.init("page", "x")])))
        #expect(given.url == "https://a.test/x?page=x" && given.operation?.text == #"{"page":2}"#)
        let bare = try source.preview(.page(PageRequest(page: .number(2))))
        #expect(bare.url == "https://a.test/x?page=9" && bare.operation?.text == #"{"page":2}"#)
    }
}
