import Model
import System

/// What the environment says about connections, as curl's command line tool understands it.
public struct HTTPEnvironment: Sendable {
    private static let proxyNames = [
        "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
    ]

    /// The file with the certificates of the authorities to trust: `CURL_CA_BUNDLE`, else `SSL_CERT_FILE`.
    let authorities: FilePath?
    /// The folder with more of them, which `CURL_CA_BUNDLE` rules out: `SSL_CERT_DIR`.
    let authoritiesFolder: FilePath?
    /// The variables that name a proxy with a user. libcurl reads them itself.
    private let proxies: [(name: String, value: String, userinfo: String)]

    /// What these variables say, of which this gives the bytes; one that is empty counts as not set.
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

    /// Nothing is set.
    public static let empty = HTTPEnvironment { _ in nil }

    /// The users and passwords of the proxies, together and the passwords alone, as written and as they are sent.
    public var secrets: [String] {
        proxies.flatMap { proxy in
            [proxy.userinfo, PercentEncoding.decode(proxy.userinfo)].flatMap { text -> [String] in
                text.firstIndex(of: ":").map { [text, String(text[text.index(after: $0)...])] } ?? [text]
            }
        }
    }

    /// The variables whose user and password hold characters that stand for an end of them in a URL. libcurl takes a
    /// part of the password for the proxy's name, and says so.
    var ambiguousProxies: [String] {
        proxies.filter { $0.userinfo.contains { "@/?#".contains($0) } }.map(\.name)
    }

    /// A text of libcurl's without users and passwords of proxies.
    func hidingProxies(in text: String) -> String {
        proxies.reduce(text) { $0.replacing($1.value, with: Userinfo.hide(in: $1.value)) }
    }
}
