import JSON

/// Finds the word before a token in the header field `Authorization`, such as `SSWS` or `Bot`.
enum OpenAPIPrefix {
    /// Credential prefixes that rarely have another meaning. They are recognized anywhere in the description of a
    /// security scheme.
    private static let distinctive = ["SSWS", "Bot", "Klaviyo-API-Key", "GenieKey", "DeepL-Auth-Key", "Token token="]
    /// Credential prefixes that are also common words. They are recognized only directly after the word
    /// `Authorization`.
    private static let ordinary = ["Bearer", "Token", "ApiKey", "Api-Key", "Key", "OAuth"]

    /// Returns the prefix of an API key with the separator that follows it. Nil if the key has no prefix.
    static func find(_ scheme: JSONView, called key: String) -> String? {
        let texts =
            ["bearerFormat", "description", "x-prefix"].compactMap { scheme[$0]?.string(atMost: 4_000) } + [key]
        for prefix in distinctive {
            if texts.contains(where: { contains(prefix, in: $0) }) { return separated(prefix) }
        }
        if key.lowercased().contains("bearer") { return "Bearer " }
        for text in texts {
            guard let name = text.lowercased().firstRange(of: "authorization") else { continue }
            let offset = text.lowercased().distance(from: text.lowercased().startIndex, to: name.upperBound)
            let rest = text.dropFirst(offset).drop { !$0.isLetter }
            if let prefix = ordinary.first(where: { rest.hasPrefix($0 + " ") }) { return separated(prefix) }
        }
        return nil
    }

    private static func separated(_ prefix: String) -> String { prefix.hasSuffix("=") ? prefix : prefix + " " }

    /// Whether a string mentions a prefix of a credential, such as `Bearer`, as a separate word.
    private static func contains(_ prefix: String, in text: String) -> Bool {
        guard let found = text.firstRange(of: prefix) else { return false }
        let before = text[..<found.lowerBound].last
        let after = text[found.upperBound...].first
        return before?.isLetter != true && (prefix.hasSuffix("=") || after?.isLetter != true)
    }
}
