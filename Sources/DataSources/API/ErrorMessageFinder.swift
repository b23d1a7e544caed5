import HTTP
import JSON
import Model

/// Finds the API's own error message in an answer. Searches the members in which APIs commonly report errors, such as
/// `message` and `error.message`.
enum ErrorMessageFinder {
    /// The maximum length of an API's error message in Larder's output, in characters.
    static let maxLength = 500
    /// The maximum size of a body that is searched for an error message, in bytes.
    private static let maxBodySize = 256 << 10
    /// The maximum size in bytes of a non-JSON body that is used as the error message.
    private static let maxTextSize = 2000

    private static let selectors = [
        "message", "error.message", "error", "detail", "error_description", "errors.0.message",
        "errors.0.detail", "errors.0.title", "errors.0", "errorSummary", "error_message", "title",
    ].compactMap { JSONSelector($0) }

    /// Returns the API's error message in an error answer; nil if there is none. If the body is short text without JSON
    /// or markup, the whole body is the message.
    static func find(in response: HTTPResponse) -> String? {
        if let message = response.verdict?.message { return message }
        guard response.body.count <= maxBodySize else { return nil }
        guard let document = try? response.json() else { return plainText(of: response) }
        return document.withRoot { find(in: $0) }
    }

    /// Returns the text of a response body, joined into one line. Returns nil if the body is too long, empty, markup or
    /// not UTF-8.
    private static func plainText(of response: HTTPResponse) -> String? {
        let isMarkup = ["html", "xml"].contains { response.headers["Content-Type"]?.lowercased().contains($0) == true }
        guard !isMarkup, response.body.count <= maxTextSize,
            let text = String(validating: response.body, as: UTF8.self)
        else { return nil }
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.isEmpty || line.hasPrefix("<") ? nil : line
    }

    private static func find(in root: JSONView) -> String? {
        for selector in selectors {
            if let text = selector.select(in: root)?.string, !text.isEmpty { return text }
        }
        // Jira has general messages in `errorMessages` and messages about fields in `errors`.
        let messages = root["errorMessages"].map(texts) ?? []
        if !messages.isEmpty {
            let others = root["errors"].flatMap(fields).map { [$0] } ?? []
            return (messages + others).joined(separator: "; ")
        }
        return root["errors"].flatMap(fields) ?? fields(root)
    }

    /// Returns the non-empty strings in a value that is a string or an array of strings.
    private static func texts(_ view: JSONView) -> [String] {
        (view.string.map { [$0] } ?? view.elements.compactMap { $0.string }).filter { !$0.isEmpty }
    }

    /// Returns the error message in a 2xx answer; nil if the answer reports no error. An `error` or `errors` member
    /// reports an error unless its value is null, false, empty or 0.
    static func ofError(in root: JSONView) -> String? {
        let value = ["error", "errors"].compactMap { root[$0].map { JSONValue($0) } }.first { value in
            !value.isEmptyOrFalse && value != .number("0")
        }
        return value.map { find(in: root) ?? $0.text }
    }

    /// Returns the error message in a 2xx answer that lacks the requested data. If the answer reports no error, returns
    /// the value of its member `message`; nil if there is none.
    static func ofErrorOrMessage(of root: JSONView) -> String? {
        ofError(in: root) ?? root["message"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns an error message on one line, shortened and with secrets replaced.
    static func shown(_ message: String, _ redactor: Redactor) -> String {
        let line = String(
            String.UnicodeScalarView(
                message.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .lineSeparator, .paragraphSeparator: " "
                    default: scalar
                    }
                }))
        return redactor.redact(line, limit: maxLength - 3)
    }

    /// Joins the messages in an object whose keys are field names, such as `{"name": ["is too long"]}`, into one
    /// string. Returns nil for any other object.
    private static func fields(_ view: JSONView) -> String? {
        var messages: [String] = []
        for member in view.members {
            let texts = texts(member.value)
            guard !texts.isEmpty else { return nil }
            messages.append("\(member.key.string ?? ""): \(texts.joined(separator: ", "))")
        }
        return messages.isEmpty ? nil : messages.joined(separator: "; ")
    }
}
