import JSON
import System

/// Reads the `fields` of a resource, and of the objects in them.
struct FieldsDecoder {
    private static let scalars: [String: FieldType.Shape] = [
        "string": .string, "integer": .integer, "number": .number, "boolean": .boolean, "any": .any,
    ]

    let reader: CatalogReader

    /// The fields of an object.
    ///
    /// - Parameter what: what it is, for messages.
    func decode(_ view: JSONView, _ what: String) -> [FieldDefinition] {
        guard view.kind == .object else {
            reader.fault("\(what) must be an object of fields", at: view)
            return []
        }
        var seen: Set<String> = []
        var fields: [FieldDefinition] = []
        for member in view.members {
            let key = member.key.string ?? ""
            let name = key.hasSuffix("?") ? String(key.dropLast()) : key
            if !seen.insert(name).inserted { reader.fault("the field '\(name)' stands twice", at: member.key) }
            if let field = decodeField(name, member.value, isOptional: key.hasSuffix("?")) { fields.append(field) }
        }
        if fields.isEmpty, seen.isEmpty {
            reader.fault("\(what) must name a field; leave it out to let every field through", at: view)
        }
        return fields
    }

    private func decodeField(_ name: String, _ view: JSONView, isOptional: Bool) -> FieldDefinition? {
        var type: FieldType?
        var from: JSONSelector?
        if isLongForm(view) {
            let keys = ["from", "type", "otherwise"]
            guard let object = reader.object(view, "the field '\(name)'", keys: keys), let view = object["type"] else {
                return nil
            }
            from = object.selector("from")
            let otherwise = object.value("otherwise", "a string") { $0.string }
            type = decodeType(view, otherwise: otherwise)
            if otherwise != nil, let view = object["otherwise"], let type, !type.isEnumeration {
                reader.fault("'otherwise' goes with an enumeration only", at: view)
            }
        } else {
            type = decodeType(view)
        }
        guard let type else { return nil }
        return FieldDefinition(
            name: name, from: from ?? JSONSelector(field: name),
            type: FieldType(shape: type.shape, isOptional: type.isOptional || isOptional))
    }

    /// An object is a field's long form if it has `type` and nothing but the long form's keys.
    private func isLongForm(_ view: JSONView) -> Bool {
        view["type"] != nil
            && view.members.allSatisfy { member in
                ["from", "type", "otherwise"].contains { member.key.isString($0) }
            }
    }

    private func decodeType(_ view: JSONView, otherwise: String? = nil) -> FieldType? {
        switch view.kind {
        case .string: return decodeScalar(view)
        case .object: return FieldType(shape: .object(decode(view, "an object of fields")), isOptional: false)
        case .array: return decodeArray(view, otherwise: otherwise)
        case .null, .true, .false, .number:
            reader.fault("a type must be a name, an object of fields, or an array", at: view)
            return nil
        }
    }

    private func decodeScalar(_ view: JSONView) -> FieldType? {
        let text = view.string ?? ""
        let name = text.hasSuffix("?") ? String(text.dropLast()) : text
        guard let shape = Self.scalars[name] else {
            let known = ["string", "integer", "number", "boolean", "any"]
            let hint =
                Spelling.nearest(to: name, in: known).map { "did you mean '\($0)'?" }
                ?? "known are \(known.joined(separator: ", "))"
            reader.fault("unknown type '\(text)'; \(hint)", at: view)
            return nil
        }
        return FieldType(shape: shape, isOptional: text.hasSuffix("?"))
    }

    /// One element is an array's type, two or more strings are an enumeration.
    private func decodeArray(_ view: JSONView, otherwise: String?) -> FieldType? {
        let elements = Array(view.elements)
        if elements.count == 1 {
            return decodeType(elements[0]).map { FieldType(shape: .array($0), isOptional: false) }
        }
        let values = elements.compactMap { $0.string }
        guard elements.count >= 2, values.count == elements.count else {
            reader.fault("an array has one element, its type, or is an enumeration of two or more strings", at: view)
            return nil
        }
        if Set(values).count < values.count { reader.fault("a value of the enumeration stands twice", at: view) }
        return FieldType(shape: .enumeration(values, otherwise: otherwise), isOptional: false)
    }
}

extension FieldType {
    fileprivate var isEnumeration: Bool {
        if case .enumeration = shape { true } else { false }
    }
}
