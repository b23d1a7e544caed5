import Catalog
import DataSources
import Protocol

/// The schemas of items.
extension JSONSchema {
    /// The schema of a resource's items, whose `id` is in the resource's type.
    ///
    /// - Parameter isPartial: whether fields may be absent, as in lists that return only a part of each item.
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

    /// The schema of a field's value in results. An optional field is always present, but may be null.
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
    /// The schema of an id in a result.
    var schema: JSONSchema {
        switch self {
        case .integer: .integer
        case .string: .string(minLength: 1)
        }
    }

    /// The schema of an id in params: the values that `canonical(_:)` accepts.
    var paramSchema: JSONSchema {
        switch self {
        case .integer: .any(of: [.integer, .string(pattern: "^(0|-?[1-9][0-9]*)$")])
        case .string: .any(of: [.integer, .string(minLength: 1)])
        }
    }
}
