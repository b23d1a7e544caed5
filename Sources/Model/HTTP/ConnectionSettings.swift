import System

/// The catalog's settings for connections to an API. For each value that is nil the environment applies
/// (`HTTPEnvironment`).
public struct ConnectionSettings: Hashable, Sendable {
    /// The path of a PEM file with the trusted certificate authorities.
    public var authorities: String?
    /// The path of a PEM file with the client certificate.
    public var certificate: String?
    /// The path of a PEM file with the client certificate's private key; nil if the certificate's file contains it.
    public var key: String?
    /// The URL of the proxy; an empty text turns proxies off.
    public var proxy: String?

    /// Creates settings without values.
    public init() {}

    /// The settings without the client certificate, for requests to another origin.
    package var withoutCertificate: ConnectionSettings {
        var settings = self
        (settings.certificate, settings.key) = (nil, nil)
        return settings
    }

    /// The paths of the files, each with its key in the catalog's `tls` object.
    package var files: [(key: String, path: String)] {
        let named = [("caFile", authorities), ("certFile", certificate), ("keyFile", key)]
        return named.compactMap { key, path in path.map { (key: key, path: $0) } }
    }

    /// Returns the system's error message if a file cannot be read; otherwise nil.
    package static func fault(ofFile path: String) -> String? {
        guard access(path, R_OK) != 0 else { return nil }
        let code = errno
        return String(cString: strerror(code))
    }

    /// The settings that identify the client and so may change answers; part of the fingerprint.
    package var identity: [String] { certificate.map { ["certificate", $0, key ?? ""] } ?? [] }
}
