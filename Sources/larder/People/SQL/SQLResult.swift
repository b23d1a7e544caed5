import DataSources
import JSON

/// The result of `cache/query`, prepared for the output formats.
struct SQLResult {
    /// The names of the columns. Unlike in the statement, no two names are equal.
    let columns: [String]
    /// The rows, each as an array with a value for each column.
    let values: [[JSONValue]]
    let isTruncated: Bool
    /// The reports about the tables that the statement read.
    let tables: [JSONValue]

    init(_ result: JSONValue) {
        var names = UniqueNames()
        let columns = (result["columns"]?.elements ?? []).map { names.add($0.string ?? "") }
        values = (result["rows"]?.elements ?? []).map(\.elements)
        self.columns = columns
        isTruncated = result["truncated"] == true
        tables = result["tables"]?.elements ?? []
    }

    /// The rows, each as an object with a member for each column.
    var rows: [JSONValue] { values.map { .object(JSONObject(zip(columns, $0).map { ($0, $1) })) } }
}
