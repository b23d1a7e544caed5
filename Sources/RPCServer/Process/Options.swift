import DataSources
import System

/// The settings of a server process, such as the catalog, the file paths and the limits.
package struct Options: Equatable, Sendable {
    /// The catalogs that the option `--catalog` names. If there are several, each catalog's name is the prefix of its
    /// resource names.
    package var catalogs: [FilePath] = []
    /// The first catalog that the option `--catalog` names; nil if there is none. Setting this property replaces all
    /// catalogs.
    package var catalog: FilePath? {
        get { catalogs.first }
        set { catalogs = newValue.map { [$0] } ?? [] }
    }
    /// The catalogs from the user's settings. They apply if neither `--catalog` nor `LARDER_CATALOG` names a catalog.
    package var defaultCatalogs: [FilePath] = []
    /// The path of the user's settings file, for error messages; nil if there is no such file.
    package var settings: FilePath?
    package var baseURLs: [BaseURLOverride] = []
    /// The values of catalog variables that `--var` sets, by name.
    package var variables: [String: String] = [:]
    package var cacheDirectory: FilePath?
    package var dataDirectory: FilePath?
    package var memory = 64 << 20
    package var disk = 1 << 30
    package var isPersistent = true
    package var isOffline = false
    /// The URL of the Redis server for the shared cache level, from `--shared`. An empty string turns this level off.
    /// If nil, the environment variable `LARDER_SHARED` applies.
    package var shared: String?
    /// The access to the shared cache level: reads and writes, or only reads. If nil, the environment variable
    /// `LARDER_SHARED_MODE` applies.
    package var sharedMode: SharedMode?
    /// The namespace of the keys on the Redis server. If nil, the environment variable `LARDER_SHARED_NAMESPACE`
    /// applies.
    package var sharedNamespace: String?
    package var record: FilePath?
    package var replay: FilePath?
    package var logLevel = LogLevel.warning
    package var logFormat = LogFormat.text
    /// Whether the process logs a warning at startup for each API whose secret or variable is missing. A command that
    /// reports this error itself sets the value to false.
    package var warnsOfUnconfiguredAPIs = true
    /// Whether the process logs a warning for a requested field that no item has. A command that reports these fields
    /// itself leaves the value at false.
    package var warnsOfMissingFields = false
    /// The prefix of the names of MCP tools; nil for none.
    package var toolPrefix: String?
    package var maxMessage = 16 << 20
    package var maxQueue = 64 << 20
    package var maxInFlight = 1024
    package var memoryInFlight = 256 << 20
    /// The maximum memory of a query over the cache, in bytes.
    package var memoryQuery = 128 << 20
    package var drain: Milliseconds = 30_000

    package init() {}

    /// A URL that replaces an API's base URL from the catalog.
    package struct BaseURLOverride: Equatable, Sendable {
        package let api: String
        package let url: String

        package init(api: String, url: String) {
            self.api = api
            self.url = url
        }
    }
}
