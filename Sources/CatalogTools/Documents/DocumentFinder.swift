import HTTP
import JSON
import Model
import System

/// Finds the description of an API at a location: an OpenAPI or Swagger document, a GraphQL endpoint, or a response of
/// the API.
public struct DocumentFinder: Sendable {
    /// The kind and the location of an API's description.
    public enum Found: Equatable, Sendable {
        /// An OpenAPI 3 or Swagger 2.0 document, at the associated location.
        case document(DocumentLocation)
        /// The URL of a GraphQL endpoint.
        case graphQL(String)
        /// A response of an API, at the associated location.
        case answer(DocumentLocation)
    }

    /// The usual paths of API documents, the most frequent path first.
    private static let names = [
        "openapi.json", "swagger.json", "openapi.yaml", "swagger.yaml", "v3/api-docs", "api-docs",
        "swagger/v1/swagger.json",
        "api/openapi.json", "api/swagger.json", "docs/openapi.json", "api/schema/", "api/spec.yaml", "spec.yaml",
        "api/spec.json", "openapi.yml",
    ]
    /// The timeouts in milliseconds for trying possible URLs of a document: for one URL, and for all URLs together.
    private static let (timeout, maxWait) = (5_000, 20_000)
    /// The maximum number of links to try from one web page.
    private static let maxLinks = 10

    private let reader: DocumentReader

    public init(reader: DocumentReader) { self.reader = reader }

    /// Finds the description of an API at a location. For a URL, also tries the usual paths of API documents, and the
    /// documents that the web page at the URL refers to. All requests go to the origin of the URL.
    ///
    /// - Throws: `CatalogDraftError` if nothing can be read.
    public func find(at location: DocumentLocation) async throws(CatalogDraftError) -> Found {
        guard case .url(let url) = location else {
            return Self.isDescription(try await reader.read(location).bytes) ? .document(location) : .answer(location)
        }
        if location.isGraphQLEndpoint { return .graphQL(url) }
        var (fault, links): (CatalogDraftError?, [String]) = (nil, [])
        var reached = url
        do throws(CatalogDraftError) {
            let read = try await reader.read(location)
            let bytes = read.bytes
            if Self.isDescription(bytes) { return .document(location) }
            reached = read.location.address ?? url
            links = read.links.filter { $0.relations.contains("service-desc") }.map(\.url)
            links +=
                Self.description(in: bytes) + Self.links(in: String(decoding: bytes.prefix(1 << 20), as: UTF8.self))
        } catch {
            // If the host is unreachable, requests to its remaining paths would fail too.
            if error.isUnreachable { throw error }
            fault = error
        }
        let deadline = Monotonic.milliseconds + Self.maxWait
        for candidate in Self.candidates(below: reached, links) where Monotonic.milliseconds < deadline {
            do throws(CatalogDraftError) {
                let document = try await reader.attempt(candidate, within: Self.timeout)
                if Self.isDescription(document.bytes) { return .document(.url(candidate)) }
            } catch {
                if error.isUnreachable { break }
            }
        }
        if let fault { throw fault }
        return .answer(location)
    }

    /// Whether bytes are an OpenAPI 3 or Swagger 2.0 document, in JSON or YAML.
    static func isDescription(_ bytes: [UInt8]) -> Bool {
        guard let document = try? DocumentText.json(bytes) else { return false }
        return document.withRoot { root in
            root["openapi"]?.string?.hasPrefix("3.") == true
                || root["swagger"].map { ($0.string ?? $0.number)?.hasPrefix("2") == true } == true
        }
    }

    /// Returns the URLs to try, without duplicates: the links in the web page, and the usual paths below the page's
    /// URL, its folder and its origin. All returned URLs have the origin of the page.
    static func candidates(below url: String, _ links: [String]) -> [String] {
        guard let base = URLReference(url) else { return [] }
        let path = path(of: url)
        let folder = path.hasSuffix("/") ? path : String(path[...(path.lastIndex(of: "/") ?? path.startIndex)])
        let below = path.hasSuffix("/") ? path : path + "/"
        var seen: Set<String> = [url]
        let paths = links.prefix(maxLinks) + [below, folder, "/"].flatMap { prefix in names.map { prefix + $0 } }
        return paths.compactMap { path in
            guard let found = URLReference(path)?.resolved(against: base), found.origin == base.origin,
                let scheme = found.scheme, let authority = found.authority
            else { return nil }
            let text = "\(scheme)://\(authority)\(found.target)"
            return seen.insert(text).inserted ? text : nil
        }
    }

    /// Returns the URL with the relation `service-desc` (RFC 8631) from an array of links in an answer. OGC APIs send
    /// these arrays.
    private static func description(in bytes: [UInt8]) -> [String] {
        guard let document = try? JSONDocument(bytes), let selector = JSONSelector("links.[rel=service-desc].href")
        else {
            return []
        }
        return document.withRoot { selector.select(in: $0)?.string }.map { [$0] } ?? []
    }

    /// Returns the quoted strings in a web page that look like paths of documents. The page of Swagger UI contains such
    /// strings.
    static func links(in page: String) -> [String] {
        page.split { $0 == "\"" || $0 == "'" || $0 == "`" }.map(String.init).filter { text in
            let lowered = text.lowercased()
            return text.utf8.count <= 200 && !text.contains { $0.isWhitespace || $0 == "<" }
                && ["openapi", "swagger", "api-docs"].contains { lowered.contains($0) }
                && [".json", ".yaml", ".yml", "api-docs"].contains { lowered.hasSuffix($0) }
        }
    }

    /// Returns the path of a URL; `/` if it has none.
    fileprivate static func path(of url: String) -> String {
        let target = URLReference(url)?.target.prefix { $0 != "?" && $0 != "#" } ?? ""
        return target.isEmpty ? "/" : String(target)
    }
}

extension DocumentLocation {
    /// Whether the location is a URL whose path ends with `graphql`.
    public var isGraphQLEndpoint: Bool {
        guard case .url(let url) = self else { return false }
        return DocumentFinder.path(of: url).lowercased().split(separator: "/").last == "graphql"
    }
}
