import CSQLite
import System

/// What SQLite, or the system on the way to it, said of a failure.
struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
    /// An extended result code (https://sqlite.org/rescode.html).
    let code: Int32
    /// The engine's message.
    let message: String

    /// Another program cut short what SQLite has mapped of the file: the same may succeed at once.
    static let cutShort = SQLiteError(
        code: SQLITE_BUSY | 1 << 8, message: "another program is writing over the file")

    /// What SQLite has mapped of the file is this process's alone, since it could not be mapped again. Going on would
    /// break the file.
    static let unshared = SQLiteError(
        code: SQLITE_IOERR | 21 << 8, message: "another program has taken the file's index away")

    /// Runs `body`, and again where another program cut a file short meanwhile; not for ever.
    static func retryingCuts<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        for _ in 0..<8 {
            do {
                return try body()
            } catch {
                guard error == .cutShort else { throw error }
            }
        }
        return try body()
    }

    /// What SQLite says of a failure.
    init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    /// A connection's last error.
    init(_ code: Int32, of database: OpaquePointer) {
        let text = String(cString: sqlite3_errmsg(database))
        self.code = code
        message = code & 0xFF == SQLITE_CANTOPEN ? .withShortage(text) : text
    }

    /// The code without its extension, such as `SQLITE_BUSY`.
    var primaryCode: Int32 { code & 0xFF }

    /// Whether the file itself is broken, or is no database at all.
    var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

    /// Whether another process or connection holds a lock.
    var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED || isProtocol }

    /// Whether the index of the write-ahead log is locked, and not made yet.
    var isProtocol: Bool { code == SQLITE_PROTOCOL }

    /// Whether the system could not read or write; the connection is then of no more use.
    var isSystemFailure: Bool { primaryCode == SQLITE_IOERR || primaryCode == SQLITE_READONLY }

    /// Whether the same may succeed later: a lock is released, a disk gets room again.
    var mayPass: Bool {
        isBusy || isSystemFailure || [SQLITE_FULL, SQLITE_NOMEM, SQLITE_CANTOPEN].contains(primaryCode)
    }

    /// Whether the file is not ours to change: of a newer version, or another program's.
    var isForeign: Bool { primaryCode == SQLITE_MISMATCH }

    /// Whether the file was refused because of whose it is.
    var isRefusal: Bool { primaryCode == SQLITE_PERM }

    /// Whether this SQLite was built without something that a table needs.
    var isMissingModule: Bool { message.contains("no such module") }

    /// The error of a statement that does not fit the schema. Statements are fixed, so somebody changed the schema.
    var asForeignSchema: SQLiteError {
        guard primaryCode == SQLITE_ERROR, !isMissingModule else { return self }
        return SQLiteError(code: SQLITE_CORRUPT, message: message)
    }

    var description: String { "\(message) (SQLite \(code))" }
}

extension String {
    /// Why a file was not opened, and that there are no descriptors left where that is so: SQLite does not tell.
    static func withShortage(_ text: String) -> String { text + (Descriptors.shortage.map { "; " + $0 } ?? "") }
}
