import Model
import System

/// Permission from the shared level to fetch entries from the API, with one lease for each key.
public struct FetchLease: Sendable {
    /// The keys of the entries that the caller may fetch. Other processes are already fetching the other entries.
    public let own: Set<EntryKey>
    /// Whether the caller must read the entries again, because another process may have stored them in the meantime.
    public let mustReread: Bool
    /// The ticket for storing the fetched entries in the shared level; nil if the caller must not store them there.
    public let ticket: FetchTicket?
    /// Returns whether this process has held the leases without interruption. If not, another process may have stored a
    /// newer answer, so the caller must not share its own.
    // A lease can expire if the process was suspended.
    public let isHeld: @Sendable () -> Bool
    /// The maximum time to wait for entries that other processes are fetching, in milliseconds.
    public let maxWait: Milliseconds
    /// Ends the leases. The caller must call this function after saving the fetched entries.
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
