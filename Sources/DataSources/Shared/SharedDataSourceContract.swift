/// A level of the cache that many machines share. They keep one another from asking a remote for the same thing, and
/// tell one another what they change.
public protocol SharedDataSourceContract: PersistentDataSourceContract {
    /// Connects and learns what others have changed, if that was not begun before; it returns when that is done or
    /// cannot be. To be called before the level is asked for anything.
    func start() async

    /// Takes the turn to ask the remote for these keys of one resource, as far as nobody else has it. It is given back
    /// (`FetchTurn.end`) after what came was saved. It never fails: where the level is not reached, all keys are the
    /// caller's.
    ///
    /// - Parameter isForced: whether the caller asks the remote whoever else does.
    func take(_ keys: [EntryKey], isForced: Bool) async -> FetchTurn

    /// Whether it is looked here for an entry at all: its resource is shared.
    func shares(_ key: EntryKey) -> Bool

    /// Whether what a remote answers is stored here now, as far as that is known.
    func keeps(_ key: EntryKey) -> Bool

    /// What is kept of items after others may have brought or changed them; nothing is counted.
    func lookAgain(_ keys: [ItemKey]) async -> [ItemEntity?]

    /// What is kept of a page after others may have brought or changed it; nothing is counted.
    func lookAgain(_ key: PageKey) async -> StoredPage?

    /// Counts entries that others have brought, and that the remote was not asked for here.
    func countBrought(_ count: Int)

    /// Says whom to tell what others have changed, from now on. The next change is told when this one was taken.
    func tellChanges(to tell: @escaping @Sendable (ForeignChange) async -> Void)
}
