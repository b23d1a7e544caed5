import JSON

/// A table whose values are never cut. If the table is too wide for the terminal, each row has several lines.
enum WrappingTable {
    /// Returns the table, with a note below it. Omits a field if no row has a value for it.
    @_optimize(size)
    static func text(_ rows: [JSONValue], fields: [String], note: String, _ view: TerminalView) -> String {
        let fields = fields.filter { field in
            rows.contains { ![.null, .array([])].contains($0[field] ?? .null) }
        }
        // A table cell shows only the first values of an array, so this code joins the values.
        let cells = rows.map { row in fields.map { joined(row[$0]) } }
        let width = view.terminal.width
        var tableWidth = -2
        for (column, field) in fields.enumerated() {
            var widest = TextWidth.of(field)
            for row in cells { widest = max(widest, TextWidth.of(row[column] ?? "-")) }
            tableWidth += widest + 2
        }
        let table = tableWidth > width ? list(cells, fields, view) : self.table(cells, fields, view)
        return table + TextWidth.wrap(note, to: width).map { view.paint.aside($0) + "\n" }.joined()
    }

    private static func table(_ cells: [[String?]], _ fields: [String], _ view: TerminalView) -> String {
        let rows = cells.map { cells in
            var row = JSONObject()
            for (column, field) in fields.enumerated() { row[field] = cells[column].map { .string($0) } ?? .null }
            return JSONValue.object(row)
        }
        let layout = TableLayout(rows, fields: fields, width: view.terminal.width)
        return layout.header(view.paint) + rows.map { layout.row($0, view.paint) }.joined()
    }

    /// Returns the first value of each row as a heading, and a paragraph for each further value that is not empty.
    private static func list(_ cells: [[String?]], _ fields: [String], _ view: TerminalView) -> String {
        var text = ""
        for row in cells {
            for (column, field) in fields.enumerated() {
                guard let cell = row[column], !cell.isEmpty else { continue }
                let line = "\(field): \(cell)"
                text +=
                    column == 0
                    ? view.paint.heading(cell)
                    : TextWidth.paragraph(line, to: view.terminal.width, indent: "  ", hanging: "    ")
                text += "\n"
            }
        }
        return text
    }

    /// Returns a value as text; nil for null or no value.
    private static func joined(_ value: JSONValue?) -> String? {
        guard let value, value != .null else { return nil }
        guard case .array(let elements) = value else { return CellText.of(value) }
        return VisibleText.line(elements.map { $0.string ?? $0.text }.joined(separator: ", "))
    }
}
