import Catalog
import DataSources
import JSON
import Protocol
import RPCServer

/// A `name=value` argument that the shell can complete, such as `filter.state=open`. The name is a parameter of a
/// method or a member of a parameter.
struct CompletionSlot: Equatable {
    let name: String
    let note: String
    /// The values that the catalog lists for completion; empty if there are none.
    let values: [String]
    /// Whether the user may repeat the argument.
    var isRepeatable = false

    /// Returns the `name=value` arguments that `larder call` accepts for a method.
    ///
    /// - Parameters:
    ///   - resource: the resource that the method belongs to; nil for a method without a resource.
    ///   - isSearch: whether the method is `search`, which accepts fields as filters.
    static func all(
        _ parameters: [ParameterDescription], of resource: ResourceDefinition?, isSearch: Bool
    ) -> [CompletionSlot] {
        parameters.flatMap { parameter -> [CompletionSlot] in
            let schema = parameter.schema.json
            guard parameter.name == "filter" else {
                return [CompletionSlot(name: parameter.name, note: parameter.purpose, values: values(schema))]
            }
            if case .object(let members)? = schema["properties"], !members.members.isEmpty {
                return members.members.map { filter($0.key, $0.value, resource) }
            }
            guard isSearch, let fields = resource?.fields else { return [] }
            return FieldNames(fields: fields).all.map { filter($0, nil, resource) }
        }
    }

    /// The argument without the prefix `filter.`, as `get`, `list`, `search` and `prefetch` accept it. Nil for a value
    /// that these commands do not accept as `name=value`, such as the id.
    var forPeople: CompletionSlot? {
        if ["id", "text", "fields", "limit", "page", "workDoneToken"].contains(name) { return nil }
        let filter = "filter."
        let own = name.hasPrefix(filter) ? String(name.dropFirst(filter.count)) : name
        return CompletionSlot(name: own, note: note, values: values, isRepeatable: isRepeatable)
    }

    private static func filter(_ name: String, _ schema: JSONValue?, _ resource: ResourceDefinition?) -> CompletionSlot
    {
        let declared = schema.map { values($0) } ?? []
        let definition = resource?.list?.filters.first { schema != nil && $0.name == name }
        return CompletionSlot(
            name: "filter.\(name)", note: definition?.type.expected ?? "the field's value",
            // A filter usually has the same name as a field and accepts the values of this field.
            values: declared.isEmpty ? resource?.fields.map { values(of: name, in: $0) } ?? [] : declared,
            isRepeatable: definition?.type.isArray == true)
    }

    /// Returns the possible values of an enumeration or boolean field; empty for a field of any other type.
    private static func values(of name: String, in fields: [FieldDefinition]) -> [String] {
        let parts = name.split(separator: ".", maxSplits: 1)
        guard let field = fields.first(where: { $0.name == parts.first.map(String.init) }) else { return [] }
        return switch field.type.shape {
        case .object(let inner) where parts.count == 2: values(of: String(parts[1]), in: inner)
        case .enumeration(let values, _) where parts.count == 1: values
        case .boolean where parts.count == 1: ["true", "false"]
        default: []
        }
    }

    /// Returns the values that a JSON Schema lists; empty if the schema also allows any string or number.
    private static func values(_ schema: JSONValue) -> [String] {
        if case .array(let values)? = schema["enum"] { return values.map(\.plainText) }
        if let value = schema["const"] { return [value.plainText] }
        if schema["type"] == "boolean" { return ["true", "false"] }
        guard case .array(let ways)? = schema["anyOf"] else { return [] }
        if ways.contains(where: { way in ["string", "number", "integer"].contains { way["type"] == .string($0) } }) {
            return []
        }
        return ways.flatMap { values($0) }
    }
}
