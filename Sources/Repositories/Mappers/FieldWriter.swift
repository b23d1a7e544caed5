import DataSources
import JSON

/// Writes the declared fields of items, checked.
struct FieldWriter {
    let idType: IDType
    let isPartial: Bool
    private var writer = JSONWriter(capacity: 512)

    init(idType: IDType, isPartial: Bool) {
        self.idType = idType
        self.isPartial = isPartial
    }

    var bytes: [UInt8] { writer.bytes }

    /// Begins an item, behind those that were written before.
    mutating func beginItem() { writer.beginText() }

    /// Writes an item's declared fields; only here `id` is coerced between string and integer.
    mutating func writeItem(_ fields: [FieldDefinition], of view: JSONView, at path: String) throws(APIError) {
        try write(fields, of: view, at: path, isItem: true)
    }

    /// Writes every field as it came, `id` in the declared type.
    mutating func writeAll(of view: JSONView, at path: String) throws(APIError) {
        writer.beginObject()
        for member in view.members {
            writer.key(member.key)
            if member.key.isString("id"), let id = idType.canonical(member.value) {
                idType.write(id, to: &writer)
            } else {
                writer.value(member.value)
            }
        }
        writer.endObject()
    }

    private mutating func write(
        _ fields: [FieldDefinition], of view: JSONView, at path: String, isItem: Bool
    ) throws(APIError) {
        writer.beginObject()
        for field in fields {
            let found = field.from.select(in: view)
            if found == nil, isPartial, !field.type.isOptional { continue }
            writer.key(text: field.name)
            let fieldPath = Self.join(path, field.from.path)
            if isItem, field.name == "id" {
                guard let id = found.flatMap({ idType.canonical($0) }) else {
                    throw Self.fault(field.type.expected, at: fieldPath, found: found)
                }
                idType.write(id, to: &writer)
            } else {
                try write(found, as: field.type, at: fieldPath)
            }
        }
        writer.endObject()
    }

    private mutating func write(_ view: JSONView?, as type: FieldType, at path: String) throws(APIError) {
        guard let view, !view.isNull else {
            // `any` takes a null that is there, but not nothing.
            guard type.isOptional || (view != nil && type.shape == .any) else {
                throw Self.fault(type.expected, at: path, found: view)
            }
            return writer.null()
        }
        switch type.shape {
        case .any: writer.value(view)
        case .string where view.kind == .string: writer.value(view)
        case .integer where view.isInteger: writer.value(view)
        case .number where view.kind == .number: writer.value(view)
        case .boolean where view.bool != nil: writer.value(view)
        case .object(let fields) where view.kind == .object: try write(fields, of: view, at: path, isItem: false)
        case .array(let element) where view.kind == .array:
            writer.beginArray()
            for (index, item) in view.elements.enumerated() { try write(item, as: element, at: "\(path)[\(index)]") }
            writer.endArray()
        case .enumeration(let values, let otherwise):
            if values.contains(where: { view.isString($0) }) {
                writer.value(view)
            } else if let otherwise, view.kind == .string {
                writer.string(otherwise)
            } else {
                throw Self.fault(type.expected, at: path, found: view)
            }
        default: throw Self.fault(type.expected, at: path, found: view)
        }
    }

    static func join(_ path: String, _ step: String) -> String {
        path.isEmpty || step.isEmpty ? path + step : "\(path).\(step)"
    }

    static func fault(_ expected: String, at path: String, found view: JSONView?) -> APIError {
        let place = path.isEmpty ? "the body" : "'\(path)'"
        return APIError(.decodingFailed, "\(place) must be \(expected), but is \(describe(view))", path: path)
    }

    /// What was found, with its text where that is short. Never with a piece of it: a secret is known by its whole only.
    private static func describe(_ view: JSONView?) -> String {
        switch view?.kind {
        case nil: "missing"
        case .null: "null"
        case .true, .false: "a boolean"
        case .number: describe(view?.number ?? "", as: "number", quote: "")
        case .string: describe(view?.string ?? "", as: "string", quote: "\"")
        case .array: "an array"
        case .object: "an object"
        }
    }

    private static func describe(_ text: String, as kind: String, quote: String) -> String {
        text.count <= 40 ? "the \(kind) \(quote)\(text)\(quote)" : "a \(kind) of \(text.count) characters"
    }
}

extension JSONView {
    /// A number without fraction and exponent, of any size.
    fileprivate var isInteger: Bool {
        kind == .number
            && token.allSatisfy { $0 == UInt8(ascii: "-") || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) }
    }
}
