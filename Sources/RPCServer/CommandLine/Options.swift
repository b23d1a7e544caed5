import DataSources
import System

/// What the command line and the environment ask for.
struct Options: Equatable {
    var catalog: FilePath?
    var baseURLs: [BaseURLOverride] = []
    var cacheDirectory: FilePath?
    var dataDirectory: FilePath?
    var memory = 64 << 20
    var disk = 1 << 30
    var isPersistent = true
    var isOffline = false
    var record: FilePath?
    var replay: FilePath?
    var logLevel = LogLevel.warning
    var logFormat = LogFormat.text
    var maxMessage = 16 << 20
    var maxQueue = 64 << 20
    var maxInFlight = 1024
    var memoryInFlight = 256 << 20
    var drain = 30_000

    /// Where an API is reached instead of where the catalog says.
    struct BaseURLOverride: Equatable {
        let api: String
        let url: String
    }
}
