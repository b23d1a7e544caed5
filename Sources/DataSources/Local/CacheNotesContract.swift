/// Stores notes in the cache file for later processes. A note is a short string with a name.
public protocol CacheNotesContract: AnyObject, Sendable {
    /// Returns the note with the given name, even if the note is not yet in the file. Nil if there is no such note or
    /// the file cannot be used.
    func note(_ name: String) async -> String?

    /// Queues a note to be stored under a name, and returns immediately. If the value is nil, queues the removal of the
    /// note.
    func keep(note name: String, _ value: String?)
}
