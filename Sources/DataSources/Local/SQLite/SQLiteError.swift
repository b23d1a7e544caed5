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

    /// Whether another process or connection holds a lock.
    var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED || code == SQLITE_PROTOCOL }

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

    var description: String { "\(message) (SQLite \(code))" }
}
