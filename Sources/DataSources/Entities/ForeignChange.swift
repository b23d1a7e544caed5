/// What another process changed in the file.
public enum ForeignChange: Equatable, Sendable {
    /// These items and pages were written, marked stale or removed.
    case entries(items: [ItemKey], pages: [PageKey])
    /// Too much to name: whatever is held in memory may be out of date.
    case everything
}
