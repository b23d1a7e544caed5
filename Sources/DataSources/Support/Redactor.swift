/// Takes secrets out of texts that are shown, logged or saved.
public struct Redactor: Sendable {
    /// What stands in a secret's place.
    public static let mark = "***"
    private let forms: [String.UnicodeScalarView]
    private let escapable: [[UInt16]]

    /// A redactor of these secrets, in every form in which they travel: as they are, percent-encoded, in base64, and
    /// each of these with JSON's escapes.
    public init(secrets: [String]) {
        var forms: Set<String> = []
        for secret in secrets where !secret.isEmpty {
            forms.formUnion([secret, PercentEncoding.encode(secret), Base64.encode(Array(secret.utf8))])
        }
        let sorted = forms.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
        self.forms = sorted.map(\.unicodeScalars)
        escapable = sorted.map { Array($0.utf16) }
    }

    /// The text without secrets.
    ///
    /// It looks at scalars: a combining mark after a secret makes another character of its end, and must not hide it.
    public func redact(_ text: String) -> String {
        let scalars = forms.reduce(text.unicodeScalars) { text, form in
            text.contains(form) ? text.replacing(form, with: Self.mark.unicodeScalars) : text
        }
        guard !forms.isEmpty, scalars.contains("\\") else { return String(scalars) }
        return EscapedText(String(scalars)).replacing(escapable, with: Self.mark)
    }
}
