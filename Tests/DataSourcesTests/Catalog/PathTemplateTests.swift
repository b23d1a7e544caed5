import TestSupport
import Testing

@testable import DataSources

@Suite(.limited) struct PathTemplateTests {
    @Test(arguments: [
        ("7", "/things/7/x"), ("a/b", "/things/a%2Fb/x"), ("../../admin", "/things/..%2F..%2Fadmin/x"),
        ("%2e%2e", "/things/%252e%252e/x"), ("a?b#c", "/things/a%3Fb%23c/x"), ("a\u{0}\r\nb", "/things/a%00%0D%0Ab/x"),
        ("é\u{1F600}", "/things/%C3%A9%F0%9F%98%80/x"), ("100%", "/things/100%25/x"), ("a b", "/things/a%20b/x"),
        ("a\\b", "/things/a%5Cb/x"), ("a,b", "/things/a%2Cb/x"), ("...", "/things/.../x"),
        ("{id}", "/things/%7Bid%7D/x"),
    ])
    func anIDStaysInItsSegment(id: String, path: String) throws {
        #expect(try PathTemplate.parse("/things/{id}/x").get().path(ids: [id]) == path)
    }

    @Test(arguments: ["", ".", ".."])
    func anIDThatWouldChangeThePathIsRefused(id: String) throws {
        let template = try PathTemplate.parse("/things/{id}").get()
        #expect(throws: HTTPError.self) { try template.path(ids: [id]) }
    }

    @Test func anIDMakesNoSegmentOfDotsWithItsNeighbours() throws {
        let template = try PathTemplate.parse("/things/.{id}").get()
        #expect(throws: HTTPError.self) { try template.path(ids: ["."]) }
        #expect(try template.path(ids: ["a"]) == "/things/.a")
    }

    @Test func severalIDsAreJoinedByCommas() throws {
        let template = try PathTemplate.parse("/things/{ids}").get()
        #expect(try template.path(ids: ["1", "2", "a,b"]) == "/things/1,2,a%2Cb")
        #expect(throws: HTTPError.self) { try template.path(ids: ["1", ""]) }
    }

    @Test func aPathWithoutAPlaceIsAsWritten() throws {
        let template = try PathTemplate.parse("/things").get()
        #expect(try template.path() == "/things")
        #expect(template.placeholder == nil)
    }
}
