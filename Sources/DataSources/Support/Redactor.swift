/// Takes secrets out of texts that are shown, logged or saved.
public struct Redactor: Sendable {
    /// What stands in a secret's place.
    public static let mark = "***"
    private let forms: [String]

    /// A redactor of these secrets, in every form in which they travel: as they are, percent-encoded, and in base64.
    public init(secrets: [String]) {
        var forms: Set<String> = []
        for secret in secrets where !secret.isEmpty {
            forms.formUnion([secret, PercentEncoding.encode(secret), Base64.encode(Array(secret.utf8))])
        }
        self.forms = forms.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
    }

    /// The text without secrets.
    public func redact(_ text: String) -> String {
        forms.reduce(text) { $0.contains($1) ? $0.replacing($1, with: Self.mark) : $0 }
    }
}
