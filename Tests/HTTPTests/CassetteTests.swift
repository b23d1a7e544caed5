import HTTP
import Model
import System
import TestSupport
import Testing

/// Tests the exact format of cassette files.
@Suite(.limited) struct CassetteTests {
    @Test func cassetteRoundTripsAsReadableJSON() throws {
        let cassette = Cassette(
            request: CassetteRequest(method: .get, url: "https://api.example/a?b=1", bodySHA256: nil),
            response: HTTPResponse(
                status: 200,
                headers: [
                    HTTPHeader("Content-Type", "application/json"),
                    HTTPHeader("link", "<a>"), HTTPHeader("Link", "<b>"), HTTPHeader("LINK", "<c>"),
                ],
                body: Array(#"{"a":1}"#.utf8)))
        let text = """
            {
              "request": {
                "method": "GET",
                "url": "https://api.example/a?b=1",
                "bodySHA256": null
              },
              "response": {
                "status": 200,
                "headers": {
                  "content-type": "application/json",
                  "link": [
                    "<a>",
                    "<b>",
                    "<c>"
                  ]
                },
                "body": "{\\"a\\":1}"
              }
            }

            """
        #expect(String(decoding: cassette.bytes, as: UTF8.self) == text)
        let read = try Cassette(cassette.bytes)
        #expect(read.request == cassette.request)
        #expect(read.response.headers.map(\.value) == ["application/json", "<a>", "<b>", "<c>"])
        #expect(read.response.body == cassette.response.body)
    }

    @Test func binaryBodyIsStoredInACassetteAsBase64() throws {
        let cassette = Cassette(
            request: CassetteRequest(method: .post, url: "https://api.example", bodySHA256: "ab"),
            response: HTTPResponse(status: 404, body: [0xFF, 0x00]))
        #expect(String(decoding: cassette.bytes, as: UTF8.self).contains(#""bodyBase64": "/wA=""#))
        #expect(try Cassette(cassette.bytes) == cassette)
    }

    @Test(arguments: [
        ("{", #"expected a key in quotes, found the end of input at line 1, column 2"#),
        ("[]", #"expected an object at line 1, column 1"#),
        ("{\"request\": {}}", #"expected an object with "response" at line 1, column 1"#),
        (
            "{\"request\": {\"method\": \"PUT\"},\n \"response\": {}}",
            #""request.method": expected GET or POST at line 1, column 24"#
        ),
        (
            "{\"request\": {\"method\": \"GET\", \"url\": 1},\n \"response\": {\"status\": 200}}",
            #""request.url": expected a string at line 1, column 38"#
        ),
        (
            "{\"request\": {\"method\": \"GET\", \"url\": \"u\"},\n \"response\": {\"status\": 20}}",
            #""response.status": expected a status from 100 to 599 at line 2, column 25"#
        ),
        (
            "{\"request\": {\"method\": \"GET\", \"url\": \"u\"},\n \"response\": {\"status\": 200, \"headers\": {\"a\": 1}}}",
            #""response.headers.a": expected a string at line 2, column 47"#
        ),
        (
            "{\"request\": {\"method\": \"GET\", \"url\": \"u\"},\n \"response\": {\"status\": 200, \"bodyBase64\": \"?\"}}",
            #""response.bodyBase64": expected Base64 at line 2, column 44"#
        ),
    ])
    func cassetteErrorsContainTheirPosition(text: String, message: String) {
        #expect(throws: CassetteFault(message: message)) { try Cassette(Array(text.utf8)) }
    }

    @Test(arguments: [
        ("https://api.example/api/character?page=2&name=a%20b", "get-api-character-page=2-name=a-20b-"),
        ("https://api.example", "get-"), ("https://api.example/", "get-"), ("https://api.example?a=1", "get-a=1-"),
        ("https://api.example/../../etc", "get-etc-"), ("nonsense", "get-"),
    ])
    func fileNameOfACassetteContainsMethodAndPath(url: String, start: String) {
        let name = CassetteRequest(method: .get, url: url, bodySHA256: nil).fileName
        #expect(name.hasPrefix(start))
        #expect(name.utf8.count == start.utf8.count + 8 + 5)
        #expect(name.hasSuffix(".json"))
    }

    @Test func cassettesOfDifferentRequestsHaveDifferentFileNames() {
        let names = [
            CassetteRequest(method: .get, url: "https://a.example/x", bodySHA256: nil),
            CassetteRequest(method: .get, url: "https://b.example/x", bodySHA256: nil),
            CassetteRequest(method: .get, url: "https://a.example/x/", bodySHA256: nil),
            CassetteRequest(method: .post, url: "https://a.example/x", bodySHA256: nil),
            CassetteRequest(method: .post, url: "https://a.example/x", bodySHA256: "00"),
            CassetteRequest(
                method: .get, url: "https://a.example/" + String(repeating: "x", count: 500), bodySHA256: nil),
        ].map(\.fileName)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.utf8.count < 120 })
    }
}
