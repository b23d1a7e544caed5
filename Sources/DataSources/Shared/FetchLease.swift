import Model

/// A lease of the shared level to fetch some keys from the API.
public struct FetchLease: Sendable {
    /// The keys that the caller fetches. Other processes are fetching the rest.
    public let own: Set<EntryKey>
    /// Whether the caller must read the keys again, because another process may have stored them since the last read.
    public let mustReread: Bool
    /// The ticket to store fetched entries with; nil if they must not be shared.
    public let ticket: FetchTicket?
    /// Returns whether the lease was held without interruption. A process that was suspended may have lost the lease.
    /// Its answer is then not shared, because another process may have stored a newer one.
    public let isHeld: @Sendable () -> Bool
    /// The maximum wait for keys that other processes fetch, in milliseconds.
    public let patience: Int
    /// Ends the lease. The caller must call it after it has saved the fetched entries.
    public let end: @Sendable () -> Void

    /// Creates a lease. The defaults are those of a lease without a shared level, which no other process can hold.
    public init(
        own: Set<EntryKey>, mustReread: Bool = false, ticket: FetchTicket? = nil, patience: Int = 0,
        isHeld: @escaping @Sendable () -> Bool = { true },
        end: @escaping @Sendable () -> Void = {}
    ) {
        self.own = own
        self.mustReread = mustReread
        self.ticket = ticket
        self.isHeld = isHeld
        self.patience = patience
        self.end = end
    }
}
