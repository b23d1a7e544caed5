import CFaults
import System

/// The index of a write-ahead log (the `-shm` file) as one connection sees it. Another program may truncate or
/// overwrite the index at any moment (see `larder_survive_cut_files`).
struct WriteAheadIndex {
    private let path: FilePath
    /// The number of truncated files that this process had detected when the current transaction or statement started.
    private var cuts: UInt32
    /// The value of `larder_unshared_files()` when the connection was opened: the number of index files that this
    /// process no longer shared. While the number stays the same, the index of this connection is still shared.
    private let unshared: UInt32
    /// The address of the write-ahead log's index in memory; nil until it is known. The address stays valid while the
    /// connection is open.
    var region: UnsafeMutableRawPointer?

    /// Installs a handler for the signal SIGBUS, which the process receives if it accesses a mapped file that another
    /// program has truncated. The handler must be installed before SQLite maps a file.
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

    /// Whether this process uses a private copy of the write-ahead log's index. Other processes then do not see what
    /// this process writes.
    var isUnshared: Bool {
        larder_unshared_files() != unshared && larder_was_unshared(unshared, path.cString) != 0
    }

    /// Records the start of a transaction or a single statement. `wasTruncated` then reports whether the index of the
    /// write-ahead log was truncated after this call.
    mutating func begin() { cuts = larder_survived_cuts() }

    /// Whether the index of the write-ahead log was truncated after the last call of `begin`. If so, data that was read
    /// after this call may be out of date. False if the index file is missing.
    var wasTruncated: Bool {
        guard larder_survived_cuts() != cuts, region != nil || access(path.cString, F_OK) == 0 else { return false }
        return larder_was_cut(cuts, path.cString) != 0
    }

    /// Whether the index of the write-ahead log contains the log's first frame (changed page). Also true if the log is
    /// empty, or if the index is not mapped yet.
    // After a truncation, another process may restore the header without the earlier frames.
    var isWhole: Bool { region.map { larder_wal_index_is_whole($0) != 0 } ?? true }

    /// Whether the index of the write-ahead log has a header. If the header is missing during a write transaction,
    /// another program has truncated the index.
    var isMade: Bool { region.map { larder_wal_index_is_made($0) != 0 } ?? true }

    /// Makes SQLite rebuild the index of the write-ahead log from the log itself.
    // If the index file was extended during an earlier rebuild, the index may have lost data and must be rebuilt again.
    func reset() {
        if let region { larder_wal_index_reset(region) }
    }
}
