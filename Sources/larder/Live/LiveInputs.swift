import Catalog
import DataSources
import RPCServer

/// The values of `--with NAME=VALUE` for a live check: ids, scope values and filter values.
struct LiveInputs {
    /// The values by name. A name with a resource, such as `issue.owner`, applies only to this resource.
    private let given: [String: String]

    init(_ given: [String: String]) { self.given = given }

    /// Returns the value with the given name for a resource. A value for only this resource, such as `issue.owner`, has
    /// precedence over a value for all resources.
    func value(_ name: String, of resource: ResourceDefinition) -> String? {
        given["\(resource.name).\(name)"] ?? given[name]
    }

    /// Returns the names of the values that `--with` can set for a resource: `id`, scope parameters and filters.
    static func names(of resource: ResourceDefinition) -> [String] {
        (resource.canGet ? ["id"] : []) + resource.scope.map(\.name) + (resource.list?.filters.map(\.name) ?? [])
    }

    /// Returns the error message for the first name in `--with` that no operation accepts; nil if all names are valid.
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
