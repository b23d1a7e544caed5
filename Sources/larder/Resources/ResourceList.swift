import Catalog
import JSON

/// `larder resources`: lists the resources of a catalog with their commands.
enum ResourceList {
    /// Returns a table of the resources and a note if a person reads the output on a terminal; otherwise one line of
    /// JSON for each resource.
    static func text(_ catalog: Catalog, _ terminal: Terminal, isForPeople: Bool) -> String {
        let rows = catalog.resources.map { row($0) }
        if !isForPeople { return rows.map { terminal.line($0) }.joined() }
        let fields = ["resource", "api", "commands", "parents", "filters"].filter { field in
            rows.contains { $0[field] != .null && $0[field] != .array([]) }
        }
        // A table cell shows only the first values of an array, so this code joins the names.
        let cells = rows.map { row in
            JSONValue.object(JSONObject(fields.map { ($0, joined(row[$0] ?? .null)) }))
        }
        let (layout, paint) = (
            TableLayout(cells, fields: fields, width: terminal.width), Paint(isOn: terminal.hasColour)
        )
        let note = TextWidth.wrap("larder help RESOURCE shows its fields, filters and examples", to: terminal.width)
        return layout.header(paint) + cells.map { layout.row($0, paint) }.joined()
            + note.map { paint.aside($0) + "\n" }.joined()
    }

    private static func joined(_ value: JSONValue) -> JSONValue {
        guard case .array(let elements) = value else { return value }
        return .string(elements.map { $0.string ?? $0.text }.joined(separator: ", "))
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
