/// Takes secrets out of texts that are shown, logged or saved.
public struct Redactor: Sendable {
    /// What stands in a secret's place.
    public static let mark = "***"
    private let forms: [String.UnicodeScalarView]

    /// A redactor of these secrets, in every form in which they travel: as they are, percent-encoded, and in base64.
    public init(secrets: [String]) {
        var forms: Set<String> = []
        for secret in secrets where !secret.isEmpty {
            forms.formUnion([secret, PercentEncoding.encode(secret), Base64.encode(Array(secret.utf8))])
        }
        self.forms = forms.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }.map(\.unicodeScalars)
    }

    /// The text without secrets.
    ///
    /// It looks at scalars: a combining mark after a secret makes another character of its end, and must not hide it.
    public func redact(_ text: String) -> String {
        let scalars = forms.reduce(text.unicodeScalars) { text, form in
            text.contains(form) ? text.replacing(form, with: Self.mark.unicodeScalars) : text
        }
        return String(scalars)
    }
}
