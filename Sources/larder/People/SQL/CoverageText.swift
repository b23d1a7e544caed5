import JSON
import Protocol
import System

/// Describes the result of a query: the number of rows, and how complete and how old the tables are.
struct CoverageText {
    let tables: SQLTables
    let now: Timestamp

    /// Returns a line about the result of a query, such as `2 rows; ticket: 51 items, synced 3 h ago`.
    func text(_ result: SQLResult) -> String {
        let rows = OriginText.count(result.values.count, "row") + (result.isTruncated ? ", more: --max-rows N" : "")
        return ([rows] + result.tables.map { table($0) }).joined(separator: "; ")
    }

    /// Returns a warning if the result contains only the first rows of the query, because JSON and CSV output does not
    /// show that rows are missing. Returns an empty array if the result contains all rows.
    func warnings(_ result: SQLResult) -> [String] {
        if !result.isTruncated { return [] }
        let count = result.values.count
        let advice =
            count < QueryParams.largestMaxRows
            ? "--max-rows N prints more" : "use LIMIT and OFFSET in the query for the others"
        return ["only the first \(OriginText.count(count, "row")): \(advice)"]
    }

    private func table(_ table: JSONValue) -> String {
        let name = table["name"]?.string ?? ""
        let items = OriginText.count(table["rows"]?.int ?? 0, "item")
        let sync = tables.sync(table: name).map { " (\($0))" } ?? ""
        var parts: [String]
        switch table["coverage"]?.string {
        case "synced"?:
            parts = [items]
            if let time = OriginText.moment(table["asOf"]) { parts.append(OriginText.synced(now.milliseconds - time)) }
            if table["deletions"] == "unknown" { parts.append("deleted items may remain") }
        case "empty"?: parts = ["nothing is cached\(sync)"]
        default:
            parts = [items, "maybe not all\(sync)"]
            if let oldest = OriginText.moment(table["oldest"]) {
                let age = OriginText.age(now.milliseconds - oldest)
                parts.append(age == OriginText.justNow ? "fetched \(age)" : OriginText.oldest(age))
            }
        }
        if let damaged = table["damaged"]?.int {
            parts.append("\(OriginText.count(damaged, "damaged row")) left out")
        }
        return "\(VisibleText.line(name)): \(parts.joined(separator: ", "))"
    }
}
