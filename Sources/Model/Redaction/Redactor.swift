import System

/// Takes secrets out of texts that are shown, logged or saved.
///
/// A secret is found as it is, in Latin-1 and in UTF-16, with JSON's escapes, percent-encoded, and as base64 or
/// base64url, alone or inside a longer text. All of them are looked for at once: `SecretSearch` says how.
public struct Redactor: Sendable {
    /// What stands in a secret's place.
    public static let mark = "***"
    /// Fewer characters are found by chance: who takes them out of a text takes it apart.
    static let shortest = 8

    private let search: SecretSearch?
    private let learned: LearnedSecrets?

    /// Leaves everything as it is.
    public static let none = Redactor(secrets: [])

    /// A redactor of those of these secrets that it looks for.
    ///
    /// - Parameter learned: those that become known later; nil where none do.
    public init(secrets: [String], learned: LearnedSecrets? = nil) {
        search = Self.search(for: secrets)
        self.learned = learned
    }

    /// Nil where none of the secrets is looked for.
    static func search(for secrets: [String]) -> SecretSearch? {
        let forms = secrets.filter(looksFor).flatMap { SecretForm.all(of: $0) }
        return forms.isEmpty ? nil : SecretSearch(forms)
    }

    /// The bytes without secrets; nil where they hold none.
    private func redacted(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let late = learned?.search else { return search?.redacted(bytes) }
        return late.redacted(bytes, with: search)
    }

    /// Whether a secret is looked for: it has at least 8 characters and is no plain number, which an API may well say
    /// for another reason.
    public static func looksFor(_ secret: String) -> Bool {
        secret.unicodeScalars.count >= shortest && !isNumber(secret)
    }

    /// The text without secrets.
    public func redact(_ text: String) -> String {
        guard let redacted = text.withBytes({ redacted($0) }) else { return text }
        return String(decoding: redacted, as: UTF8.self)
    }

    /// The text without secrets, and then cut after so many characters: what is cut first could end within a secret,
    /// which would not be found any more.
    public func redact(_ text: String, limit: Int) -> String {
        let text = redact(text)
        guard let end = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex), end < text.endIndex
        else { return text }
        return text[..<end] + "..."
    }

    /// The bytes of a text in any encoding without secrets.
    public func redact(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { redacted($0) } ?? bytes
    }

    /// Whether a secret stands in a text.
    public func finds(in text: String) -> Bool {
        text.withBytes { redacted($0) != nil }
    }

    private static func isNumber(_ text: String) -> Bool {
        text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) } && Double(text) != nil
    }
}

/// The user and password in front of a URL's host (RFC 3986, section 3.2.1), also where they were not encoded as they
/// should have been: all up to the last `@` is taken for them.
public enum Userinfo {
    /// The URL with a mark in place of user and password.
    public static func hide(in url: String) -> String {
        guard let range = range(in: url) else { return url }
        return url[..<range.lowerBound] + Redactor.mark + url[range.upperBound...]
    }

    /// The user and password; nil where there is none.
    package static func find(in url: String) -> String? { range(in: url).map { String(url[$0]) } }

    private static func range(in url: String) -> Range<String.Index>? {
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        guard let end = url.lastIndex(of: "@"), end >= start else { return nil }
        return start..<end
    }
}
