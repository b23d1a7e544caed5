import JSON

extension JSONValue {
    /// Whether this value meets the condition of a catalog rule: its text is one of the given values.
    ///
    /// - Parameter values: the values of the key `is`. If nil, all values meet the condition, except null, false, and
    ///   an empty string, array or object.
    package func meets(_ values: [String]?) -> Bool {
        guard let values else { return !isEmptyOrFalse }
        return values.contains { $0 == plainText }
    }

    /// Whether the value is null, false, or an empty string, array or object.
    package var isEmptyOrFalse: Bool {
        switch self {
        case .null, .bool(false), .string(""): true
        case .array(let elements): elements.isEmpty
        case .object(let object): object.members.isEmpty
        default: false
        }
    }
}
