/// A path with a place for an id (`/api/character/{id}`) or for several (`/api/character/{ids}`).
public struct PathTemplate: Equatable, Sendable {
    /// The path as written.
    public let text: String
    /// The name between the braces; nil for a path without a place.
    public let placeholder: String?
    private let before: String
    private let after: String

    /// A template; nil with a reason where the text is none.
    static func parse(_ text: String) -> Result<PathTemplate, CatalogMessage> {
        guard text.hasPrefix("/") else { return .failure("must begin with '/'") }
        guard !text.contains("?"), !text.contains("#") else {
            return .failure("must not have a query or a fragment; constant parameters go into 'query'")
        }
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
            return .failure("must not have blanks or control characters")
        }
        let parts = text.split(separator: "{", omittingEmptySubsequences: false)
        guard parts.count <= 2 else { return .failure("may have one placeholder only") }
        guard parts.count == 2 else {
            return text.contains("}")
                ? .failure("has a '}' without a '{'")
                : .success(PathTemplate(text: text, placeholder: nil, before: text, after: ""))
        }
        let rest = parts[1].split(separator: "}", omittingEmptySubsequences: false)
        guard rest.count == 2 else { return .failure("must close '{' with one '}'") }
        return .success(
            PathTemplate(
                text: text, placeholder: String(rest[0]), before: String(parts[0]), after: String(rest[1])))
    }

    /// The path with ids put in, percent-encoded so that none can leave its segment.
    ///
    /// - Throws: `HTTPError.invalidURL` for an id that would make a segment `.` or `..`, or that is empty.
    public func path(ids: [String] = []) throws(HTTPError) -> String {
        guard placeholder != nil else { return before }
        guard ids.allSatisfy({ !$0.isEmpty }) else { throw .invalidURL("an id must not be empty") }
        let path = before + ids.map { PercentEncoding.encode($0) }.joined(separator: ",") + after
        guard !path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) else {
            throw .invalidURL("the id '\(ids.joined(separator: ","))' would change the path")
        }
        return path
    }
}

/// A phrase that completes "`'path' …`" in a catalog fault.
struct CatalogMessage: Error, Equatable, ExpressibleByStringLiteral, Sendable {
    let message: String

    init(stringLiteral message: String) { self.message = message }
    init(_ message: String) { self.message = message }
}
