import CSQLite
import JSON

/// The statement of one query: compiles it, binds its parameters, and writes its rows as JSON.
struct QueryStatement {
    private let connection: OpaquePointer
    private let run: QueryRun
    private let handle: OpaquePointer

    /// Compiles the text of a query.
    ///
    /// - Throws: `QueryError.statement` if the text is not a single valid SELECT statement.
    init(_ sql: String, in connection: OpaquePointer, _ run: QueryRun) throws(QueryError) {
        (self.connection, self.run) = (connection, run)
        var text = Array(sql.utf8.map { CChar(bitPattern: $0) })
        guard !text.contains(0) else { throw .statement("the statement contains a NUL character", offset: nil) }
        text.append(0)
        var (handle, rest): (OpaquePointer?, OpaquePointer?)
        let (code, tail) = text.withUnsafeBufferPointer { text in
            var tail: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v3(connection, text.baseAddress, Int32(clamping: text.count), 0, &handle, &tail)
            // The rest of the text may have comments and semicolons. A second statement gives a handle or an error.
            guard code == SQLITE_OK, handle != nil else { return (code, false) }
            return (code, sqlite3_prepare_v3(connection, tail, -1, 0, &rest, nil) != SQLITE_OK || rest != nil)
        }
        sqlite3_finalize(rest)
        guard code == SQLITE_OK else { throw Self.error(code, of: connection, run) }
        guard let handle else { throw .statement("the statement is empty", offset: nil) }
        self.handle = handle
        if tail {
            finalize()
            throw .statement("only one statement is allowed", offset: nil)
        }
        guard sqlite3_stmt_readonly(handle) != 0, sqlite3_column_count(handle) > 0 else {
            finalize()
            throw .statement("only statements that read are allowed, such as SELECT", offset: nil)
        }
    }

    /// Frees the statement, which must not be used afterwards.
    func finalize() { sqlite3_finalize(handle) }

    var columns: [String] {
        (0..<sqlite3_column_count(handle)).map { index in
            sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
        }
    }

    /// Binds the values of the statement's parameters.
    ///
    /// - Throws: `QueryError.statement` if a parameter has no value, or if a value has no parameter.
    func bind(_ parameters: CacheQuery.Parameters) throws(QueryError) {
        let count = Int(sqlite3_bind_parameter_count(handle))
        switch parameters {
        case .none: if count > 0 { throw wrongCount(count, given: 0) }
        case .positions(let values):
            guard values.count == count else { throw wrongCount(count, given: values.count) }
            for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
        case .names(let members):
            var missing = Set((1...max(1, count)).prefix(count).map { Int32($0) })
            for (name, value) in members {
                let found = [":", "@", "$"].map { sqlite3_bind_parameter_index(handle, $0 + name) }.filter { $0 > 0 }
                if found.isEmpty { throw .statement("'params' has '\(name)', but the statement does not", offset: nil) }
                for index in found {
                    try bind(value, at: index)
                    missing.remove(index)
                }
            }
            if let first = missing.min() {
                let name = sqlite3_bind_parameter_name(handle, first).map { String(cString: $0) } ?? "?"
                throw .statement("'params' has no value for '\(name)'", offset: nil)
            }
        }
    }

    private func wrongCount(_ count: Int, given: Int) -> QueryError {
        let parameters = count == 1 ? "1 parameter" : "\(count) parameters"
        let values = given == 1 ? "1 value" : "\(given) values"
        return .statement("the statement has \(parameters), but 'params' has \(values)", offset: nil)
    }

    private func bind(_ value: JSONValue, at index: Int32) throws(QueryError) {
        let code = QueryValue(value).bind(to: handle, at: index)
        guard code == SQLITE_OK else { throw Self.error(code, of: connection, run) }
    }

    /// Runs the statement, and returns up to `maxRows` rows as a JSON array.
    ///
    /// - Throws: `QueryError` if a value cannot be a JSON value, or if the statement fails or exceeds a limit.
    func rows(_ maxRows: Int) throws(QueryError) -> (json: [UInt8], count: Int, isTruncated: Bool) {
        var writer = JSONWriter()
        var count = 0
        writer.beginArray()
        while true {
            let code = sqlite3_step(handle)
            if code == SQLITE_DONE { break }
            guard code == SQLITE_ROW else { throw Self.error(code, of: connection, run) }
            if count == maxRows {
                writer.endArray()
                return (writer.bytes, count, true)
            }
            count += 1
            writer.beginArray()
            for index in 0..<sqlite3_column_count(handle) { try write(index, to: &writer) }
            writer.endArray()
            let isLarge = writer.bytes.count > 1 << 20
            if isLarge ? run.meter.mustStop(resultBytes: writer.bytes.count) : run.meter.mustStopAtTick() {
                throw Self.error(SQLITE_INTERRUPT, of: connection, run)
            }
        }
        writer.endArray()
        return (writer.bytes, count, false)
    }

    private func write(_ index: Int32, to writer: inout JSONWriter) throws(QueryError) {
        switch sqlite3_column_type(handle, index) {
        case SQLITE_INTEGER: writer.integer(sqlite3_column_int64(handle, index))
        case SQLITE_FLOAT:
            let number = sqlite3_column_double(handle, index)
            // JSON has no infinite numbers.
            if number.isFinite { writer.literal(number.description) } else { writer.null() }
        case SQLITE_TEXT:
            let start = sqlite3_column_text(handle, index)
            let text = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index)))
            writer.string(String(decoding: text, as: UTF8.self))
        case SQLITE_BLOB:
            let name = sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
            throw .statement("the column '\(name)' contains a BLOB, which JSON cannot show; use hex()", offset: nil)
        default: writer.null()
        }
    }

    /// Returns the error for a result code. If a limit stopped the statement, the returned error names the limit
    /// instead of SQLite's error.
    static func error(_ code: Int32, of connection: OpaquePointer, _ run: QueryRun) -> QueryError {
        let primary = code & 0xFF
        _ = [SQLITE_NOMEM, SQLITE_INTERRUPT].contains(primary) && run.meter.mustStop()
        switch (run.meter.stop, primary) {
        case (let stop?, _) where stop != .time: return stop.error
        case (let stop?, SQLITE_INTERRUPT): return stop.error
        case (_, SQLITE_NOMEM): return QueryMeter.Stop.memory.error
        case (_, SQLITE_TOOBIG):
            return .limit(.memory, "a text of the query is longer than 4 MiB, or its statement is longer than 64 KiB")
        default: break
        }
        let offset = sqlite3_error_offset(connection)
        let message = String(cString: sqlite3_errmsg(connection))
        return .statement(message, offset: offset < 0 ? nil : Int(offset))
    }
}

extension QueryValue {
    /// Binds the value to a parameter of a statement. Returns a result code.
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch self {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, number)
        case .real(let number): sqlite3_bind_double(statement, index, number)
        case .text(let text):
            sqlite3_bind_text64(
                statement, index, text, UInt64(text.utf8.count), larder_sqlite_transient(), UInt8(SQLITE_UTF8))
        }
    }
}

/// Reads the rows of a query one by one, so that they can be copied to another database.
extension QueryStatement {
    /// The columns of the result, with the types that their tables declare.
    var exportColumns: [ExportColumn] {
        columns.enumerated().map { index, name in
            let type = sqlite3_column_decltype(handle, Int32(index)).map { String(cString: $0) }
            return ExportColumn(name: name, type: type.flatMap { ExportColumn.Kind(rawValue: $0) } ?? .any)
        }
    }

    /// Advances to the next row. Returns false after the last row.
    func step() throws(QueryError) -> Bool {
        let code = sqlite3_step(handle)
        guard code == SQLITE_ROW || code == SQLITE_DONE else { throw Self.error(code, of: connection, run) }
        if run.meter.mustStopAtTick() { throw Self.error(SQLITE_INTERRUPT, of: connection, run) }
        return code == SQLITE_ROW
    }

    /// Resets the statement. The next call of `step` then moves to the first row.
    func restart() { sqlite3_reset(handle) }

    /// Returns the type of a value in the current row, such as `SQLITE_TEXT`.
    func storage(_ column: Int32) -> Int32 { sqlite3_column_type(handle, column) }

    /// Binds a value of the current row to the parameter at the same position in another statement. Returns a result
    /// code.
    func bind(_ column: Int32, to other: OpaquePointer) -> Int32 {
        sqlite3_bind_value(other, column + 1, sqlite3_column_value(handle, column))
    }
}
