/// The names of the environment variables that a draft proposes for the secrets of one host.
///
/// A name is `HOST_` and the whole host, so that no host gets the variable of another host or of another program:
/// `HOST_API_ZOO_TEST_TOKEN`. Only the hosts in `wellKnown` have shorter names.
struct SecretNames: Equatable {
    /// Exact hosts, whose own tools read these variables.
    private static let wellKnown = [
        "api.github.com": "GITHUB", "github.com": "GITHUB", "gitlab.com": "GITLAB", "api.stripe.com": "STRIPE",
    ]
    /// For hosts without a name: addresses, `localhost`, and what the draft leaves open.
    private static let nameless = "API"

    /// The host and the port that the secrets are sent to, for a comment.
    let destination: String
    private let prefix: String

    /// Secrets of a URL whose host the draft leaves open.
    static let open = SecretNames(destination: "the host of 'baseURL'", prefix: nameless)

    private init(destination: String, prefix: String) { (self.destination, self.prefix) = (destination, prefix) }

    /// - Parameter url: a URL as the catalog has it, which `BaseURL.check` allows.
    init(url: String) {
        guard let start = url.firstRange(of: "://") else {
            self = .open
            return
        }
        let authority = url[start.upperBound...].prefix { !"/?#".contains($0) }.lowercased()
        // A reference may end the host early, or continue it.
        guard !authority.isEmpty, !authority.contains("$"), !authority.contains("{") else {
            self = .open
            return
        }
        let prefix = Self.host(in: authority).map { Self.wellKnown[$0] ?? Self.whole($0) }
        self.init(destination: authority, prefix: prefix ?? Self.nameless)
    }

    /// The name of the variable for a kind of secret, such as `TOKEN`.
    func variable(_ kind: String) -> String { "\(prefix)_\(DraftNames.capitals(kind))" }

    /// A reference to that variable.
    func reference(_ kind: String) -> String { "${env:\(variable(kind))}" }

    /// The sentence beside a secret.
    var note: String { "sent to \(destination)" }

    /// The domain name in a URL's authority; nil for an address and for any text that is no domain name.
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

    /// A dot is one `_` and a hyphen two, so that `api-zoo.test` and `api.zoo.test` have different names.
    private static func whole(_ host: String) -> String {
        "HOST_" + host.uppercased().replacing("-", with: "__").replacing(".", with: "_")
    }
}
