import Model

/// Permission to ask a remote for some keys, given by the shared level.
public struct FetchTurn: Sendable {
    /// The keys that the caller fetches. Other processes are fetching the rest.
    public let own: Set<EntryKey>
    /// Whether another process may have stored some of the keys since the last read, so that the caller reads again.
    public let looksAgain: Bool
    /// Passed on with the fetched entries; nil if they must not be shared.
    public let ticket: FetchTicket?
    /// Returns whether the turn was held without interruption. A process that was stopped for a while may have lost it:
    /// its answer may be older than what another process stored, and is not shared.
    public let isHeld: @Sendable () -> Bool
    /// The longest wait for keys that are not the caller's, in milliseconds.
    public let patience: Int
    /// Ends the turn. Called after the fetched entries were saved.
    public let end: @Sendable () -> Void

    /// Without further arguments, a turn that no other process can hold.
    public init(
        own: Set<EntryKey>, looksAgain: Bool = false, ticket: FetchTicket? = nil, patience: Int = 0,
        isHeld: @escaping @Sendable () -> Bool = { true },
        end: @escaping @Sendable () -> Void = {}
    ) {
        self.own = own
        self.looksAgain = looksAgain
        self.ticket = ticket
        self.isHeld = isHeld
        self.patience = patience
        self.end = end
    }
}
