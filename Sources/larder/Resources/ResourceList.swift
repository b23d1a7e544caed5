import Catalog
import JSON

/// `larder resources`: lists the resources of a catalog with their commands.
enum ResourceList {
    /// Returns the resources in the selected format. A table is followed by a note about another command. If the table
    /// is too wide for the terminal, each resource has several lines.
    @_optimize(size)
    static func text(_ catalog: Catalog, _ view: TerminalView) -> String {
        let rows = catalog.resources.map { row($0) }
        if view.format != .table { return view.text(rows) }
        let fields = ["resource", "api", "commands", "parents", "filters"].filter { field in
            rows.contains { $0[field] != .null && $0[field] != .array([]) }
        }
        // A table cell shows only the first values of an array, so this code joins the names.
        let cells = rows.map { row in fields.map { joined(row[$0] ?? .null) } }
        let width = view.terminal.width
        var tableWidth = -2
        for (column, field) in fields.enumerated() {
            var widest = TextWidth.of(field)
            for row in cells { widest = max(widest, TextWidth.of(row[column])) }
            tableWidth += widest + 2
        }
        let note = TextWidth.wrap("larder help RESOURCE shows its fields, filters and examples", to: width)
        let table = tableWidth > width ? list(cells, fields, view) : self.table(cells, fields, view)
        return table + note.map { view.paint.aside($0) + "\n" }.joined()
    }

    private static func table(_ cells: [[String]], _ fields: [String], _ view: TerminalView) -> String {
        let rows = cells.map { cells in
            var row = JSONObject()
            for (column, field) in fields.enumerated() { row[field] = .string(cells[column]) }
            return JSONValue.object(row)
        }
        let layout = TableLayout(rows, fields: fields, width: view.terminal.width)
        return layout.header(view.paint) + rows.map { layout.row($0, view.paint) }.joined()
    }

    /// Returns the resources as text: the name of each resource, and a paragraph for each nonempty field.
    private static func list(_ cells: [[String]], _ fields: [String], _ view: TerminalView) -> String {
        var text = ""
        for row in cells {
            for (column, field) in fields.enumerated() where !row[column].isEmpty {
                let line = "\(field): \(row[column])"
                text +=
                    column == 0
                    ? view.paint.heading(row[column])
                    : TextWidth.paragraph(line, to: view.terminal.width, indent: "  ", hanging: "    ")
                text += "\n"
            }
        }
        return text
    }

    private static func joined(_ value: JSONValue) -> String {
        guard case .array(let elements) = value else { return CellText.of(value) }
        return VisibleText.line(elements.map { $0.string ?? $0.text }.joined(separator: ", "))
    }

    private static func row(_ resource: ResourceDefinition) -> JSONValue {
        func names(_ names: [String]) -> JSONValue { .array(names.map { .string($0) }) }
        return .object(
            JSONObject([
                ("resource", .string(resource.name)), ("api", .string(resource.api)),
                ("commands", names(TerminalCommand.allCases.filter(resource.supports).map(\.name.rawValue))),
                ("parents", names(resource.scope.map(\.name))),
                ("filters", names(resource.list?.filters.map(\.name) ?? [])),
            ]))
    }
}

extension ResourceDefinition {
    /// Whether the resource supports the operation of a command.
    func supports(_ command: TerminalCommand) -> Bool {
        switch command {
        case .get: canGet
        case .list, .prefetch, .sync: list != nil
        case .search: true
        }
    }
}
