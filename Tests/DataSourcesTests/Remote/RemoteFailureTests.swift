import DataSources
import HTTP
import Mocks
import Model
import TestSupport
import Testing

/// Tests that the errors of both transports are complete and contain no secrets.
@Suite(.limited) struct RemoteFailureTests {
    private struct Expectation {
        let kind: APIError.Kind
        var status: Int?
        var retryAfter: Int?
    }

    private static let results: [(Result<HTTPResponse, HTTPError>, Expectation)] = [
        (.success(.of(404, "{}")), .init(kind: .notFound, status: 404)),
        (.success(.of(410, "{}")), .init(kind: .notFound, status: 410)),
        (.success(.of(400, "{}")), .init(kind: .invalidRequest, status: 400)),
        (.success(.of(422, "")), .init(kind: .invalidRequest, status: 422)),
        (.success(.of(401, "{}")), .init(kind: .unauthorized, status: 401)),
        (.success(.of(403, "<html>")), .init(kind: .unauthorized, status: 403)),
        (
            .success(HTTPResponse(status: 429, retryAfter: HTTPRetryAfter(seconds: 30))),
            .init(kind: .rateLimited, status: 429, retryAfter: 30)
        ),
        (.success(.of(500, "{}")), .init(kind: .serverError, status: 500)),
        (.success(.of(503, "")), .init(kind: .serverError, status: 503)),
        (.success(.of(418, "{}")), .init(kind: .serverError, status: 418)),
        (.success(.of(200, "")), .init(kind: .invalidResponse)),
        (.success(.of(200, "<!DOCTYPE html><html></html>")), .init(kind: .decodingFailed)),
        (.success(.of(200, #"{"data": {"character": {"id": 1, "na"#)), .init(kind: .decodingFailed)),
        (.failure(.timeout(10_000)), .init(kind: .timeout)),
        (.failure(.tooLarge(limit: 16)), .init(kind: .tooLarge)),
        (.failure(.network("connection reset")), .init(kind: .network)),
        (.failure(.notHTTP("garbage")), .init(kind: .invalidResponse)),
        (.failure(.tooManyRedirects(limit: 5)), .init(kind: .invalidResponse)),
        (.failure(.cancelled), .init(kind: .cancelled)),
    ]

    @Test(arguments: RemoteSubject.allCases, Array(results.indices))
    func everyRemoteErrorHasAllDetails(subject: RemoteSubject, index: Int) async throws {
        let (result, expected) = Self.results[index]
        let source = try subject.source(HTTPClientMock(result))
        let error = try #require(await failure { () throws(APIError) in try await source.item("1") })
        #expect(error.kind == expected.kind)
        #expect(error.status == expected.status)
        #expect(error.retryAfter == expected.retryAfter)
        #expect(error.api == "rickandmorty")
        #expect(error.resource == "character")
        #expect(error.attempts == 1)
        #expect(error.url == subject.itemURL)
        let page = await failure { () throws(APIError) in try await source.page(PageRequest()) }
        #expect(page?.kind == expected.kind)
    }

    @Test(arguments: RemoteSubject.allCases)
    func cancelledCallThrowsCancelled(subject: RemoteSubject) async throws {
        let mock = HTTPClientMock(.success(.of(200, subject.itemBody(1))))
        mock.hold(at: Gate())
        let source = try subject.source(mock)
        let task = Task { await failure { () throws(APIError) in try await source.item("1") } }
        await mock.arrived(1)
        task.cancel()
        #expect(await task.value?.kind == .cancelled)
    }

    @Test(arguments: RemoteSubject.allCases)
    func invalidBodyErrorNamesThePath(subject: RemoteSubject) async throws {
        let bodies: [(body: String, path: String)] = [
            (subject.pageBody([1], info: #"{"pages":"three"}"#), "info.pages"),
            (subject.pageBody([1], info: #"{"pages":1,"count":-1}"#), "info.count"),
            (subject.pageBody([1], info: "{}").replacing("results", with: "rows"), "results"),
        ]
        for (body, path) in bodies {
            let source = try subject.source(HTTPClientMock(.success(.of(200, body))))
            let error = await failure { () throws(APIError) in try await source.page(PageRequest()) }
            #expect(error?.kind == .decodingFailed)
            #expect(error?.path == subject.prefix + path)
        }
    }

    @Test(arguments: [200, 400])
    func graphQLErrorsAreReportedWithPaths(status: Int) async throws {
        let body = #"{"data":null,"errors":[{"message":"bad","path":["characters","results",3,"name"]}]}"#
        let source = try RemoteSubject.graphql.source(HTTPClientMock(.success(.of(status, body))))
        let error = await failure { () throws(APIError) in try await source.item("1") }
        #expect(error?.kind == .invalidResponse)
        #expect(error?.message == "the API reports: bad (at characters.results[3].name)")
        #expect(error?.path == "characters.results[3].name")
        #expect(error?.fallsBackToCache == true)
    }

    @Test(
        arguments: [
            (#"{}"#, .invalidResponse), (#"{"data":null}"#, .invalidResponse), (#"{"data":7}"#, .decodingFailed),
            (#"{"data":{"character":null}}"#, .notFound), (#"{"data":{}}"#, .notFound),
        ] as [(String, APIError.Kind)])
    func graphQLAnswerWithoutItemThrows(body: String, kind: APIError.Kind) async throws {
        let source = try RemoteSubject.graphql.source(HTTPClientMock(.success(.of(200, body))))
        let error = await failure { () throws(APIError) in try await source.item("1") }
        #expect(error?.kind == kind)
    }

    @Test func invalidIDSendsNoRequest() async throws {
        let mock = HTTPClientMock(.success(.of(200, "{}")))
        let source = try RemoteSubject.rest.source(mock)
        let error = await failure { () throws(APIError) in try await source.item("..") }
        #expect(error?.kind == .invalidRequest)
        #expect(error?.attempts == 0)
        #expect(error?.url == nil)
        #expect(mock.requests.isEmpty)
    }

    @Test(arguments: RemoteSubject.allCases)
    func itemIsFetchedByGetManyIfGetIsMissing(subject: RemoteSubject) async throws {
        let mock = HTTPClientMock(.success(.of(200, subject.itemsBody([1]))))
        let source = try onlyMany(subject, mock)
        #expect(String(decoding: try await source.item("1").json.bytes, as: UTF8.self) == subject.character(1))
        mock.set(.success(subject.nothingThere))
        let error = await failure { () throws(APIError) in try await source.item("1") }
        #expect(error?.kind == .notFound)
        #expect(error?.attempts == 1)
        #expect(error?.url == subject.itemURL)
        let page = await failure { () throws(APIError) in try await source.page(PageRequest()) }
        #expect(page?.message == "the catalog has no operation 'list' for 'character'; add it to the catalog")
        #expect(page?.attempts == 0)
    }

    /// An API may return unrequested items in any order, in addition to the requested items or instead of them.
    @Test(arguments: RemoteSubject.allCases)
    func answerOfGetManyIsSearchedForTheID(subject: RemoteSubject) async throws {
        let mock = HTTPClientMock(.success(.of(200, subject.itemsBody([2, nil, 1, 3]))))
        let source = try onlyMany(subject, mock)
        #expect(String(decoding: try await source.item("1").json.bytes, as: UTF8.self) == subject.character(1))
        for others: [Int?] in [[2], [2, 3]] {
            mock.set(.success(.of(200, subject.itemsBody(others))))
            let error = await failure { () throws(APIError) in try await source.item("1") }
            #expect(error?.kind == .notFound)
        }
    }

    private func onlyMany(_ subject: RemoteSubject, _ mock: HTTPClientMock) throws -> any RemoteDataSourceContract {
        let catalog = try subject.catalog()
        let (api, resource) = (catalog.apis[0], catalog.resources[0])
        switch resource.transport {
        case .rest(var operations):
            (operations.get, operations.list) = (nil, nil)
            return RESTDataSource(
                resource: resource, operations: operations, api: api, client: mock, redactor: .none)
        case .graphql(let path, var operations):
            (operations.get, operations.list) = (nil, nil)
            return GraphQLDataSource(
                resource: resource, path: path, operations: operations, api: api,
                client: GraphQLClient(client: mock, api: api, path: path), redactor: .none)
        }
    }

    @Test func graphQLDataSourceSendsItsRequestsWithItsClient() async throws {
        let catalog = try RemoteSubject.graphql.catalog()
        guard case .graphql(let path, let operations) = catalog.resources[0].transport else { return }
        let mock = GraphQLClientMock()
        let source = GraphQLDataSource(
            resource: catalog.resources[0], path: path, operations: operations, api: catalog.apis[0], client: mock,
            redactor: .none)
        let error = await failure { () throws(APIError) in try await source.item("1") }
        #expect(error?.kind == .network)
        #expect(error?.message.contains("not configured") == true)
        #expect(mock.operations.map(\.variables) == [[.init("id", .number("1"))]])
    }
}
