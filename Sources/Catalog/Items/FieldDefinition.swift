import JSON

/// One field of an item: its name, where its value is found, and what it must be.
///
/// A class rather than a struct because writing an item goes through all fields, and would copy each.
public final class FieldDefinition: Equatable, Sendable {
    /// The name in Larder's item.
    public let name: String
    /// The name as a member's key in JSON, with its colon.
    public let key: [UInt8]
    /// Where the value stands in the API's item.
    public let from: PerOperation<JSONSelector>
    /// Whether the catalog says where.
    public let hasOwnSelector: Bool
    /// Whether it shows an id: those alone are turned from text to integer and back.
    public let isID: Bool
    /// What the value must be.
    public let type: FieldType

    /// A field; of its own name in the API's item, where nothing else is said.
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

/// What a field's value must be.
public struct FieldType: Equatable, Sendable {
    /// The kind of value.
    public let shape: Shape
    /// Whether it may be null or absent; it then comes out as null.
    public let isOptional: Bool

    /// The kinds of values.
    public indirect enum Shape: Equatable, Sendable {
        case string, integer, number, boolean, any
        /// A moment: RFC 3339, or a number in that unit.
        case date(DateText.Unit?)
        case object([FieldDefinition])
        case array(FieldType)
        /// An object with any keys, and values of that type.
        case map(FieldType)
        /// One of these texts; `otherwise` stands in for any other.
        case enumeration([String], otherwise: String?)
    }

    /// Any value, and none.
    public static let anything = FieldType(shape: .any, isOptional: true)

    /// Whether an id comes out as it is: not as a date, nor as the text that stands for unknown ones.
    var showsIDs: Bool {
        switch shape {
        case .string, .integer, .any, .enumeration(_, otherwise: nil): true
        default: false
        }
    }

    /// The type in words, for a message.
    public var expected: String {
        switch shape {
        case .string: "a string"
        case .integer: "an integer"
        case .number: "a number"
        case .boolean: "a boolean"
        case .any: "a value"
        case .date(nil): "a date (RFC 3339)"
        case .date(.seconds): "a date (RFC 3339, or seconds since 1970)"
        case .date(.milliseconds): "a date (RFC 3339, or milliseconds since 1970)"
        case .object, .map: "an object"
        case .array: "an array"
        case .enumeration(let values, _): "one of \(values.map { "\"\($0)\"" }.joined(separator: ", "))"
        }
    }
}
