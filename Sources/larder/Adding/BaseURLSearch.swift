import CatalogTools
import DataSources
import JSON
import Model

/// Finds the base URL of an API whose document names no server or a wrong server. Accepts a candidate if a request with
/// it succeeds.
struct BaseURLSearch {
    /// The most common path of an API's base URL.
    private static let usual = "/api"
    /// The suffixes of document URLs. A URL with such a suffix is not a base URL.
    private static let documentSuffixes = [".json", ".yaml", ".yml"]

    /// The URL of the API's document.
    let document: String
    /// The URL or file that the user passed to `larder add`.
    let source: String

    /// Whether the base URL is probably wrong, because every answer has the status 404 or 405, or is not JSON.
    static func isNeeded(_ findings: [LiveFinding]) -> Bool {
        let tried = findings.filter { $0.exchange != nil }
        return !tried.isEmpty
            && tried.allSatisfy { finding in
                guard finding.error != nil, let status = finding.exchange?.status else { return false }
                return [404, 405].contains(status) || (status < 300 && finding.error?.found == nil)
            }
    }

    /// Returns the base URLs to try. Each URL has the same origin as the current base URL.
    func candidates(instead base: String) -> [String] {
        guard let origin = URLReference(base)?.origin else { return [] }
        var found = [Self.bare(base)]
        let folder = document.lastIndex(of: "/").map { String(document[..<$0]) }
        for text in [folder, source, Self.usual].compactMap({ $0 }) {
            guard
                let url = URLReference(text).flatMap({ reference in
                    URLReference(base).flatMap { reference.resolved(against: $0) }
                }), url.origin == origin, let scheme = url.scheme, let authority = url.authority
            else { continue }
            let candidate = Self.bare("\(scheme)://\(authority)\(url.path)")
            let isDocument = Self.documentSuffixes.contains { candidate.hasSuffix($0) }
            if !found.contains(candidate), !isDocument { found.append(candidate) }
        }
        return Array(found.dropFirst())
    }

    /// Returns the text of a catalog with a new base URL. Nil if the catalog declares several APIs.
    static func text(_ bytes: [UInt8], _ base: String) -> [UInt8]? {
        guard let document = try? JSONDocument(bytes, as: .jsonc) else { return nil }
        let range = document.withRoot { root -> Range<Int>? in
            let apis = root["apis"]?.members.map { $0.value } ?? []
            guard apis.count == 1, let url = apis[0]["baseURL"], url.kind == .string else { return nil }
            return url.offset..<url.offset + url.token.count
        }
        guard let range else { return nil }
        return bytes[..<range.lowerBound] + Array(JSONValue.string(base).text.utf8) + bytes[range.upperBound...]
    }

    private static func bare(_ url: String) -> String { url.hasSuffix("/") ? bare(String(url.dropLast())) : url }
}
