import Catalog
import JSON
import Protocol
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct ListPositionTests {
    private static func place(_ json: String, of form: PageForm = .opaque) throws -> ListPosition {
        try JSONDocument(Array(json.utf8)).withRoot { try ListPosition($0, of: form) }
    }

    @Test func missingPositionIsTheStart() throws {
        #expect(try ListPosition(nil, of: .opaque) == ListPosition(page: .null))
        #expect(ListPosition(page: .null).token(of: .opaque) == .null)
    }

    @Test(
        arguments: [
            ("7", ListPosition(page: 7)), ("\"abc\"", ListPosition(page: "abc")), ("\"\"", ListPosition(page: "")),
            ("\"larde:1:2\"", ListPosition(page: "larde:1:2")), ("\"Larder:1:2\"", ListPosition(page: "Larder:1:2")),
            (#""larder:3:null""#, ListPosition(page: .null, offset: 3)),
            (#""larder:3:7""#, ListPosition(page: 7, offset: 3)),
            (#""larder:0:\"x\"""#, ListPosition(page: "x")),
            (#""larder:3:\"a:b\"""#, ListPosition(page: "a:b", offset: 3)),
            ("{\"a\":1}", ListPosition(page: ["a": 1])),
        ] as [(String, ListPosition)])
    func listPositionIsParsed(json: String, place: ListPosition) throws {
        #expect(try Self.place(json) == place)
    }

    @Test(arguments: [
        "larder:", "larder::", "larder:1", "larder:1:", "larder::1", "larder:-1:1", "larder:1.5:1", "larder: 1:1",
        "larder:9223372036854775808:1", "larder:1:x", "larder:1:{", "larder:1:1 2", "larder:1:'a'",
    ])
    func malformedPositionIsRefused(text: String) {
        #expect(throws: RPCError(.invalidParams, "'page' must be an unchanged 'page.next' of an earlier answer")) {
            _ = try Self.place("\"\(text)\"")
        }
    }

    /// A page number may arrive as a string, because the schema of the argument has only one type.
    @Test func decimalTextIsANumberIfPagesHaveNumbers() throws {
        #expect(try Self.place("\"2\"", of: .number(from: 1)) == ListPosition(page: 2))
        #expect(try Self.place("2", of: .number(from: 1)) == ListPosition(page: 2))
        #expect(try Self.place("\"2\"") == ListPosition(page: "2"))
        #expect(throws: RPCError(.invalidParams, "'page' must be 'page.next' of an earlier answer, or a page number")) {
            _ = try Self.place("\"x\"", of: .number(from: 1))
        }
    }

    @Test func encodedListPositionKeepsTheTypeOfThePageToken() {
        #expect(ListPosition(page: 2).token(of: .number(from: 1)) == "2")
        #expect(ListPosition(page: 2).token(of: .opaque) == "larder:0:2")
        #expect(ListPosition(page: "2").token(of: .opaque) == "2")
        #expect(ListPosition(page: "larder:1:2").token(of: .opaque) == .string(#"larder:0:"larder:1:2""#))
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func encodedListPositionIsDecodedUnchanged(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pieces = ["larder:", ":", "0", "7", "null", "\"", "\\", "\u{301}", "é", "\n", "", "larder", "\u{2028}"]
        for _ in 0..<500 {
            let text = (0..<Int.random(in: 0..<5, using: &generator))
                .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let pages: [JSONValue] = [.null, .integer(.random(in: -9...9, using: &generator)), .string(text)]
            let place = ListPosition(
                page: pages.randomElement(using: &generator) ?? .null,
                offset: Bool.random(using: &generator) ? 0 : Int.random(in: 0 ... .max, using: &generator))
            #expect(try Self.place(place.token(of: .opaque).text) == place, "\(place)")
        }
    }
}
