/// The format in which `get`, `list` and `search` print items (`--output`).
enum OutputFormat: String, CaseIterable, Sendable {
    /// A table with a row for each item.
    case table
    /// One line for each field of an item, with nested fields indented below their parent.
    case record
    /// One indented JSON text: an array, or a single item for `get` (RFC 8259).
    case json
    /// One line of JSON for each item.
    case jsonl
    /// Comma-separated values with a header (RFC 4180). Lines end with LF.
    case csv
    /// Tab-separated values with a header. `\t`, `\n`, `\r` and `\\` replace tabs, line breaks and backslashes.
    case tsv
    /// A table in GitHub Flavored Markdown.
    case markdown
    /// One YAML 1.2 document: a sequence, or a single item for `get`.
    case yaml

    /// Whether the format is for people at a terminal, not for programs. Output in such a format ends with the source
    /// and age of the data.
    var isForPeople: Bool { self == .table || self == .record }

    /// Returns the error message for a command that does not support this format; nil if the command supports it.
    func refusal(for command: CommandName?) -> String? {
        let known: [OutputFormat]
        switch command {
        case .call: known = [.json, .jsonl, .yaml]
        case .cache: known = [.table, .json, .jsonl, .yaml]
        default: return nil
        }
        if known.contains(self) { return nil }
        let names = known.map(\.rawValue)
        let text = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
        return "--output must be \(text) for '\(command?.rawValue ?? "")', not '\(rawValue)'"
    }

    static var names: String { allCases.map(\.rawValue).joined(separator: "|") }
}
