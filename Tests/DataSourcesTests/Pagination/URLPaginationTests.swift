import JSON
import Mocks
import TestSupport
import Testing

@testable import Catalog
@testable import DataSources
@testable import Model

/// The pagination styles `nextURL` and `link`, tested through a data source.
@Suite(.limited) struct URLPaginationTests {
    private static func source(
        _ client: HTTPClientMock, _ pagination: String, auth: String? = nil, at origin: String? = nil,
        method: String = "GET"
    ) throws -> RESTDataSource {
        let auth = auth.map { #", "auth": \#($0)"# } ?? ""
        let text = #"""
            {"larder": 1, "apis": {"a": {"baseURL": "https://api.test/v2"\#(auth)}},
             "resources": {"thing": {"api": "a", "id": "integer", "rest": {"list": {
               "path": "/things", "items": "items", "query": {"sort": "new", "page": "0"},
               "method": "\#(method)", "filters": {"name": "name"},
               "pagination": \#(pagination)}}}}}
            """#
        let declared = try CatalogText.decode(text)
        let catalog = try origin.map { try declared.reached(at: [("a", $0)]) } ?? declared
        guard case .rest(let operations) = catalog.resources[0].transport else { throw APIError(.notFound, "no rest") }
        return RESTDataSource(
            resource: catalog.resources[0], operations: operations, api: catalog.apis[0], client: client,
            redactor: Redactor(secrets: catalog.secrets))
    }

    private static let nextURL = #"{"style": "nextURL", "next": "next", "previous": "prev"}"#
    private static let query = #"{"style": "nextURL", "next": "next", "take": "query"}"#
    private static let link = #"{"style": "link", "size": {"param": "per_page", "value": 5}}"#

    /// Returns the page info for an answer with the given body, and the requested URLs.
    private static func ask(
        _ pagination: String, _ page: PageToken = .first, next: String = "null", _ headers: [HTTPHeader] = [],
        auth: String? = nil, at origin: String? = nil, method: String = "GET"
    ) async throws -> (info: PageInfoDTO, urls: [String]) {
        let client = HTTPClientMock(.success(.of(200, #"{"items": [{"id": 1}], "next": \#(next)}"#, headers)))
        let source = try Self.source(client, pagination, auth: auth, at: origin, method: method)
        let request = PageRequest(page: page, filters: [.init("name", "rick")])
        guard case .page(let dto, _) = try await source.page(request, since: nil) else {
            throw APIError(.invalidResponse, "nothing changed")
        }
        return (dto.info, client.requests.map(\.url))
    }

    @Test(arguments: [
        (#""https://api.test/v2/things?page=2&name=rick""#, "/v2/things?page=2&name=rick"),
        (#""https://API.test:443/v2/things?page=2#top""#, "/v2/things?page=2"),
        (#""/v2/things?page=2""#, "/v2/things?page=2"), (#""?page=2""#, "/v2/things?page=2"),
        (#""others?page=2""#, "/v2/others?page=2"), (#""../v2/x/./y""#, "/v2/x/y"), (#""//api.test/v2/z""#, "/v2/z"),
        (#""/v2/a b?q=ä\"""#, "/v2/a%20b?q=%C3%A4%22"), (#""/v2/a%2Fb/...;c""#, "/v2/a%2Fb/...;c"), (#""/v2""#, "/v2"),
        // URLs of the same origin are valid even outside the path of the base URL.
        (#""/internal/v2/things?page=2#top""#, "/internal/v2/things?page=2"), (#""../v1/x""#, "/v1/x"),
        (#""https://api.test/""#, "/"), (#""/%76%32/~x""#, "/%76%32/~x"),
    ])
    func nextURLIsResolvedAndRequested(next: String, token: String) async throws {
        let first = try await Self.ask(Self.nextURL, next: next)
        #expect(first.info == PageInfoDTO(current: .first, next: .opaque(token)))
        #expect(first.urls == ["https://api.test/v2/things?sort=new&page=0&name=rick"])
        let second = try await Self.ask(Self.nextURL, .opaque(token))
        #expect(second.urls == ["https://api.test\(token)"])
        #expect(second.info == PageInfoDTO(current: .opaque(token)))
    }

    @Test(arguments: ["null", #""""#, "false"]) func pageWithoutANextURLIsTheLastPage(next: String) async throws {
        #expect(try await Self.ask(Self.nextURL, next: next).info.next == nil)
    }

    @Test(arguments: [
        (#""https://other.test/v2/things?page=2""#, "https://other.test"),
        (#""http://api.test/v2/things?page=2""#, "http://api.test"),
        (#""https://api.test:8443/things""#, "https://api.test:8443"), (#""//other.test/x""#, "https://other.test"),
    ])
    func nextURLOfAnotherOriginIsRejected(next: String, origin: String) async throws {
        await #expect {
            _ = try await Self.ask(Self.nextURL, next: next)
        } throws: {
            let error = $0 as? APIError
            return error?.kind == .invalidResponse && error?.message.contains("is at \(origin), but") == true
        }
    }

    @Test(arguments: [
        #""https://user@api.test/x""#, #""https://api.test\\@other.test/x""#, #""ftp://api.test/x""#, #""a\u0007b""#,
    ])
    func invalidNextURLIsRejected(next: String) async throws {
        await #expect {
            _ = try await Self.ask(Self.nextURL, next: next)
        } throws: {
            ($0 as? APIError)?.kind == .invalidResponse
        }
        await #expect(throws: APIError.self) { _ = try await Self.ask(Self.nextURL, next: "7") }
    }

    @Test(arguments: [PageToken.number(3), .opaque("https://other.test/x"), .opaque("//other.test/x"), .opaque("x")])
    func pageTokensThatAreNotPathsAreRejected(page: PageToken) async throws {
        for pagination in [Self.nextURL, Self.query, Self.link] {
            await #expect {
                _ = try await Self.ask(pagination, page)
            } throws: {
                ($0 as? APIError)?.kind == .invalidRequest
            }
        }
    }

    /// Paths with encoded dot segments or control characters, which could send the API's credentials to an unexpected
    /// path.
    private static let strays = [
        "/v2/%2e%2e/admin", "/v2/%2E./admin", "/%2e%2e/x", "/x/..%2fadmin", "/v2/.%2e", "/v2/%2e/x",
        "/v2/%252e%252e/x", "/v2/a%2f..%2f..%2fadmin", "/v2/x%5c..%5cadmin",
        "/v2/..;/admin", "/v2/..;a=b/admin", "/v2/%2e%2e%3b/admin", "/v2/a%00b", "/v2/a%0d%0ab", "/v2/a%7f",
    ]

    @Test(arguments: strays + ["/v2/../admin", "/v2/..", "/v2/./x", "/v2/x/../../admin?page=2", "/v2/x\\..\\admin"])
    func pageTokenOutsideTheBaseURLIsRejected(token: String) async throws {
        for pagination in [Self.nextURL, Self.link] {
            await #expect {
                _ = try await Self.ask(pagination, .opaque(token))
            } throws: {
                ($0 as? APIError)?.kind == .invalidRequest && ($0 as? APIError)?.attempts == 0
            }
        }
    }

    @Test(arguments: strays + ["https://api.test//other.test/x"])
    func nextURLWithParentSegmentsIsRejected(next: String) async throws {
        await #expect {
            _ = try await Self.ask(Self.nextURL, next: "\"\(next)\"")
        } throws: {
            ($0 as? APIError)?.kind == .invalidResponse
        }
    }

    /// A `POST` outside the base URL could have unknown effects.
    @Test(arguments: ["/", "/x", "/v1/things", "/v2things", "/v22/things", "/V2/things"])
    func nextURLOutsideTheBaseURLIsRejectedForPostRequests(next: String) async throws {
        await #expect {
            _ = try await Self.ask(Self.nextURL, next: "\"\(next)\"", method: "POST")
        } throws: {
            ($0 as? APIError)?.kind == .invalidResponse
        }
        await #expect {
            _ = try await Self.ask(Self.nextURL, .opaque(next), method: "POST")
        } throws: {
            ($0 as? APIError)?.message.contains("is not below '/v2', the path of the base URL") == true
        }
    }

    @Test(arguments: ["/v2/things?page=2", "/v2", "/%76%32/things"])
    func nextURLBelowTheBaseURLIsAcceptedForPostRequests(next: String) async throws {
        #expect(try await Self.ask(Self.nextURL, next: "\"\(next)\"", method: "POST").info.next == .opaque(next))
        #expect(try await Self.ask(Self.nextURL, .opaque(next), method: "POST").urls == ["https://api.test\(next)"])
    }

    @Test func errorForARejectedTokenStatesTheReason() async throws {
        for (token, reason) in [
            ("/v2/%2e%2e/x", "has a segment '.' or '..'"),
            ("/v2/a%0ab", "has a control character"), ("/v2/x#y", "is not a page token of this list"),
        ] {
            await #expect {
                _ = try await Self.ask(Self.link, .opaque(token))
            } throws: {
                ($0 as? APIError)?.message.contains(reason) == true
            }
        }
    }

    @Test func nextURLsUseTheReplacedBaseURL() async throws {
        let elsewhere = "http://127.0.0.1:8080/test"
        for next in [#""https://api.test/v2/things?page=2""#, #""http://127.0.0.1:8080/test/things?page=2""#] {
            let first = try await Self.ask(Self.nextURL, next: next, at: elsewhere)
            #expect(first.info.next == .opaque("/test/things?page=2"))
        }
        let second = try await Self.ask(Self.nextURL, .opaque("/test/things?page=2"), at: elsewhere)
        #expect(second.urls == ["http://127.0.0.1:8080/test/things?page=2"])
    }

    @Test func pageTokensContainNoSecrets() async throws {
        let auth = #"{"apiKey": {"in": "query", "name": "key", "value": "topsecret"}}"#
        let next = #""https://api.test/v2/things?key=topsecret&page=2""#
        let first = try await Self.ask(Self.nextURL, next: next, auth: auth)
        #expect(first.info.next == .opaque("/v2/things?page=2"))
        let second = try await Self.ask(Self.nextURL, .opaque("/v2/things?page=2"), auth: auth)
        #expect(second.urls == ["https://api.test/v2/things?page=2&key=topsecret"])
        #expect(try await Self.ask(Self.query, next: next, auth: auth).info.next == .opaque("?page=2"))
    }

    @Test func queryOfNextURLOverridesTheDeclaredQuery() async throws {
        let next = #""https://elsewhere.test/x?page=2&name=a%20b+c""#
        #expect(try await Self.ask(Self.query, next: next).info.next == .opaque("?page=2&name=a%20b+c"))
        let second = try await Self.ask(Self.query, .opaque("?page=2&name=a%20b+c"))
        #expect(second.urls == ["https://api.test/v2/things?sort=new&page=2&name=a%20b%20c"])
    }

    @Test func pageSizeInTheNextURLReplacesTheDeclaredSize() async throws {
        let sized = #"{"style": "nextURL", "next": "next", "take": "query", "size": {"param": "limit", "value": 5}}"#
        let constant = "https://api.test/v2/things?sort=new&page=2"
        let same = try await Self.ask(sized, .opaque("?page=2&limit=5"))
        #expect(same.urls == ["\(constant)&limit=5&name=rick"])
        let other = try await Self.ask(sized, .opaque("?page=2&limit=3"))
        #expect(other.urls == ["\(constant)&limit=3&name=rick"])
        let none = try await Self.ask(sized, .opaque("?page=2"))
        #expect(none.urls.first?.contains("limit=5") == true)
    }

    @Test func linkHeaderIsParsed() async throws {
        let headers = [
            HTTPHeader("link", #"<https://api.test/v2/things?page=1>; rel=prev"#),
            HTTPHeader(
                "Link", #"</a>; rel="first", <https://api.test/v2/things?a=1,2;3&page=3>; title="a, \"b"; REL="x NEXT""#
            ),
        ]
        let found = try await Self.ask(Self.link, .first, headers)
        #expect(
            found.info
                == PageInfoDTO(
                    current: .first, next: .opaque("/v2/things?a=1,2;3&page=3"),
                    previous: .opaque("/v2/things?page=1")))
        #expect(found.urls == ["https://api.test/v2/things?sort=new&page=0&per_page=5&name=rick"])
    }

    @Test(arguments: [
        #"</x>; rel="next"; results="false""#, #"</x>; rel="last""#, "</x>", "x; rel=next", "</x; rel=next", "",
        #"</x>; rel="next"; anchor="/other""#, "</x>; title=next; rel",
    ])
    func pageWithoutANextLinkIsTheLastPage(link: String) async throws {
        #expect(try await Self.ask(Self.link, .first, [HTTPHeader("Link", link)]).info.next == nil)
    }

    @Test func linkToAnotherOriginIsRejected() async throws {
        await #expect {
            _ = try await Self.ask(Self.link, .first, [HTTPHeader("Link", "<https://other.test/>; rel=next")])
        } throws: {
            ($0 as? APIError)?.message.contains("https://other.test") == true
        }
    }
}
