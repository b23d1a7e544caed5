import System

@testable import DataSources

/// Notes of a cache file, in memory. Several processes of one machine may use one.
final class CacheNotesDouble: CacheNotesContract {
    private let notes = Lock<[String: String]>([:])

    func note(_ name: String) async -> String? { notes.withLock { $0[name] } }

    func keep(note name: String, _ value: String?) { notes.withLock { $0[name] = value } }
}
