/// Short named texts in the cache file, which outlive the process that stored them.
public protocol CacheNotesContract: AnyObject, Sendable {
    /// Returns the text stored under a name, including a write that is still pending. Returns nil if there is no such
    /// text or the file cannot be used.
    func note(_ name: String) async -> String?

    /// Queues a text to be stored under a name and returns immediately. A nil text removes the note.
    func keep(note name: String, _ value: String?)
}
