import Catalog
import DataSources
import JSON

/// Describes the scopes and filters of the resources to a model. The texts are short, because every conversation
/// includes them.
struct ResourceGuide: Sendable {
    let resources: [ResourceDefinition]

    var hasScopes: Bool { resources.contains { !$0.scope.isEmpty } }

    /// Returns the scopes of resources as a sentence to append; empty if there are none. Resources with the same scope
    /// are listed together.
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

    /// Returns the filters and scopes of resources with a list, as sentences to append.
    func filters(of resources: [ResourceDefinition]) -> String {
        let parts = resources.compactMap { resource in
            let filters = (resource.list?.filters ?? []).map { Self.filter($0, of: resource) }
            return filters.isEmpty ? nil : "\(resource.name) {\(filters.joined(separator: ", "))}"
        }
        return (parts.isEmpty ? "" : " `filter`: \(parts.joined(separator: "; ")).") + scopes(of: resources)
    }

    /// The server's `instructions`, with at most 2,000 characters, as hosts demand. The resource names come last,
    /// because they may be cut off; every tool lists them too.
    var instructions: String {
        let names = resources.map(\.name)
        var text = """
            Larder serves data of APIs from a cache, and calls an API only if needed. get_item: items by id; \
            list_items: lists and filters; search_cached: text search in cached items (prefetch_list caches a list); \
            describe_resource: fields and filters. Request only the `fields` that you need. `age` is the number of \
            seconds since an answer came from the API; cachePolicy "remoteFirst" always calls the API. \
            Resources: \(names.joined(separator: ", ")).
            """
        if text.count > Self.maxLength { text = text.prefix(Self.maxLength - 1) + "…" }
        return text
    }

    private static let maxLength = 2000
    /// The maximum number of values listed for a filter. `describe_resource` lists all of them.
    private static let maxValues = 12

    private static func scope(of resource: ResourceDefinition) -> String {
        resource.scope.map { $0.name + ($0.standard.map { "=\($0.plainText)" } ?? "") }.joined(separator: ", ")
    }

    private static func filter(_ filter: FilterDefinition, of resource: ResourceDefinition) -> String {
        filter.name + type(values(of: filter, in: resource) ?? filter.type) + (filter.isRequired ? " (required)" : "")
    }

    /// Returns the values of the field with the filter's name, for a filter that accepts any text.
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
            values.count > maxValues
                ? ": \(values.prefix(maxValues).joined(separator: "|"))|…" : ": \(values.joined(separator: "|"))"
        }
    }
}
