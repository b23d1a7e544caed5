import Mocks
import System
import TestSupport
import Testing

@testable import DataSources
@testable import HTTP

/// Tests refresh tokens that several requests to a token endpoint use at the same time.
@Suite(.limited) struct OAuthTokensTests {
    private static let auth = #"""
        {"oauth2": {"tokenURL": "https://id.test/token", "clientID": "me", "clientSecret": "s3cr3t s3cr3t",
                    "refreshToken": "declared-one"}}
        """#
    private let timer = TimerMock()
    private let client = HTTPClientMock()

    /// Sets the answer of the token endpoint.
    private func answer(_ body: String, status: Int = 200) {
        client.set { request in
            guard request.url == "https://id.test/token" else { return .success(HTTPResponse(status: 200)) }
            return .success(HTTPResponse(status: status, body: Array(body.utf8)))
        }
    }

    /// Sends a request to an API.
    ///
    /// - Parameter more: additional members of the API. Requests with different values need different access tokens.
    private func send(_ store: TokenStore, more: String) async throws {
        let text = CatalogText.make(api: #"{"baseURL": "https://a.test", "auth": \#(Self.auth)\#(more)}"#)
        let api = try CatalogText.decode(text).apis[0]
        let authorizer = store.authorizer(for: api, catalog: "c.jsonc", secrets: [])
        _ = try await authorizer?.authorize(HTTPRequest(url: "https://a.test/x"), before: .max)
    }

    @Test func refusalOfAnOlderRequestKeepsTheNewerRefreshToken() async throws {
        let store = TokenStore(client, timer: timer) { _ in Program.Finished(.exited(1)) }
        let gate = Gate()
        answer(#"{"error": "invalid_grant"}"#, status: 400)
        client.hold(at: gate)
        async let late: Void? = try? await send(store, more: "")
        await client.arrived(1)
        client.hold(at: nil)
        answer(#"{"access_token": "access-one", "refresh_token": "rotated-one", "expires_in": 100}"#)
        try await send(store, more: #", "proxy": "http://proxy.test:3128""#)
        gate.open()
        #expect(await late == nil)
        try await send(store, more: "")
        let bodies = client.requests.compactMap { $0.body.map { String(decoding: $0, as: UTF8.self) } }
        let tokens = ["declared-one", "declared-one", "rotated-one"]
        #expect(bodies == tokens.map { "grant_type=refresh_token&refresh_token=\($0)" })
    }
}
