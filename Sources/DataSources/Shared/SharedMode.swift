/// The mode in which a process uses the shared level.
public enum SharedMode: String, CaseIterable, Sendable {
    /// The process reads entries of the shared level, but stores none.
    case read
    /// The process reads and stores entries. It also removes and invalidates entries, takes leases, and uses shared
    /// rate limits.
    case readwrite
}
