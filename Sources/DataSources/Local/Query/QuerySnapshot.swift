import JSON
import Model
import System

/// The data that a query uses: the rows of each table, and the states of the local copies of lists. All reads of a
/// query show the cache at the same moment.
// Exclusivity: only the query's thread uses the snapshot. No access to a property encloses another access.
final class QuerySnapshot {
    /// The items of one table that have the same scope.
    struct Part {
        /// The row id of the resource in the cache file.
        let number: Int64
        let key: ResourceKey
        let checksum: RowChecksum.ItemPrefix
        /// The scope as a JSON object; nil if the resource has none.
        let scope: JSONObject?
        /// The values of the scope's parameters, in the order of the catalog.
        let values: [QueryValue]
        /// The number of items. An item that is stored both whole and incomplete counts once.
        let rows: Int
        /// Whether this part contains incomplete items, which lack fields.
        let hasPartial: Bool
        /// The range from the smallest to the largest row number of the items.
        let range: ClosedRange<Int64>
        /// The state of the local copy of the whole list; nil if there is none.
        let copy: SyncState?

        /// Whether more than a quarter of the row ids in `range` belong to this part. If so, a scan of the whole range
        /// is fast.
        var isDense: Bool { Double(range.upperBound) - Double(range.lowerBound) < Double(rows) * 4 }
    }

    let store: EntityStore
    let schema: QuerySchema
    let now: Timestamp
    @exclusivity(unchecked) private var parts: [Int: [Part]] = [:]
    @exclusivity(unchecked) private var copies: [ResourceKey: SyncState]?
    /// For each checked resource, whether one of its ids is an unusual form of a number, such as `007`. The keys are
    /// the row ids of the resources.
    @exclusivity(unchecked) private var oddNumbers: [Int64: Bool] = [:]
    /// The version of the file (`PRAGMA data_version`) that this snapshot shows.
    private let version: Int64

    /// Creates a snapshot inside a read transaction. Reuses the data of the earlier snapshot, unless the cache file has
    /// changed since.
    init(_ store: EntityStore, _ schema: QuerySchema, now: Timestamp, after earlier: QuerySnapshot?) throws(SQLiteError)
    {
        (self.store, self.schema, self.now) = (store, schema, now)
        version = try store.connection.integer("PRAGMA data_version")
        if let earlier, earlier.store === store, earlier.schema === schema, earlier.version == version {
            (parts, copies, oddNumbers) = (earlier.parts, earlier.copies, earlier.oddNumbers)
        }
    }

    /// Returns the parts of a table: one part for each scope in the cache, or a single part if the resource has no
    /// scope.
    func parts(of index: Int) throws(SQLiteError) -> [Part] {
        if let known = parts[index] { return known }
        let table = schema.tables[index]
        var found: [Part] = []
        if table.scope.isEmpty {
            if let number = try store.resources.number(of: table.key) {
                found.append(try part(number, table.key, scope: nil, values: []))
            }
        } else {
            let query = SearchQuery(resource: table.key, scope: ScopeNarrowing([]))
            for (number, key) in try store.resources.resources(of: query) {
                let text = key.name.dropFirst(key.resourceName.count)
                guard case .object(let scope)? = try? JSONValue(parsing: String(text)),
                    table.key.scoped(ResourceScope(scope.members.map { ($0.key, $0.value) })) == key
                else { continue }
                let values = table.scope.map { QueryValue(scope[$0] ?? .null) }
                found.append(try part(number, key, scope: scope, values: values))
            }
        }
        parts[index] = found
        return found
    }

    /// Returns the number of rows in a table.
    func rows(of index: Int) throws(SQLiteError) -> Int { try parts(of: index).reduce(0) { $0 + $1.rows } }

    /// Returns whether an item in the given parts has an id that is an unusual form of a number, such as `007` or
    /// `1.0`.
    func hasOddNumbers(in parts: [Part]) throws(SQLiteError) -> Bool {
        for part in parts {
            var isFound = oddNumbers[part.number]
            if isFound == nil {
                isFound =
                    try store.connection.first(
                        """
                        SELECT 1 FROM items WHERE resource = ? AND id NOT GLOB '*[^-+.0-9eE ]*'
                            AND id <> CAST(CAST(id AS INTEGER) AS TEXT)
                        """, .integer(part.number)
                    ) { _ in true } ?? false
            }
            oddNumbers[part.number] = isFound
            if isFound == true { return true }
        }
        return false
    }

    private func part(
        _ number: Int64, _ key: ResourceKey, scope: JSONObject?, values: [QueryValue]
    ) throws(SQLiteError) -> Part {
        let counts = try store.connection.first(
            "SELECT count(*), ifnull(sum(partial), 0), min(key), max(key) FROM items WHERE resource = ?",
            .integer(number)
        ) { row in (0..<4).map { row.integer($0) } }
        let (count, partial) = (counts?[0] ?? 0, counts?[1] ?? 0)
        let distinct =
            partial == 0
            ? count
            : try store.connection.first(
                "SELECT count(DISTINCT id) FROM items WHERE resource = ?", .integer(number)
            ) { $0.integer(0) } ?? count
        let (lower, upper) = (counts?[2] ?? 0, counts?[3] ?? 0)
        return Part(
            number: number, key: key, checksum: RowChecksum.ItemPrefix(resource: number, key), scope: scope,
            values: values, rows: Int(clamping: distinct), hasPartial: partial > 0, range: lower...max(lower, upper),
            copy: try copy(of: key))
    }

    /// Returns the state of the local copy of a resource's whole list; nil if there is none.
    private func copy(of key: ResourceKey) throws(SQLiteError) -> SyncState? {
        if let copies { return copies[key] }
        let wholeList = PageRequest().canonicalList
        let states = try SyncTable(store).states().filter { $0.set.list == wholeList }
        let copies = Dictionary(states.map { ($0.set.resource, $0) }) { first, _ in first }
        self.copies = copies
        return copies[key]
    }
}

/// A value of a column.
enum QueryValue: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    /// Converts a JSON value to the value of a column. Booleans become 1 or 0. Objects and arrays become JSON text.
    init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .integer(flag ? 1 : 0)
        case .string(let text): self = .text(text)
        case .number(let digits):
            self = Int64(digits).map { .integer($0) } ?? Double(digits).map { .real($0) } ?? .text(digits)
        case .array, .object: self = .text(value.text)
        }
    }

    init(_ moment: Timestamp?) { self = moment.map { .text(QueryDate.text(of: $0)) } ?? .null }
}
