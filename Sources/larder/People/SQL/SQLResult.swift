import DataSources
import JSON

/// The result of `cache/query`, prepared for the output formats.
struct SQLResult {
    /// The names of the columns. Repeated names get a number, so that all names differ.
    let columns: [String]
    /// The rows, each as an array with a value for each column.
    let values: [[JSONValue]]
    let isTruncated: Bool
    /// The state of each table that the statement read, as reported by `cache/query`.
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
