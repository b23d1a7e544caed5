import Mocks
import System
import TestSupport
import Testing

@testable import Catalog
@testable import DataSources
@testable import HTTP
@testable import Model

/// Tests tokens from commands and token endpoints, and their renewal after a rejection.
@Suite(.limited) struct TokenStoreTests {
    private let timer = TimerMock(passesWithSleeps: false)
    private let mock = HTTPClientMock(.success(HTTPResponse(status: 200)))
    private let counters = RemoteCounters()
    private let commands = Watched<[[String]]>([])

    /// Returns a store whose commands print their first word and the number of runs.
    private func store(
        _ run: (@Sendable ([String], Int) -> Program.Finished)? = nil
    ) -> TokenStore {
        TokenStore(mock, timer: timer) { [commands] words in
            let count = commands.change { commands in
                commands.append(words)
                return commands.count
            }
            return run?(words, count)
                ?? Program.Finished(output: Array("\(words[0])-secret-\(count)\r\nmore".utf8), .exited(0))
        }
    }

    /// Returns a catalog whose API has the given `auth`.
    ///
    /// - Parameter more: further members of the API.
    private static func catalog(_ auth: String, more: String = "") throws -> Catalog {
        try CatalogText.decode(CatalogText.make(api: #"{"baseURL": "https://a.test", "auth": \#(auth)\#(more)}"#))
    }

    private func send(
        _ store: TokenStore, _ auth: String, more: String = ""
    ) async throws -> Result<HTTPResponse, HTTPError> {
        let catalog = try Self.catalog(auth, more: more)
        let client = APIClient(
            mock, authorizer: store.authorizer(for: catalog.apis[0], catalog: "c.jsonc", secrets: catalog.secrets),
            counters: counters, timer: timer)
        do throws(HTTPError) {
            return .success(try await client.send(HTTPRequest(url: "https://a.test/x")))
        } catch {
            return .failure(error)
        }
    }

    private static func error(_ result: Result<HTTPResponse, HTTPError>) -> APIError? {
        guard case .failure(let error) = result else { return nil }
        return HTTPErrorMapper(redactor: .none).map(error)
    }

    @Test(
        arguments: [
            (#"{"bearer": {"command": ["gh"]}}"#, HTTPHeader("Authorization", "Bearer gh-secret-1"), ""),
            (
                #"{"basic": {"user": "u", "password": {"command": ["gh", "x"]}}}"#,
                HTTPHeader("Authorization", "Basic dTpnaC1zZWNyZXQtMQ=="), ""
            ),
            (
                #"{"basic": {"user": {"command": ["a"]}, "password": {"command": ["b"]}}}"#,
                HTTPHeader("Authorization", "Basic YS1zZWNyZXQtMTpiLXNlY3JldC0y"), ""
            ),
            (
                #"{"apiKey": {"in": "header", "name": "X-Key", "value": {"command": ["k"]}}}"#,
                HTTPHeader("X-Key", "k-secret-1"), ""
            ),
            (
                #"{"apiKey": {"in": "query", "name": "k&", "value": {"command": ["k y"]}}}"#, nil,
                "?k%26=k%20y-secret-1"
            ),
        ] as [(String, HTTPHeader?, String)])
    func firstOutputLineOfACommandIsTheToken(auth: String, field: HTTPHeader?, query: String) async throws {
        let store = store()
        _ = try await send(store, auth)
        _ = try await send(store, auth)
        for request in mock.requests {
            #expect(request.credentials == (field.map { [$0] } ?? []))
            #expect(request.url == "https://a.test/x" + query)
        }
        #expect(mock.requests.count == 2 && commands.value.count == Set(commands.value).count)
        let redactor = Redactor(secrets: [], learned: store.learned)
        #expect(redactor.redact("\(commands.value[0][0])-secret-1") == "***")
        if let field, auth.contains("basic") { #expect(redactor.redact(field.value) == "Basic ***") }
    }

    @Test func staticCredentialsNeedNoAuthorizer() throws {
        let plain = try Self.catalog(#"{"bearer": "plain"}"#).apis[0]
        #expect(store().authorizer(for: plain, catalog: "c", secrets: []) == nil)
        let asked = try Self.catalog(#"{"bearer": {"command": ["gh"]}}"#).apis[0]
        let endpoint = Endpoint(path: "/x").request(to: asked)
        #expect(endpoint.credentials == [])
    }

    @Test(
        arguments: [
            (
                Program.Finished(errors: Array("not\n logged in\n".utf8), .exited(4)),
                "failed with exit code 4: not logged in"
            ),
            (Program.Finished(.signalled(9)), "was killed by signal 9"),
            (Program.Finished(.timedOut(30_000)), "did not exit within 30 s"),
            (Program.Finished(.tooMuch(64 << 10)), "wrote more than 64 KiB"),
            (Program.Finished(.notStarted("No such file or directory")), "could not be run: No such file or directory"),
            (Program.Finished(output: Array("\n\n".utf8), .exited(0)), nil), (Program.Finished(.exited(0)), nil),
            (Program.Finished(output: [0x61, 0x00, 0x62], .exited(0)), nil),
            (Program.Finished(output: [0xFF, 0xFE], .exited(0)), nil),
            (
                Program.Finished(
                    output: Array("half-a-token\n".utf8), errors: Array("I said half-a-token".utf8), .exited(1)),
                "failed with exit code 1: I said ***"
            ),
        ] as [(Program.Finished, String?)])
    func failedTokenCommandIsReportedWithItsCatalogPosition(finished: Program.Finished, reason: String?) async throws {
        let result = try await send(store { _, _ in finished }, #"{"bearer": {"command": ["gh", "auth"]}}"#)
        let error = try #require(Self.error(result))
        let told = reason ?? "printed no usable token: the first line of its output must be printable text"
        #expect(
            error.message == "no token for the API 'a' (c.jsonc:1:78): the command 'gh' \(told)")
        #expect(error.kind == .unauthorized && error.fallsBackToCache && error.attempts == 0)
        #expect(mock.requests.isEmpty)
    }

    @Test func secretsInCommandOutputAreRedactedBeforeShortening() async throws {
        let said = String(repeating: "x", count: 195) + "p@ss w/rd"
        let result = try await send(
            store { _, _ in Program.Finished(errors: Array(said.utf8), .exited(1)) },
            #"{"bearer": {"command": ["gh", "--key=${env:PASS}"]}}"#)
        let error = try #require(Self.error(result))
        #expect(error.message.hasSuffix("xxx***"))
    }

    @Test func tokenInUseStaysRedactedAfterManyOtherSecrets() async throws {
        let command = TokenCommand(words: ["gh"])
        let provider = TokenProvider(timer: timer) { .success(TokenProvider.Issued("gh-secret-1")) }
        let learned = LearnedSecrets(maxCount: 4)
        let authorizer = RequestAuthorizer(
            .bearer(.command(command)), providers: [.command(command): provider], learned: learned, prefix: "")
        for round in 1...3 {
            _ = try await authorizer.authorize(HTTPRequest(url: "https://a.test/x"), before: .max)
            for other in 1...3 { learned.add("other-secret-\(round)-\(other)") }
        }
        #expect(Redactor(secrets: [], learned: learned).redact("gh-secret-1") == "***")
    }

    // After a 401

    @Test func rejectedTokenIsRenewedAndTheRequestRepeatedOnce() async throws {
        mock.set { .success(HTTPResponse(status: $0.credentials[0].value.hasSuffix("-1") ? 401 : 200)) }
        let store = store()
        let result = try await send(store, #"{"bearer": {"command": ["gh"]}}"#)
        #expect(try result.get() == HTTPResponse(status: 200, attempts: 2))
        #expect(mock.requests.map(\.credentials[0].value) == ["Bearer gh-secret-1", "Bearer gh-secret-2"])
        #expect(counters.statistics.retries == 1)
        mock.set(.success(HTTPResponse(status: 401)))
        let refused = try await send(store, #"{"bearer": {"command": ["gh"]}}"#)
        #expect(try refused.get() == HTTPResponse(status: 401, attempts: 2))
        #expect(commands.value.count == 3)
    }

    @Test(arguments: [403, 400, 500]) func onlyStatus401RenewsTheToken(status: Int) async throws {
        mock.set(.success(HTTPResponse(status: status)))
        _ = try await send(store(), #"{"bearer": {"command": ["gh"]}}"#)
        #expect(mock.requests.count == 1 && commands.value.count == 1)
    }

    @Test func concurrentRejectionsShareOneRenewal() async throws {
        let gate = Gate()
        mock.hold(at: gate)
        mock.set { .success(HTTPResponse(status: $0.credentials[0].value.hasSuffix("-1") ? 401 : 200)) }
        let store = store()
        let auth = #"{"bearer": {"command": ["gh"]}}"#
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await send(store, auth).get().status } }
            await mock.arrived(50)
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [Int](repeating: 200, count: 50))
        #expect(commands.value.count == 2 && mock.requests.count == 100)
    }

    // OAuth

    private static let oauth =
        #"{"oauth2": {"tokenURL": "https://id.test/token?x=1", "clientID": "me:", "clientSecret": "s3cr3t s3cr3t"}}"#

    /// Sets the answer of the token endpoint. The API answers with 200.
    private func answer(_ json: String, status: Int = 200) {
        mock.set { request in
            request.url.hasPrefix("https://id.test")
                ? .success(HTTPResponse(status: status, body: Array(json.utf8))) : .success(HTTPResponse(status: 200))
        }
    }

    private var bodies: [String] {
        mock.requests.compactMap { $0.body.map { String(decoding: $0, as: UTF8.self) } }
    }

    @Test func tokenRequestContainsTheClientCredentials() async throws {
        answer(#"{"access_token": "access-one", "token_type": "bearer", "expires_in": 100}"#)
        let store = store()
        _ = try await send(store, Self.oauth)
        let asked = mock.requests[0]
        #expect(asked.method == .post && asked.url == "https://id.test/token?x=1" && asked.hasSecretBody)
        #expect(asked.credentials == [HTTPHeader("Authorization", "Basic bWUlM0E6czNjcjN0JTIwczNjcjN0")])
        #expect(asked.headers["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(bodies == ["grant_type=client_credentials"])
        #expect(mock.requests[1].credentials == [HTTPHeader("Authorization", "Bearer access-one")])
        #expect(Redactor(secrets: [], learned: store.learned).redact("access-one") == "***")
        timer.advance(milliseconds: 74_999)
        _ = try await send(store, Self.oauth)
        #expect(bodies.count == 1)
        timer.advance(milliseconds: 1)
        _ = try await send(store, Self.oauth)
        #expect(bodies.count == 2)
    }

    @Test(arguments: [#""Bearer""#, #""bEARER""#, "null", #""""#]) func tokenTypeBearerIsOptionalAndCaseInsensitive(
        type: String
    )
        async throws
    {
        answer(#"{"access_token": "access-one", "token_type": \#(type)}"#)
        _ = try await send(store(), Self.oauth)
        #expect(mock.requests.last?.credentials == [HTTPHeader("Authorization", "Bearer access-one")])
    }

    @Test func errorForATokenEndpointRedirectNamesTheSettingToChange() async throws {
        mock.set(
            .failure(HTTPError(.badRedirect(location: "https://evil.test/", "the redirect leads to another origin"))))
        let error = try #require(Self.error(try await send(store(), Self.oauth)))
        #expect(mock.requests.map(\.isBoundToOrigin) == [true] && error.kind == .invalidResponse)
        #expect(
            error.message.hasSuffix(
                "the redirect leads to another origin; set 'tokenURL' to the URL at which the provider answers"))
    }

    @Test func tokenRequestBodyContainsTheDeclaredParameters() async throws {
        answer(#"{"access_token": "access-one", "refresh_token": "ignored-it"}"#)
        let auth = Self.oauth.replacing(
            "}}", with: #", "in": "body", "scope": "a b", "params": {"audience": "https://a.test", "x&": "="}}}"#)
        _ = try await send(store(), auth)
        #expect(
            bodies == [
                "grant_type=client_credentials&scope=a%20b&audience=https%3A%2F%2Fa.test&x%26=%3D"
                    + "&client_id=me%3A&client_secret=s3cr3t%20s3cr3t"
            ])
        #expect(mock.requests[0].credentials == [])
    }

    @Test func rotatedRefreshTokenIsUsed() async throws {
        let auth = Self.oauth.replacing("}}", with: #", "refreshToken": {"command": ["r"]}}}"#)
        answer(#"{"access_token": "access-one", "refresh_token": "rotated-one", "expires_in": "1"}"#)
        let store = store()
        _ = try await send(store, auth)
        timer.advance(milliseconds: 1000)
        _ = try await send(store, auth)
        #expect(Redactor(secrets: [], learned: store.learned).redact("rotated-one") == "***")
        timer.advance(milliseconds: 1000)
        answer(#"{"error": "invalid_grant"}"#, status: 400)
        _ = try await send(store, auth)
        // A rejected refresh token is not used again.
        answer(#"{"access_token": "access-two"}"#)
        _ = try await send(store, auth)
        #expect(
            bodies
                == ["r-secret-1", "rotated-one", "rotated-one", "r-secret-2"].map {
                    "grant_type=refresh_token&refresh_token=\($0)"
                })
    }

    @Test(
        arguments: [
            (503, ""), (429, "{}"), (400, #"{"error": "invalid_request"}"#), (200, #"{"error": "invalid_grant"}"#),
            (500, #"{"error": "invalid_grant"}"#),
        ] as [(Int, String)])
    func failureOtherThanARejectionKeepsTheRefreshToken(status: Int, body: String) async throws {
        let auth = Self.oauth.replacing("}}", with: #", "refreshToken": {"command": ["r"]}}}"#)
        let store = store()
        answer(#"{"access_token": "access-one", "refresh_token": "rotated-one", "expires_in": 1}"#)
        _ = try await send(store, auth)
        timer.advance(milliseconds: 1000)
        answer(body, status: status)
        _ = try await send(store, auth)
        _ = try await send(store, auth)
        #expect(
            bodies
                == ["r-secret-1", "rotated-one", "rotated-one"].map { "grant_type=refresh_token&refresh_token=\($0)" })
        #expect(commands.value.count == 1)
    }

    @Test(
        arguments: [
            (401, "", true), (400, #"{"error": "invalid_client"}"#, true), (503, "", false),
            (400, #"{"error": "invalid_grant"}"#, false), (400, #"{"error": "invalid_scope"}"#, false),
        ] as [(Int, String, Bool)])
    func secretCommandRunsAgainOnlyIfTheClientIsRejected(status: Int, body: String, isAsked: Bool) async throws {
        let auth = Self.oauth.replacing(#""s3cr3t s3cr3t""#, with: #"{"command": ["c"]}"#)
        let store = store()
        answer(body, status: status)
        _ = try await send(store, auth)
        _ = try await send(store, auth)
        #expect(commands.value.count == (isAsked ? 2 : 1))
    }

    @Test func refreshTokenIsSharedByAllConnections() async throws {
        let auth = Self.oauth.replacing("}}", with: #", "refreshToken": "declared-one"}}"#)
        let store = store()
        answer(#"{"access_token": "access-one", "refresh_token": "rotated-one", "expires_in": 100}"#)
        _ = try await send(store, auth)
        _ = try await send(store, auth, more: #", "proxy": "http://proxy.test:3128""#)
        #expect(
            bodies == ["declared-one", "rotated-one"].map { "grant_type=refresh_token&refresh_token=\($0)" })
    }

    @Test func tokenRequestSharedByAPIsHasTheLongestOfTheirTimeouts() async throws {
        let store = store()
        answer(#"{"access_token": "access-one", "expires_in": 1}"#)
        for (timeout, asked) in [("3s", [3000]), ("9s", [3000]), ("3s", [3000, 9000])] {
            if asked.count > 1 { timer.advance(milliseconds: 1000) }
            _ = try await send(store, Self.oauth, more: #", "timeout": "\#(timeout)""#)
            #expect(mock.requests.filter(\.hasSecretBody).map(\.timeout) == asked)
        }
    }

    @Test func secretsInTokenEndpointAnswersAreRedactedBeforeShortening() async throws {
        let said = String(repeating: "x", count: 475) + "s3cr3t s3cr3t"
        answer(#"{"error": "invalid_client", "error_description": "\#(said)"}"#, status: 400)
        let error = try #require(Self.error(try await send(store(), Self.oauth)))
        #expect(error.message.hasSuffix("xxx***"))
    }

    @Test(
        arguments: [
            (
                400, #"{"error": "invalid_client", "error_description": "no access-one"}"#, .unauthorized,
                "the client id or secret is rejected (status 400); check both: invalid_client: no access-one"
            ),
            (401, "no JSON", .unauthorized, "the client id or secret is rejected (status 401); check both"),
            (
                200, #"{"error": "bad_verification_code"}"#, .unauthorized,
                "the client id or secret is rejected (status 200); check both: bad_verification_code"
            ),
            (
                200, #"{"token": "x"}"#, .invalidResponse,
                "the answer has no 'access_token'; check 'tokenURL' in the catalog"
            ),
            (
                200, #"{"access_token": "a\nb"}"#, .invalidResponse,
                "the 'access_token' has characters that a header must not have; report this to the API's provider"
            ),
            (
                200, #"{"access_token": "a", "token_type": "mac"}"#, .invalidResponse,
                #"the 'token_type' is "mac": only "bearer" is supported; ask the API's provider for a bearer token"#
            ),
            (503, "", .serverError, "the server failed with status 503; try again later"),
            (429, "{}", .rateLimited, "too many requests (status 429); try again later"),
        ] as [(Int, String, APIError.Kind, String)])
    func tokenEndpointErrorIsReported(status: Int, body: String, kind: APIError.Kind, reason: String) async throws {
        answer(body, status: status)
        let error = try #require(Self.error(try await send(store(), Self.oauth)))
        #expect(
            error.message == "no token for the API 'a' (c.jsonc:1:78): from the token endpoint: \(reason)")
        #expect(error.kind == kind)
        #expect(error.fallsBackToCache == (kind != .unauthorized))
        #expect(mock.requests.count == 1)
    }

    @Test func unreachableTokenEndpointIsReported() async throws {
        mock.set(.failure(.network("refused")))
        let error = try #require(Self.error(try await send(store(), Self.oauth)))
        #expect(error.kind == .network)
        #expect(error.message.hasSuffix("from the token endpoint: the API was not reached: refused"))
    }

    @Test func tokenEndpointUsesTheReplacedBaseURL() async throws {
        let auth = Self.oauth.replacing("id.test", with: "a.test")
        let catalog = try CatalogText.decode(
            CatalogText.make(api: #"{"baseURL": "https://a.test/v1", "auth": \#(auth)}"#))
        let moved = try catalog.reached(at: [("a", "http://127.0.0.1:9/v1")])
        let authorizer = store().authorizer(for: moved.apis[0], catalog: "c", secrets: [])
        mock.set(.success(HTTPResponse(status: 200, body: Array(#"{"access_token": "access-one"}"#.utf8))))
        _ = try await authorizer?.authorize(HTTPRequest(url: "http://127.0.0.1:9/v1"), before: .max)
        #expect(mock.requests.map(\.url) == ["http://127.0.0.1:9/token?x=1"])
    }

    @Test func reloadedCatalogKeepsKnownTokens() async throws {
        let store = store()
        _ = try await send(store, #"{"bearer": {"command": ["gh"]}}"#)
        _ = try await send(store, #"{"apiKey": {"in": "header", "name": "X", "value": {"command": ["gh"]}}}"#)
        _ = try await send(store, #"{"bearer": {"command": ["gh"], "for": "1m"}}"#)
        let shown = mock.requests.map(\.credentials[0].value)
        #expect(shown == ["Bearer gh-secret-1", "gh-secret-1", "Bearer gh-secret-2"])
    }

    /// Tokens that no recent catalog uses are forgotten. A secret in a file may change every hour for months.
    @Test func tokensUnusedByRecentCatalogsAreForgotten() throws {
        let store = store()
        for number in 1...50 {
            let catalog = try Self.catalog(
                #"""
                {"oauth2": {"tokenURL": "https://a.test/t", "clientID": "c", "clientSecret": {"command": ["c\#(number)"]},
                 "refreshToken": "refresh-\#(number)"}}
                """#)
            store.beginCatalog()
            _ = store.authorizer(for: catalog.apis[0], catalog: "c.jsonc", secrets: [])
        }
        #expect(store.count == 3 * 8)
    }

    @Test func catalogReusesTokensOfRecentCatalogs() async throws {
        let store = store()
        _ = try await send(store, #"{"bearer": {"command": ["gh"]}}"#)
        for _ in 1...7 { store.beginCatalog() }
        _ = try await send(store, #"{"bearer": {"command": ["gh"]}}"#)
        #expect(commands.value == [["gh"]])
        for _ in 1...8 { store.beginCatalog() }
        _ = try await send(store, #"{"bearer": {"command": ["gh"]}}"#)
        #expect(commands.value == [["gh"], ["gh"]])
    }
}
