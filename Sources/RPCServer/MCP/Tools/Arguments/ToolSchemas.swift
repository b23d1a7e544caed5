import Catalog
import JSON
import Model
import Protocol

/// The JSON Schemas of arguments that several tools share. The schemas contain no arrays of types, no boolean
/// `additionalProperties` and no objects without members, because some MCP clients reject or drop them.
enum ToolSchemas {
    static func resource(_ names: [String]) -> ToolArgument {
        ToolArgument(name: "resource", form: .text, schema: .choice(of: names), isRequired: true)
    }

    /// Returns the schema of an item's id. The schema allows the id types of all given resources. The string type comes
    /// last, because some MCP clients use only the last type.
    static func id(of resources: [ResourceDefinition]) -> JSONSchema {
        let types = [IDType.integer, .string].filter { type in resources.contains { $0.id == type } }
        return .any(of: types.map { $0 == .integer ? .integer : .string })
    }

    /// Returns the definition of the `filter` argument.
    ///
    /// - Parameter takesArrays: whether a value can be an array of strings.
    static func filter(_ description: String, takesArrays: Bool = true) -> ToolArgument {
        let types: [JSONSchema] = [.string, .number, .boolean] + (takesArrays ? [.array(of: .string)] : [])
        return ToolArgument(
            name: "filter", form: .object, schema: JSONSchema.map(of: .any(of: types)).described(description))
    }

    /// Returns the definition of the `scope` argument. The members of the argument identify the parents of items.
    ///
    /// - Parameter description: the description of the scopes for the model.
    static func scope(_ description: String) -> ToolArgument {
        ToolArgument(
            name: "scope", form: .object,
            schema: JSONSchema.map(of: .any(of: [.string, .number])).described(description))
    }

    static func count(_ name: String, atLeast minimum: Int = 1, byDefault value: Int) -> ToolArgument {
        ToolArgument(
            name: name, form: .integer,
            schema: JSONSchema.integer(atLeast: minimum).byDefault(.integer(value)))
    }

    static let fields = ToolArgument(
        name: "fields", form: .names,
        schema: JSONSchema.array(of: .string).described("Return only these fields, such as [\"id\",\"owner.name\"]."))
    static let cachePolicy = ToolArgument(
        name: "cachePolicy", form: .text,
        schema: JSONSchema.choice(of: CachePolicy.allCases.map(\.rawValue)).described(
            "localFirst (default): cache if fresh, else API. remoteFirst: API, else cache. "
                + "none: API only. localOnly: cache only."))
    static let maxAge = ToolArgument(
        name: "maxAge", form: .duration,
        schema: JSONSchema.string.described("Maximum age of a cached answer: seconds, or \"5m\"."))
}
