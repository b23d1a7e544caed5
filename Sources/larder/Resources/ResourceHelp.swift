import Catalog
import JSON
import System

/// `larder help RESOURCE`: describes the catalog's declaration of one resource, with an example of each command.
// A class rather than a struct, because the machine code to copy a large struct takes several kilobytes.
final class ResourceHelp {
    private let resource: ResourceDefinition
    private let catalogs: [FilePath]
    private let layout: HelpLayout

    /// Creates the help on a resource.
    ///
    /// - Parameter catalogs: the catalogs that the command line selects.
    init(resource: ResourceDefinition, catalogs: [FilePath], layout: HelpLayout = .standard) {
        (self.resource, self.catalogs, self.layout) = (resource, catalogs, layout)
    }

    var text: String {
        let parts = [
            "\(VisibleText.line(resource.name)): a resource of the API '\(VisibleText.line(resource.api))'",
            section(
                "Parents",
                resource.scope.map { scope in
                    (scope.name, describe(scope.type, standard: scope.standard, isRequired: scope.standard == nil))
                }),
            section(
                "Filters of the list",
                (resource.list?.filters ?? []).map { filter in
                    (filter.name, describe(type(of: filter), standard: filter.standard, isRequired: filter.isRequired))
                }),
            fields, "Examples:\n" + examples.map { "  \(VisibleText.line($0))" }.joined(separator: "\n"),
        ]
        return parts.compactMap { $0 }.joined(separator: "\n\n") + "\n"
    }

    private func section(_ title: String, _ rows: [(String, String)]) -> String? {
        if rows.isEmpty { return nil }
        return "\(title):\n"
            + layout.table(rows.map { (term: VisibleText.line($0.0), meaning: VisibleText.line($0.1)) })
    }

    private var fields: String? {
        guard let fields = resource.fields else { return "Fields: all that the API returns" }
        return section(
            "Fields",
            fields.map { field in
                (field.name, field.type.expected + (field.type.isOptional ? ", or null" : ""))
            })
    }

    private func describe(_ type: ParameterType, standard: JSONValue?, isRequired: Bool) -> String {
        type.expected + (standard.map { " (default: \($0.plainText))" } ?? "") + (isRequired ? ", required" : "")
    }

    /// Returns the type of a filter's values. For a string filter that has the same name as an enumeration field,
    /// returns the type of the field.
    private func type(of filter: FilterDefinition) -> ParameterType {
        guard filter.type == .string, let field = resource.fields?.first(where: { $0.name == filter.name }),
            case .enumeration(let values, _) = field.type.shape
        else { return filter.type }
        return .enumeration(values)
    }

    private var examples: [String] {
        let scope = resource.scope.filter { $0.standard == nil }.map { " \($0.name)=VALUE" }.joined()
        let filters = resource.list?.filters ?? []
        let required = filters.filter(\.isRequired).map { " \($0.name)=\(example(of: $0))" }.joined()
        let name = resource.name
        var lines: [String] = []
        if resource.canGet {
            lines.append("get \(name) ID\(scope)")
            lines.append("watch \(name) ID\(scope)")
            if resource.fields.map({ WebPage.isLikely($0) }) ?? true { lines.append("open \(name) ID\(scope)") }
        }
        if resource.list != nil {
            lines.append("list \(name)\(scope)\(required)")
            if let filter = filters.first(where: { !$0.isRequired }) {
                lines.append("list \(name)\(scope)\(required) \(filter.name)=\(example(of: filter))")
            }
            for command in ["watch list", "prefetch", "sync"] { lines.append("\(command) \(name)\(scope)\(required)") }
        }
        lines.append("search \(name) TEXT")
        return lines.map { CommandHint.line($0, catalogs) }
    }

    private func example(of filter: FilterDefinition) -> String {
        if case .enumeration(let values) = type(of: filter), let first = values.first { return first }
        return "VALUE"
    }
}
