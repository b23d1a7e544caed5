/// The rules for the URL that an API's paths are put behind.
package enum BaseURL {
    /// The URL without a slash at its end, or what is wrong with it.
    package static func check(_ text: String) -> Result<String, CatalogMessage> {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https", text.dropFirst(scheme.count).hasPrefix("://") else {
            return .failure("must be an http or https URL")
        }
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) else {
            return .failure("must not have blanks, control or non-ASCII characters; encode them")
        }
        guard !text.contains("?"), !text.contains("#") else { return .failure("must not have a query or a fragment") }
        let authority = text.dropFirst(scheme.count + 3).prefix { $0 != "/" }
        guard !authority.contains("@") else { return .failure("must not have a user or password; use 'auth'") }
        guard !authority.isEmpty, authority.first != ":" else { return .failure("must have a host") }
        // Else a user and a password with a slash in it would pass for a host and its port.
        guard hasPort(authority) else { return .failure("must have a number from 1 to 65535 as its port") }
        var trimmed = Substring(text)
        while trimmed.last == "/" { trimmed = trimmed.dropLast() }
        return .success(String(trimmed))
    }

    /// Whether what is sent there can be read by nobody on its way: over TLS, or within this machine.
    package static func isPrivate(_ url: String) -> Bool {
        guard url.lowercased().hasPrefix("http://") else { return true }
        let authority = url.dropFirst("http://".count).prefix { $0 != "/" }.lowercased()
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } : authority.prefix { $0 != ":" }
        let isAddress = host.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }
        return host == "localhost" || host.hasSuffix(".localhost") || host == "[::1"
            || (isAddress && host.hasPrefix("127."))
    }

    /// Whether a port is one, if there is any behind the host.
    private static func hasPort(_ authority: Substring) -> Bool {
        let host = authority.lastIndex(of: "]") ?? authority.startIndex
        guard let colon = authority[host...].firstIndex(of: ":") else { return true }
        let port = authority[authority.index(after: colon)...]
        return port.isEmpty || port.utf8.allSatisfy { 0x30...0x39 ~= $0 } && 1...65_535 ~= Int(port) ?? 0
    }
}
