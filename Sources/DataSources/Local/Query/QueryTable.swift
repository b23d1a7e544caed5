import Catalog
import Model
import System

/// A virtual table with the cached items of one resource.
public struct QueryTable: Sendable {
    /// The name of the table in SQL statements.
    let name: String
    let resource: String
    /// The key of the resource, without scope values.
    let key: ResourceKey
    let idType: IDType
    /// The names of the scope's parameters.
    let scope: [String]
    let rules: CacheRules
    let hasList: Bool
    /// The hash of the catalog's `sync` declaration; nil if there is none, or if the API does not report deleted items.
    let declaration: String?
    let fields: [FieldDefinition]
    let columns: [QueryColumn]

    /// Creates the table of a resource.
    ///
    /// - Parameters:
    ///   - name: the name of the table. No other table has the same name.
    ///   - key: the key of the resource, without scope values.
    init(_ resource: ResourceDefinition, key: ResourceKey, name: String) {
        self.name = name
        self.resource = resource.name
        self.key = key
        idType = resource.id
        scope = resource.scope.map(\.name)
        rules = resource.cache
        hasList = resource.list != nil
        declaration = resource.sync.flatMap { $0.elements.reportsDeletions ? $0.digest : nil }
        fields = Array((resource.fields ?? []).prefix(QueryColumn.maxFields))
        columns = QueryColumn.columns(of: resource, fields)
    }

    /// The statement that declares the table to SQLite.
    var declarationSQL: String {
        "CREATE TABLE t (\(columns.map { "\($0.name.quotedName) \($0.kind.type)" }.joined(separator: ", ")))"
    }
}

/// A column of a virtual table.
struct QueryColumn: Sendable {
    /// The maximum number of fields that have their own column. SQLite allows 2000 columns in a table.
    static let maxFields = 1900

    /// The type of a column's values.
    enum Kind: Sendable {
        case text, integer, real, boolean, date, json

        /// The SQL name of the type.
        var type: String {
            switch self {
            case .integer, .boolean: "INTEGER"
            case .real: "REAL"
            case .text, .date, .json: "TEXT"
            }
        }
    }

    /// The source of a column's values: a part of the cache entry.
    enum Source: Equatable, Sendable {
        /// A field of the item. The associated value is the index of the field in `QueryTable.fields`.
        case field(Int)
        /// A value of the scope. The associated value is the index of the parameter in `QueryTable.scope`.
        case scope(Int)
        case id, scopeObject, fetchedAt, isStale, isPartial, json
    }

    let name: String
    let kind: Kind
    let source: Source
    /// Whether the column contains the id of the item. An `=` condition on the column then finds the item by its id.
    var isID = false

    /// Returns the columns of a resource: its fields, the parameters of its scope, and the columns that every table
    /// has.
    static func columns(of resource: ResourceDefinition, _ fields: [FieldDefinition]) -> [QueryColumn] {
        let id = Kind(resource.id)
        let common = [
            QueryColumn(name: "_id", kind: id, source: .id, isID: true),
            QueryColumn(name: "_scope", kind: .json, source: .scopeObject),
            QueryColumn(name: "_fetched_at", kind: .date, source: .fetchedAt),
            QueryColumn(name: "_stale", kind: .boolean, source: .isStale),
            QueryColumn(name: "_partial", kind: .boolean, source: .isPartial),
            QueryColumn(name: "_json", kind: .json, source: .json),
        ]
        var names = UniqueNames(taken: common.map(\.name))
        var columns: [QueryColumn] = []
        for (index, field) in fields.enumerated() {
            let isID = field.name == resource.idField && Kind(field.type) == id
            columns.append(
                QueryColumn(name: names.add(field.name), kind: Kind(field.type), source: .field(index), isID: isID))
        }
        if resource.fields != nil {
            for (index, part) in resource.scope.enumerated() where !fields.contains(where: { $0.name == part.name }) {
                columns.append(
                    QueryColumn(name: names.add(part.name), kind: Kind(part.type), source: .scope(index)))
            }
        }
        return columns + common
    }
}

extension QueryColumn.Kind {
    init(_ type: IDType) { self = type == .integer ? .integer : .text }

    init(_ type: FieldType) {
        self =
            switch type.shape {
            case .string, .enumeration: .text
            case .integer: .integer
            case .number: .real
            case .boolean: .boolean
            case .date: .date
            case .object, .array, .map, .any: .json
            }
    }

    init(_ type: ParameterType) {
        self =
            switch type {
            case .integer, .date(.some): .integer
            case .number: .real
            case .boolean: .boolean
            case .string, .date(nil), .enumeration: .text
            case .any, .array: .json
            }
    }
}
