import JSON

/// The JSON form of a tool's argument. Hosts and models often send another form with the same meaning, such as an array
/// as JSON text. Those values are converted.
enum ArgumentForm: Sendable {
    case text
    case integer
    case object
    /// An item's id: an integer or a string.
    case id
    /// An array of ids.
    case ids
    /// An array of field names.
    case names
    /// A page of a list: a string or an integer.
    case page
    /// A number of seconds, or a text such as `5m`.
    case duration

    /// Whether a value already has the form, or cannot be converted to it. Such a value is read as it is.
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

    /// Returns a value in this form: null if the value is empty and thus means an absent argument, and the value itself
    /// if it cannot be converted. The tool then reports what it expects.
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

    /// Returns the elements of an array or of an array as JSON text. Any other value is the only element. Returns nil
    /// for an empty array as text.
    private static func list(_ value: JSONValue) -> [JSONValue]? {
        let parsed = parsed(value) { if case .array = $0 { true } else { false } }
        if parsed == JSONValue.null { return nil }
        if case .array(let elements) = parsed ?? value { return elements }
        return [value]
    }

    /// Returns the value of a JSON text if `isExpected` accepts it, and nil otherwise. An empty value becomes null.
    private static func parsed(_ value: JSONValue, _ isExpected: (JSONValue) -> Bool) -> JSONValue? {
        guard case .string(let text) = value, let parsed = try? JSONValue(parsing: text), isExpected(parsed) else {
            return nil
        }
        return isEmpty(parsed) ? JSONValue.null : parsed
    }

    /// Returns a number, also from a text that contains one; nil for other values.
    private static func number(_ value: JSONValue) -> JSONValue? {
        if case .number = value { return value }
        return parsed(value) { if case .number = $0 { true } else { false } }
    }

    /// Returns a number without a fraction in digits: 2 for `2.0`. Returns nil for other values.
    private static func integer(_ value: JSONValue) -> JSONValue? {
        guard case .number(let digits) = value else { return nil }
        if Int(digits) != nil { return value }
        // Doubles of this size represent each integer exactly.
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

    /// Whether a string or an array is empty.
    private static func isEmpty(_ view: JSONView) -> Bool {
        view.kind == .string ? view.token.count <= 2 : view.elements.first { _ in true } == nil
    }
}
