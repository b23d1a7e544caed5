import CSQLite
import System

/// A failure of SQLite, or of a system call that is needed before SQLite can be used.
struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
    /// An extended result code (https://sqlite.org/rescode.html).
    let code: Int32
    /// SQLite's error message, or the reason for a failed system call.
    let message: String

    /// The error for a file whose index another program truncated while SQLite had mapped it into memory. A retry may
    /// succeed at once.
    static let indexTruncated = SQLiteError(
        code: SQLITE_BUSY | 1 << 8,
        message: "another program is overwriting the file's index (-shm); let that program finish")

    /// The error for a file whose index could not be mapped again. This process only has a private copy of the index,
    /// so further writes would break the file.
    static let unshared = SQLiteError(
        code: SQLITE_IOERR | 21 << 8, message: "another program replaced the file's index (-shm); restart Larder")

    /// Runs `body`, and runs it again up to eight times while other programs truncate the file's index.
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

    /// Returns the error for a failed system call. Its message contains the failed action, the reason from `errno`, and
    /// the exhausted limit if there is one.
    static func system(_ action: String) -> SQLiteError {
        SQLiteError(code: SQLITE_CANTOPEN, message: .withShortage("\(action): \(String(cString: strerror(errno)))"))
    }

    /// The primary result code, such as `SQLITE_BUSY`, without its extension.
    var primaryCode: Int32 { code & 0xFF }

    /// Whether the file is broken or is not a database.
    var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

    /// Whether another process or connection holds a lock.
    var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED || isProtocol }

    /// Whether the index of the write-ahead log is locked and not complete.
    var isProtocol: Bool { code == SQLITE_PROTOCOL }

    /// Whether the system failed to read or write. The connection must then be closed.
    var isSystemFailure: Bool { primaryCode == SQLITE_IOERR || primaryCode == SQLITE_READONLY }

    /// Whether a retry may succeed later, for example after a lock was released or disk space was freed.
    var mayPass: Bool {
        isBusy || isSystemFailure || [SQLITE_FULL, SQLITE_NOMEM, SQLITE_CANTOPEN].contains(primaryCode)
    }

    /// Whether the file must not be changed, because a newer version or another program made it.
    var isForeign: Bool { primaryCode == SQLITE_MISMATCH }

    /// Whether the file was refused because of its owner or permissions.
    var isRefusal: Bool { primaryCode == SQLITE_PERM }

    /// Whether this SQLite was built without a module that a table needs.
    var isMissingModule: Bool { message.contains("no such module") }

    /// This error as the error of a foreign schema (`SQLITE_CORRUPT`), if the failed statement does not fit the file's
    /// schema. Larder's statements never change, so another program must have changed the schema.
    var asForeignSchema: SQLiteError {
        guard primaryCode == SQLITE_ERROR, !isMissingModule else { return self }
        return SQLiteError(code: SQLITE_CORRUPT, message: message)
    }

    var description: String { "\(message) (SQLite \(code))" }
}

extension String {
    /// Returns the reason why a file was not opened, with a note if the process has no file descriptors left. SQLite
    /// does not report this shortage.
    static func withShortage(_ text: String) -> String { text + (Descriptors.shortage.map { "; " + $0 } ?? "") }
}
