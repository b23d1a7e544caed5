import DataSources
import System

/// The settings of a process: what it serves, where its files are, and its limits.
package struct Options: Equatable, Sendable {
    package var catalog: FilePath?
    package var baseURLs: [BaseURLOverride] = []
    /// The values of the catalog's variables.
    package var variables: [String: String] = [:]
    package var cacheDirectory: FilePath?
    package var dataDirectory: FilePath?
    package var memory = 64 << 20
    package var disk = 1 << 30
    package var isPersistent = true
    package var isOffline = false
    /// The URL of the shared level's server; empty for none, nil if only the environment may name one.
    package var shared: String?
    /// How the shared level is used; nil if only the environment may set it.
    package var sharedMode: SharedMode?
    /// The namespace of the keys on the shared server; nil if only the environment may set it.
    package var sharedNamespace: String?
    package var record: FilePath?
    package var replay: FilePath?
    package var logLevel = LogLevel.warning
    package var logFormat = LogFormat.text
    package var maxMessage = 16 << 20
    package var maxQueue = 64 << 20
    package var maxInFlight = 1024
    package var memoryInFlight = 256 << 20
    package var drain = 30_000

    package init() {}

    /// The URL at which an API is reached, instead of the declared one.
    package struct BaseURLOverride: Equatable, Sendable {
        package let api: String
        package let url: String

        package init(api: String, url: String) {
            self.api = api
            self.url = url
        }
    }
}
