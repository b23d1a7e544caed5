/// Short texts in the cache file that processes leave for later ones.
public protocol CacheNotesContract: AnyObject, Sendable {
    /// Returns the text under a name, also while its write is pending; nil if there is none or the file cannot be used.
    func note(_ name: String) async -> String?

    /// Stores a text under a name without waiting; nil removes it.
    func keep(note name: String, _ value: String?)
}
