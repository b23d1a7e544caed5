import CSQLite

/// A virtual table that queries can read. It declares its columns, chooses how SQLite finds rows, and creates cursors.
protocol VirtualTable: AnyObject {
    /// The statement that declares the columns to SQLite.
    var declarationSQL: String { get }

    /// Plans how to find the rows: chooses the conditions of the statement that the cursor uses, and estimates the cost
    /// of reading the rows.
    func plan(_ info: UnsafeMutablePointer<sqlite3_index_info>) throws(SQLiteError)

    func makeCursor() -> any VirtualCursor
}

/// A cursor over the rows of a virtual table.
protocol VirtualCursor: AnyObject {
    var isAtEnd: Bool { get }
    /// The number of the current row.
    var rowNumber: Int64 { get }

    /// Moves to the first row that meets the conditions of a query plan.
    ///
    /// - Parameters:
    ///   - plan: the number of the query plan that the table has chosen (`VirtualTable.plan`).
    ///   - columns: the columns that the statement reads, one bit for each.
    ///   - arguments: the values in the conditions of the query plan.
    func filter(
        _ plan: Int32, columns: UInt64, _ arguments: UnsafeBufferPointer<OpaquePointer?>
    ) throws(SQLiteError)

    func next() throws(SQLiteError)

    /// Returns the value of a column of the current row to SQLite.
    func column(_ index: Int, to context: OpaquePointer?) throws(SQLiteError)
}

/// Connects virtual tables to SQLite (https://sqlite.org/vtab.html).
enum VirtualTableModule {
    /// The module name in a statement such as `CREATE VIRTUAL TABLE issue USING larder(0)`. The argument in parentheses
    /// is the number of the table (`QueryDatabase.table`).
    static let name = "larder"

    /// A reference to a Swift object that SQLite stores in its own structures.
    private final class Box<Value> {
        let value: Value

        init(_ value: Value) { self.value = value }

        /// Stores a value in a new box and returns the address of the box. The function `release` frees the box.
        // Safe: SQLite releases each table and each cursor once.
        static func make(_ value: Value) -> UnsafeMutableRawPointer { Unmanaged.passRetained(Box(value)).toOpaque() }

        static func release(_ address: UnsafeMutableRawPointer?) {
            // Safe: the address comes from `make`.
            if let address { Unmanaged<Box>.fromOpaque(address).release() }
        }

        @inline(__always)
        static func value(at address: UnsafeMutableRawPointer?) -> Value? {
            // Safe: the address comes from `make`, and SQLite has not released it.
            address.map { Unmanaged<Box>.fromOpaque($0).takeUnretainedValue().value }
        }
    }

    private typealias TableBox = Box<any VirtualTable>
    private typealias CursorBox = Box<any VirtualCursor>

    /// The functions that SQLite calls to read virtual tables. The address stays valid until the process exits.
    // Safe: the structure is written once, before its address is published.
    nonisolated(unsafe) static let module: UnsafeMutablePointer<sqlite3_module> = {
        var module = sqlite3_module()
        module.iVersion = 1
        // If both functions were the same, a statement could use the name of the module as a table.
        module.xCreate = { connect($0, $1, $2, $3, $4, $5) }
        module.xConnect = { database, context, count, arguments, table, message in
            connect(database, context, count, arguments, table, message)
        }
        module.xBestIndex = { table, info in
            guard let object = tableObject(table), let info else { return SQLITE_MISUSE }
            return code(table) { () throws(SQLiteError) in try object.plan(info) }
        }
        module.xDisconnect = { disconnect($0) }
        module.xDestroy = { disconnect($0) }
        module.xOpen = { table, result in
            guard let object = tableObject(table) else { return SQLITE_MISUSE }
            let cursor = UnsafeMutablePointer<larder_cursor>.allocate(capacity: 1)
            cursor.initialize(to: larder_cursor())
            cursor.pointee.object = CursorBox.make(object.makeCursor())
            result?.pointee = UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
            return SQLITE_OK
        }
        module.xClose = { cursor in
            guard let cursor else { return SQLITE_OK }
            let own = UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: larder_cursor.self)
            CursorBox.release(own.pointee.object)
            own.deallocate()
            return SQLITE_OK
        }
        module.xFilter = { cursor, plan, columns, count, arguments in
            guard let object = cursorObject(cursor) else { return SQLITE_MISUSE }
            let values = UnsafeBufferPointer(start: arguments, count: Int(count))
            return code(cursor?.pointee.pVtab) { () throws(SQLiteError) in
                try object.filter(plan, columns: larder_planned_columns(columns), values)
            }
        }
        module.xNext = { cursor in
            guard let object = cursorObject(cursor) else { return SQLITE_MISUSE }
            return code(cursor?.pointee.pVtab) { () throws(SQLiteError) in try object.next() }
        }
        module.xEof = { cursorObject($0)?.isAtEnd == false ? 0 : 1 }
        module.xColumn = { cursor, context, index in
            guard let object = cursorObject(cursor) else { return SQLITE_MISUSE }
            return code(cursor?.pointee.pVtab) { () throws(SQLiteError) in
                try object.column(Int(index), to: context)
            }
        }
        module.xRowid = { cursor, number in
            number?.pointee = cursorObject(cursor)?.rowNumber ?? 0
            return SQLITE_OK
        }
        let place = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        place.initialize(to: module)
        return place
    }()

    /// Registers the module at a connection. `database` must outlive the connection.
    static func register(at connection: OpaquePointer?, for database: QueryDatabase) -> Int32 {
        // Safe: `database` outlives the connection.
        let context = Unmanaged.passUnretained(database).toOpaque()
        return sqlite3_create_module_v2(connection, name, module, context, nil)
    }

    private static func connect(
        _ connection: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ count: Int32,
        _ arguments: UnsafePointer<UnsafePointer<CChar>?>?,
        _ table: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
        _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> Int32 {
        // The fourth argument is the first one in the parentheses of the statement.
        guard let context, count > 3, let text = arguments?[3], let number = Int(String(cString: text)) else {
            return SQLITE_ERROR
        }
        // Safe: the context is the database that `register` received.
        let database = Unmanaged<QueryDatabase>.fromOpaque(context).takeUnretainedValue()
        guard let object = database.table(number) else { return SQLITE_ERROR }
        let code = sqlite3_declare_vtab(connection, object.declarationSQL)
        guard code == SQLITE_OK else { return code }
        let own = UnsafeMutablePointer<larder_table>.allocate(capacity: 1)
        own.initialize(to: larder_table())
        own.pointee.object = TableBox.make(object)
        table?.pointee = UnsafeMutableRawPointer(own).assumingMemoryBound(to: sqlite3_vtab.self)
        return SQLITE_OK
    }

    private static func disconnect(_ table: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
        guard let table else { return SQLITE_OK }
        let own = UnsafeMutableRawPointer(table).assumingMemoryBound(to: larder_table.self)
        TableBox.release(own.pointee.object)
        own.deallocate()
        return SQLITE_OK
    }

    private static func tableObject(_ table: UnsafeMutablePointer<sqlite3_vtab>?) -> (any VirtualTable)? {
        guard let table else { return nil }
        let own = UnsafeMutableRawPointer(table).assumingMemoryBound(to: larder_table.self)
        return TableBox.value(at: own.pointee.object)
    }

    @inline(__always)
    private static func cursorObject(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> (any VirtualCursor)? {
        guard let cursor else { return nil }
        let own = UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: larder_cursor.self)
        return CursorBox.value(at: own.pointee.object)
    }

    /// Calls `body`, and returns an SQLite result code. If `body` fails, sets the error message of the virtual table.
    @inline(__always)
    private static func code(
        _ table: UnsafeMutablePointer<sqlite3_vtab>?, _ body: () throws(SQLiteError) -> Void
    ) -> Int32 {
        do throws(SQLiteError) {
            try body()
            return SQLITE_OK
        } catch {
            if let table { larder_table_error(table, error.message) }
            return error.code
        }
    }
}
