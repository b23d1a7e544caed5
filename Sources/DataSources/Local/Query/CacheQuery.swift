import JSON
import Model
import System

/// A read-only SQL statement over the cached items.
public struct CacheQuery: Equatable, Sendable {
    /// The statement. It may end with a semicolon.
    public let sql: String
    /// The values of the statement's parameters.
    public var parameters = Parameters.none
    /// The maximum number of rows to return.
    public var maxRows = 1000
    /// The maximum time that the statement may run, in milliseconds.
    public var timeout: Milliseconds = 5000
    /// Whether each table of the statement must be a complete local copy (`RESOURCE/sync`).
    public var needsSync = false
    /// The maximum age of the local copies in milliseconds; nil for any age. Only used if `needsSync` is true.
    public var maxAge: Milliseconds?

    /// The values for the parameters of a statement: by position (`?`) or by name (`:name`, `@name`, `$name`).
    public enum Parameters: Equatable, Sendable {
        case none
        case positions([JSONValue])
        case names([(name: String, value: JSONValue)])

        public static func == (left: Parameters, right: Parameters) -> Bool {
            switch (left, right) {
            case (.none, .none): true
            case (.positions(let left), .positions(let right)): left == right
            case (.names(let left), .names(let right)):
                left.elementsEqual(right) { $0.name == $1.name && $0.value == $1.value }
            default: false
            }
        }
    }

    public init(_ sql: String) { self.sql = sql }
}

/// The result of a query.
public struct QueryAnswer: Equatable, Sendable {
    /// The names of the columns. Two columns may have the same name.
    public let columns: [String]
    /// The rows as a JSON array. Each row is an array with a value for each column.
    public let rows: [UInt8]
    /// The number of rows in `rows`.
    public let count: Int
    /// Whether the statement has more rows than were requested.
    public let isTruncated: Bool
    /// The tables that the statement read.
    public let tables: [QueryTableReport]
}

/// A report about one table: how much of the API's data the table contains, and how old the rows are.
public struct QueryTableReport: Equatable, Sendable {
    /// The extent to which a table contains the data of the API.
    public enum Coverage: String, CaseIterable, Sendable {
        /// The table contains complete local copies of whole lists.
        case synced
        /// The table contains the items that are cached. Other items of the API may be missing.
        case parts
        /// The table has no rows.
        case empty
    }

    /// The way in which syncs detect that items were deleted in the API.
    public enum Deletions: String, CaseIterable, Sendable {
        /// The API reports deleted items.
        case told
        /// The last sync read the whole list.
        case walked
        /// The last sync could not find out which items no longer exist.
        case unknown
    }

    public let name: String
    /// The name of the resource whose items the table contains.
    public let resource: String
    /// The number of items in the cache.
    public let rows: Int
    public var coverage: Coverage
    /// The time of the oldest sync among the local copies; nil unless `coverage` is `synced`.
    public var syncedAt: Timestamp?
    /// The way in which syncs detect deleted items. Nil unless `coverage` is `synced`.
    public var deletions: Deletions?
    /// The fetch time of the oldest row that the statement read; nil if it read none.
    public var oldest: Timestamp?
    /// The fetch time of the newest row that the statement read; nil if it read none.
    public var newest: Timestamp?
    /// The number of rows that the statement left out because they are damaged.
    public var damaged = 0
}

/// The reason why a query has no result.
public enum QueryError: Error, Equatable, Sendable {
    /// The statement or its parameters are invalid. `offset` is the place in the statement, in bytes; nil if unknown.
    case statement(String, offset: Int?)
    /// The tables without a complete local copy, although the query requires one.
    case notSynced([UnsyncedTable])
    /// The statement exceeded a limit. The message describes the limit.
    case limit(Limit, String)
    /// Too many other queries are waiting.
    case busy
    /// Too many queries still run although they have passed their time limit.
    case blocked
    /// The caller cancelled the query.
    case cancelled
    /// The cache could not be read.
    case local(LocalDataError)

    public enum Limit: String, CaseIterable, Sendable {
        case time, memory
    }

    /// A table that is not a complete local copy, or whose copy is older than the query allows (`maxAge`).
    public struct UnsyncedTable: Equatable, Sendable {
        public let name: String
        public let resource: String
        /// Whether the resource has a list. Without one, no sync is possible.
        public let hasList: Bool
        /// The scopes to sync, each as a JSON object. Contains one empty object if the resource has no scope. Empty if
        /// the cache contains no scope of the resource.
        public let scopes: [JSONObject]
    }
}
