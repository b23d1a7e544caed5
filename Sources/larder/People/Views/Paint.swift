import JSON

/// Adds colours to text with SGR sequences (ECMA-48). If `isOn` is false, the text stays unchanged.
struct Paint: Sendable {
    let isOn: Bool

    func heading(_ text: String) -> String { wrapped(text, "1") }
    func name(_ text: String) -> String { wrapped(text, "36") }
    func aside(_ text: String) -> String { wrapped(text, "2") }
    func error(_ text: String) -> String { wrapped(text, "1;31") }
    func warning(_ text: String) -> String { wrapped(text, "33") }

    /// Colours the text of a JSON value. The value's type determines the colour.
    func value(_ value: JSONValue, _ text: String) -> String {
        switch value {
        case .null: aside(text)
        case .number, .bool: warning(text)
        case .string, .array, .object: text
        }
    }

    private func wrapped(_ text: String, _ code: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
