import Catalog
import DataSources
import RPCServer

/// The values of `--with` for the operations of a live check: ids, parts of a scope, filters.
struct LiveInputs {
    /// The values by name. A name such as `issue.owner` applies to one resource.
    private let given: [String: String]

    init(_ given: [String: String]) { self.given = given }

    /// Returns the value of a name for a resource. A value for this resource has precedence over a general one.
    func value(_ name: String, of resource: ResourceDefinition) -> String? {
        given["\(resource.name).\(name)"] ?? given[name]
    }

    /// Returns the names that the operations of a resource accept.
    static func names(of resource: ResourceDefinition) -> [String] {
        (resource.canGet ? ["id"] : []) + resource.scope.map(\.name) + (resource.list?.filters.map(\.name) ?? [])
    }

    /// Returns an error message for the first name that no resource accepts; nil if all names are valid.
    func fault(for resources: [ResourceDefinition]) -> String? {
        let general = Set(resources.flatMap { Self.names(of: $0) })
        let single = resources.flatMap { resource in Self.names(of: resource).map { "\(resource.name).\($0)" } }
        let known = general.union(single)
        guard let unknown = given.keys.sorted().first(where: { !known.contains($0) }) else { return nil }
        let near = Suggestion.nearest(to: unknown, in: known.sorted()).map { "did you mean '\($0)'?" }
        let names = general.sorted().map { "'\($0)'" }.joined(separator: ", ")
        return "--with: no operation accepts '\(unknown)'; \(near ?? "available: \(names)")"
    }
}
