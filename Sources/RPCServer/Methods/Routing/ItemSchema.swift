import Catalog
import DataSources
import Protocol

/// The JSON Schemas of items and item fields.
extension JSONSchema {
    /// Creates the JSON Schema of a resource's items. The `id` in the schema has the resource's id type.
    ///
    /// - Parameter isPartial: whether fields may be absent, as in lists that return only some fields of each item.
    init(itemOf resource: ResourceDefinition, isPartial: Bool) {
        if isPartial, resource.list?.isOfIDs == true {
            self = .object([.required("id", resource.id.schema)])
            return
        }
        guard let fields = resource.fields else {
            self = .object
            return
        }
        self = .object(
            fields.map { field in
                let isID = field.name == "id" && !resource.hasDeclaredIDSource
                let schema = isID ? resource.id.schema : JSONSchema(field.type, isPartial: isPartial)
                return isPartial ? .optional(field.name, schema) : .required(field.name, schema)
            })
    }

    /// Creates the JSON Schema of a field's value in results. In results, an optional field is always present, but may
    /// be null.
    init(_ type: FieldType, isPartial: Bool) {
        let schema: JSONSchema =
            switch type.shape {
            case .string: .string
            case .integer: .integer
            case .number: .number
            case .boolean: .boolean
            case .any: .anything
            case .date: .string
            case .object(let fields):
                .object(
                    fields.map { field in
                        let schema = JSONSchema(field.type, isPartial: isPartial)
                        return isPartial ? .optional(field.name, schema) : .required(field.name, schema)
                    })
            case .map: .object
            case .array(let element): .array(of: JSONSchema(element, isPartial: isPartial))
            case .enumeration(let values, let otherwise):
                .one(of: values + (otherwise.map { values.contains($0) ? [] : [$0] } ?? []))
            }
        self = type.isOptional ? schema.orNull : schema
    }
}

extension IDType {
    /// The JSON Schema of an id in a result.
    var schema: JSONSchema {
        switch self {
        case .integer: .integer
        case .string: .string(minLength: 1)
        }
    }

    /// The JSON Schema of an id in request parameters. The schema accepts the same values as `canonical(_:)`.
    var paramSchema: JSONSchema {
        switch self {
        case .integer: .any(of: [.integer, .string(pattern: "^(0|-?[1-9][0-9]*)$")])
        case .string: .any(of: [.integer, .string(minLength: 1)])
        }
    }
}
