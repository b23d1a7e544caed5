import CSQLite

/// What SQLite, or the system on the way to it, said of a failure.
struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
    /// An extended result code (https://sqlite.org/rescode.html).
    let code: Int32
    /// The engine's message.
    let message: String

    /// The code without its extension, such as `SQLITE_BUSY`.
    var primaryCode: Int32 { code & 0xFF }

    /// Whether the file itself is broken, or is no database at all.
    var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

    var description: String { "\(message) (SQLite \(code))" }
}
