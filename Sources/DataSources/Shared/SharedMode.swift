/// The use of the shared level by a process.
public enum SharedMode: String, CaseIterable, Sendable {
    /// Reads entries, stores nothing.
    case read
    /// Also stores, removes and invalidates entries, takes leases and shares rate limits.
    case readwrite
}
