import JSON

/// A table whose values are never cut. If the table is too wide for the terminal, each row has several lines.
enum WrappingTable {
    /// Returns the table, with a note below it unless the note is empty. Omits a field if no row has a value for it.
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
            for row in cells { widest = max(widest, TextWidth.of(CellText.of(row[column]))) }
            tableWidth += widest + 2
        }
        let table = tableWidth > width ? list(cells, fields, view) : self.table(cells, fields, view)
        if note.isEmpty { return table }
        return table + TextWidth.wrap(note, to: width).map { view.paint.aside($0) + "\n" }.joined()
    }

    private static func table(_ cells: [[JSONValue]], _ fields: [String], _ view: TerminalView) -> String {
        let rows = cells.map { cells in
            var row = JSONObject()
            for (column, field) in fields.enumerated() { row[field] = cells[column] }
            return JSONValue.object(row)
        }
        let layout = TableLayout(rows, fields: fields, width: view.terminal.width)
        return layout.header(view.paint) + rows.map { layout.row($0, view.paint) }.joined()
    }

    /// Returns the rows as text. Each row has its first value as a heading, and a paragraph for each further value.
    /// Empty values are left out.
    private static func list(_ cells: [[JSONValue]], _ fields: [String], _ view: TerminalView) -> String {
        var text = ""
        for row in cells {
            for (column, field) in fields.enumerated() {
                let cell = row[column] == .null ? "" : CellText.of(row[column])
                if cell.isEmpty { continue }
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

    /// Returns the elements of an array as one string, separated by commas. Returns any other value unchanged, and null
    /// for a missing value.
    private static func joined(_ value: JSONValue?) -> JSONValue {
        guard case .array(let elements)? = value else { return value ?? .null }
        return .string(elements.map { $0.string ?? $0.text }.joined(separator: ", "))
    }
}
