import CSQLite
import System

/// A failure of SQLite, or of a system call that Larder makes before it uses SQLite.
struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
    /// An extended result code (https://sqlite.org/rescode.html).
    let code: Int32
    /// The error message of SQLite, or the reason for a failed system call.
    let message: String

    /// The error for an index of the write-ahead log that another program has truncated. An immediate retry may
    /// succeed.
    static let indexTruncated = SQLiteError(
        code: SQLITE_BUSY | 1 << 8,
        message: "another program is overwriting the file's index (-shm); let that program finish")

    /// The error for a process that no longer shares the index of its write-ahead log with other processes. Further
    /// writes would damage the file.
    static let unshared = SQLiteError(
        code: SQLITE_IOERR | 21 << 8, message: "another program replaced the file's index (-shm); restart Larder")

    /// Runs `body`. If it fails because another program truncated the write-ahead log's index, repeats it up to eight
    /// times.
    static func retryingTruncations<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        for _ in 0..<8 {
            do {
                return try body()
            } catch {
                guard error == .indexTruncated else { throw error }
            }
        }
        return try body()
    }

    /// Creates an error from a result code and a message.
    init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    /// Creates an error from a result code and the last error message of a connection.
    init(_ code: Int32, of database: OpaquePointer) {
        let text = String(cString: sqlite3_errmsg(database))
        self.code = code
        message = code & 0xFF == SQLITE_CANTOPEN ? .withShortage(text) : text
    }

    /// Creates an error after a failed system call. The message contains the failed action, the reason from `errno`,
    /// and a hint if the process has no free file descriptors.
    static func system(_ action: String) -> SQLiteError {
        SQLiteError(code: SQLITE_CANTOPEN, message: .withShortage("\(action): \(String(cString: strerror(errno)))"))
    }

    /// The primary result code, such as `SQLITE_BUSY`: the result code without its extension.
    var primaryCode: Int32 { code & 0xFF }

    /// Whether the error means that the file is broken or is not a database.
    var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

    /// Whether the error means that another process or connection holds a lock.
    var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED || isProtocol }

    /// Whether the error is `SQLITE_PROTOCOL`: SQLite could not lock the index of the write-ahead log.
    var isProtocol: Bool { code == SQLITE_PROTOCOL }

    /// Whether the error means that the system failed to read or write. The connection must then be closed.
    var isSystemFailure: Bool { primaryCode == SQLITE_IOERR || primaryCode == SQLITE_READONLY }

    /// Whether a retry may succeed later, for example after another process released a lock or disk space became free.
    var mayPass: Bool {
        isBusy || isSystemFailure || [SQLITE_FULL, SQLITE_NOMEM, SQLITE_CANTOPEN].contains(primaryCode)
    }

    /// Whether another program or a newer version of Larder made the file. Larder must not change such a file.
    var isForeign: Bool { primaryCode == SQLITE_MISMATCH }

    /// Whether Larder refused to use the file because of its owner or permissions.
    var isRefusal: Bool { primaryCode == SQLITE_PERM }

    /// Whether the SQLite library lacks a module that a table needs, such as FTS5.
    var isMissingModule: Bool { message.contains("no such module") }

    /// A copy of this error with the code `SQLITE_CORRUPT`, if a statement failed because another program has changed
    /// the file's schema. Otherwise the unchanged error.
    // Larder's statements never change, so another program must have changed the schema.
    var asForeignSchema: SQLiteError {
        guard primaryCode == SQLITE_ERROR, !isMissingModule else { return self }
        return SQLiteError(code: SQLITE_CORRUPT, message: message)
    }

    var description: String { "\(message) (SQLite \(code))" }
}

extension String {
    /// Appends a hint to an error message if the process has no free file descriptors.
    // SQLite does not report the shortage.
    static func withShortage(_ text: String) -> String { text + (Descriptors.shortage.map { "; " + $0 } ?? "") }
}
