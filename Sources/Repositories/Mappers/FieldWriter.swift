import Catalog
import DataSources
import JSON
import Model

/// Checks the declared fields of items and writes the items as JSON.
// The path of a value in the answer is a closure, because only errors need the path.
struct FieldWriter {
    let idType: IDType
    let operation: OperationName
    let isPartial: Bool
    private var writer: JSONWriter

    /// Creates a writer whose output is empty.
    ///
    /// - Parameter capacity: the expected size of the output, in bytes.
    init(idType: IDType, operation: OperationName, isPartial: Bool, capacity: Int = 512) {
        writer = JSONWriter(capacity: capacity)
        self.idType = idType
        self.operation = operation
        self.isPartial = isPartial
    }

    var bytes: [UInt8] { writer.bytes }

    /// Prepares the output for the next item, which is a separate JSON object.
    mutating func beginItem() { writer.beginText() }

    /// Removes the output after the first `count` bytes.
    mutating func truncate(to count: Int) { writer.truncate(to: count) }

    /// Writes an item's declared fields.
    ///
    /// - Parameters:
    ///   - key: the item's member name, if the API returns the items as members of an object; otherwise nil.
    ///   - id: the id to write if the API's item lacks the field `id`; nil if the missing field is an error.
    ///   - path: the item's path in the answer, for errors.
    /// - Throws: `APIError.decodingFailed` for the first field that does not match its type.
    mutating func writeItem(
        _ fields: [FieldDefinition], of view: JSONView, key: JSONView?, id: String?, at path: @autoclosure () -> String
    ) throws(APIError) {
        writer.beginObject()
        for field in fields {
            let isOwn = field.name == "id" && !field.hasOwnSelector
            try write(field, of: view, key: key, orID: isOwn ? id : nil, at: path())
        }
        writer.endObject()
    }

    /// Writes an item that contains only an id.
    mutating func write(id: String) {
        writer.beginObject()
        writer.key("id")
        idType.write(id, to: &writer)
        writer.endObject()
    }

    /// Writes every field of an item unchanged, but converts `id` to the declared type.
    mutating func writeAll(of view: JSONView) {
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
        _ fields: [FieldDefinition], of view: JSONView, key: JSONView?, at path: @autoclosure () -> String
    ) throws(APIError) {
        writer.beginObject()
        for field in fields { try write(field, of: view, key: key, at: path()) }
        writer.endObject()
    }

    private mutating func write(
        _ field: FieldDefinition, of view: JSONView, key: JSONView?, orID id: String? = nil,
        at path: @autoclosure () -> String
    ) throws(APIError) {
        let from = field.from[operation]
        if from.isMultiple, field.type.acceptsSeveral {
            let picks = from.selectAll(in: view, key: key)
            if picks == nil, isPartial, !field.type.isOptional { return }
            writer.key(written: field.key)
            return try write(picks, from: from, in: view, of: field, at: path())
        }
        let found = from.select(in: view, key: key)
        if let id, found?.isNull ?? true {
            writer.key(written: field.key)
            return idType.write(id, to: &writer)
        }
        if found == nil, isPartial, !field.type.isOptional { return }
        writer.key(written: field.key)
        if found == nil, !field.type.isOptional, let meant = from.meant(in: view) {
            throw Self.fault(field.type.expected, at: Self.join(path(), from.path), found: nil, meant: meant)
        }
        try write(found, as: field.type, isID: field.isID, at: Self.join(path(), from.path))
    }

    /// Writes an array of the values that a selector with `*`, such as `labels.*.name`, matches in an item.
    private mutating func write(
        _ picks: [JSONSelector.Pick]?, from: JSONSelector, in view: JSONView, of field: FieldDefinition,
        at path: @autoclosure () -> String
    ) throws(APIError) {
        guard let picks else {
            let found = from.container.select(in: view)
            guard field.type.isOptional, found?.isNull ?? true else {
                throw Self.fault(
                    "an array or object", at: Self.join(path(), from.container.path), found: found, field.type)
            }
            return writer.null()
        }
        let element = if case .array(let element) = field.type.shape { element } else { FieldType.anything }
        writer.beginArray()
        for pick in picks {
            // The fields of an object can have selectors with `@key`, which refer to the matched key.
            if case .object(let fields) = element.shape, pick.view.kind == .object {
                try write(fields, of: pick.view, key: pick.key, at: Self.join(path(), pick.path))
            } else {
                try write(pick.view, as: element, isID: field.isID, at: Self.join(path(), pick.path))
            }
        }
        writer.endArray()
    }

    /// Checks a value against its declared type and writes the value.
    ///
    /// - Parameter isID: whether the value is an id. An id may be a string or an integer, and is converted to the
    ///   declared type.
    // Optimized for size, because the compiler makes a dozen copies of this function, one for each closure of a path.
    @_optimize(size)
    private mutating func write(
        _ view: JSONView?, as type: FieldType, isID: Bool = false, at path: @autoclosure () -> String
    ) throws(APIError) {
        guard let view, !view.isNull else {
            // The type `any` accepts null, but not a missing value.
            guard type.isOptional || (view != nil && type.shape == .any) else {
                throw Self.fault(type.expected, at: path(), found: view, type)
            }
            return writer.null()
        }
        switch type.shape {
        case .any: writer.value(view)
        case .string where view.kind == .string: writer.value(view)
        case .integer where view.isInteger: writer.value(view)
        case .string where isID: try writeID(view, .string, type, at: path())
        case .integer where isID: try writeID(view, .integer, type, at: path())
        case .number where view.kind == .number: writer.value(view)
        case .boolean where view.bool != nil: writer.value(view)
        case .date(let form): try write(date: view, form, type, at: path())
        case .object(let fields) where view.kind == .object: try write(fields, of: view, key: nil, at: path())
        case .map(let value) where view.kind == .object:
            writer.beginObject()
            for member in view.members {
                writer.key(member.key)
                try write(member.value, as: value, at: Self.join(path(), member.key.string ?? ""))
            }
            writer.endObject()
        case .array(let element) where view.kind == .array:
            writer.beginArray()
            for (index, item) in view.elements.enumerated() {
                try write(item, as: element, isID: isID, at: "\(path())[\(index)]")
            }
            writer.endArray()
        case .enumeration(let values, let otherwise):
            if values.contains(where: { view.isString($0) }) {
                writer.value(view)
            } else if let otherwise, view.kind == .string {
                writer.string(otherwise)
            } else {
                throw Self.fault(type.expected, at: path(), found: view, type)
            }
        default: throw Self.fault(type.expected, at: path(), found: view, type)
        }
    }

    private mutating func writeID(
        _ view: JSONView, _ declared: IDType, _ type: FieldType, at path: @autoclosure () -> String
    ) throws(APIError) {
        guard let id = declared.canonical(view) else {
            throw Self.fault(type.expected, at: path(), found: view, type)
        }
        declared.write(id, to: &writer)
    }

    private mutating func write(
        date view: JSONView, _ form: DateForm, _ type: FieldType, at path: @autoclosure () -> String
    ) throws(APIError) {
        let date =
            if let text = view.string { DateText(text, assumingUTC: form.assumesUTC) } else {
                form.unit.flatMap { unit in view.number.flatMap { DateText(number: $0, in: unit) } }
            }
        guard let date else { throw Self.fault(type.expected, at: path(), found: view, type) }
        writer.string(date.rfc3339)
    }

    static func join(_ path: String, _ step: String) -> String {
        path.isEmpty || step.isEmpty || step.hasPrefix("[") ? path + step : "\(path).\(step)"
    }

    /// Returns the error for a value that is missing or has the wrong type.
    ///
    /// - Parameters:
    ///   - expected: the expected type, as text that can follow "must be".
    ///   - type: the declared type. If given, the error suggests a declaration that would accept the value.
    ///   - meant: for a missing value, the most similar path in the answer. If given, the error suggests this path
    ///     instead of a declaration.
    static func fault(
        _ expected: String, at path: String, found view: JSONView?, _ type: FieldType? = nil, meant: String? = nil
    ) -> APIError {
        let place = path.isEmpty ? "the body" : "'\(path)'"
        let advice = (meant.map { "did you mean '\($0)'?" } ?? type?.advice(for: view)).map { "; \($0)" } ?? ""
        var error = APIError(
            .decodingFailed, "\(place) must be \(expected), but is \(describe(view))\(advice)", path: path)
        error.found = type != nil || view?.isNull != false ? kind(of: view) : nil
        return error
    }

    private static func kind(of view: JSONView?) -> APIError.FoundValue {
        switch view?.kind {
        case nil, .null: .nothing
        case .true, .false: .boolean
        case .number: view?.isInteger == true ? .integer : .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    /// Describes a value for an error message, and quotes the value if it is short.
    // A long value is omitted completely, because the redactor recognizes only whole secrets.
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

extension FieldType {
    /// Whether the type accepts an array. A field of such a type contains all values that a selector with `*` matches;
    /// any other field contains only the first value.
    fileprivate var acceptsSeveral: Bool {
        switch shape {
        case .array, .any: true
        default: false
        }
    }

    /// Returns advice on how to declare a type that accepts the value; nil if there is no advice.
    fileprivate func advice(for view: JSONView?) -> String? {
        guard let view, !view.isNull else { return "if the value may be missing, declare it optional with '?'" }
        switch (shape, view.kind) {
        case (.enumeration, .string):
            return "add the string to the type, or set \"otherwise\" to a replacement for unknown strings"
        case (.date(let form), .number) where form.unit == nil:
            return "declare the \"unit\" of the number: \"s\" or \"ms\""
        case (.date(let form), .string)
        where !form.assumesUTC && view.string.flatMap({ DateText($0, assumingUTC: true) }) != nil:
            return "the time has no UTC offset: declare \"zone\": \"UTC\", or the type \"string\""
        case (_, .string): return "declare \"string\""
        case (.integer, .number): return "declare \"number\""
        case (_, .number): return "declare \"\(view.isInteger ? "integer" : "number")\""
        case (_, .true), (_, .false): return "declare \"boolean\""
        case (.object, .array), (.map, .array): return "declare the array type [type]"
        case (.array, .object): return "end \"from\" with \".*\" to read the object's values, or declare {\"*\": type}"
        case (_, .object): return "declare its fields, or \"any\""
        case (_, .array): return "declare the array type [type], or select one element with \"from\""
        case (_, .null): return nil
        }
    }
}

extension JSONView {
    /// Whether the value is a number without a fraction or an exponent.
    fileprivate var isInteger: Bool {
        kind == .number
            && token.allSatisfy { $0 == UInt8(ascii: "-") || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) }
    }
}
