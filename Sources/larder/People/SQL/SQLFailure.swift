import DataSources
import JSON
import Protocol
import RPCServer
import System

/// A failure of `larder sql`: an error message, and details such as the invalid line of the statement.
struct SQLFailure: Error {
    /// The maximum width of the shown line of the statement, in columns.
    private static let maxWidth = 70

    private let message: String
    /// The lines below the message, such as the line of the statement with a caret.
    private let details: [String]

    init(_ message: String, hint: String? = nil) {
        self.message = message
        details = hint.map { [$0] } ?? []
    }

    /// Converts an error reply to a failure.
    ///
    /// - Parameters:
    ///   - error: the error object of the reply; nil if there was no reply.
    ///   - statement: the statement that failed.
    init(_ error: JSONValue?, _ statement: String, _ tables: SQLTables) {
        let text = error?["message"]?.string ?? "no reply"
        let kind = error?["data"]?["kind"]?.string
        switch kind.flatMap({ kind in RPCError.Code.own.first { $0.kind == kind } }) {
        case .notSynced?:
            let names = (error?["data"]?["tables"]?.elements ?? []).map { "'\($0.plainText)'" }
            message = "notSynced: no complete, recent copy of \(names.joined(separator: ", "))"
            let calls = (error?["data"]?["calls"]?.elements ?? []).compactMap { tables.sync(call: $0) }
            details = calls.isEmpty ? ["these resources have no list that can be synced"] : calls
        case .queryLimit?:
            message = "queryLimit: \(text)"
            details = Self.advice(on: text, error?["data"]?["limit"]?.string).map { [$0] } ?? []
        case .some:
            message = (kind ?? "") + ": " + text
            details = []
        case nil:
            let offset = error?["data"]?["offset"]?.int
            let place = offset.map { " (at byte \($0) of 'sql')" } ?? ""
            message = text.hasSuffix(place) ? String(text.dropLast(place.count)) : text
            let shown = offset.map { Self.lines(of: statement, at: $0) } ?? []
            details = shown + (Self.hint(message, tables).map { [$0] } ?? [])
        }
    }

    /// The message and the details as lines for stderr, with escaped control characters.
    var lines: String {
        "larder: \(VisibleText.line(message))\n" + details.map { "  \(VisibleText.line($0))\n" }.joined()
    }

    private static func advice(on message: String, _ limit: String?) -> String? {
        switch limit {
        case "time": "--timeout 30s allows more time, up to 60s"
        // The advice does not help for other causes, such as a text that is too long.
        case "memory" where message.contains("memory limit"): "--memory-query 1GiB allows more memory"
        default: nil
        }
    }

    private static func hint(_ message: String, _ tables: SQLTables) -> String? {
        let (table, column) = ("no such table: ", "no such column: ")
        if message.hasPrefix(table) {
            let name = String(message.dropFirst(table.count))
            let near = Suggestion.nearest(to: name, in: tables.names).map { "did you mean '\($0)'? " } ?? ""
            return near + tables.line("sql 'select name from larder_tables'") + " lists the tables"
        }
        if message.hasPrefix(column) {
            return tables.line("sql 'select table_name, name from larder_columns'") + " lists the columns"
        }
        if message.contains("'params'") || message.hasPrefix("the statement has ") {
            return "write the values after the query: larder sql QUERY VALUE..., or NAME=VALUE..."
        }
        let denials = ["not authorized", "prohibited", "may not be modified", "only statements that read"]
        return denials.contains { message.contains($0) }
            ? "a query can only read the tables of the catalog: 'larder help sql' describes them" : nil
    }

    /// Returns two lines: the line of the statement that contains the position `offset`, and a line with a caret below
    /// this position. A long line is shortened.
    ///
    /// - Parameter offset: the position in the statement, in bytes.
    static func lines(of statement: String, at offset: Int) -> [String] {
        let bytes = Array(statement.utf8)
        let offset = min(max(0, offset), bytes.count)
        let newline = UInt8(ascii: "\n")
        let start = bytes[..<offset].lastIndex(of: newline).map { $0 + 1 } ?? 0
        let end = bytes[offset...].firstIndex(of: newline) ?? bytes.count
        func shown(_ bytes: ArraySlice<UInt8>) -> String {
            VisibleText.line(String(decoding: bytes, as: UTF8.self).replacing("\t", with: " "))
        }
        var (before, after) = (shown(bytes[start..<offset]), shown(bytes[offset..<end]))
        if TextWidth.of(before) > maxWidth / 2, TextWidth.of(before + after) > maxWidth {
            before = "…" + String(before.suffix(maxWidth / 2))
        }
        after = TextWidth.cut(after, to: max(1, maxWidth - TextWidth.of(before)))
        return [before + after, String(repeating: " ", count: TextWidth.of(before)) + "^"]
    }
}
