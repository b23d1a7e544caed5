import Mocks
import System
import TestSupport
import Testing

@testable import Catalog
@testable import DataSources
@testable import HTTP
@testable import Model

/// Tests whole token requests, the lifetimes of tokens, and the tokens that a rejection discards.
@Suite(.limited) struct OAuthRequestTests {
    /// Client secret and refresh token come from the commands `secret` and `refresh`.
    private static let auth = #"""
        {"oauth2": {"tokenURL": "https://id.test/token", "clientID": "client-id",
                    "clientSecret": {"command": ["secret"]}, "refreshToken": {"command": ["refresh"]},
                    "scope": "read all", "params": {"audience": "b&c"}}}
        """#
    private let timer = TimerMock(passesWithSleeps: false)
    private let client = HTTPClientMock()
    private let commands = Watched<[String]>([])

    private func store() -> TokenStore {
        TokenStore(client, timer: timer) { [commands] words in
            let count = commands.change { commands in
                commands.append(words[0])
                return commands.count { $0 == words[0] }
            }
            return Program.Finished(output: Array("\(words[0])-token-\(count)".utf8), .exited(0))
        }
    }

    private func answer(_ body: String, status: Int = 200) {
        client.set(.success(HTTPResponse(status: status, body: Array(body.utf8))))
    }

    private func api(_ auth: String = auth, more: String = "") throws -> APIDefinition {
        let text = CatalogText.make(api: #"{"baseURL": "https://a.test", "auth": \#(auth)\#(more)}"#)
        return try CatalogText.decode(text).apis[0]
    }

    /// Authorizes a request, and returns the error message of a failure.
    @discardableResult
    private func authorize(_ store: TokenStore, _ api: APIDefinition) async -> String? {
        let authorizer = store.authorizer(for: api, catalog: "c.jsonc", secrets: [])
        do throws(HTTPError) {
            _ = try await authorizer?.authorize(HTTPRequest(url: "https://a.test/x"), before: .max)
            return nil
        } catch {
            return HTTPErrorMapper(redactor: .none).map(error).message
        }
    }

    private var bodies: [String] {
        client.requests.compactMap { $0.body.map { String(decoding: $0, as: UTF8.self) } }
    }

    @Test func tokenRequestHasAllItsParts() async throws {
        let api = try api(more: #", "timeout": "7s", "proxy": "http://proxy.test:3128""#)
        answer(#"{"access_token": "access-token", "refresh_token": "rotated-token"}"#)
        timer.advance(milliseconds: 500)
        let store = store()
        await authorize(store, api)
        let body =
            "grant_type=refresh_token&refresh_token=refresh-token-1&scope=read%20all&audience=b%26c"
        var expected = HTTPRequest(
            method: .post, url: "https://id.test/token",
            headers: [
                HTTPHeader("Accept", "application/json"),
                HTTPHeader("Content-Type", "application/x-www-form-urlencoded"),
            ], credentials: [HTTPHeader("Authorization", "Basic Y2xpZW50LWlkOnNlY3JldC10b2tlbi0x")],
            body: Array(body.utf8), timeout: 7000, maxBodySize: 1_048_576)
        expected.connection = api.connection
        expected.hasSecretBody = true
        expected.isBoundToOrigin = true
        #expect(client.requests == [expected])
        #expect(client.deadlines == [timer.milliseconds + 7000])
        #expect(api.connection != ConnectionSettings() && !expected.isRepeatable)
        let redactor = Redactor(secrets: [], learned: store.learned)
        for secret in ["secret-token-1", "refresh-token-1", "access-token", "rotated-token"] {
            #expect(redactor.redact(secret) == "***")
        }
        #expect(redactor.redact(expected.credentials[0].value) == "Basic ***")
    }

    @Test(
        arguments: [
            ("1", 750), ("0.004", 3), ("119", 89_250), ("120", 90_000), ("121", 91_000), ("3600", 3_570_000),
            (#""60""#, 45_000), ("1e9", 999_999_970_000), ("1e300", 999_999_970_000),
        ])
    func tokenIsRenewedBeforeItExpires(seconds: String, lifetime: Int) async throws {
        answer(#"{"access_token": "access-token", "expires_in": \#(seconds)}"#)
        let (store, api) = (store(), try api())
        await authorize(store, api)
        timer.advance(milliseconds: lifetime - 1)
        await authorize(store, api)
        #expect(client.requests.count == 1)
        timer.advance(milliseconds: 1)
        await authorize(store, api)
        #expect(client.requests.count == 2)
    }

    @Test(arguments: ["0", "-5"]) func expiredTokenIsUsedOnce(seconds: String) async throws {
        answer(#"{"access_token": "access-token", "expires_in": \#(seconds)}"#)
        let (store, api) = (store(), try api())
        for count in 1...3 {
            #expect(await authorize(store, api) == nil)
            #expect(client.requests.count == count)
        }
    }

    @Test(arguments: ["null", #""soon""#, #""""#, "[]"]) func tokenWithoutAUsableLifetimeDoesNotExpire(
        seconds: String
    ) async throws {
        answer(#"{"access_token": "access-token", "expires_in": \#(seconds)}"#)
        let (store, api) = (store(), try api())
        await authorize(store, api)
        timer.advance(milliseconds: 1 << 40)
        await authorize(store, api)
        #expect(client.requests.count == 1)
    }

    @Test(
        arguments: [
            (400, "invalid_grant", ["refresh"]), (401, "invalid_grant", ["refresh", "secret"]),
            (401, "other", ["refresh", "secret"]), (400, "invalid_client", ["refresh", "secret"]),
            (400, "invalid_request", []), (403, "invalid_grant", []), (402, "invalid_grant", []),
        ] as [(Int, String, [String])])
    func commandRunsAgainOnlyIfItsOutputIsRejected(status: Int, error: String, repeated: [String]) async throws {
        answer(#"{"error": "\#(error)"}"#, status: status)
        let (store, api) = (store(), try api())
        await authorize(store, api)
        #expect(commands.value.sorted() == ["refresh", "secret"])
        await authorize(store, api)
        #expect(commands.value.dropFirst(2).sorted() == repeated)
    }

    @Test(
        arguments: [
            (400, "invalid_grant", "refresh-token-2"), (401, "invalid_grant", "refresh-token-2"),
            (402, "invalid_grant", "rotated-token"), (401, "other", "rotated-token"),
        ])
    func onlyARejectedGrantDiscardsTheRotatedRefreshToken(status: Int, error: String, next: String) async throws {
        let auth = Self.auth.replacing(#", "params": {"audience": "b&c"}"#, with: "").replacing(
            #""scope": "read all""#, with: #""in": "header""#)
        let (store, api) = (store(), try api(auth))
        answer(#"{"access_token": "access-token", "refresh_token": "rotated-token", "expires_in": 1}"#)
        await authorize(store, api)
        timer.advance(milliseconds: 750)
        answer(#"{"error": "\#(error)"}"#, status: status)
        await authorize(store, api)
        await authorize(store, api)
        // A rejection of the rotated token also discards the token from the command.
        let tokens = ["refresh-token-1", "rotated-token", next]
        #expect(bodies == tokens.map { "grant_type=refresh_token&refresh_token=\($0)" })
    }

    @Test(
        arguments: [
            (499, "{}", "the client id or secret is rejected (status 499); check both"),
            (500, "{}", "the server failed with status 500; try again later"),
            (299, "{}", "the answer has no 'access_token'; check 'tokenURL' in the catalog"),
            (299, #"{"access_token": ""}"#, "the answer has no 'access_token'; check 'tokenURL' in the catalog"),
            (
                300, #"{"access_token": "access-token"}"#,
                "the client id or secret is rejected (status 300); check both"
            ),
            (400, #"{"message": "m"}"#, "the client id or secret is rejected (status 400); check both: m"),
            (
                400, #"{"error_description": "d", "message": "m"}"#,
                "the client id or secret is rejected (status 400); check both: d"
            ),
            (
                400, #"{"error": "e", "error_description": "d"}"#,
                "the client id or secret is rejected (status 400); check both: e: d"
            ),
            (429, #"{"error": "e"}"#, "too many requests (status 429); try again later: e"),
            (599, #"{"error": "e"}"#, "the server failed with status 599; try again later: e"),
        ])
    func rejectionHasTheMessageOfTheEndpoint(status: Int, body: String, message: String) async throws {
        answer(body, status: status)
        let shown = await authorize(store(), try api())
        #expect(shown?.hasSuffix("): from the token endpoint: \(message)") == true, "\(shown ?? "")")
    }
}
