/// Notes: short texts that are stored in the cache file under a name, so that later processes can read them.
public protocol CacheNotesContract: AnyObject, Sendable {
    /// Returns the note with a name, even if its write is still pending. Returns nil if there is no such note or the
    /// file cannot be used.
    func note(_ name: String) async -> String?

    /// Queues a note to be stored under a name, and returns immediately. If the text is nil, removes the stored note.
    func keep(note name: String, _ value: String?)
}
