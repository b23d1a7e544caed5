/// Why a local data source cannot answer. A repository goes on without it.
public struct LocalDataError: Error, Equatable, Sendable {
    /// What was being done and what the engine said of it.
    public let message: String
    /// Whether there is nothing to ask at all: the file cannot be used.
    public let isUnavailable: Bool

    /// An error with its message.
    public init(_ message: String, isUnavailable: Bool = false) {
        self.message = message
        self.isUnavailable = isUnavailable
    }
}
