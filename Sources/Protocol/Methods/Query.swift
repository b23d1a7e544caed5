import JSON
import Model
import System

/// The params of `cache/query`: `{"sql", "params"?, "maxRows"?, "timeout"?, "coverage"?, "maxAge"?}`.
public struct QueryParams: MethodParams, Equatable, Sendable {
    private static let sql = Parameter(
        "sql", "a string of at most \(maxLength) bytes", "One SELECT statement.", schema: .string(maxLength: maxLength)
    ) { view in
        view.string.flatMap { $0.utf8.count <= maxLength ? $0 : nil }
    }
    private static let params = Parameter(
        "params", "an array or an object", "The values of the statement's parameters: `?`, or `:name`.",
        schema: .any(of: [.array(of: .anything), .object])
    ) { view in
        // `.none` is needed, because the literal `nil` would be a JSON null.
        view.kind == .array || view.kind == .object ? JSONValue(view) : .none
    }
    private static let maxRows = Parameter(
        "maxRows", "an integer from 1 to \(largestMaxRows)", "The largest number of rows.",
        schema: .integer(in: 1...largestMaxRows).byDefault(.integer(defaultMaxRows))
    ) { view in
        view.integer.flatMap { (1...largestMaxRows).contains($0) ? $0 : nil }
    }
    private static let timeout = Parameter(
        "timeout", "a duration of at most 60 seconds, such as \"5s\"", "The largest time that the statement may run.",
        schema: .any(of: [.number(in: 0...60), .string(pattern: timeoutPattern)]).byDefault("5s")
    ) { view in
        Quantity.milliseconds(view).flatMap { $0 <= maxTimeout ? $0 : nil }
    }
    private static let coverage = Parameter(
        "coverage", "one of \(Parameters.quoted(Coverage.allCases))",
        "With \"synced\", each table must be a complete local copy.",
        schema: .one(of: Coverage.allCases.map(\.rawValue)).byDefault(.string(Coverage.any.rawValue))
    ) { view in
        Coverage.allCases.first { view.isString($0.rawValue) }
    }
    private static let maxAge = Parameter(
        "maxAge", Parameters.maxAge.expected, "The largest age of the local copies; implies \"synced\".",
        schema: Parameters.maxAge.schema()
    ) { Quantity.milliseconds($0) }

    public static let declared = ParameterList(
        sql.required, params.optional, maxRows.optional, timeout.optional, coverage.optional, maxAge.optional)

    /// A regular expression for strings that state a duration of at most 60 seconds, such as `30s` or `0.5m`.
    private static let timeoutPattern =
        #"^0*(([0-5]?[0-9](\.[0-9]*)?|\.[0-9]+|60(\.0*)?) *s?|(\.[0-9]+|1(\.0*)?|0(\.[0-9]*)?) *m)$"#

    /// The local data that a query requires: any cached data, or complete local copies.
    public enum Coverage: String, CaseIterable, Sendable {
        case any
        /// Every table of the statement must be a complete local copy. Otherwise the query fails with `notSynced`.
        case synced
    }

    /// The maximum length of an SQL statement, in bytes.
    public static let maxLength = 65_536
    public static let defaultMaxRows = 1000
    /// The largest accepted value of `maxRows`.
    public static let largestMaxRows = 100_000
    /// The maximum value of `timeout`, in milliseconds.
    public static let maxTimeout: Milliseconds = 60_000

    public let sql: String
    /// The values of the SQL statement's parameters, as an array or an object; nil if there are none.
    public let params: JSONValue?
    public var maxRows: Int
    /// The maximum time that the SQL statement may run, in milliseconds.
    public let timeout: Milliseconds
    public let coverage: Coverage
    /// The maximum age of the local copies, in milliseconds; nil for any age.
    public let maxAge: Milliseconds?

    public init(_ reader: ParamsReader) throws(RPCError) {
        let (sql, params, maxRows, timeout, coverage, maxAge) = try Self.declared.read(reader)
        (self.sql, self.params, self.maxAge) = (sql, params, maxAge)
        self.maxRows = maxRows ?? Self.defaultMaxRows
        self.timeout = timeout ?? 5000
        self.coverage = maxAge == nil ? coverage ?? .any : .synced
    }
}

/// The result of `cache/query`: `{"columns", "rows", "truncated", "tables"}`.
public struct QueryResult: RPCResult, Equatable {
    public static let schema = JSONSchema.object([
        .required("columns", .array(of: .string)),
        .required(
            "rows",
            .array(of: .array(of: .any(of: [.string, .number, .null])))
                .described("A value for each column of each row.")),
        .required("truncated", .boolean.described("Whether there are more rows than maxRows.")),
        .required("tables", .array(of: table).described("The tables that the statement reads.")),
    ])

    private static let table = JSONSchema.object([
        .required("name", .string), .required("rows", .count.described("The number of cached items.")),
        .required(
            "coverage",
            .one(of: ["synced", "parts", "empty"])
                .described("Whether the table has complete local copies of lists, or items that were cached by chance.")
        ),
        .optional("asOf", .moment.described("The time of the oldest sync.")),
        .optional("deletions", .one(of: ["told", "walked", "unknown"]).described("How deleted items were found.")),
        .optional("age", .seconds.described("The time since asOf.")),
        .optional("oldest", .moment.described("The fetch time of the oldest row that the statement read.")),
        .optional("newest", .moment), .optional("damaged", .count.described("Rows that were left out.")),
    ])

    public let columns: [String]
    /// The rows of the query's result, as a JSON array.
    public let rows: [UInt8]
    /// The number of rows in the query's result.
    public let count: Int
    public let isTruncated: Bool
    public let tables: [JSONObject]

    public init(columns: [String], rows: [UInt8], count: Int, isTruncated: Bool, tables: [JSONObject]) {
        (self.columns, self.rows, self.count) = (columns, rows, count)
        (self.isTruncated, self.tables) = (isTruncated, tables)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("columns")
        writer.value(.array(columns.map { .string($0) }))
        writer.key("rows")
        writer.splice(rows)
        writer.key("truncated")
        writer.bool(isTruncated)
        writer.key("tables")
        writer.value(.array(tables.map { .object($0) }))
        writer.endObject()
    }
}
