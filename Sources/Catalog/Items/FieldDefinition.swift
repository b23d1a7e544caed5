import JSON

/// One field of an item: its name, the selector of its value, and its type.
///
/// A class rather than a struct, because writing an item iterates over all fields and would copy each struct.
public final class FieldDefinition: Equatable, Sendable {
    /// The name of the field in the items that Larder returns.
    public let name: String
    /// The field's name encoded as a JSON key: in quotes and followed by a colon.
    public let key: [UInt8]
    /// The selector that finds the field's value in the API's item.
    public let from: PerOperation<JSONSelector>
    /// Whether the catalog declares a selector for the field (`from`).
    public let hasOwnSelector: Bool
    /// Whether the field contains an id. Only ids may be converted between string and integer.
    public let isID: Bool
    /// The type of the field's value.
    public let type: FieldType

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - name: the name of the field in the items that Larder returns.
    ///   - from: the selector of the value in the API's item; nil for the member with the same name.
    ///   - type: the type of the value.
    public init(name: String, from: PerOperation<JSONSelector>? = nil, type: FieldType) {
        self.name = name
        var writer = JSONWriter()
        writer.key(text: name)
        key = writer.bytes
        self.from = from ?? PerOperation(JSONSelector(field: name))
        hasOwnSelector = from != nil
        isID = name == "id" || self.from.all.contains { $0.lastMember == "id" }
        self.type = type
    }

    public static func == (left: FieldDefinition, right: FieldDefinition) -> Bool {
        left === right
            || left.name == right.name && left.from == right.from && left.hasOwnSelector == right.hasOwnSelector
                && left.type == right.type
    }
}

/// The type of a field's value.
public struct FieldType: Equatable, Sendable {
    /// The kind of the value, such as a string or an array.
    public let shape: Shape
    /// Whether the value may be null or missing. Larder returns null for a missing value.
    public let isOptional: Bool

    /// The kinds of values that a field can have.
    public indirect enum Shape: Equatable, Sendable {
        case string, integer, number, boolean, any
        case date(DateForm)
        case object([FieldDefinition])
        case array(FieldType)
        /// An object with any keys. All of its values have the same type.
        case map(FieldType)
        /// One of the given strings. `otherwise` is the value for all other strings. If `otherwise` is nil, all other
        /// strings are errors.
        case enumeration([String], otherwise: String?)
    }

    /// The type for any value, including null and a missing value.
    public static let anything = FieldType(shape: .any, isOptional: true)

    /// Whether a field of this type always shows an item's id unchanged. False for types whose values Larder may
    /// convert, such as dates and enumerations with `otherwise`.
    var showsIDs: Bool {
        switch shape {
        case .string, .integer, .any, .enumeration(_, otherwise: nil): true
        default: false
        }
    }

    /// The description of the type in error messages, such as `an integer`.
    public var expected: String {
        switch shape {
        case .string: "a string"
        case .integer: "an integer"
        case .number: "a number"
        case .boolean: "a boolean"
        case .any: "a value"
        case .date(let form): form.expected
        case .object, .map: "an object"
        case .array: "an array"
        case .enumeration(let values, _): "one of \(values.map { "\"\($0)\"" }.joined(separator: ", "))"
        }
    }
}

/// The forms in which an API sends a date: an RFC 3339 string, or a number of seconds or milliseconds.
public struct DateForm: Equatable, Sendable {
    /// The unit of dates that are sent as numbers. Nil if a number is not a valid date.
    public var unit: DateText.Unit?
    /// Whether a date string without a UTC offset is read as UTC. If false, such a string is an error.
    public var assumesUTC = false

    public init(unit: DateText.Unit? = nil, assumesUTC: Bool = false) {
        (self.unit, self.assumesUTC) = (unit, assumesUTC)
    }

    /// The description of the date form in error messages.
    var expected: String {
        let text = assumesUTC ? "RFC 3339, or without offset" : "RFC 3339"
        return switch unit {
        case nil: "a date (\(text))"
        case .seconds: "a date (\(text), or seconds since 1970)"
        case .milliseconds: "a date (\(text), or milliseconds since 1970)"
        }
    }
}
