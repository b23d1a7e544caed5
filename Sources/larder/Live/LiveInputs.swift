import Catalog
import DataSources
import RPCServer

/// What `--with` says that operations are tried with: an id, parts of a scope, filters.
struct LiveInputs {
    /// By name; `issue.owner` is for one resource.
    private let given: [String: String]

    init(_ given: [String: String]) { self.given = given }

    /// What is said of a name. What is said of this resource alone comes first.
    func value(_ name: String, of resource: ResourceDefinition) -> String? {
        given["\(resource.name).\(name)"] ?? given[name]
    }

    /// What may be said of a resource.
    static func names(of resource: ResourceDefinition) -> [String] {
        (resource.canGet ? ["id"] : []) + resource.scope.map(\.name) + (resource.list?.filters.map(\.name) ?? [])
    }

    /// What is wrong with a name that none of the resources has; nil where there is none.
    func fault(for resources: [ResourceDefinition]) -> String? {
        let general = Set(resources.flatMap { Self.names(of: $0) })
        let single = resources.flatMap { resource in Self.names(of: resource).map { "\(resource.name).\($0)" } }
        let known = general.union(single)
        guard let unknown = given.keys.sorted().first(where: { !known.contains($0) }) else { return nil }
        let near = Suggestion.nearest(to: unknown, in: known.sorted()).map { "did you mean '\($0)'?" }
        let names = general.sorted().map { "'\($0)'" }.joined(separator: ", ")
        return "--with: nothing that is tried takes '\(unknown)'; \(near ?? "there is \(names)")"
    }
}
