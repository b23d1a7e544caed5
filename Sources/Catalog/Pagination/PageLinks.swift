import JSON
import Model

/// The URLs by which answers name other pages of a list, and what they are asked for with. Where a page is asked for by
/// a URL, its token is path and query of that: where the API is goes without saying, and no secret stands in it.
public struct PageLinks: Sendable {
    private let declared: URLReference?
    private let reached: URLReference?
    /// Parameters with secrets, which an API may repeat in its URLs: they are taken out, and put in again where the
    /// page is asked for.
    package let secretNames: Set<String>
    /// Whether pages lie below the base URL alone. A `GET` that only reads may go anywhere on the API's origin.
    private let staysBelowBase: Bool

    /// The links of a list of an API.
    ///
    /// - Parameters:
    ///   - constants: the query parameters that each request of the list has.
    ///   - method: what the list is asked with.
    package init(_ api: APIDefinition, constants: [QueryConstant], method: HTTPMethod = .get, redactor: Redactor) {
        staysBelowBase = method != .get
        declared = URLReference(api.baseURL)
        reached = URLReference(api.reachedAt)
        var names = Set(
            constants.filter { constant in
                constant.values.contains { redactor.redact($0.text) != $0.text }
            }.map(\.name))
        if case .query(let name, _) = api.auth { names.insert(name) }
        secretNames = names
    }

    /// Path and query of what a URL means in the answer to a request.
    ///
    /// - Parameter request: the URL that was asked.
    /// - Throws: `APIError.invalidResponse` for what is no URL, one of another origin, and one whose path servers may
    ///   understand in more than one way.
    func target(of text: String, in request: String) throws(APIError) -> String {
        let url = try followed(text, in: request)
        if let reason = refusal(of: url.path) {
            throw APIError(.invalidResponse, "the URL of the next page \(reason): nothing is asked there")
        }
        return stripped(url).target
    }

    /// The absolute URL of a page, without the parameters that were taken out of it.
    ///
    /// - Throws: `APIError.invalidRequest` for a text that is no token of such a page: it may come from anybody.
    package func url(of target: String) throws(APIError) -> String {
        guard target.hasPrefix("/"), !target.hasPrefix("//"), !target.utf8.contains(UInt8(ascii: "#")),
            let reference = URLReference(target), let url = absolute(reference)
        else {
            throw Cursor.unknown(.opaque(target))
        }
        if let reason = refusal(of: reference.path) {
            let told = PageToken.opaque(target).json.text
            throw APIError(.invalidRequest, "\(told) is no page of this list: it \(reason)")
        }
        return url
    }

    /// A URL that the catalog has, where the API is really reached; nil where it is of another origin.
    package func reachedURL(of text: String, in base: String) -> String? {
        (try? followed(text, in: base)).flatMap(absolute)
    }

    /// What a URL means where it stands, where the API is really reached.
    private func followed(_ text: String, in request: String) throws(APIError) -> URLReference {
        guard let base = URLReference(request), let url = URLReference(text)?.resolved(against: base) else {
            throw Self.noURL(text)
        }
        if let origin = url.origin, origin == reached?.origin { return url }
        guard let declared, let origin = url.origin, origin == declared.origin else {
            throw APIError(
                .invalidResponse,
                "the next page is at \(url.origin ?? "nowhere"), another origin than "
                    + "\(declared?.origin ?? "the API's"): nothing is asked there")
        }
        return led(url, from: declared)
    }

    private func absolute(_ url: URLReference) -> String? {
        guard let scheme = reached?.scheme, let authority = reached?.authority else { return nil }
        return "\(scheme)://\(authority)\(stripped(url).target)"
    }

    /// Why nothing is asked at a path; nil where something may be.
    ///
    /// Steps that lead up are refused as servers may see them: decoded once or more often, behind a backslash, or
    /// before a parameter (`..;x`). A path that begins with two slashes would be taken for a host.
    private func refusal(of path: String) -> String? {
        if path.hasPrefix("//") { return "begins with '//'" }
        let base = reached?.path ?? ""
        guard !staysBelowBase || Self.steps(of: path, below: base) != nil else {
            return "does not lie below '\(base)', the path of the base URL, as that of a POST must"
        }
        if DotSegments.areFound(in: path) { return "has a step '.' or '..'" }
        var seen = path
        for _ in 0...DotSegments.maxDecodings {
            if seen.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "has a control character" }
            let decoded = PercentEncoding.decode(seen)
            if decoded == seen { break }
            seen = decoded
        }
        return nil
    }

    /// The steps of a path behind those of a base; nil where it lies elsewhere. What is compared is what they stand
    /// for: `%7E` is `~`.
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

    /// The query of a URL, without what is secret in it; empty where it has none.
    func query(of text: String) throws(APIError) -> String {
        guard let url = URLReference(text) else { throw Self.noURL(text) }
        return stripped(url).query ?? ""
    }

    /// A long text is not shown: a secret is known by its whole only, and not by a piece.
    private static func noURL(_ text: String) -> APIError {
        let told = text.utf8.count > 500 ? "a text of \(text.utf8.count) bytes" : "'\(Userinfo.hide(in: text))'"
        return APIError(
            .invalidResponse,
            "the URL of another page cannot be followed: \(told) is none of http or https without a user")
    }

    /// A URL that the API believes to be its own, where it is really reached.
    private func led(_ url: URLReference, from declared: URLReference) -> URLReference {
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
