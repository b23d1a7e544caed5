import JSON

/// One field of an item: its name, where its value is found, and what it must be.
public struct FieldDefinition: Equatable, Sendable {
    /// The name in Larder's item.
    public let name: String
    /// Where the value stands in the API's item.
    public let from: JSONSelector
    /// What the value must be.
    public let type: FieldType
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
        case object([FieldDefinition])
        case array(FieldType)
        /// One of these texts; `otherwise` stands in for any other.
        case enumeration([String], otherwise: String?)
    }

    /// The type in words, for a message.
    public var expected: String {
        switch shape {
        case .string: "a string"
        case .integer: "an integer"
        case .number: "a number"
        case .boolean: "a boolean"
        case .any: "a value"
        case .object: "an object"
        case .array: "an array"
        case .enumeration(let values, _): "one of \(values.map { "\"\($0)\"" }.joined(separator: ", "))"
        }
    }
}
