import JSON
import Model

/// Decodes `tls` and `proxy` of an API. These settings take precedence over environment variables.
struct ConnectionDecoder {
    let reader: CatalogReader

    /// Decodes the connection settings of an API.
    func decode(_ api: CatalogObject) -> ConnectionSettings {
        var settings = ConnectionSettings()
        settings.proxy = proxy(api)
        guard let view = api["tls"],
            let tls = reader.object(view, "'tls' of \(api.what)", .tls)
        else { return settings }
        settings.authorities = file("caFile", in: tls)
        settings.certificate = file("certFile", in: tls)
        settings.key = file("keyFile", in: tls)
        if settings.key != nil, settings.certificate == nil, tls["certFile"] == nil {
            reader.fault("\(tls.what) has a 'keyFile' but no 'certFile'; add 'certFile'", at: view)
        }
        return settings
    }

    private func file(_ key: String, in object: CatalogObject) -> String? {
        guard let path = object.text(key), let view = object[key] else { return nil }
        guard !path.isEmpty, !path.utf8.contains(0) else {
            return reader.malformed("'\(key)' must be the path of a file", at: view)
        }
        return path
    }

    /// Returns the URL in `proxy`. If the URL is empty, the API uses no proxy, not even one from an environment
    /// variable.
    private func proxy(_ api: CatalogObject) -> String? {
        let missingBefore = reader.missingCount
        guard let url = api.text("proxy"), let view = api["proxy"] else { return nil }
        if url.isEmpty || reader.missingCount > missingBefore { return url }
        let scheme = url.prefix { $0 != ":" }
        let rest = url.dropFirst(scheme.count)
        guard ["http", "https", "socks5", "socks5h"].contains(String(scheme)), rest.hasPrefix("://"), rest.count > 3,
            url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            return reader.malformed(
                "'proxy' must be an http, https or socks5 URL, such as \"http://127.0.0.1:3128\", or empty for no"
                    + " proxy",
                at: view)
        }
        guard let userinfo = Userinfo.find(in: url) else { return url }
        if userinfo.contains(where: { "@/?#".contains($0) }) {
            _ = reader.malformed(
                "the characters @ / ? # in the user and password of 'proxy' must be percent-encoded", at: view)
        }
        for text in [userinfo, PercentEncoding.decode(userinfo)] {
            reader.note(text)
            if let colon = text.firstIndex(of: ":") { reader.note(String(text[text.index(after: colon)...])) }
        }
        return url
    }
}
