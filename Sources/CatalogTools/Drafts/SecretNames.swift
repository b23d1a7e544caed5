/// The names of environment variables that a draft catalog proposes for the secrets of one host.
///
/// A name consists of `HOST_`, the whole host and the kind of secret: `HOST_API_ZOO_TEST_TOKEN`. Therefore, no document
/// can make Larder send the secret of one host to another host. Only the hosts in `wellKnown` have shorter names.
struct SecretNames: Equatable {
    /// The prefixes of environment variables for well-known hosts. The command-line tools of these hosts read the same
    /// variables. Only the exact host matches.
    private static let wellKnown = [
        "api.github.com": "GITHUB", "github.com": "GITHUB", "gitlab.com": "GITLAB", "api.stripe.com": "STRIPE",
    ]
    /// The prefix of variable names for IP addresses, for `localhost`, and for hosts that the user must enter in the
    /// draft.
    private static let nameless = "API"

    /// The host and port that receive the secrets, for comments in the draft.
    let destination: String
    private let prefix: String

    /// The names of environment variables for an API whose host is unknown until the user enters it in the draft.
    static let open = SecretNames(destination: "the host of 'baseURL'", prefix: nameless)

    private init(destination: String, prefix: String) { (self.destination, self.prefix) = (destination, prefix) }

    /// Creates the names of environment variables for the host of a URL.
    ///
    /// - Parameter url: a valid base URL (`BaseURL.check`).
    init(url: String) {
        guard let start = url.firstRange(of: "://") else {
            self = .open
            return
        }
        let authority = url[start.upperBound...].prefix { !"/?#".contains($0) }.lowercased()
        // If the host contains a `${...}` reference or a variable, the host is unknown.
        guard !authority.isEmpty, !authority.contains("$"), !authority.contains("{") else {
            self = .open
            return
        }
        let prefix = Self.host(in: authority).map { Self.wellKnown[$0] ?? Self.whole($0) }
        self.init(destination: authority, prefix: prefix ?? Self.nameless)
    }

    /// Returns the name of the environment variable for a kind of secret, such as `TOKEN`.
    func variable(_ kind: String) -> String { "\(prefix)_\(DraftNames.capitals(kind))" }

    /// Returns a catalog reference to the environment variable for a kind of secret: `${env:NAME}`.
    func reference(_ kind: String) -> String { "${env:\(variable(kind))}" }

    /// The comment on a secret in the draft. It names the host that receives the secret.
    var note: String { "sent to \(destination)" }

    /// Returns the domain name in the authority of a URL; nil for an IP address and an invalid name.
    private static func host(in authority: String) -> String? {
        var host = authority.prefix { $0 != ":" }
        if host.hasSuffix(".") { host = host.dropLast() }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, host.utf8.count <= 253, labels.last != "localhost", labels.allSatisfy(isLabel),
            // `127.1` and `0x7f.0.0.0x1` are IP addresses, not domain names.
            labels.last?.first?.isNumber == false
        else { return nil }
        return String(host)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        !label.isEmpty && label.first != "-" && label.last != "-"
            && label.allSatisfy { $0 == "-" || $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// Converts a host to upper case. Replaces each dot by `_` and each hyphen by `__`. This keeps the names for
    /// `api-zoo.test` and `api.zoo.test` different.
    private static func whole(_ host: String) -> String {
        "HOST_" + host.uppercased().replacing("-", with: "__").replacing(".", with: "_")
    }
}
