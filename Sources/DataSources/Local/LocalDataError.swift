/// Why a local data source cannot answer. A repository goes on without it.
public struct LocalDataError: Error, Equatable, Sendable {
    /// What was being done and what the engine said of it.
    public let message: String

    /// An error with its message.
    public init(_ message: String) { self.message = message }
}
