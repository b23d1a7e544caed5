import DataSources

/// The keywords and functions that the prompt suggests.
enum SQLWords {
    /// The keywords that begin a statement.
    static let starts = ["explain", "select", "values", "with"]
    /// The keywords after which a table follows.
    static let sourceStarts: Set<String> = ["from", "join"]
    /// The keywords after which a comma no longer separates tables.
    static let sourceEnds: Set<String> = [
        "select", "where", "group", "order", "limit", "having", "union", "intersect", "except", "on", "using", "window",
    ]

    private static let keywords = [
        "all", "and", "as", "asc", "between", "by", "case", "cast", "collate", "cross", "current_date",
        "current_timestamp", "desc", "distinct", "else", "end", "escape", "except", "exists", "explain", "false",
        "filter", "first", "from", "full", "glob", "group", "having", "in", "inner", "intersect", "is", "join", "last",
        "left", "like", "limit", "materialized", "natural", "not", "null", "nulls", "offset", "on", "or", "order",
        "outer", "over", "partition", "recursive", "right", "rows", "select", "then", "true", "union", "using",
        "values", "when", "where", "window", "with",
    ]
    // Older versions of SQLite lack `concat` and `string_agg`.
    private static let functions = [
        "abs", "avg", "ceil", "char", "coalesce", "count", "date", "datetime", "floor", "format",
        "group_concat", "hex", "ifnull", "iif", "instr", "json", "json_array_length", "json_each", "json_extract",
        "json_group_array", "json_group_object", "json_object", "json_tree", "json_type", "julianday", "lag", "lead",
        "length", "lower", "ltrim", "max", "min", "nullif", "printf", "rank", "replace", "round", "row_number", "rtrim",
        "strftime", "substr", "sum", "time", "total", "trim", "typeof", "unixepoch", "upper",
    ]
    static let all = keywords + functions
    private static let known = Set(keywords)

    /// Whether SQL reads an unquoted word as a keyword.
    static func isKeyword(_ word: String) -> Bool { known.contains(word.lowercased()) }

    /// Returns a name as SQL reads it: with double quotes if it needs them.
    static func identifier(_ name: String) -> String { isKeyword(name) ? "\"\(name)\"" : name.quotedIfNeeded }
}
