import JSON

/// Formats items as lines of values with a header: CSV (RFC 4180), TSV or a table in Markdown.
///
/// The first page determines the columns. Nested values are JSON. Null and missing values are empty.
struct SeparatedText {
    /// The text between and around the values.
    enum Style {
        case csv, tsv, markdown
    }

    private let style: Style
    private let names: [String]
    private var known: Set<String>
    private let isSelected: Bool
    /// Whether each column contains only numbers in the first page.
    private let isNumeric: [Bool]
    /// The names of fields that first occurred after the first page. These fields have no column in the output.
    private(set) var omitted: [String] = []

    /// Determines the columns from the items of the first page.
    ///
    /// - Parameter fields: the fields that the user selected; nil for all fields of the first page.
    init(_ items: [JSONValue], fields: [String]?, _ style: Style) {
        self.style = style
        isSelected = fields != nil
        var names = fields ?? []
        var known = Set(names)
        if fields == nil {
            for case .object(let item) in items {
                for member in item.members where known.insert(member.key).inserted { names.append(member.key) }
            }
        }
        self.names = names
        self.known = known
        isNumeric =
            style != .markdown
            ? []
            : names.map { name in
                let values = items.compactMap { CellText.find(name, in: $0) }.filter { $0 != .null }
                return !values.isEmpty && values.allSatisfy { if case .number = $0 { true } else { false } }
            }
    }

    var header: String {
        let header = line(names.map { cell(.string($0)) })
        return style == .markdown && !names.isEmpty ? header + MarkdownText.divider(isNumeric) : header
    }

    mutating func row(_ item: JSONValue) -> String {
        if !isSelected, case .object(let object) = item {
            for member in object.members where known.insert(member.key).inserted { omitted.append(member.key) }
        }
        var members: [String: JSONValue] = [:]
        if case .object(let object) = item { for member in object.members { members[member.key] = member.value } }
        return line(
            names.map { name in
                let value =
                    members[name] ?? (name.utf8.contains(UInt8(ascii: ".")) ? CellText.find(name, in: item) : nil)
                return value.map { cell($0) } ?? ""
            })
    }

    private func line(_ cells: [String]) -> String {
        switch style {
        case .csv: cells.joined(separator: ",") + "\n"
        case .tsv: cells.joined(separator: "\t") + "\n"
        case .markdown: MarkdownText.row(cells)
        }
    }

    private func cell(_ value: JSONValue) -> String {
        let text: String
        switch value {
        case .null: return ""
        case .string(let string): text = string
        default: text = value.text
        }
        return switch style {
        case .csv: Self.quoted(text)
        case .tsv: Self.escaped(text)
        case .markdown: MarkdownText.cell(text)
        }
    }

    private static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\n")
                && byte != UInt8(ascii: "\r")
        }
        if isPlain { return text }
        // The code searches for quotes among Unicode scalars, because a quote and a combining mark form one character.
        var out = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in text.unicodeScalars {
            if scalar == "\"" { out.append(scalar) }
            out.append(scalar)
        }
        return String(out) + "\""
    }

    private static func escaped(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": out.append(contentsOf: #"\\"#.unicodeScalars)
            case "\t": out.append(contentsOf: #"\t"#.unicodeScalars)
            case "\n": out.append(contentsOf: #"\n"#.unicodeScalars)
            case "\r": out.append(contentsOf: #"\r"#.unicodeScalars)
            default: out.append(scalar)
            }
        }
        return String(out)
    }
}
