import Catalog
import DataSources
import JSON
import Protocol

/// Converts the filter values of a search to the types of the item's fields. Rejects values that no item can have,
/// because a model could misread the empty result as missing data.
struct SearchFilterValues {
    private let fields: [FieldDefinition]?

    init(_ resource: ResourceDefinition) { fields = resource.fields }

    /// Returns the `filter` argument with converted values; nil if the argument is absent.
    ///
    /// - Throws: `invalidParams` for a value that no item can have, and if the argument is not an object.
    func filter(of arguments: ToolArguments) throws(RPCError) -> FilterParam? {
        try arguments.filter(example: fields?.first?.name) { (name, value) throws(RPCError) in
            let value = ListFilterValues.converted(value, isArray: false)
            let type = fields.flatMap { Self.type(of: name.split(separator: ".")[...], in: $0) }
            return try Self.converted(value, to: type, name)
        }
    }

    /// Returns the type of the field at a dotted path; nil if the catalog does not declare the field.
    private static func type(of path: ArraySlice<Substring>, in fields: [FieldDefinition]) -> FieldType? {
        guard let step = path.first, let field = fields.first(where: { $0.name == step }) else { return nil }
        guard path.count > 1 else { return field.type }
        guard case .object(let inner) = field.type.shape else { return nil }
        return type(of: path.dropFirst(), in: inner)
    }

    private static func converted(
        _ value: JSONValue, to type: FieldType?, _ name: String
    ) throws(RPCError) -> JSONValue {
        if value == .null { return value }
        var found: JSONValue?
        switch type?.shape ?? .any {
        case .string, .date: found = text(of: value)
        case .integer: found = integer(in: value)
        case .number: found = number(in: value)
        case .boolean: found = boolean(in: value)
        case .enumeration(let values, let otherwise):
            let known = values + (otherwise.map { values.contains($0) ? [] : [$0] } ?? [])
            guard case .string(let text) = value, !known.contains(text) else { return value }
            throw RPCError(
                .invalidParams,
                "'filter.\(name)' must be one of \(known.map { "'\($0)'" }.joined(separator: ", ")), "
                    + "not '\(text.prefix(100))'")
        case .array:
            throw RPCError(.invalidParams, "'filter.\(name)' cannot be used: it is an array; search in it with 'text'")
        case .object(let fields):
            let member = fields.first.map { ", such as '\(name).\($0.name)'" } ?? ""
            throw RPCError(
                .invalidParams, "'filter.\(name)' cannot be used: it is an object; use one of its members\(member)")
        case .any, .map:
            switch value {
            case .array, .object: break
            default: found = value
            }
        }
        guard let found else {
            throw RPCError(
                .invalidParams,
                "'filter.\(name)' must be \(expected(type)), not \(value.text.prefix(100))")
        }
        return found
    }

    private static func expected(_ type: FieldType?) -> String {
        switch type?.shape ?? .any {
        case .any, .map: "a string, a number or a boolean"
        default: type?.expected ?? ""
        }
    }

    private static func text(of value: JSONValue) -> JSONValue? {
        switch value {
        case .string: value
        case .number(let digits): .string(digits)
        case .bool(let flag): .string(flag ? "true" : "false")
        default: nil
        }
    }

    /// Returns the number in a value: a JSON number, or a string that contains one. Returns nil for any other value.
    private static func number(in value: JSONValue) -> JSONValue? {
        switch value {
        case .number: return value
        case .string(let text):
            guard let parsed = try? JSONValue(parsing: text), case .number = parsed else { return nil }
            return parsed
        default: return nil
        }
    }

    /// Returns the integer in a value: a JSON integer, or a string that contains one. Returns nil for any other value.
    private static func integer(in value: JSONValue) -> JSONValue? {
        guard case .number(let digits) = ArgumentForm.integer.converted(value), Int(digits) != nil else { return nil }
        return .number(digits)
    }

    private static func boolean(in value: JSONValue) -> JSONValue? {
        switch value {
        case .bool: value
        case "true": .bool(true)
        case "false": .bool(false)
        default: nil
        }
    }
}
