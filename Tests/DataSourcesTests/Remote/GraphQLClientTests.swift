import DataSources
import HTTP
import JSON
import Mocks
import Model
import TestSupport
import Testing

@Suite(.limited) struct GraphQLClientTests {
    private func execute(_ operation: GraphQLOperation, on mock: HTTPClientMock) async throws -> JSONPart {
        let api = try CatalogText.decode(CatalogText.make()).apis[0]
        return try await GraphQLClient(client: mock, api: api, path: "/graphql").execute(operation).data
    }

    private func answer(_ status: Int, _ body: String) async throws -> Result<String, GraphQLError.Reason> {
        let mock = HTTPClientMock(.success(HTTPResponse(status: status, body: Array(body.utf8))))
        do {
            let data = try await execute(GraphQLOperation(query: "{ a }"), on: mock)
            return .success(String(decoding: data.bytes, as: UTF8.self))
        } catch let error as GraphQLError {
            #expect(error.attempts == 1)
            return .failure(error.reason)
        }
    }

    @Test func graphQLQueryAndVariablesArePosted() async throws {
        let mock = HTTPClientMock(.success(HTTPResponse(status: 200, body: Array(#"{"data":{}}"#.utf8))))
        let variables: [GraphQLOperation.Variable] = [
            .init("id", .number("12345678901234567890")), .init("name", .string("a\"b")), .init("page", .int(2)),
            .init("size", .double(0.5)), .init("none", .double(.infinity)), .init("flag", .bool(true)),
            .init("null", .null), .init("list", .list([.int(1)])), .init("object", .object([("x", .int(1))])),
        ]
        _ = try await execute(GraphQLOperation(query: "query { a }", variables: variables), on: mock)
        let request = try #require(mock.requests.first)
        #expect(request.method == .post)
        #expect(request.url == "https://a.test/graphql")
        #expect(
            String(decoding: try #require(request.body), as: UTF8.self)
                == #"{"query":"query { a }","variables":{"id":12345678901234567890,"name":"a\"b","page":2,"size":0.5,"#
                + #""none":null,"flag":true,"null":null,"list":[1],"object":{"x":1}}}"#)
    }

    @Test(arguments: [
        (200, #"{"data":{"a":1}}"#, #"{"a":1}"#), (201, #"{"errors":[],"data":{"a":1}}"#, #"{"a":1}"#),
        (200, #"{"data":{"a":null},"errors":null}"#, #"{"a":null}"#),
    ])
    func graphQLDataIsReturned(status: Int, body: String, data: String) async throws {
        #expect(try await answer(status, body) == .success(data))
    }

    private static let fault = #"{"data":{"a":1},"errors":[{"message":"no","path":["a",3,"b"]},{"path":[]}]}"#

    @Test(arguments: [200, 400, 422])
    func answerWithErrorsAndDataIsAnError(status: Int) async throws {
        let faults = [
            GraphQLError.Fault(message: "no", path: "a[3].b"),
            GraphQLError.Fault(message: "(no message)", path: ""),
        ]
        #expect(try await answer(status, Self.fault) == .failure(.errors(faults)))
    }

    @Test(arguments: [401, 403, 404, 410, 429, 500, 503])
    func httpErrorStatusTakesPrecedenceOverGraphQLErrors(status: Int) async throws {
        let response = HTTPResponse(status: status, body: Array(Self.fault.utf8))
        #expect(try await answer(status, Self.fault) == .failure(.http(.status(response))))
    }

    @Test(
        arguments: [
            (200, "", .http(HTTPError(.emptyBody))), (200, "[]", .envelope("the answer must be a JSON object")),
            (200, "{}", .missingData), (200, #"{"data":null}"#, .missingData),
            (200, #"{"data":[]}"#, .envelope("'data' must be an object")),
            (200, #"{"data":{},"errors":"no"}"#, .envelope("'errors' must be an array")),
            (400, "<html>", .http(.status(HTTPResponse(status: 400, body: Array("<html>".utf8))))),
            (418, "{}", .http(.status(HTTPResponse(status: 418, body: Array("{}".utf8))))),
        ] as [(Int, String, GraphQLError.Reason)])
    func errorExplainsWhyDataIsMissing(status: Int, body: String, error: GraphQLError.Reason) async throws {
        #expect(try await answer(status, body) == .failure(error))
    }

    @Test func bodyThatIsNotJSONIsAnEnvelopeError() async throws {
        guard case .failure(.envelope(let reason)) = try await answer(200, "<html>") else {
            Issue.record("expected an envelope fault")
            return
        }
        #expect(reason.contains("line 1, column 1"))
    }

    @Test(
        arguments: [
            (.http(.timeout(1000)), APIError(.timeout, "no answer within 1 s")),
            (
                .envelope("x"),
                APIError(.decodingFailed, "the answer is not GraphQL: x; check the path in the catalog", path: "")
            ),
            (
                .missingData,
                APIError(
                    .invalidResponse,
                    "the GraphQL answer has neither 'data' nor 'errors'; check the path in the catalog")
            ),
            (
                .errors([.init(message: "one", path: ""), .init(message: "two", path: "a[0]")]),
                APIError(.invalidResponse, "the API reports: one; two (at a[0])", path: "a[0]")
            ),
        ] as [(GraphQLError.Reason, APIError)])
    func graphQLErrorIsMappedToAnAPIError(reason: GraphQLError.Reason, expected: APIError) {
        var expected = expected
        expected.attempts = 3
        if case .errors(let faults) = reason { expected.apiMessage = faults.first?.message }
        #expect(GraphQLErrorMapper(redactor: .none).map(GraphQLError(reason, attempts: 3)) == expected)
    }

    @Test func messageListsOnlyTheFirstGraphQLErrors() {
        let fault = GraphQLError.Fault(message: String(repeating: "x", count: 10_000), path: "a")
        let error = GraphQLErrorMapper(redactor: .none).map(
            GraphQLError(.errors([GraphQLError.Fault](repeating: fault, count: 1000)), attempts: 1))
        #expect(error.message.hasSuffix("; and 995 more"))
        #expect(error.message.count < 3000)
    }
}
