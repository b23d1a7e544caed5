import Model
import TestSupport
import Testing

@testable import HTTP

/// Tests which parts of a request a redirect keeps.
@Suite(.limited) struct HTTPHopTests {
    private static func hop(_ change: (inout HTTPRequest) -> Void = { _ in }) throws -> HTTPHop {
        var request = HTTPRequest(method: .post, url: "https://a.test/x", body: [1])
        request.connection.certificate = "/c.pem"
        change(&request)
        return HTTPHop(request, to: try CurlURL.parse(request.url, with: CurlLibrary.open()))
    }

    private static func location(_ url: String) -> [HTTPHeader] { [HTTPHeader("Location", url)] }

    @Test func otherOriginGetsNoClientCertificate() throws {
        let same = try #require(try Self.hop().next(after: 307, Self.location("https://A.test:443/y")))
        #expect(same.connection.certificate == "/c.pem" && same.redirectedURL == "https://A.test:443/y")
        let other = try #require(try Self.hop().next(after: 307, Self.location("https://b.test/y")))
        #expect(other.connection.certificate == nil && other.body == [1])
    }

    @Test func secretBodyIsNotSentToAnotherOrigin() throws {
        let hop = try Self.hop { $0.hasSecretBody = true }
        #expect(throws: HTTPError.self) { try hop.next(after: 307, Self.location("https://b.test/y")) }
        #expect(try hop.next(after: 307, Self.location("/y"))?.body == [1])
        let next = try #require(try hop.next(after: 303, Self.location("https://b.test/y")))
        #expect(next.method == .get && next.body == nil)
    }

    @Test func answerWithoutALocationIsNoRedirect() throws {
        #expect(try Self.hop().next(after: 302, []) == nil)
        #expect(try Self.hop().next(after: 302, Self.location("")) == nil)
        #expect(try Self.hop().redirectedURL == nil)
    }
}
