import JSON

extension JSONValue {
    /// Whether a rule of the catalog applies to the value: the text of the value is one of the values of the rule's
    /// `is`.
    ///
    /// - Parameter values: the values of `is`. Nil for all but null, false, and an empty string, array or object.
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
