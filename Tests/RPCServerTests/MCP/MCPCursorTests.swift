import JSON
import Protocol
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct MCPCursorTests {
    private static func start(_ params: String, of count: Int) throws -> Int {
        try JSONDocument(Array(params.utf8)).withRoot { try MCPCursor.start($0, of: count) }
    }

    private static func next(after start: Int, of count: Int) throws -> String? {
        var writer = JSONWriter()
        writer.beginObject()
        MCPCursor.writeNext(after: start, of: count, to: &writer)
        writer.endObject()
        let written = try JSONValue(parsing: String(decoding: writer.bytes, as: UTF8.self))["nextCursor"]
        guard case .string(let text)? = written else { return nil }
        return text
    }

    @Test(arguments: [0, 1, 49, 50, 51, 100, 101, 1234]) func cursorPagesCoverAllElements(count: Int) throws {
        var seen: [Int] = []
        var cursor: String?
        repeat {
            let start = try Self.start(cursor.map { "{\"cursor\":\"\($0)\"}" } ?? "{}", of: count)
            seen += (0..<count).dropFirst(start).prefix(MCPCursor.pageSize)
            cursor = try Self.next(after: start, of: count)
        } while cursor != nil
        #expect(seen == Array(0..<count))
    }

    @Test(arguments: ["{}", #"{"cursor":null}"#, #"{"other":1}"#])
    func missingCursorMeansTheFirstPage(params: String) throws {
        #expect(try Self.start(params, of: 200) == 0)
    }

    @Test(arguments: [
        "\"\"", "\"0\"", "\"-50\"", "\"49\"", "\"200\"", "\"250\"", "\"9223372036854775808\"",
        "\"9223372036854775800\"", "\"a\"", "\" 50\"", "50", "[]", "true",
    ])
    func invalidCursorIsRefused(cursor: String) throws {
        #expect(throws: RPCError(.invalidParams, "'cursor' must be the 'nextCursor' of an earlier result")) {
            _ = try Self.start("{\"cursor\":\(cursor)}", of: 200)
        }
    }
}
