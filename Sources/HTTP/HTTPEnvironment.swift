import Model
import System

/// The connection settings from environment variables. The variables have the same meaning as for the `curl` tool.
public struct HTTPEnvironment: Sendable {
    private static let proxyNames = [
        "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
    ]

    /// The path of the PEM file with trusted certificate authorities. It is the value of `CURL_CA_BUNDLE` or, if that
    /// is not set, of `SSL_CERT_FILE`.
    let authorities: FilePath?
    /// The path of the folder with more certificate authorities: the value of `SSL_CERT_DIR`. Nil if `CURL_CA_BUNDLE`
    /// is set.
    let authoritiesFolder: FilePath?
    /// The proxy variables whose URL contains a user, such as `https_proxy`. Larder uses them only to redact passwords;
    /// libcurl reads the variables itself.
    private let proxies: [(name: String, value: String, userinfo: String)]

    /// Reads the environment variables.
    ///
    /// - Parameter variable: returns the bytes of the variable with the given name. A variable with an empty value is
    ///   treated as not set.
    public init(_ variable: (String) -> [UInt8]?) {
        func bytes(_ name: String) -> [UInt8]? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        let bundle = bytes("CURL_CA_BUNDLE")
        authorities = (bundle ?? bytes("SSL_CERT_FILE")).map { FilePath($0) }
        authoritiesFolder = bundle == nil ? bytes("SSL_CERT_DIR").map { FilePath($0) } : nil
        proxies = Self.proxyNames.compactMap { name in
            guard let value = bytes(name).map({ String(decoding: $0, as: UTF8.self) }),
                let userinfo = Userinfo.find(in: value)
            else { return nil }
            return (name, value, userinfo)
        }
    }

    /// The default connection settings, as if no environment variable were set.
    public static let empty = HTTPEnvironment { _ in nil }

    /// The secrets in proxy URLs: the user with the password, and the password alone. Each is listed twice: as written,
    /// and percent-decoded.
    public var secrets: [String] {
        proxies.flatMap { proxy in
            [proxy.userinfo, PercentEncoding.decode(proxy.userinfo)].flatMap { text -> [String] in
                text.firstIndex(of: ":").map { [text, String(text[text.index(after: $0)...])] } ?? [text]
            }
        }
    }

    /// The names of proxy variables whose user or password contains an unencoded delimiter, such as `@`.
    // For such a value, libcurl takes a part of the password for the host name and quotes it in error messages.
    var unencodedProxies: [String] {
        proxies.filter { $0.userinfo.contains { "@/?#".contains($0) } }.map(\.name)
    }

    /// Removes the users and passwords of proxies from an error message of libcurl.
    func redactingProxies(in text: String) -> String {
        proxies.reduce(text) { $0.replacing($1.value, with: Userinfo.hide(in: $1.value)) }
    }
}
