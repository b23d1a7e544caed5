import Catalog
import Model

/// The virtual tables of a catalog.
// A class, so that its identity shows whether a connection has the tables of this schema.
public final class QuerySchema: Sendable {
    /// The names of the tables that describe the other tables.
    static let (tables, columns) = ("larder_tables", "larder_columns")

    let tables: [QueryTable]
    private let indexes: [String: Int]

    /// Creates a table for each resource. Each `key` is the resource's key without scope values, because a table shows
    /// the items of all scopes.
    public init(_ resources: [(resource: ResourceDefinition, key: ResourceKey)]) {
        var names = UniqueNames(taken: [Self.tables, Self.columns])
        var tables: [QueryTable] = []
        for (resource, key) in resources {
            // SQLite reserves names with this prefix.
            let isReserved = resource.name.lowercased().hasPrefix("sqlite_")
            tables.append(QueryTable(resource, key: key, name: names.add((isReserved ? "_" : "") + resource.name)))
        }
        self.tables = tables
        indexes = Dictionary(tables.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    /// The names of the tables, by resource.
    public var names: [String: String] { Dictionary(tables.map { ($0.resource, $0.name) }) { first, _ in first } }

    /// Returns the index of the table with the given name; nil if there is none.
    func index(of name: String) -> Int? { indexes[name] }

    /// Returns the table of a resource with its columns, such as `issue(id INTEGER, title TEXT)`. Nil for an unknown
    /// resource.
    public func definition(of resource: String) -> String? {
        guard let table = tables.first(where: { $0.resource == resource }) else { return nil }
        let columns = table.columns.map { "\($0.name.quotedIfNeeded) \($0.kind.type)" }
        return "\(table.name.quotedIfNeeded)(\(columns.joined(separator: ", ")))"
    }
}

/// Makes names that SQLite can distinguish. SQLite ignores the case of ASCII letters.
public struct UniqueNames {
    private var taken: Set<String>

    public init(taken: [String] = []) { self.taken = Set(taken.map { $0.lowercased() }) }

    /// Returns the name, followed by `_2` or a higher number if the name is taken.
    public mutating func add(_ name: String) -> String {
        var unique = name
        var number = 1
        while !taken.insert(unique.lowercased()).inserted {
            number += 1
            unique = "\(name)_\(number)"
        }
        return unique
    }
}

extension String {
    /// The name as an SQL identifier in double quotes.
    var quotedName: String {
        "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// The name as an SQL identifier. The identifier has double quotes if the name starts with a digit, or contains
    /// characters other than letters, digits and `_`.
    public var quotedIfNeeded: String {
        let isPlain = utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
        }
        return isPlain && utf8.first.map { $0 > 0x39 } == true ? self : quotedName
    }
}
