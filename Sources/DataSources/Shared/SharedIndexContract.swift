/// What a shared level needs of the cache file: which entries stand behind names, and what later processes must know.
public protocol SharedIndexContract: AnyObject, Sendable {
    /// The entries of this machine that have these names (`SharedName.hash`), also those that wait to be written. What
    /// has none of them is left out; where the file cannot be used, that is all.
    func entries(of hashes: [[UInt8]]) async -> [[UInt8]: IndexedEntry]

    /// What was kept under a name, by this process or an earlier one; nil where nothing was.
    func note(_ name: String) async -> String?

    /// The same for all names that begin so.
    func notes(beginning prefix: String) async -> [String: String]

    /// Keeps a text under a name, in the order of the calls with what is saved; nil forgets it. It never waits.
    func keep(note name: String, _ value: String?)
}
