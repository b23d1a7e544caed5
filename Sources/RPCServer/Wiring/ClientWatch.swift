import DataSources
import HTTP
import Model

/// Observes the requests of a process, for `larder check --live`.
package struct ClientWatch: Sendable {
    /// Wraps the client of an API. The redactor removes secrets from what is recorded.
    let wrap: @Sendable (any HTTPClientContract, Redactor) -> any HTTPClientContract
    /// Receives the warnings that would be logged otherwise.
    let warn: @Sendable (String) -> Void

    package init(
        wrap: @escaping @Sendable (any HTTPClientContract, Redactor) -> any HTTPClientContract,
        warn: @escaping @Sendable (String) -> Void
    ) {
        self.wrap = wrap
        self.warn = warn
    }
}
