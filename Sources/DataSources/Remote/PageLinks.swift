import JSON

/// The URLs by which answers name other pages of a list, and what they are asked for with. Where a page is asked for by
/// a URL, its token is path and query of that: where the API is goes without saying, and no secret stands in it.
public struct PageLinks: Sendable {
    private let declared: URLReference?
    private let reached: URLReference?
    /// Parameters with secrets, which an API may repeat in its URLs: they are taken out, and put in again where the
    /// page is asked for.
    let secretNames: Set<String>

    /// The links of a list of an API.
    ///
    /// - Parameter constants: the query parameters that each request of the list has.
    init(_ api: APIDefinition, constants: [QueryConstant], redactor: Redactor) {
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
    /// - Throws: `APIError.invalidResponse` for what is no URL, or one of another origin.
    func target(of text: String, in request: String) throws(APIError) -> String {
        guard let base = URLReference(request), let url = URLReference(text)?.resolved(against: base) else {
            throw Self.noURL(text)
        }
        if let origin = url.origin, origin == reached?.origin { return stripped(url).target }
        guard let declared, let origin = url.origin, origin == declared.origin else {
            throw APIError(
                .invalidResponse,
                "the next page is at \(url.origin ?? "nowhere"), another origin than "
                    + "\(declared?.origin ?? "the API's"): nothing is asked there")
        }
        return stripped(led(url, from: declared)).target
    }

    /// The absolute URL of a page, without the parameters that were taken out of it.
    ///
    /// - Throws: `APIError.invalidRequest` for a text that is no token of such a page.
    func url(of target: String) throws(APIError) -> String {
        guard target.hasPrefix("/"), !target.hasPrefix("//"), let reference = URLReference(target), let reached,
            let scheme = reached.scheme, let authority = reached.authority
        else {
            throw Cursor.unknown(.opaque(target))
        }
        return "\(scheme)://\(authority)" + stripped(reference.resolved(against: reached)).target
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
        var url = url
        let base = declared.path
        if let reached, url.path == base || url.path.hasPrefix(base.hasSuffix("/") ? base : base + "/") {
            url.path = reached.path + url.path.dropFirst(base.count)
        }
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
