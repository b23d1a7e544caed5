/// An absolute or relative URL without a fragment (RFC 3986, section 4.1). Its scheme is `http`, `https` or absent.
package struct URLReference: Equatable, Sendable {
    /// The scheme in lower case.
    package var scheme: String?
    /// The host and port as written.
    package var authority: String?
    /// The percent-encoded path.
    package var path: String
    /// The percent-encoded query without the question mark.
    package var query: String?

    private init(scheme: String?, authority: String?, path: String, query: String?) {
        self.scheme = scheme
        self.authority = authority
        self.path = path
        self.query = query
    }

    /// Parses a URL from an API's answer. Percent-encodes spaces and non-ASCII characters, as web browsers do.
    ///
    /// Returns nil if the URL contains control characters, a user or a password, or has a scheme other than `http` and
    /// `https`. Also returns nil for a URL with a backslash, because some parsers treat it as a slash.
    package init?(_ text: String) {
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }) else { return nil }
        var rest = Self.encoded(text)[...]
        if let hash = rest.firstIndex(of: "#") { rest = rest[..<hash] }
        if let mark = rest.firstIndex(of: "?") {
            query = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        // A colon after a slash is part of the path.
        if let colon = rest.firstIndex(of: ":"), !rest[..<colon].contains("/") {
            scheme = rest[..<colon].lowercased()
            guard scheme == "http" || scheme == "https" else { return nil }
            rest = rest[rest.index(after: colon)...]
            guard rest.hasPrefix("//") else { return nil }
        }
        if rest.hasPrefix("//") {
            let authority = rest.dropFirst(2).prefix { $0 != "/" }
            guard !authority.isEmpty, !authority.contains("@") else { return nil }
            self.authority = String(authority)
            rest = rest.dropFirst(2 + authority.count)
        }
        path = String(rest)
    }

    /// Resolves this URL relative to `base`, the URL of the request (RFC 3986, section 5.2.2).
    package func resolved(against base: URLReference) -> URLReference {
        if scheme != nil || authority != nil {
            return URLReference(
                scheme: scheme ?? base.scheme, authority: authority, path: Self.withoutDots(path), query: query)
        }
        if path.isEmpty {
            return URLReference(
                scheme: base.scheme, authority: base.authority, path: base.path, query: query ?? base.query)
        }
        let folder = base.path.lastIndex(of: "/").map { base.path[...$0] } ?? "/"
        return URLReference(
            scheme: base.scheme, authority: base.authority,
            path: Self.withoutDots(path.hasPrefix("/") ? path : folder + path), query: query)
    }

    /// The origin: scheme, host and port in a normalized form (RFC 6454, section 4). Nil if the URL has no host.
    package var origin: String? {
        guard let scheme, let authority else { return nil }
        let host = authority.lowercased()
        let usual = scheme == "https" ? ":443" : ":80"
        let bare =
            host.hasSuffix(usual) ? host.dropLast(usual.count) : host.hasSuffix(":") ? host.dropLast() : host[...]
        return "\(scheme)://\(bare)"
    }

    /// The path and query, starting with a slash.
    package var target: String { (path.hasPrefix("/") ? path : "/" + path) + (query.map { "?\($0)" } ?? "") }

    /// The parameters of the query, each in two forms: `written` is the encoded text, and `item` is the decoded name
    /// and value.
    package var parameters: [(written: String, item: QueryItem)] {
        (query ?? "").split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
                PercentEncoding.decode(part.contains("+") ? String(part.map { $0 == "+" ? " " : $0 }) : String(part))
            }
            return (String(pair), QueryItem(parts[0], parts.count > 1 ? parts[1] : ""))
        }
    }

    /// Removes the segments `.` and `..` from a path (RFC 3986, section 5.2.4).
    private static func withoutDots(_ path: String) -> String {
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in segments.enumerated() {
            if segment == ".." { _ = kept.popLast() } else if segment != "." { kept.append(segment) }
            if index == segments.count - 1, segment == "." || segment == ".." { kept.append("") }
        }
        return "/" + kept.joined(separator: "/")
    }

    private static func encoded(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F || $0 == 0x22 }) else { return text }
        return text.unicodeScalars.map { scalar in
            scalar.value <= 0x20 || scalar.value >= 0x7F || scalar == "\""
                ? PercentEncoding.encode(String(scalar)) : String(scalar)
        }.joined()
    }
}
