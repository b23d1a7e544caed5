import Catalog
import JSON
import System

/// `larder resources`: lists the resources of a catalog with their commands.
enum ResourceList {
    /// Returns the resources in the selected format. A table ends with a note. If the table is too wide for the
    /// terminal, each resource has several lines.
    ///
    /// - Parameter catalogs: the catalogs that the command line selects. The note names the same catalogs.
    @_optimize(size)
    static func text(_ catalog: Catalog, _ catalogs: [FilePath], _ view: TerminalView) -> String {
        let rows = catalog.resources.map { row($0) }
        if view.format != .table { return view.text(rows) }
        let fields = ["resource", "api", "commands", "parents", "filters"]
        let note = "\(CommandHint.line("help RESOURCE", catalogs)) shows its fields, filters and examples"
        return WrappingTable.text(rows, fields: fields, note: note, view)
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
    /// Whether the command can be used with this resource.
    func supports(_ command: TerminalCommand) -> Bool {
        switch command {
        case .get: canGet
        case .list, .prefetch, .sync: list != nil
        case .search: true
        }
    }
}
