import System

/// Whose turn it is to ask a remote for some keys.
public struct FetchTurn: Sendable {
    /// Those that are the caller's to ask for.
    public let own: Set<EntryKey>
    /// Whether it may be that somebody else has brought one of them since the level was looked at: it is looked at once
    /// more.
    public let looksAgain: Bool
    /// What is saved with what the remote brings; nil where that is not shared.
    public let ticket: FetchTicket?
    /// Whether the turn was never lost since it was taken, as a process may lose it that was stopped for a while: what
    /// it brings then may be older than what others have brought, and is not shared.
    public let isHeld: @Sendable () -> Bool
    /// For how many milliseconds keys that are not the caller's are waited for at most.
    public let patience: Int
    /// Gives the turn back, after what came was saved.
    public let end: @Sendable () -> Void

    /// The turn of these keys; where nothing more is said, nobody else can have it.
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

/// What a shared level knew of the removals of a resource when a remote was asked: what comes is kept only while that
/// still holds.
public struct FetchTicket: Equatable, Sendable {
    /// The marks of the resource, as they were; nil where the connection was just lost, so that they are not known.
    /// Nothing is stored then, and the others are told that what they have is out of date.
    let marks: SharedMarks?
    /// When that was.
    let askedAt: Timestamp
}
