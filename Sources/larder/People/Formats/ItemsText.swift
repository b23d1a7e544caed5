import JSON
import RPCServer

/// Formats the printed items of a command, page by page, so that the output starts early.
struct ItemsText {
    private let view: TerminalView
    /// Whether the command prints one item instead of a list.
    private let isSingle: Bool
    /// The option for showing fields that do not fit into the table, such as `--fields`. A note below the table
    /// recommends this option.
    private let advice: String
    /// The layout of the table; nil before the first page. The items of the first page determine the columns.
    private var layout: TableLayout?
    /// The columns of CSV, TSV or Markdown output; nil before the first page.
    private var separated: SeparatedText?
    /// The number of formatted items so far.
    private(set) var count = 0
    /// The field names that the user has given, but that no item has contained so far.
    private var missing: [String]
    /// The first item of the output, whose fields are suggested for a misspelt field name. Nil if the items of the
    /// first page contain all fields that the user has named.
    private var first: JSONValue?
    /// Suggests a correction for a field name that no item contained: the most similar name of an existing field.
    /// Returns nil if no name is similar.
    private let similar: (String) -> String?

    /// Creates the formatter for the output of one command.
    ///
    /// - Parameters:
    ///   - isSingle: whether the command prints one item instead of a list.
    ///   - names: further field names that the user has given, such as the names in `--sort`.
    ///   - advice: the option for showing fields that do not fit into the table, for a note below the table.
    ///   - similar: suggests a correction for a field name that no item contained: the most similar name of an existing
    ///     field. Returns nil if no name is similar.
    init(
        _ view: TerminalView, isSingle: Bool = false, names: [String] = [], advice: String = "--fields",
        similar: @escaping (String) -> String? = { _ in nil }
    ) {
        self.view = view
        self.isSingle = isSingle
        self.advice = advice
        self.similar = similar
        missing = (view.fields ?? []) + names
    }

    /// Returns the text of the next items. The first text includes the format's header or opening bracket, if any.
    mutating func text(_ items: [JSONValue]) -> String {
        defer { count += items.count }
        if !missing.isEmpty {
            missing.removeAll { name in items.contains { CellText.contains(name, in: $0) } }
            if count == 0, !missing.isEmpty { first = items.first }
        }
        switch view.format {
        case .table: return table(items)
        case .record:
            let texts = items.map { view.record($0) }
            return (count > 0 && !items.isEmpty ? "\n" : "") + texts.joined(separator: "\n")
        case .json:
            if isSingle { return items.map { view.indentedJSON($0) + "\n" }.joined() }
            return items.enumerated().map { index, item in
                (count + index == 0 ? "[\n  " : ",\n  ") + view.indentedJSON(item, margin: 2)
            }.joined()
        case .jsonl: return items.map { view.json($0) }.joined()
        case .csv, .tsv, .markdown: return view.plain(lines(items))
        case .yaml:
            return view.plain(items.map { isSingle ? YAMLText.text($0) : YAMLText.element($0) }.joined())
        }
    }

    /// Returns the text after the last item, such as a closing bracket.
    var end: String {
        switch view.format {
        case .json where !isSingle: count > 0 ? "\n]\n" : "[]\n"
        case .yaml where !isSingle && count == 0: "[]\n"
        default: ""
        }
    }

    /// A note with the names of the fields that the table does not show; empty if the table shows all fields.
    var notes: [String] {
        guard let omitted = layout?.omitted, !omitted.isEmpty else { return [] }
        let more = omitted.count > 20 ? " and \(omitted.count - 20) more" : ""
        return [
            "not shown: \(omitted.prefix(20).map { VisibleText.line($0) }.joined(separator: ", "))\(more) (\(advice))"
        ]
    }

    /// Warnings about selected fields that no item contains, and about fields that the output in columns omits.
    var warnings: [String] {
        var warnings: [String] = []
        if count > 0 {
            warnings += missing.map { name in
                let near = similar(name) ?? similarOfFirst(name)
                let hint = near.map { "; did you mean '\(VisibleText.line($0))'?" } ?? ""
                return "no item has the field '\(VisibleText.line(name, limit: 100))'\(hint)"
            }
        }
        if let omitted = separated?.omitted, !omitted.isEmpty {
            let names = omitted.prefix(20).map { VisibleText.line($0, limit: 100) }.joined(separator: ", ")
            warnings.append(
                "not printed, because no item of the first page has them: \(names); select the columns with --fields")
        }
        return warnings
    }

    private func similarOfFirst(_ name: String) -> String? {
        guard let first, let document = try? JSONDocument(Array(first.text.utf8)) else { return nil }
        return document.withRoot { FieldPath.similar(to: name, in: $0) }
    }

    private mutating func table(_ items: [JSONValue]) -> String {
        if items.isEmpty { return "" }
        var text = ""
        var layout = layout ?? TableLayout(items, fields: view.fields, width: view.terminal.width)
        if self.layout == nil { text += layout.header(view.paint) } else { layout.grow(for: items) }
        self.layout = layout
        return text + items.map { layout.row($0, view.paint) }.joined()
    }

    private mutating func lines(_ items: [JSONValue]) -> String {
        if items.isEmpty, view.fields == nil { return "" }
        let style: SeparatedText.Style = view.format == .csv ? .csv : view.format == .tsv ? .tsv : .markdown
        var separated = separated ?? SeparatedText(items, fields: view.fields, style)
        let header = self.separated == nil ? separated.header : ""
        let rows = items.map { separated.row($0) }.joined()
        self.separated = separated
        return header + rows
    }
}
