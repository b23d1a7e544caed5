import Catalog
import DataSources
import HTTP
import JSON
import Mocks
import Model
import TestSupport
import Testing

/// Tests the behavior that the REST and GraphQL transports share.
@Suite(.limited) struct RemoteDataSourceContractTests {
    private func ids(_ items: ItemDTOs) -> [String?] {
        items.map { $0.json.withView { $0["id"].flatMap { IDType.integer.canonical($0) } } }
    }

    @Test(arguments: RemoteSubject.allCases)
    func dataSourceReturnsTheItemBytesUnchanged(subject: RemoteSubject) async throws {
        let response = try subject.response("character")
        let mock = HTTPClientMock(.success(response))
        let item = try await subject.source(mock).item("1")
        let whole = String(decoding: response.body, as: UTF8.self)
        let before = subject == .rest ? "" : #"{"data":{"character":"#
        let after = subject == .rest ? "\n" : "}}\n"
        #expect(before + String(decoding: item.json.bytes, as: UTF8.self) + after == whole)
        #expect(item.path == (subject == .rest ? "" : "data.character"))
        #expect(item.url == subject.itemURL)
        #expect(mock.requests.map(\.url) == [subject.itemURL])
        if subject == .graphql {
            let body = String(decoding: mock.requests[0].body ?? [], as: UTF8.self)
            #expect(body.hasSuffix(#""variables":{"id":1}}"#))
        }
    }

    @Test(arguments: RemoteSubject.allCases)
    func itemsKeepTheAPIOrderAndOmitMissingItems(subject: RemoteSubject) async throws {
        let mock = HTTPClientMock(.success(.of(200, subject.itemsBody([3, nil, 1]))))
        let source = try subject.source(mock)
        let items = try await source.items(["1", "2", "3"])
        #expect(source.maxIDs == 50)
        #expect(ids(items) == ["3", "1"])
        #expect(
            items.map(\.path)
                == (subject == .rest ? ["[0]", "[2]"] : ["data.charactersByIds[0]", "data.charactersByIds[2]"]))
        switch subject {
        case .rest: #expect(mock.requests[0].url == "https://rickandmortyapi.com/api/character/1,2,3")
        case .graphql:
            let body = String(decoding: mock.requests[0].body ?? [], as: UTF8.self)
            #expect(body.hasSuffix(#""variables":{"ids":[1,2,3]}}"#))
        }
    }

    @Test(arguments: RemoteSubject.allCases)
    func answerWithoutItemsIsValid(subject: RemoteSubject) async throws {
        let items = try await subject.source(HTTPClientMock(.success(subject.nothingThere))).items(["98", "99"])
        #expect(items.isEmpty)
    }

    /// The API answers `/character/1` with an object even to a `getMany` request.
    @Test func singleIDMayBeAnsweredWithAnObject() async throws {
        let mock = HTTPClientMock(.success(.of(200, RemoteSubject.rest.character(1))))
        let source = try RemoteSubject.rest.source(mock)
        #expect(ids(try await source.items(["1"])) == ["1"])
        let error = await failure { () throws(APIError) in try await source.items(["1", "2"]) }
        #expect(error?.kind == .decodingFailed)
    }

    @Test(arguments: RemoteSubject.allCases, [(1, 2, nil), (2, 3, 1), (42, nil, 41)] as [(Int, Int?, Int?)])
    func pageHasNextAndPreviousTokens(subject: RemoteSubject, page: (Int, next: Int?, previous: Int?)) async throws {
        let mock = HTTPClientMock(.success(try subject.response("character_list")))
        let answer = try await subject.source(mock).page(PageRequest(page: .number(page.0)))
        #expect(ids(answer.items) == (21...40).map { "\($0)" })
        #expect(
            answer.info
                == PageInfoDTO(
                    current: .number(page.0), pages: 42, count: 826, next: page.next.map { .number($0) },
                    previous: page.previous.map { .number($0) }))
        #expect(answer.items.map(\.path) == (0..<20).map { "\(subject.prefix)results[\($0)]" })
    }

    @Test(arguments: RemoteSubject.allCases)
    func pageAndFiltersAreSent(subject: RemoteSubject) async throws {
        let mock = HTTPClientMock(.success(.of(200, subject.pageBody([1], info: #"{"count":1,"pages":2}"#))))
        let filters = [PageRequest.Filter("name", .string("rick & \"morty\"")), .init("unknown", .bool(true))]
        _ = try await subject.source(mock).page(PageRequest(page: .number(2), filters: filters))
        let request = try #require(mock.requests.first)
        switch subject {
        case .rest:
            #expect(
                request.url
                    == "https://rickandmortyapi.com/api/character?page=2&name=rick%20%26%20%22morty%22")
        case .graphql:
            let body = String(decoding: request.body ?? [], as: UTF8.self)
            #expect(body.hasSuffix(#""variables":{"page":2,"name":"rick & \"morty\""}}"#))
        }
    }

    /// A parameter of the pagination or of a filter replaces a constant of the same name.
    @Test func parameterReplacesConstantOfTheSameName() async throws {
        let list = #"""
            {"list": {"path": "/things", "query": {"page": "9", "sort": "new", "q": "all"}, "filters": {"name": "q"},
                      "pagination": {"style": "page", "param": "page", "count": {"header": "X-Total"}}}}
            """#
        let catalog = try CatalogText.decode(CatalogText.make(rest: list))
        guard case .rest(let operations) = catalog.resources[0].transport else { return }
        let mock = HTTPClientMock(.success(.of(200, "[{}]", [HTTPHeader("x-total", "31")])))
        let source = RESTDataSource(
            resource: catalog.resources[0], operations: operations, api: catalog.apis[0], client: mock,
            redactor: .none)
        #expect(try await source.page(PageRequest()).info.count == 31)
        _ = try await source.page(PageRequest(page: .number(2), filters: [.init("name", "x")]))
        #expect(
            mock.requests.map(\.url) == [
                "https://a.test/things?sort=new&q=all&page=1", "https://a.test/things?sort=new&page=2&q=x",
            ])
    }

    @Test(arguments: RemoteSubject.allCases)
    func pagePastTheEndIsNotFound(subject: RemoteSubject) async throws {
        let source = try subject.source(HTTPClientMock(.success(subject.response("character_list_not_found"))))
        let error = await failure { () throws(APIError) in try await source.page(PageRequest(page: .number(999))) }
        #expect(error?.kind == .notFound)
        #expect(error?.fallsBackToCache == false)
        #expect(error?.attempts == 1)
    }

    @Test(arguments: RemoteSubject.allCases)
    func emptyPagePastThePageCountIsNotFound(subject: RemoteSubject) async throws {
        let mock = HTTPClientMock(.success(.of(200, subject.pageBody([], info: #"{"count":42,"pages":3}"#))))
        let source = try subject.source(mock)
        let error = await failure { () throws(APIError) in try await source.page(PageRequest(page: .number(4))) }
        #expect(error?.kind == .notFound)
    }

    @Test(arguments: RemoteSubject.allCases)
    func filterWithoutMatchesReturnsAnEmptyPage(subject: RemoteSubject) async throws {
        let source = try subject.source(HTTPClientMock(.success(subject.response("character_list_not_found"))))
        let page = try await source.page(PageRequest(filters: [.init("name", .string("nobody"))]))
        #expect(page.items.isEmpty)
        #expect(page.info == PageInfoDTO(current: .number(1), pages: 0, count: 0))
    }

    @Test(arguments: RemoteSubject.allCases, ["null", "{}", #"{"count":null,"pages":null}"#])
    func pageWithoutPageInfoHasANextPage(subject: RemoteSubject, info: String) async throws {
        let mock = HTTPClientMock(.success(.of(200, subject.pageBody([1], info: info))))
        let page = try await subject.source(mock).page(PageRequest())
        #expect(page.info == PageInfoDTO(current: .number(1), next: .number(2)))
    }

    /// A null is reported as an item with an invalid shape, and counts when an offset is computed.
    @Test(arguments: RemoteSubject.allCases)
    func nullItemIsReturnedInThePage(subject: RemoteSubject) async throws {
        let body = subject.pageBody([1, 2, 3], info: "{}").replacing(subject.character(2), with: "null")
        let page = try await subject.source(HTTPClientMock(.success(.of(200, body)))).page(PageRequest())
        #expect(page.items.count == 3)
        #expect(page.items.map { $0.json.withView { $0.isNull } } == [false, true, false])
        #expect(page.items.dropFirst().first { _ in true }?.path.hasSuffix("results[1]") == true)
    }

    @Test(arguments: RemoteSubject.allCases)
    func nonNumericPageTokenIsRejected(subject: RemoteSubject) async throws {
        let mock = HTTPClientMock(.success(.of(200, subject.pageBody([1], info: "{}"))))
        let source = try subject.source(mock)
        let error = await failure { () throws(APIError) in try await source.page(PageRequest(page: .opaque("x"))) }
        #expect(error?.kind == .invalidRequest)
        #expect(error?.message == "the page must be a number from 1")
        #expect(error?.attempts == 0 && mock.requests.isEmpty)
        #expect(throws: try #require(error)) { try source.preview(.page(PageRequest(page: .opaque("x")))) }
    }

    @Test(arguments: RemoteSubject.allCases)
    func itemsAndPagesAreFetchedFromAServer(subject: RemoteSubject) async throws {
        let bodies = try ["character", "character_many", "character_list"].map {
            String(decoding: try subject.response($0).body, as: UTF8.self)
        }
        let server = try LoopbackServer { request in
            let text = request.target + String(decoding: request.body, as: UTF8.self)
            return .text(bodies[text.contains("page") ? 2 : text.contains("1,2,3") ? 1 : 0])
        }
        let client = HTTPClient(version: "test")
        let source = try subject.source(client, at: server.origin)
        #expect(ids(ItemDTOs([try await source.item("1")])) == ["1"])
        #expect(ids(try await source.items(["1", "2", "3"])) == ["1", "2", "3"])
        #expect(try await source.page(PageRequest()).items.count == 20)
        #expect(server.requests.map(\.method) == Array(repeating: subject == .rest ? "GET" : "POST", count: 3))
        server.stop()
        let error = await failure { () throws(APIError) in try await source.item("1") }
        #expect(error?.kind == .network)
        client.shutdown()
    }
}
