import System

/// Redacts secrets in strings that are shown, logged or saved.
///
/// The redactor finds secrets in UTF-8, Latin-1 and UTF-16. It also finds secrets with JSON or HTML escapes, in
/// percent-encoding, and in base64 or base64url. The secret may be part of a longer string.
public struct Redactor: Sendable {
    /// The string that replaces a secret.
    public static let mark = "***"
    /// The minimum length of a redacted secret, in characters. Shorter secrets may be ordinary words.
    static let minLength = 8

    private let search: SecretSearch?
    private let learned: LearnedSecrets?

    /// A redactor without secrets. It returns every string unchanged.
    public static let none = Redactor(secrets: [])

    /// Creates a redactor for the given secrets. Ignores secrets that are too short, and plain numbers.
    ///
    /// - Parameter learned: secrets that become known later; nil if there are none.
    public init(secrets: [String], learned: LearnedSecrets? = nil) {
        search = Self.search(for: secrets)
        self.learned = learned
    }

    /// Creates the matcher that finds the given secrets in a text. Nil if all of them are too short or plain numbers.
    static func search(for secrets: [String]) -> SecretSearch? {
        let forms = secrets.filter(isSearchable).flatMap { SecretForm.all(of: $0) }
        return forms.isEmpty ? nil : SecretSearch(forms)
    }

    /// Returns a copy of the bytes in which secrets are redacted; nil if the bytes contain no secret.
    private func redacted(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let late = learned?.search else { return search?.redacted(bytes) }
        return late.redacted(bytes, with: search)
    }

    /// Whether redactors search for a secret. Secrets of less than 8 characters and plain numbers are ignored, because
    /// they are too common in other text.
    public static func isSearchable(_ secret: String) -> Bool {
        secret.unicodeScalars.count >= minLength && !isNumber(secret)
    }

    /// Redacts the secrets in a string.
    public func redact(_ text: String) -> String {
        guard let redacted = text.withBytes({ redacted($0) }) else { return text }
        return String(decoding: redacted, as: UTF8.self)
    }

    /// Redacts the secrets in a string, and then truncates the string to `limit` characters. In the opposite order, the
    /// first part of a secret could remain, because a redactor finds only whole secrets.
    public func redact(_ text: String, limit: Int) -> String {
        let text = redact(text)
        guard let end = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex), end < text.endIndex
        else { return text }
        return text[..<end] + "..."
    }

    /// Redacts the secrets in a text of any encoding.
    public func redact(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { redacted($0) } ?? bytes
    }

    /// Whether a string contains a secret.
    public func finds(in text: String) -> Bool {
        text.withBytes { redacted($0) != nil }
    }

    private static func isNumber(_ text: String) -> Bool {
        text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) } && Double(text) != nil
    }
}

/// Finds or hides the user and password of a URL (RFC 3986, section 3.2.1). The password ends at the last `@`, because
/// the password may contain an unencoded `@`.
public enum Userinfo {
    /// Replaces the user and password of a URL by `Redactor.mark`.
    public static func hide(in url: String) -> String {
        guard let range = range(in: url) else { return url }
        return url[..<range.lowerBound] + Redactor.mark + url[range.upperBound...]
    }

    /// Returns the user and password of a URL; nil if the URL has none.
    package static func find(in url: String) -> String? { range(in: url).map { String(url[$0]) } }

    private static func range(in url: String) -> Range<String.Index>? {
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        guard let end = url.lastIndex(of: "@"), end >= start else { return nil }
        return start..<end
    }
}
