import JSON
import Model

/// Converts page URLs in responses to page tokens, and page tokens to URLs. A page token is the path and query of the
/// URL without secrets.
public struct PageLinks: Sendable {
    private let declared: URLReference?
    private let reached: URLReference?
    /// The names of query parameters that contain secrets. A page token does not contain these parameters.
    package let secretNames: Set<String>
    /// Whether the path of a page must be below the path of the base URL. True for `POST` requests. A `GET` request may
    /// use any path on the API's origin.
    private let staysBelowBase: Bool

    /// Creates a converter for the page URLs of one list.
    ///
    /// - Parameters:
    ///   - api: the API of the list.
    ///   - constants: the query parameters that every request of the list sends.
    ///   - method: the method of the list's requests.
    ///   - redactor: recognizes the constants that contain secrets.
    package init(_ api: APIDefinition, constants: [QueryConstant], method: HTTPMethod = .get, redactor: Redactor) {
        staysBelowBase = method != .get
        declared = URLReference(api.baseURL)
        reached = URLReference(api.effectiveBaseURL)
        var names = Set(
            constants.filter { constant in
                constant.values.contains { redactor.redact($0.text) != $0.text }
            }.map(\.name))
        if case .query(let name, _) = api.auth { names.insert(name) }
        secretNames = names
    }

    /// Returns the page token for a URL in a response: the path and query without secrets.
    ///
    /// - Parameter request: the URL of the request. A relative URL is resolved against it.
    /// - Throws: `APIError.invalidResponse` for an invalid URL, for another origin, and for a path that servers can
    ///   interpret in more than one way.
    func target(of text: String, in request: String) throws(APIError) -> String {
        let url = try resolved(text, in: request)
        if let reason = refusal(of: url.path) {
            throw APIError(
                .invalidResponse,
                "cannot request the next page: the path of its URL \(reason); report this to the API's provider")
        }
        return stripped(url).target
    }

    /// Returns the absolute URL for a page token, without the parameters that contain secrets.
    ///
    /// - Parameter target: the page token. It comes from a client and can be invalid.
    /// - Throws: `APIError.invalidRequest` if the string cannot be a page token.
    package func url(of target: String) throws(APIError) -> String {
        guard target.hasPrefix("/"), !target.hasPrefix("//"), !target.utf8.contains(UInt8(ascii: "#")),
            let reference = URLReference(target), let url = absolute(reference)
        else {
            throw Cursor.unknown(.opaque(target))
        }
        if let reason = refusal(of: reference.path) {
            let token = PageToken.opaque(target).json.text
            throw APIError(
                .invalidRequest,
                "\(token) is not a page token of this list: its path \(reason); use the value of 'next' from a page of"
                    + " this list")
        }
        return url
    }

    /// Resolves a URL from the catalog, and returns the absolute URL to request. If the option `--base-url` replaces
    /// the base URL of the API, also replaces it in the result. Returns nil if the URL and the API have different
    /// origins.
    package func effectiveURL(of text: String, in base: String) -> String? {
        (try? resolved(text, in: base)).flatMap(absolute)
    }

    /// Resolves a URL from a response against the URL of the request. If the result starts with the declared base URL,
    /// this base URL is replaced with the one in use.
    private func resolved(_ text: String, in request: String) throws(APIError) -> URLReference {
        guard let base = URLReference(request), let url = URLReference(text)?.resolved(against: base) else {
            throw Self.invalidURL(text)
        }
        if let origin = url.origin, origin == reached?.origin { return url }
        guard let declared, let origin = url.origin, origin == declared.origin else {
            throw APIError(
                .invalidResponse,
                "the next page is at \(url.origin ?? "an unknown origin"), but the API is at "
                    + "\(declared?.origin ?? "an unknown origin"); correct 'baseURL'")
        }
        return rebased(url, from: declared)
    }

    private func absolute(_ url: URLReference) -> String? {
        guard let scheme = reached?.scheme, let authority = reached?.authority else { return nil }
        return "\(scheme)://\(authority)\(stripped(url).target)"
    }

    /// Returns the reason why a path must not be requested; nil if the path is safe.
    ///
    /// Segments `.` and `..` are refused in every encoding that servers accept: percent-encoded (once or repeatedly),
    /// after a backslash, or before a parameter (`..;x`). A path that starts with two slashes is refused, too, because
    /// an HTTP client would read a host name after the slashes.
    private func refusal(of path: String) -> String? {
        if path.hasPrefix("//") { return "starts with '//'" }
        let base = reached?.path ?? ""
        guard !staysBelowBase || Self.steps(of: path, below: base) != nil else {
            return "is not below '\(base)', the path of the base URL, as a POST requires"
        }
        if DotSegments.areFound(in: path) { return "has a segment '.' or '..'" }
        var seen = path
        for _ in 0...DotSegments.maxDecodings {
            if seen.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "has a control character" }
            let decoded = PercentEncoding.decode(seen)
            if decoded == seen { break }
            seen = decoded
        }
        return nil
    }

    /// Returns the segments of a path below a base path; nil if the path does not start with the base path. Compares
    /// percent-decoded segments, because `%7E` equals `~`.
    private static func steps(of path: String, below base: String) -> ArraySlice<Substring>? {
        let steps = path.split(separator: "/", omittingEmptySubsequences: false)
        var own = base.split(separator: "/", omittingEmptySubsequences: false)
        while own.count > 1, own.last?.isEmpty == true { own.removeLast() }
        guard steps.count >= own.count else { return nil }
        let isBelow = zip(steps, own).allSatisfy { step, own in
            PercentEncoding.decode(String(step)) == PercentEncoding.decode(String(own))
        }
        return isBelow ? steps[own.count...] : nil
    }

    /// Returns the query of a URL without its secret parameters; empty if the URL contains no query.
    func query(of text: String) throws(APIError) -> String {
        guard let url = URLReference(text) else { throw Self.invalidURL(text) }
        return stripped(url).query ?? ""
    }

    /// Returns the error for an invalid URL. Quotes the URL only if it is short. A long URL would have to be truncated,
    /// and the redactor cannot find a truncated secret.
    private static func invalidURL(_ text: String) -> APIError {
        let quoted = text.utf8.count > 500 ? "a string of \(text.utf8.count) bytes" : "'\(Userinfo.hide(in: text))'"
        return APIError(
            .invalidResponse,
            "cannot request the next page: \(quoted) must be an http or https URL, and must not contain a user or"
                + " password; check \"pagination\" in the catalog"
        )
    }

    /// Replaces the declared base URL at the start of a URL with the base URL in use.
    private func rebased(_ url: URLReference, from declared: URLReference) -> URLReference {
        guard let reached, let steps = Self.steps(of: url.path, below: declared.path) else { return url }
        var url = url
        url.path = reached.path + steps.map { "/\($0)" }.joined()
        return url
    }

    private func stripped(_ url: URLReference) -> URLReference {
        guard !secretNames.isEmpty, url.query != nil else { return url }
        var url = url
        let kept = url.parameters.filter { !secretNames.contains($0.item.name) }.map(\.written)
        url.query = kept.isEmpty ? nil : kept.joined(separator: "&")
        return url
    }
}
