import CFaults
import System

/// One connection's view of the shared index of the file's write-ahead log. Another program may truncate or overwrite
/// the index at any moment (see `larder_survive_cut_files`).
struct WriteAheadIndex {
    private let path: FilePath
    /// The number of file truncations that this process had detected when the current transaction or statement began.
    private var cuts: UInt32
    /// The number of files whose shared index this process had lost when the connection was opened.
    private let unshared: UInt32
    /// The address of the first mapped region of the index; nil if the address is not known yet. The region stays
    /// mapped while the connection is open.
    var region: UnsafeMutableRawPointer?

    /// Installs the process's handler for truncated files. This must happen before SQLite maps a file.
    private static let surviveCuts: Void = larder_survive_cut_files()

    /// Creates a new connection's view of the write-ahead log's index.
    ///
    /// - Parameter path: The path of the database file.
    init(of path: FilePath) {
        Self.surviveCuts
        self.path = path + "-shm"
        cuts = larder_survived_cuts()
        unshared = larder_unshared_files()
    }

    /// Whether this process no longer shares the log's index with other processes. If so, this process and other
    /// processes do not see each other's writes.
    var isUnshared: Bool {
        larder_unshared_files() != unshared && larder_was_unshared(unshared, path.cString) != 0
    }

    /// Records the start of a transaction, or of a single statement outside a transaction. `wasTruncated` refers to the
    /// time since this call.
    mutating func begin() { cuts = larder_survived_cuts() }

    /// Whether the log's index was truncated since the last call of `begin`. Data that was read with a truncated index
    /// may be out of date. A missing index file counts as not truncated.
    var wasTruncated: Bool {
        guard larder_survived_cuts() != cuts, region != nil || access(path.cString, F_OK) == 0 else { return false }
        return larder_was_cut(cuts, path.cString) != 0
    }

    /// Whether the index includes the first frame of the log; true if the log has no frames.
    // After a truncation, another process may restore the header without the earlier frames.
    var isWhole: Bool { region.map { larder_wal_index_is_whole($0) != 0 } ?? true }

    /// Whether the log's index has a header. A missing header during a write transaction means that another program has
    /// truncated the index.
    var isMade: Bool { region.map { larder_wal_index_is_made($0) != 0 } ?? true }

    /// Makes SQLite rebuild the index from the write-ahead log.
    // If the index file was extended during an earlier rebuild, the index may have lost data and must be rebuilt again.
    func reset() {
        if let region { larder_wal_index_reset(region) }
    }
}
