import CFaults
import System

/// A connection's view of the shared index of its file's write-ahead log. Another program may truncate or overwrite the
/// index at any moment (see `larder_survive_cut_files`).
struct WriteAheadIndex {
    private let path: FilePath
    /// The process-wide count of truncated files at the time when the current transaction or statement began.
    private var cuts: UInt32
    /// The process-wide count of files that lost their shared index, at the time when the connection was opened.
    private let unshared: UInt32
    /// The first mapped region of the index, once it is known. It stays mapped while the connection is open.
    var region: UnsafeMutableRawPointer?

    /// Installs the handler for truncated files, once per process, before SQLite maps anything.
    private static let surviveCuts: Void = larder_survive_cut_files()

    /// - Parameter path: The path of the database file.
    init(of path: FilePath) {
        Self.surviveCuts
        self.path = path + "-shm"
        cuts = larder_survived_cuts()
        unshared = larder_unshared_files()
    }

    /// Whether this process no longer shares the index with other processes. They do not see this process's writes
    /// then, nor does this process see theirs.
    var isUnshared: Bool {
        larder_unshared_files() != unshared && larder_was_unshared(unshared, path.cString) != 0
    }

    /// Marks the start of a transaction, or of a statement outside a transaction.
    mutating func begin() { cuts = larder_survived_cuts() }

    /// Whether the index was truncated since `begin`. Data that was read with a truncated index may be out of date. An
    /// index file that does not exist counts as not truncated.
    var wasTruncated: Bool {
        guard larder_survived_cuts() != cuts, region != nil || access(path.cString, F_OK) == 0 else { return false }
        return larder_was_cut(cuts, path.cString) != 0
    }

    /// Whether the index includes the first frame of the log, if the log has one. After a truncation, another process
    /// may restore the header without the earlier frames.
    var isWhole: Bool { region.map { larder_wal_index_is_whole($0) != 0 } ?? true }

    /// Whether the index has a header. The header can only disappear during a write transaction if another program
    /// truncates the index.
    var isMade: Bool { region.map { larder_wal_index_is_made($0) != 0 } ?? true }

    /// Makes SQLite rebuild the index from the log. An index that was rebuilt while its file was being extended may
    /// have lost data, so it must be rebuilt again.
    func reset() {
        if let region { larder_wal_index_reset(region) }
    }
}
