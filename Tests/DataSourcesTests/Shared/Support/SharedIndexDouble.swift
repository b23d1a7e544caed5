import System

@testable import DataSources

/// Stands in for the cache file, as far as the shared level needs it. Several processes of one machine may have one.
final class SharedIndexDouble: SharedIndexContract {
    private let known = Lock<[[UInt8]: IndexedEntry]>([:])
    private let notes = Lock<[String: String]>([:])

    /// The file has an entry.
    func add(_ key: EntryKey, fetchedAt: Int64) {
        let name = SharedMachine.name(key)
        known.withLock { $0[name.hash] = IndexedEntry(key: key, fetchedAt: Timestamp(milliseconds: fetchedAt)) }
    }

    /// The removals that the server may not know of.
    var removals: String? {
        notes.withLock { $0.first { $0.key.hasPrefix("removals " + SharedMachine.names.changes) }?.value }
    }

    /// The place in the stream of changes, of whatever resources.
    var place: String? {
        notes.withLock { $0.first { $0.key.hasPrefix("changes " + SharedMachine.names.changes) }?.value }
    }

    func entries(of hashes: [[UInt8]]) async -> [[UInt8]: IndexedEntry] {
        known.withLock { known in known.filter { hashes.contains($0.key) } }
    }

    func note(_ name: String) async -> String? { notes.withLock { $0[name] } }

    func notes(beginning prefix: String) async -> [String: String] {
        notes.withLock { notes in notes.filter { $0.key.hasPrefix(prefix) } }
    }

    func keep(note name: String, _ value: String?) { notes.withLock { $0[name] = value } }
}
