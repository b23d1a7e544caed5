import Catalog
import DataSources
import JSON

/// Describes the scopes and filters of the resources to a model. The descriptions are short, because every conversation
/// includes them.
struct ResourceGuide: Sendable {
    let resources: [ResourceDefinition]

    /// Returns an array with the definition of the `scope` argument; empty if none of the resources has a scope.
    ///
    /// - Parameter isRequired: whether the argument is required for a resource with a scope.
    func scopeArguments(of resources: [ResourceDefinition], isRequired: Bool = true) -> [ToolArgument] {
        guard isRequired else {
            let scopes = scopes(of: resources)
            return scopes.isEmpty ? [] : [ToolSchemas.scope("Only items of: " + scopes)]
        }
        // A scope may be absent if all of its parameters have default values.
        let required = scopes(of: resources.filter { $0.scope.contains { $0.standard == nil } })
        let optional = scopes(of: resources.filter { !$0.scope.contains { $0.standard == nil } })
        let texts = [("Required for: ", required), ("Optional for: ", optional)].filter { !$0.1.isEmpty }
        return texts.isEmpty ? [] : [ToolSchemas.scope(texts.map { $0.0 + $0.1 }.joined(separator: ". "))]
    }

    /// Returns an array with the definition of the `filter` argument; empty if none of the lists has filters.
    func filterArguments(of resources: [ResourceDefinition]) -> [ToolArgument] {
        let filters = filters(of: resources)
        return filters.isEmpty ? [] : [ToolSchemas.filter(filters)]
    }

    /// Whether one of the given resources needs the `scope` argument.
    func needsScope(_ resources: [ResourceDefinition]) -> Bool {
        resources.contains { $0.scope.contains { $0.standard == nil } }
    }

    /// Describes the scopes; empty if no resource has a scope. Resources with the same scope are listed together.
    private func scopes(of resources: [ResourceDefinition]) -> String {
        var parts: [(scope: String, names: [String])] = []
        for resource in resources where !resource.scope.isEmpty {
            let scope = Self.scope(of: resource)
            if let known = parts.firstIndex(where: { $0.scope == scope }) {
                parts[known].names.append(resource.name)
            } else {
                parts.append((scope, [resource.name]))
            }
        }
        return parts.map { "\($0.names.joined(separator: ", ")) {\($0.scope)}" }.joined(separator: "; ")
    }

    /// Describes the filters of all lists; empty if no list has filters. Filters shared by all lists are described only
    /// once if this makes the text shorter.
    private func filters(of resources: [ResourceDefinition]) -> String {
        let lists = resources.compactMap { resource in
            resource.list.map { list in
                (name: resource.name, filters: list.filters.map { Self.filter($0, of: resource) })
            }
        }
        let shared = (lists.first?.filters ?? []).filter { filter in
            lists.allSatisfy { $0.filters.contains(filter) }
        }
        let rest = lists.map { (name: $0.name, filters: $0.filters.filter { !shared.contains($0) }) }
        let texts = (Self.text(lists), Self.text([(name: "each resource", filters: shared)] + rest))
        return texts.1.count < texts.0.count ? texts.1 : texts.0
    }

    private static func text(_ lists: [(name: String, filters: [String])]) -> String {
        lists.filter { !$0.filters.isEmpty }.map { "\($0.name) {\($0.filters.joined(separator: ", "))}" }
            .joined(separator: "; ")
    }

    /// Returns a sentence with the names of the APIs and their resources. Tool descriptions contain this sentence, so
    /// that MCP clients can find the tool. The sentence omits some names if there are many resources.
    func subject(of resources: [ResourceDefinition]) -> String {
        var groups: [(name: String, resources: [String])] = []
        for resource in resources {
            let parts = resource.name.split(separator: ".", maxSplits: 1).map(String.init)
            let (group, name) = parts.count == 2 ? (parts[0], parts[1]) : (resource.api, resource.name)
            if let known = groups.firstIndex(where: { $0.name == group }) {
                groups[known].resources.append(name)
            } else {
                groups.append((group, [name]))
            }
        }
        let share = Self.maxSubject / max(groups.count, 1)
        let texts = groups.map { group in
            var names: [String] = []
            for name in group.resources {
                guard names.reduce(0, { $0 + $1.count + 2 }) + name.count <= share else { break }
                names.append(name)
            }
            if names.count < group.resources.count { names.append("…") }
            return "\(group.name): \(names.joined(separator: ", "))"
        }
        return " For \(texts.joined(separator: "; "))."
    }

    /// Returns an example of a search's `filter` argument: a JSON object with one field of a resource.
    func fieldExample(of resources: [ResourceDefinition]) -> String {
        for field in resources.lazy.compactMap(\.fields).joined() {
            if case .enumeration(let values, _) = field.type.shape, let value = values.first {
                return JSONValue.object(JSONObject([(field.name, .string(value))])).text
            }
        }
        return #"{"name":"a"}"#
    }

    /// Returns the server's `instructions` with at most 2,000 characters, because some MCP clients truncate longer
    /// text.
    func instructions(_ tools: ToolNames = ToolNames(prefix: nil)) -> String {
        let names = resources.map(\.name)
        let canGet = resources.contains(where: \.canGet)
        let hasLists = resources.contains { $0.list != nil }
        let filling = hasLists ? " (\(resources.fillingTools) caches a list)" : ""
        let uses =
            (canGet ? ["get_item: items by id"] : []) + (hasLists ? ["list_items: lists and filters"] : []) + [
                "search_cached: text search in cached items" + filling,
                "describe_resource: fields and filters",
            ]
        var text = """
            Larder serves data of APIs from a cache, and calls an API only if needed. \
            \(uses.joined(separator: "; ")). Request only the `fields` that you need. `age` is the number of \
            seconds since an answer came from the API; cachePolicy "remoteFirst" always calls the API. \
            Resources: \(names.joined(separator: ", ")).
            """
        text = tools.text(text)
        if text.count > Self.maxLength { text = text.prefix(Self.maxLength - 1) + "…" }
        return text
    }

    private static let maxLength = 2000
    /// The maximum total length of the resource names in a tool's description, in characters.
    private static let maxSubject = 160
    /// The maximum number of values to list for one filter. `describe_resource` lists all values.
    private static let maxValues = 12

    private static func scope(of resource: ResourceDefinition) -> String {
        resource.scope.map { $0.name + ($0.standard.map { "=\($0.plainText)" } ?? "") }.joined(separator: ", ")
    }

    private static func filter(_ filter: FilterDefinition, of resource: ResourceDefinition) -> String {
        filter.name + type(values(of: filter, in: resource) ?? filter.type) + (filter.isRequired ? " (required)" : "")
    }

    /// Returns the possible values of a string filter, from the declaration of the field with the same name.
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
