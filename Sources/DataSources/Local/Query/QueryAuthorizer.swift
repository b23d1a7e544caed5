import CSQLite

/// Decides which actions a statement may contain: SELECT, the virtual tables, and functions that only compute. SQLite
/// asks for each action while it compiles a statement.
enum QueryAuthorizer {
    /// The functions that a statement may call.
    // `TextFunctions` replaces instr, replace and trim. The time that json_patch takes grows with the square of the
    // number of members.
    private static let functions: Set<String> = [
        "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "avg", "ceil", "ceiling", "char", "coalesce",
        "concat", "concat_ws", "cos", "cosh", "count", "cume_dist", "current_date", "current_time", "current_timestamp",
        "date", "datetime", "degrees", "dense_rank", "exp", "first_value", "floor", "format", "glob", "group_concat",
        "hex", "if", "ifnull", "iif", "instr", "json", "json_array", "json_array_length", "json_error_position",
        "json_extract", "json_group_array", "json_group_object", "json_insert", "json_object",
        "json_quote", "json_remove", "json_replace", "json_set", "json_type", "json_valid", "julianday", "lag",
        "last_value", "lead", "length", "like", "likelihood", "likely", "ln", "log", "log10", "log2", "lower", "ltrim",
        "max", "min", "mod", "nth_value", "ntile", "nullif", "octet_length", "percent_rank", "pi", "pow", "power",
        "printf", "quote", "radians", "random", "rank", "replace", "round", "row_number", "rtrim", "sign", "sin",
        "sinh", "sqlite_version", "sqrt", "strftime", "string_agg", "subtype", "substr", "substring", "sum", "tan",
        "tanh", "time", "timediff", "total", "trim", "trunc", "typeof", "unhex", "unicode", "unixepoch", "unlikely",
        "upper", "zeroblob", "->", "->>",
    ]

    /// The table-valued functions that a statement may read.
    private static let tableFunctions: Set<String> = ["json_each", "json_tree"]

    /// Returns whether a statement is allowed to contain an action, which is an SQLite authorizer code such as
    /// `SQLITE_SELECT`. If the action reads a table of the catalog, calls `read` with the index of the table.
    ///
    /// - Parameters:
    ///   - first: the name of the table, for `SQLITE_READ`.
    ///   - second: the name of the column or of the function.
    static func allows(
        _ action: Int32, _ first: String?, _ second: String?, in schema: QuerySchema, read: (Int) -> Void
    ) -> Bool {
        switch action {
        case SQLITE_SELECT, SQLITE_RECURSIVE: return true
        case SQLITE_FUNCTION: return second.map { functions.contains($0.lowercased()) } ?? false
        case SQLITE_READ:
            guard let table = first else { return false }
            if let index = schema.index(of: table) {
                // Without a column, the name may be that of a common table expression.
                if second?.isEmpty == false { read(index) }
                return true
            }
            if table == QuerySchema.tables || table == QuerySchema.columns { return true }
            let name = table.lowercased()
            if tableFunctions.contains(name) { return true }
            // SQLite reports a common table expression whose columns are not read, as in `SELECT count(*) FROM x`,
            // under its own name. The other tables that SQLite knows are its schema and its pragmas.
            return second?.isEmpty != false && !["sqlite_", "pragma_"].contains { name.hasPrefix($0) }
        default: return false
        }
    }
}
