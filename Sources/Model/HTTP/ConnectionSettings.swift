import System

/// The catalog's settings for connections to an API. If a value is nil, the environment variables apply instead
/// (`HTTPEnvironment`).
public struct ConnectionSettings: Hashable, Sendable {
    /// The path of a PEM file with the trusted certificate authorities.
    public var authorities: String?
    /// The path of a PEM file with the client certificate.
    public var certificate: String?
    /// The path of a PEM file with the private key of the client certificate. Nil if the certificate's file also
    /// contains the key.
    public var key: String?
    /// The URL of the proxy; an empty string turns proxies off.
    public var proxy: String?

    /// Creates settings in which every value is nil, so that only the environment variables apply.
    public init() {}

    /// A copy without the client certificate, for a redirect to another origin.
    package var withoutCertificate: ConnectionSettings {
        var settings = self
        (settings.certificate, settings.key) = (nil, nil)
        return settings
    }

    /// The paths of the configured files, each with its member name in the catalog's `tls` object, such as `caFile`.
    package var files: [(key: String, path: String)] {
        let named = [("caFile", authorities), ("certFile", certificate), ("keyFile", key)]
        return named.compactMap { key, path in path.map { (key: key, path: $0) } }
    }

    /// Returns the system's error message for a file that the process cannot read. Nil if the file can be read.
    package static func fault(ofFile path: String) -> String? {
        guard access(path, R_OK) != 0 else { return nil }
        let code = errno
        return String(cString: strerror(code))
    }

    /// The paths of the client certificate and its key. They are part of a resource's fingerprint, because the API's
    /// answers may depend on the certificate.
    package var identity: [String] { certificate.map { ["certificate", $0, key ?? ""] } ?? [] }
}
