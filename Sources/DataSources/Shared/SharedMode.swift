/// Whether a process only reads from the shared level, or also writes to it.
public enum SharedMode: String, CaseIterable, Sendable {
    /// The process reads entries and stores nothing.
    case read
    /// The process also stores, removes and invalidates entries, takes leases and shares rate limits.
    case readwrite
}
