/// The names of the environment variables that a draft proposes for the secrets of one host.
///
/// A name consists of `HOST_`, the whole host and the kind of secret: `HOST_API_ZOO_TEST_TOKEN`. No host can therefore
/// get the variable of another host or program. Only the hosts in `wellKnown` have shorter names.
struct SecretNames: Equatable {
    /// Hosts whose own tools read these variables. The host must match exactly.
    private static let wellKnown = [
        "api.github.com": "GITHUB", "github.com": "GITHUB", "gitlab.com": "GITLAB", "api.stripe.com": "STRIPE",
    ]
    /// The prefix for addresses, `localhost`, and hosts that the draft leaves open.
    private static let nameless = "API"

    /// The host and port that receive the secrets, for comments.
    let destination: String
    private let prefix: String

    /// The names for a URL whose host the draft leaves open.
    static let open = SecretNames(destination: "the host of 'baseURL'", prefix: nameless)

    private init(destination: String, prefix: String) { (self.destination, self.prefix) = (destination, prefix) }

    /// Creates names for a URL.
    ///
    /// - Parameter url: a URL of the catalog that `BaseURL.check` accepts.
    init(url: String) {
        guard let start = url.firstRange(of: "://") else {
            self = .open
            return
        }
        let authority = url[start.upperBound...].prefix { !"/?#".contains($0) }.lowercased()
        // A reference may end or extend the host.
        guard !authority.isEmpty, !authority.contains("$"), !authority.contains("{") else {
            self = .open
            return
        }
        let prefix = Self.host(in: authority).map { Self.wellKnown[$0] ?? Self.whole($0) }
        self.init(destination: authority, prefix: prefix ?? Self.nameless)
    }

    /// Returns the name of the variable for a kind of secret, such as `TOKEN`.
    func variable(_ kind: String) -> String { "\(prefix)_\(DraftNames.capitals(kind))" }

    /// Returns a reference to the variable for a kind of secret.
    func reference(_ kind: String) -> String { "${env:\(variable(kind))}" }

    /// The comment beside a secret.
    var note: String { "sent to \(destination)" }

    /// Returns the domain name in a URL's authority; nil for addresses and invalid names.
    private static func host(in authority: String) -> String? {
        var host = authority.prefix { $0 != ":" }
        if host.hasSuffix(".") { host = host.dropLast() }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, host.utf8.count <= 253, labels.last != "localhost", labels.allSatisfy(isLabel),
            // `127.1` and `0x7f.0.0.0x1` are addresses.
            labels.last?.first?.isNumber == false
        else { return nil }
        return String(host)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        !label.isEmpty && label.first != "-" && label.last != "-"
            && label.allSatisfy { $0 == "-" || $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// Converts a host to upper case. A dot becomes one `_` and a hyphen two, so that `api-zoo.test` and `api.zoo.test`
    /// have different names.
    private static func whole(_ host: String) -> String {
        "HOST_" + host.uppercased().replacing("-", with: "__").replacing(".", with: "_")
    }
}
