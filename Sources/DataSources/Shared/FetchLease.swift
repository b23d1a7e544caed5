import Model
import System

/// The leases for several entries. A lease is the right to fetch one entry from the API. Other processes wait until the
/// lease ends.
public struct FetchLease: Sendable {
    /// The keys of the entries that the caller may fetch. Other processes are already fetching the remaining entries.
    public let own: Set<EntryKey>
    /// Whether the caller must look for the entries in the shared level again before it requests them from the API.
    /// Another process may have stored them in the meantime.
    public let mustReread: Bool
    /// The state of the shared level at the start of the fetch. It is needed to store the fetched entries. Nil if the
    /// caller must not store entries in the shared level.
    public let ticket: FetchTicket?
    /// Returns whether this process has held the leases without interruption. If not, the caller must not store its
    /// answer in the shared level, because another process may have stored a newer one.
    // A lease can expire if the process was suspended.
    public let isHeld: @Sendable () -> Bool
    /// The maximum time to wait for entries that other processes are fetching, in milliseconds.
    public let maxWait: Milliseconds
    /// Ends the leases, so that other processes can fetch the entries. The caller must call this function after saving
    /// the fetched entries.
    public let end: @Sendable () -> Void

    /// Creates a set of leases. The default values are for a cache without a shared level.
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
