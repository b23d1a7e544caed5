import Model
import System

/// Leases of the shared level for some keys. They allow the caller to fetch these keys from the API.
public struct FetchLease: Sendable {
    /// The keys that the caller fetches. Other processes are fetching the rest.
    public let own: Set<EntryKey>
    /// Whether the caller must read the keys again, because another process may have stored them since the last read.
    public let mustReread: Bool
    /// The ticket that is required to store fetched entries in the shared level; nil if the entries must not be stored
    /// there.
    public let ticket: FetchTicket?
    /// Returns whether the lease was held without interruption. If the process was suspended, the lease may have
    /// expired. The fetched answer is then not shared, because another process may have stored a newer one.
    public let isHeld: @Sendable () -> Bool
    /// The maximum wait for keys that other processes fetch, in milliseconds.
    public let maxWait: Milliseconds
    /// Ends the lease. The caller must call this function after it has saved the fetched entries.
    public let end: @Sendable () -> Void

    /// Creates a lease. The default values suit a cache without a shared level, in which no other process can hold a
    /// lease.
    public init(
        own: Set<EntryKey>, mustReread: Bool = false, ticket: FetchTicket? = nil, maxWait: Milliseconds = 0,
        isHeld: @escaping @Sendable () -> Bool = { true },
        end: @escaping @Sendable () -> Void = {}
    ) {
        self.own = own
        self.mustReread = mustReread
        self.ticket = ticket
        self.isHeld = isHeld
        self.maxWait = maxWait
        self.end = end
    }
}
