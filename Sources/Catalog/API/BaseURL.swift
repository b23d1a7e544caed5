/// The rules for the base URLs of APIs. A request's URL is the base URL followed by the path of an operation.
package enum BaseURL {
    /// Returns the base URL without trailing slashes. If the base URL is invalid, returns the reason instead.
    package static func check(_ text: String) -> Result<String, CatalogMessage> {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https", text.dropFirst(scheme.count).hasPrefix("://") else {
            return .failure("the URL must begin with http:// or https://")
        }
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) else {
            return .failure(
                "the URL must not have spaces, control characters or non-ASCII characters; percent-encode them")
        }
        guard !text.contains("?"), !text.contains("#") else {
            return .failure("the URL must not have a query or a fragment; remove '?' or '#' and everything after it")
        }
        let authority = text.dropFirst(scheme.count + 3).prefix { $0 != "/" }
        guard !authority.contains("@") else {
            return .failure("the URL must not have a user or password; use 'auth' in the catalog")
        }
        guard !authority.isEmpty, authority.first != ":" else {
            return .failure("the URL must have a host, such as https://api.example.com")
        }
        // Otherwise a user and a password with a slash could pass for a host and a port.
        guard hasValidPort(authority) else {
            return .failure("the port of the URL must be a number from 1 to 65535")
        }
        var trimmed = Substring(text)
        while trimmed.last == "/" { trimmed = trimmed.dropLast() }
        return .success(String(trimmed))
    }

    /// Whether requests to a URL are private: the URL uses `https`, or its host is this machine.
    package static func isPrivate(_ url: String) -> Bool {
        guard url.lowercased().hasPrefix("http://") else { return true }
        let authority = url.dropFirst("http://".count).prefix { $0 != "/" }.lowercased()
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } : authority.prefix { $0 != ":" }
        let isAddress = host.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }
        return host == "localhost" || host.hasSuffix(".localhost") || host == "[::1"
            || (isAddress && host.hasPrefix("127."))
    }

    /// Whether the port of an authority such as `api.example:8080` is valid. An authority without a port is valid too.
    private static func hasValidPort(_ authority: Substring) -> Bool {
        let host = authority.lastIndex(of: "]") ?? authority.startIndex
        guard let colon = authority[host...].firstIndex(of: ":") else { return true }
        let port = authority[authority.index(after: colon)...]
        return port.isEmpty || port.utf8.allSatisfy { 0x30...0x39 ~= $0 } && 1...65_535 ~= Int(port) ?? 0
    }
}
