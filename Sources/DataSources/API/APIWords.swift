import HTTP
import JSON
import Model

/// What an API says itself of an error, where APIs usually say it.
enum APIWords {
    /// How many characters are shown.
    static let limit = 500
    /// No error's text is looked for in more.
    private static let largest = 256 << 10

    private static let places = [
        "message", "error.message", "error", "detail", "error_description", "errors.0.message", "title",
    ].compactMap { JSONSelector($0) }

    /// The words of an answer that is an error; nil where it has none, or is no JSON.
    static func find(in response: HTTPResponse) -> String? {
        if let message = response.verdict?.message { return message }
        guard response.body.count <= largest else { return nil }
        guard let document = try? response.json() else { return nil }
        return document.withRoot { find(in: $0) }
    }

    private static func find(in root: JSONView) -> String? {
        for place in places {
            if let text = place.select(in: root)?.string, !text.isEmpty { return text }
        }
        // Messages beside the fields that they are not about, as Jira has both.
        let messages = root["errorMessages"].map(texts) ?? []
        if !messages.isEmpty {
            let others = root["errors"].flatMap(fields).map { [$0] } ?? []
            return (messages + others).joined(separator: "; ")
        }
        return root["errors"].flatMap(fields) ?? fields(root)
    }

    /// A text, or several, but for empty ones.
    private static func texts(_ view: JSONView) -> [String] {
        (view.string.map { [$0] } ?? view.elements.compactMap { $0.string }).filter { !$0.isEmpty }
    }

    /// The words of an answer with the status of a success, in which an error stands; nil where none does. What
    /// `error` or `errors` holds is one, unless that says that there is none.
    static func ofError(in root: JSONView) -> String? {
        let said = ["error", "errors"].compactMap { root[$0].map { JSONValue($0) } }.first { value in
            !value.isEmptyOrFalse && value != .number("0")
        }
        return said.map { find(in: root) ?? $0.text }
    }

    /// The words of an answer with the status of a success, in which what was asked for is not where it should be:
    /// those of its error, else its message.
    static func inPlace(of root: JSONView) -> String? {
        ofError(in: root) ?? root["message"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The words in one line, without secrets, and cut.
    static func shown(_ words: String, _ redactor: Redactor) -> String {
        let line = String(
            String.UnicodeScalarView(
                words.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .lineSeparator, .paragraphSeparator: " "
                    default: scalar
                    }
                }))
        return redactor.redact(line, limit: limit - 3)
    }

    /// A map of fields to what is wrong with each: a text, or several.
    private static func fields(_ view: JSONView) -> String? {
        var words: [String] = []
        for member in view.members {
            let texts = texts(member.value)
            guard !texts.isEmpty else { return nil }
            words.append("\(member.key.string ?? ""): \(texts.joined(separator: ", "))")
        }
        return words.isEmpty ? nil : words.joined(separator: "; ")
    }
}
