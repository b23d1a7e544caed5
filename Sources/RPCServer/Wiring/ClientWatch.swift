import DataSources
import HTTP
import Model

/// Observes the API requests of a process, for `larder check --live`.
package struct ClientWatch: Sendable {
    /// Wraps the HTTP client of an API in a client that records the requests. The redactor replaces the secrets in the
    /// recorded requests.
    let wrap: @Sendable (any HTTPClientContract, Redactor) -> any HTTPClientContract
    /// The function that receives warnings about unexpected API answers, instead of the log.
    let warn: @Sendable (String) -> Void

    package init(
        wrap: @escaping @Sendable (any HTTPClientContract, Redactor) -> any HTTPClientContract,
        warn: @escaping @Sendable (String) -> Void
    ) {
        self.wrap = wrap
        self.warn = warn
    }
}
