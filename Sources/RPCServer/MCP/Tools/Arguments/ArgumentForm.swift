import JSON

/// The expected JSON form of a tool argument. Models often send a different form with the same meaning, such as an
/// array written as a string. Larder converts such a value to the expected form.
enum ArgumentForm: Sendable {
    case text
    case integer
    case object
    /// An item's id: an integer or a string.
    case id
    /// An array of item ids.
    case ids
    /// An array of field names.
    case names
    /// The token of a page: a string or an integer.
    case page
    /// A number of seconds, or a string such as `5m`.
    case duration

    /// Whether a value can be passed to the tool without conversion.
    func accepts(_ view: JSONView) -> Bool {
        switch (self, view.kind) {
        case (_, .null), (.object, .object): true
        case (.text, .string), (.id, .string), (.page, .string): !Self.isEmpty(view)
        case (.integer, .number), (.id, .number), (.page, .number): view.isInteger
        case (.duration, .number): true
        case (.duration, .string): !Self.isEmpty(view)
        case (.ids, .array): !Self.isEmpty(view) && view.elements.allSatisfy { ArgumentForm.id.accepts($0) }
        case (.names, .array): !Self.isEmpty(view)
        default: false
        }
    }

    /// Converts an argument to the expected form. An empty argument becomes null, which means an absent argument. An
    /// argument that cannot be converted stays unchanged.
    func converted(_ value: JSONValue) -> JSONValue {
        if Self.isEmpty(value) { return .null }
        switch self {
        case .text, .duration: return value
        case .integer: return Self.number(value).flatMap(Self.integer) ?? value
        case .object: return Self.parsed(value) { if case .object = $0 { true } else { false } } ?? value
        case .id, .page: return Self.integer(value) ?? value
        case .ids: return Self.list(value).map { .array($0.map { ArgumentForm.id.converted($0) }) } ?? .null
        case .names:
            if case .string(let text) = value, !text.hasPrefix("[") {
                return .array(text.split(separator: ",").map { .string(Self.trimmed($0)) })
            }
            return Self.list(value).map { .array($0) } ?? .null
        }
    }

    /// Converts a value to an array. A string with a JSON array becomes the array; any other value becomes the only
    /// element. Returns nil if the string contains an empty array.
    private static func list(_ value: JSONValue) -> [JSONValue]? {
        let parsed = parsed(value) { if case .array = $0 { true } else { false } }
        if parsed == JSONValue.null { return nil }
        if case .array(let elements) = parsed ?? value { return elements }
        return [value]
    }

    /// Parses the JSON in a string. Returns JSON null for an empty value, such as `[]`. Returns nil for invalid JSON,
    /// for JSON that `isExpected` rejects, and for a value that is not a string.
    private static func parsed(_ value: JSONValue, _ isExpected: (JSONValue) -> Bool) -> JSONValue? {
        guard case .string(let text) = value, let parsed = try? JSONValue(parsing: text), isExpected(parsed) else {
            return nil
        }
        return isEmpty(parsed) ? JSONValue.null : parsed
    }

    /// Returns the number in a value: a JSON number, or a string that contains one. Returns nil for any other value.
    private static func number(_ value: JSONValue) -> JSONValue? {
        if case .number = value { return value }
        return parsed(value) { if case .number = $0 { true } else { false } }
    }

    /// Returns a whole number without its fraction digits, such as 2 for `2.0`. Returns nil for a value that is not a
    /// whole number.
    private static func integer(_ value: JSONValue) -> JSONValue? {
        guard case .number(let digits) = value else { return nil }
        if Int(digits) != nil { return value }
        // A double represents each integer up to 2^53 exactly.
        guard let number = Double(digits), abs(number) <= 9_007_199_254_740_992 else { return nil }
        return Int(exactly: number).map { .integer($0) }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    private static func isEmpty(_ value: JSONValue) -> Bool {
        switch value {
        case .null, "", .array([]): true
        case .object(let members): members.members.isEmpty
        default: false
        }
    }

    private static func isEmpty(_ view: JSONView) -> Bool {
        view.kind == .string ? view.token.count <= 2 : view.elements.first { _ in true } == nil
    }
}
