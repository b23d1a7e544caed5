import JSON
import Model

/// Finds literal secrets in a catalog, so that a user can share the catalog safely.
///
/// The search covers the credentials in `auth`, header fields with credentials, and the user names and passwords in
/// proxy URLs.
package struct LiteralSecrets {
    /// Substrings of header field names, in lower case. A field is assumed to carry credentials if its name contains
    /// one of these substrings.
    private static let headers = ["auth", "cookie", "key", "token", "secret", "password"]
    /// The secret members of `auth`, each with its authentication method. The user name of `basic` is not secret.
    private static let credentials: [(way: String, key: String)] = [
        ("basic", "password"), ("apiKey", "value"), ("oauth2", "clientSecret"), ("oauth2", "refreshToken"),
    ]

    private let reader: CatalogReader

    /// Checks that a catalog contains no literal secrets. A secret must be a reference `${env:NAME}` or `${file:PATH}`,
    /// or come from a command.
    ///
    /// - Parameter bytes: the text of a valid catalog without `include`.
    /// - Throws: `CatalogFaults` with the location of each literal secret. The messages do not contain the secrets.
    package static func check(_ bytes: [UInt8]) throws(CatalogFaults) {
        let secrets = LiteralSecrets(
            reader: CatalogReader(bytes, secrets: SecretSource.empty.masked, toleratesMissing: true))
        for file in IncludeReader.files(secrets.reader, .none) {
            file.document.withRoot { root in
                for api in root["apis"]?.members.map({ $0 }) ?? [] {
                    secrets.check(api.value, "the API '\(api.key.string ?? "")'")
                }
            }
        }
        guard secrets.reader.faults.isEmpty else { throw secrets.reader.faults.faults(in: secrets.reader.files) }
    }

    private func check(_ api: JSONView, _ what: String) {
        if let auth = api["auth"] {
            checkCredential(auth["bearer"], "'bearer' of \(what)")
            for (way, key) in Self.credentials { checkCredential(auth[way]?[key], "'\(key)' in '\(way)' of \(what)") }
        }
        for header in api["headers"]?.members.map({ $0 }) ?? [] {
            let name = header.key.string ?? ""
            guard Self.headers.contains(where: { name.lowercased().contains($0) }) else { continue }
            checkCredential(header.value, "the header '\(name)' of \(what)")
        }
        if let proxy = api["proxy"], hasLiteralPassword(proxy) {
            report("the password in 'proxy' of \(what)", at: proxy)
        }
    }

    /// Reports a credential that is a literal string or number. References to secrets are not reported. Objects are not
    /// reported either, because an object declares a command.
    private func checkCredential(_ view: JSONView?, _ what: String) {
        guard let view, view.kind == .string || view.kind == .number, !reader.holdsSecret(view) else { return }
        report(what, at: view)
    }

    /// Whether the URL of a proxy contains a literal password instead of a reference to a secret. If the URL contains a
    /// user name but no password, the user name counts as the password, because some proxies expect a token there.
    private func hasLiteralPassword(_ proxy: JSONView) -> Bool {
        guard let url = reader.expanded(proxy, "proxy"), let userinfo = Userinfo.find(in: url) else { return false }
        let password = userinfo.firstIndex(of: ":").map { userinfo[userinfo.index(after: $0)...] } ?? userinfo[...]
        return !password.isEmpty && password.firstRange(of: Redactor.mark) == nil
    }

    private func report(_ what: String, at view: JSONView) {
        reader.fault(
            "\(what) is written in the catalog: everyone who gets a copy can read it; use '${env:NAME}' instead",
            at: view)
    }
}
