import HTTP
import Mocks
import Model
import TestSupport
import Testing

/// Tests the targets of redirects, and the headers that are sent to them.
@Suite(.limited) struct HTTPRedirectTests {
    private let client = HTTPClient(version: "test")
    private let credentials = [HTTPHeader("Authorization", "Bearer t"), HTTPHeader("X-Key", "k")]

    @Test(arguments: [
        (301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST"),
    ])
    func redirectedPostKeepsOrChangesItsMethod(status: Int, method: String) async throws {
        let server = try LoopbackServer { $0.target == "/a" ? .redirect(status, to: "/b") : .text("end") }
        let request = HTTPRequest(
            method: .post, url: server.origin + "/a", headers: [HTTPHeader("Content-Type", "text/plain")],
            body: Array("body".utf8))
        let response = try await client.send(request)
        #expect(response.body == Array("end".utf8))
        #expect(response.headers["location"] == nil)
        let last = try #require(server.requests.last)
        #expect(server.requests.count == 2)
        #expect(last.target == "/b")
        #expect(last.method == method)
        #expect(last.body == (method == "POST" ? Array("body".utf8) : []))
        #expect(last.headers["content-type"] == (method == "POST" ? "text/plain" : nil))
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func redirectedGetStaysAGet(status: Int) async throws {
        let server = try LoopbackServer { $0.target == "/a" ? .redirect(status, to: "/b") : .text("end") }
        #expect(try await client.send(HTTPRequest(url: server.origin + "/a")).body == Array("end".utf8))
        #expect(server.requests.map(\.method) == ["GET", "GET"])
    }

    @Test(arguments: [
        ("/y/z", "/y/z"), ("z", "/a/b/z"), ("../z", "/a/z"), ("?q=2", "/a/b/c?q=2"), ("z#part", "/a/b/z"),
        ("z w", "/a/b/z%20w"), ("//SELF/z", "/z"), ("http://SELF", "/"), ("HTTP://SELF/Z", "/Z"),
    ])
    func relativeRedirectLocationsAreResolved(location: String, target: String) async throws {
        let server = try LoopbackServer { request in
            guard request.target == "/a/b/c?q=1" else { return .text("end") }
            let own = request.headers["Host"] ?? ""
            return .redirect(
                302, to: location.split(separator: "SELF", omittingEmptySubsequences: false).joined(separator: own))
        }
        let request = HTTPRequest(url: server.origin + "/a/b/c?q=1", credentials: credentials)
        #expect(try await client.send(request).body == Array("end".utf8))
        #expect(server.requests.last?.target == target)
        #expect(server.requests.last?.headers["authorization"] == "Bearer t", "the origin is the same")
    }

    @Test(arguments: [
        "ftp://127.0.0.1/", "file:///etc/passwd", "javascript:alert(1)", "http://[", "http://127.0.0.1:99999/",
    ])
    func invalidRedirectLocationsAreRejected(location: String) async throws {
        let server = try LoopbackServer { _ in .redirect(302, to: location) }
        await #expect { try await client.send(HTTPRequest(url: server.origin)) } throws: { error in
            guard let error = error as? HTTPError, case .badRedirect(location, _) = error.reason else { return false }
            return error.attempts == 1
        }
        #expect(server.requests.count == 1)
    }

    @Test func redirectWithoutLocationIsReturned() async throws {
        let server = try LoopbackServer { _ in .normal(status: 302, body: Array("where?".utf8)) }
        let response = try await client.send(HTTPRequest(url: server.origin))
        #expect(
            response
                == HTTPResponse(status: 302, headers: [HTTPHeader("Content-Length", "6")], body: Array("where?".utf8)))
    }

    @Test(arguments: [300, 304, 305, 201]) func onlyRedirectStatusesAreFollowed(status: Int) async throws {
        let server = try LoopbackServer { _ in .normal(status: status, headers: [HTTPHeader("Location", "/b")]) }
        #expect(try await client.send(HTTPRequest(url: server.origin)).status == status)
        #expect(server.requests.count == 1)
    }

    @Test func atMostFiveRedirectsAreFollowed() async throws {
        let server = try LoopbackServer { request in
            let left = Int(request.target.dropFirst()) ?? 0
            return left == 0 ? .text("end") : .redirect(302, to: "/\(left - 1)")
        }
        #expect(try await client.send(HTTPRequest(url: server.origin + "/5")).body == Array("end".utf8))
        #expect(server.requests.count == 6)
        await #expect(throws: HTTPError.tooManyRedirects(limit: 5)) {
            try await client.send(HTTPRequest(url: server.origin + "/6"))
        }
        #expect(server.requests.count == 12)
        #expect(server.connections == 1)
    }

    @Test func timeoutCoversAllRedirects() async throws {
        let server = try LoopbackServer { $0.target == "/a" ? .redirect(302, to: "/b") : .silence }
        await #expect(throws: HTTPError.timeout(100)) {
            try await client.send(HTTPRequest(url: server.origin + "/a", timeout: 100))
        }
    }

    /// A different port is a different origin.
    @Test(arguments: [302, 307]) func credentialsAreDroppedAfterARedirectToAnotherOrigin(status: Int) async throws {
        let home = try LoopbackServer { request in
            request.target.hasPrefix("/to/")
                ? .redirect(status, to: "http://127.0.0.1:\(request.target.dropFirst(4))/x") : .text("home")
        }
        let away = try LoopbackServer { request in
            .redirect(status, to: request.headers["x-home"].map { $0 + "/back" } ?? "/")
        }
        let request = HTTPRequest(
            url: "\(home.origin)/to/\(away.port)",
            headers: [HTTPHeader("X-Home", home.origin), HTTPHeader("Host", "api.example")], credentials: credentials)
        #expect(try await client.send(request).body == Array("home".utf8))
        #expect(home.requests.map { $0.headers["authorization"] } == ["Bearer t", nil])
        #expect(home.requests.map { $0.headers["x-key"] } == ["k", nil])
        #expect(away.requests.map { $0.headers["authorization"] } == [nil])
        #expect(away.requests.map { $0.headers["x-key"] } == [nil])
        #expect(home.requests.first?.headers["host"] == "api.example")
        #expect(away.requests.first?.headers["host"] == "127.0.0.1:\(away.port)")
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func originBoundRequestIsNotRedirectedToAnotherOrigin(status: Int) async throws {
        let away = try LoopbackServer { _ in .text("away") }
        let home = try LoopbackServer { request in
            switch request.target {
            case "/a": .redirect(status, to: "/b")
            case "/b": .redirect(status, to: away.origin)
            default: .text("home")
            }
        }
        for (method, path) in [(HTTPMethod.get, "/a"), (.post, "/a"), (.post, "/b")] {
            var request = HTTPRequest(method: method, url: home.origin + path)
            request.isBoundToOrigin = true
            await #expect(
                throws: HTTPError(.badRedirect(location: away.origin, "the redirect leads to another origin"))
            ) {
                try await client.send(request)
            }
        }
        #expect(home.requests.map(\.target) == ["/a", "/b", "/a", "/b", "/b"] && away.requests.isEmpty)
    }

    @Test func credentialsInALocationAreIgnored() async throws {
        let server = try LoopbackServer { request in
            request.target == "/a"
                ? .redirect(302, to: "http://user:secret@\(request.headers["host"] ?? "")/b") : .text("end")
        }
        _ = try await client.send(HTTPRequest(url: server.origin + "/a"))
        #expect(server.requests.map(\.target) == ["/a", "/b"])
        #expect(server.requests.map { $0.headers["authorization"] } == [nil, nil])
    }
}
