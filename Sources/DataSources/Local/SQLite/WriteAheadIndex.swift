import CFaults
import System

/// The state of a write-ahead log index (the `-shm` file), as seen by one connection. Another program may truncate or
/// overwrite the index at any moment (see `larder_survive_cut_files`).
struct WriteAheadIndex {
    private let path: FilePath
    /// The value of the process's truncation counter at the start of the current transaction or statement.
    private var cuts: UInt32
    /// The value of the process's counter of unshared index files when the connection was opened.
    private let unshared: UInt32
    /// The address at which the index is mapped into memory. Nil until the address is known. The address stays valid
    /// while the connection is open.
    var region: UnsafeMutableRawPointer?

    /// Installs the process's handler for truncated files. This must happen before SQLite maps a file.
    private static let surviveCuts: Void = larder_survive_cut_files()

    /// Creates the state for a new connection to a database file.
    ///
    /// - Parameter path: The path of the database file.
    init(of path: FilePath) {
        Self.surviveCuts
        self.path = path + "-shm"
        cuts = larder_survived_cuts()
        unshared = larder_unshared_files()
    }

    /// Whether this process uses a private copy of the index. Other processes then do not see its writes.
    var isUnshared: Bool {
        larder_unshared_files() != unshared && larder_was_unshared(unshared, path.cString) != 0
    }

    /// Records the start of a transaction or a single statement. `wasTruncated` then reports whether the index was
    /// truncated after this call.
    mutating func begin() { cuts = larder_survived_cuts() }

    /// Whether the index was truncated after the last call of `begin`. Data that was read since then may be out of
    /// date. Returns false if the index file is missing.
    var wasTruncated: Bool {
        guard larder_survived_cuts() != cuts, region != nil || access(path.cString, F_OK) == 0 else { return false }
        return larder_was_cut(cuts, path.cString) != 0
    }

    /// Whether the index includes the first frame of the write-ahead log. True if the log has no frames.
    // After a truncation, another process may restore the header without the earlier frames.
    var isWhole: Bool { region.map { larder_wal_index_is_whole($0) != 0 } ?? true }

    /// Whether the index has a header. If the header is missing during a write transaction, another program has
    /// truncated the index.
    var isMade: Bool { region.map { larder_wal_index_is_made($0) != 0 } ?? true }

    /// Makes SQLite rebuild the index from the write-ahead log.
    // If the index file was extended during an earlier rebuild, the index may have lost data and must be rebuilt again.
    func reset() {
        if let region { larder_wal_index_reset(region) }
    }
}
