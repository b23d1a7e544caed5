import CSQLite

/// A prepared SQL statement of a connection. The connection frees the statement when it closes.
final class SQLiteStatement {
    private let handle: OpaquePointer
    private let database: OpaquePointer

    init(_ sql: String, in database: OpaquePointer) throws(SQLiteError) {
        var handle: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let code = sqlite3_prepare_v3(database, sql, -1, flags, &handle, nil)
        guard code == SQLITE_OK, let handle else { throw SQLiteError(code, of: database) }
        self.handle = handle
        self.database = database
    }

    /// Frees the SQL statement, which must not be used afterwards. The connection calls this function before it closes.
    func finalize() { sqlite3_finalize(handle) }

    /// Binds values to the parameters of the SQL statement, in order.
    func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
        var index: Int32 = 0
        for value in values {
            index += 1
            let code =
                switch value {
                case .null: sqlite3_bind_null(handle, index)
                case .integer(let number): sqlite3_bind_int64(handle, index, number)
                case .text(let text): bind(text, at: index)
                case .blob(let bytes): bind(bytes, at: index)
                }
            guard code == SQLITE_OK else { throw SQLiteError(code, of: database) }
        }
    }

    /// Binds an integer to the first parameter, and text to the second.
    func bind(_ number: Int64, _ text: String) throws(SQLiteError) {
        let code = sqlite3_bind_int64(handle, 1, number)
        guard code == SQLITE_OK, bind(text, at: 2) == SQLITE_OK else { throw SQLiteError(code, of: database) }
    }

    /// Advances to the next row of the result. Returns false if there are no more rows.
    func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else { throw SQLiteError(code, of: database) }
        return false
    }

    /// Ends the execution of the SQL statement, but keeps the bound values.
    func restart() { sqlite3_reset(handle) }

    /// Ends the execution of the SQL statement. This releases the statement's locks and clears the bound values.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// Returns a column of the current row as an integer.
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// Returns a column of the current row as text.
    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    /// Returns whether a column of the current row is NULL.
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// Returns a column of the current row as text; nil for NULL.
    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// Returns a column of the current row as an integer; nil for NULL.
    func optionalInteger(_ column: Int32) -> Int? { isNull(column) ? nil : Int(integer(column)) }

    /// Returns a column of the current row as bytes.
    func blob(_ column: Int32) -> [UInt8] { Array(bytes(column)) }

    /// Returns the bytes of a column of the current row; nil for NULL. The bytes are valid until the next call of
    /// `step`.
    func optionalBytes(_ column: Int32) -> UnsafeRawBufferPointer? { isNull(column) ? nil : bytes(column) }

    /// Returns the bytes of a column of the current row. The bytes are valid until the next call of `step`.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    private func bind(_ text: String, at index: Int32) -> Int32 {
        if text.isEmpty { return sqlite3_bind_text(handle, index, "", 0, larder_sqlite_transient()) }
        var text = text
        return text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
                let count = UInt64($0.count)
                return sqlite3_bind_text64(
                    handle, index, $0.baseAddress, count, larder_sqlite_transient(), UInt8(SQLITE_UTF8))
            }
        }
    }

    private func bind(_ bytes: [UInt8], at index: Int32) -> Int32 {
        // A blob without bytes has no address, and a nil address would bind NULL.
        if bytes.isEmpty { return sqlite3_bind_zeroblob(handle, index, 0) }
        return bytes.withUnsafeBytes {
            sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), larder_sqlite_transient())
        }
    }
}

/// A value to bind to a parameter of an SQL statement.
enum SQLiteValue {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    /// Creates a text value from a string, and NULL from nil.
    init(_ text: String?) { self = text.map { .text($0) } ?? .null }

    /// Creates an integer value from an integer, and NULL from nil.
    init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }

    /// Creates the integer value 1 for true and 0 for false.
    init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }
}

/// The text of an SQL statement, used as a dictionary key. The hash value depends only on the length of the text.
// The length is sufficient, because only a few statements of a connection are equally long. Comparing a string literal
// with itself costs almost nothing.
struct StatementText: Hashable {
    let sql: String

    func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
}
