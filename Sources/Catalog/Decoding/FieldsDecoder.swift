import JSON
import System

/// Decodes the key `fields` of a resource, including nested objects.
struct FieldsDecoder {
    private static let scalars: [String: FieldType.Shape] = [
        "string": .string, "integer": .integer, "number": .number, "boolean": .boolean, "any": .any,
        "date": .date(DateForm()),
    ]
    static let names = ["string", "integer", "number", "boolean", "any", "date"]

    let reader: CatalogReader

    /// Decodes the fields of an object.
    ///
    /// - Parameter what: the description of the object in error messages.
    func decode(_ view: JSONView, _ what: String) -> [FieldDefinition] {
        guard view.kind == .object else {
            reader.fault("\(what) must be an object of fields, such as {\"name\": \"string\"}", at: view)
            return []
        }
        var seen: Set<String> = []
        var fields: [FieldDefinition] = []
        for member in view.members {
            let key = member.key.string ?? ""
            let name = key.hasSuffix("?") ? String(key.dropLast()) : key
            if !seen.insert(name).inserted {
                reader.fault("the field '\(name)' occurs twice; remove one of them", at: member.key)
            }
            if let field = decodeField(name, member.value, isOptional: key.hasSuffix("?")) { fields.append(field) }
        }
        if fields.isEmpty, seen.isEmpty {
            reader.fault(
                "\(what) must name at least one field; to keep every field, omit 'fields' or use the type \"any\"",
                at: view)
        }
        return fields
    }

    private func decodeField(_ name: String, _ view: JSONView, isOptional: Bool) -> FieldDefinition? {
        var type: FieldType?
        var from: PerOperation<JSONSelector>?
        if isLongForm(view) {
            guard let object = reader.object(view, "the field '\(name)'", .field),
                let view = object["type"]
            else {
                return nil
            }
            from = object.perOperation(
                "from", CatalogObject.selectorForm, otherwise: JSONSelector(field: name), CatalogObject.selector)
            let otherwise = object.value("otherwise", "a string") { $0.string }
            let unit = object.value("unit", "\"s\" or \"ms\"") { $0.string.flatMap { DateText.Unit(rawValue: $0) } }
            let zone = object.value("zone", "\"UTC\"") { $0.isString("UTC") ? true : nil }
            let form = DateForm(unit: unit, assumesUTC: zone ?? false)
            type = decodeType(view, otherwise: otherwise, form: form)
            if otherwise != nil, let view = object["otherwise"], let type, !type.isEnumeration {
                reader.fault(
                    "'otherwise' is allowed only for an enumeration; remove 'otherwise', or list the values in 'type'",
                    at: view)
            }
            for (key, isSet) in [("unit", unit != nil), ("zone", zone != nil)] {
                if isSet, let view = object[key], let type, !type.isDate {
                    reader.fault(
                        "'\(key)' is allowed only for the type \"date\"; remove '\(key)' or change the type", at: view)
                }
            }
        } else if lacksType(view) {
            reader.fault(
                "the field '\(name)' needs 'type' in addition to 'from', such as \"type\": \"string\"", at: view)
        } else {
            type = decodeType(view)
        }
        guard let type else { return nil }
        return FieldDefinition(
            name: name, from: from, type: FieldType(shape: type.shape, isOptional: type.isOptional || isOptional))
    }

    /// Whether an object is the long form of a field, such as `{"type": "date", "unit": "s"}`. Otherwise, the object
    /// declares nested fields.
    private func isLongForm(_ view: JSONView) -> Bool {
        guard let type = view["type"] else { return false }
        if !type.isString("date"), !type.isString("date?") {
            if let unit = view["unit"], !unit.isString("s"), !unit.isString("ms") { return false }
            if let zone = view["zone"], !zone.isString("UTC") { return false }
        }
        return view.members.allSatisfy { member in CatalogPart.field.keys.contains { member.key.isString($0.name) } }
    }

    /// Whether an object such as `{"from": "name"}` looks like the long form of a field but lacks the required key
    /// `type`. False if `from` is the name of a type, because the object then declares a nested field `from` of this
    /// type.
    private func lacksType(_ view: JSONView) -> Bool {
        guard view["type"] == nil, let from = view["from"]?.string else { return false }
        let name = from.hasSuffix("?") ? String(from.dropLast()) : from
        return Self.scalars[name] == nil
            && view.members.allSatisfy { member in CatalogPart.field.keys.contains { member.key.isString($0.name) } }
    }

    private func decodeType(
        _ view: JSONView, otherwise: String? = nil, form: DateForm = DateForm(), isElement: Bool = false
    ) -> FieldType? {
        switch view.kind {
        case .string: return decodeScalar(view, form, isElement: isElement)
        case .object: return decodeObject(view)
        case .array: return decodeArray(view, otherwise: otherwise, form)
        case .null, .true, .false, .number:
            reader.fault("a type must be a name such as \"string\", an object of fields, or an array", at: view)
            return nil
        }
    }

    /// Decodes a type that is declared as an object: `{"*": type}` for any keys, or an object with declared fields.
    private func decodeObject(_ view: JSONView) -> FieldType? {
        guard let value = view["*"] else {
            return FieldType(shape: .object(decode(view, "an object of fields")), isOptional: false)
        }
        for member in view.members where !member.key.isString("*") {
            reader.fault("'*' matches every key: remove '*' or the other keys", at: member.key)
        }
        return decodeType(value).map { FieldType(shape: .map($0), isOptional: false) }
    }

    private func decodeScalar(_ view: JSONView, _ form: DateForm, isElement: Bool) -> FieldType? {
        let text = view.string ?? ""
        let name = text.hasSuffix("?") ? String(text.dropLast()) : text
        guard var shape = Self.scalars[name] else {
            reader.fault(TypeNames.fault(text, known: Self.names, isElement: isElement), at: view)
            return nil
        }
        if case .date = shape { shape = .date(form) }
        return FieldType(shape: shape, isOptional: text.hasSuffix("?"))
    }

    /// Decodes a type that is declared as an array. An array with one element declares the type of its elements. Two or
    /// more strings declare an enumeration.
    private func decodeArray(_ view: JSONView, otherwise: String?, _ form: DateForm) -> FieldType? {
        let elements = Array(view.elements)
        if elements.count == 1 {
            let element = decodeType(elements[0], form: form, isElement: true)
            return element.map { FieldType(shape: .array($0), isOptional: false) }
        }
        let values = elements.compactMap { $0.string }
        guard elements.count >= 2, values.count == elements.count else {
            reader.fault(
                "an array must contain one type, such as [\"string\"], or the values of an enumeration, such as"
                    + " [\"open\", \"closed\"]",
                at: view)
            return nil
        }
        if Set(values).count < values.count {
            reader.fault("an enumeration must not repeat a value; remove the duplicate", at: view)
        }
        return FieldType(shape: .enumeration(values, otherwise: otherwise), isOptional: false)
    }
}

extension FieldType {
    fileprivate var isEnumeration: Bool {
        if case .enumeration = shape { true } else { false }
    }

    /// Whether the type is a date or an array of dates.
    fileprivate var isDate: Bool {
        switch shape {
        case .date: true
        case .array(let element): element.isDate
        default: false
        }
    }
}
