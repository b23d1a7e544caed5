import System

/// How an API is connected to, where its catalog says it: else the environment does (`HTTPEnvironment`).
public struct ConnectionSettings: Hashable, Sendable {
    /// The file with the certificates of the authorities to trust (PEM).
    public var authorities: String?
    /// The file with the client's own certificate (PEM).
    public var certificate: String?
    /// The file with the key of that; nil where it stands in the same file.
    public var key: String?
    /// The URL of the proxy; empty for none.
    public var proxy: String?

    /// Nothing is said.
    public init() {}

    /// The same for another origin than the API's: that is not told who the client is.
    package var withoutCertificate: ConnectionSettings {
        var settings = self
        (settings.certificate, settings.key) = (nil, nil)
        return settings
    }

    /// The files that are named, by the keys of `tls`.
    package var files: [(key: String, path: String)] {
        let named = [("caFile", authorities), ("certFile", certificate), ("keyFile", key)]
        return named.compactMap { key, path in path.map { (key: key, path: $0) } }
    }

    /// Why a file cannot be read, in the system's words; nil where it can.
    package static func fault(ofFile path: String) -> String? {
        guard access(path, R_OK) != 0 else { return nil }
        let code = errno
        return String(cString: strerror(code))
    }

    /// What shapes answers: who asks.
    package var identity: [String] { certificate.map { ["certificate", $0, key ?? ""] } ?? [] }
}
