import System

@testable import DataSources

/// An in-memory double of the notes of a cache file. Several processes of one machine can share it.
final class CacheNotesDouble: CacheNotesContract {
    private let notes = Lock<[String: String]>([:])

    func note(_ name: String) async -> String? { notes.withLock { $0[name] } }

    func keep(note name: String, _ value: String?) { notes.withLock { $0[name] = value } }
}
