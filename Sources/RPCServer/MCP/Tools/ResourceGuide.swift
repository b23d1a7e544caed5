import Catalog
import DataSources
import JSON

/// What a model is told of the resources: their scopes and filters, in as few words as will do. Every word costs each
/// conversation.
struct ResourceGuide: Sendable {
    let resources: [ResourceDefinition]

    var hasScopes: Bool { resources.contains { !$0.scope.isEmpty } }

    /// The scopes of resources, as a sentence to append; empty where there are none. Resources of one API often have
    /// the same one, which is said once.
    func scopes(of resources: [ResourceDefinition]) -> String {
        var parts: [(scope: String, names: [String])] = []
        for resource in resources where !resource.scope.isEmpty {
            let scope = Self.scope(of: resource)
            if let known = parts.firstIndex(where: { $0.scope == scope }) {
                parts[known].names.append(resource.name)
            } else {
                parts.append((scope, [resource.name]))
            }
        }
        let texts = parts.map { "\($0.names.joined(separator: ", ")) {\($0.scope)}" }
        return texts.isEmpty ? "" : " `scope`: \(texts.joined(separator: "; "))."
    }

    /// The scopes and filters of resources with a list, as sentences to append.
    func filters(of resources: [ResourceDefinition]) -> String {
        let parts = resources.compactMap { resource in
            let filters = (resource.list?.filters ?? []).map { Self.filter($0, of: resource) }
            return filters.isEmpty ? nil : "\(resource.name) {\(filters.joined(separator: ", "))}"
        }
        return (parts.isEmpty ? "" : " `filter`: \(parts.joined(separator: "; ")).") + scopes(of: resources)
    }

    /// What `instructions` say: at most 2,000 characters, as hosts demand. The names come last, where they may be cut
    /// off: the tools name all of them.
    var instructions: String {
        let names = resources.map(\.name)
        var text = """
            Larder has the data of APIs in a cache, and asks an API only where it must. get_item: items by their ids; \
            list_items: lists and filters; search_cached: words, in what is cached (prefetch_list fetches a list); \
            describe_resource: fields and filters. Ask for the `fields` that you need alone. `age` says how many \
            seconds ago an answer came from the API; cachePolicy "remoteFirst" asks the API in any case. \
            Resources: \(names.joined(separator: ", ")).
            """
        if text.count > Self.longest { text = text.prefix(Self.longest - 1) + "…" }
        return text
    }

    private static let longest = 2000
    /// More values than these are told by `describe_resource` alone.
    private static let mostValues = 12

    private static func scope(of resource: ResourceDefinition) -> String {
        resource.scope.map { $0.name + ($0.standard.map { "=\($0.plainText)" } ?? "") }.joined(separator: ", ")
    }

    private static func filter(_ filter: FilterDefinition, of resource: ResourceDefinition) -> String {
        filter.name + type(values(of: filter, in: resource) ?? filter.type) + (filter.isRequired ? " (required)" : "")
    }

    /// The values of the field that has a filter's name, where that takes any text.
    private static func values(of filter: FilterDefinition, in resource: ResourceDefinition) -> ParameterType? {
        guard filter.type == .string, let field = resource.fields?.first(where: { $0.name == filter.name }),
            case .enumeration(let values, _) = field.type.shape
        else { return nil }
        return .enumeration(values)
    }

    private static func type(_ type: ParameterType) -> String {
        switch type {
        case .string, .any: ""
        case .integer: ": integer"
        case .number: ": number"
        case .boolean: ": boolean"
        case .date: ": date"
        case .array(let element): self.type(element) + "[]"
        case .enumeration(let values):
            values.count > mostValues
                ? ": \(values.prefix(mostValues).joined(separator: "|"))|…" : ": \(values.joined(separator: "|"))"
        }
    }
}
