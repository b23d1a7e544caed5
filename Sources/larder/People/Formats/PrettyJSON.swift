import JSON

/// Formats a JSON value on several lines, with two spaces for each level (RFC 8259).
struct PrettyJSON {
    let paint: Paint
    /// Whether terminal control characters in the output are escaped.
    let isVisible: Bool

    /// Returns a value as JSON, without a line break at the end.
    ///
    /// - Parameter margin: the number of spaces before each line except the first.
    func text(_ value: JSONValue, margin: Int = 0) -> String {
        var out = ""
        write(value, margin, to: &out)
        return out
    }

    private func write(_ value: JSONValue, _ margin: Int, to out: inout String) {
        switch value {
        case .object(let object) where !object.members.isEmpty:
            out += "{"
            for (index, member) in object.members.enumerated() {
                out += line(index, margin) + paint.name(shown(.string(member.key))) + ": "
                write(member.value, margin + 2, to: &out)
            }
            out += "\n" + String(repeating: " ", count: margin) + "}"
        case .array(let elements) where !elements.isEmpty:
            out += "["
            for (index, element) in elements.enumerated() {
                out += line(index, margin)
                write(element, margin + 2, to: &out)
            }
            out += "\n" + String(repeating: " ", count: margin) + "]"
        default: out += paint.value(value, shown(value))
        }
    }

    private func shown(_ value: JSONValue) -> String { isVisible ? VisibleText.json(value.text) : value.text }

    /// Returns the text before an array element: a comma (except for the first element), a line break and the
    /// indentation.
    private func line(_ index: Int, _ margin: Int) -> String {
        (index == 0 ? "\n" : ",\n") + String(repeating: " ", count: margin + 2)
    }
}
