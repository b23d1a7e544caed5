/// The access of a process to the shared level: reading only, or reading and writing.
public enum SharedMode: String, CaseIterable, Sendable {
    /// The process reads entries and stores nothing.
    case read
    /// The process also stores, removes and invalidates entries, takes leases, and uses shared rate limits.
    case readwrite
}
