import CFaults
import System

/// A connection's look at the shared index of its file's write-ahead log, which another program may cut short and write
/// over at any moment (see `larder_survive_cut_files`).
struct WriteAheadIndex {
    private let path: FilePath
    /// How many files had been cut short when the transaction or statement under way began.
    private var cuts: UInt32
    /// How many files were no longer shared when the connection was opened.
    private let unshared: UInt32
    /// The first region, once it is known; mapped as long as the connection is open.
    var region: UnsafeMutableRawPointer?

    /// Once in a process, before SQLite maps anything.
    private static let surviveCuts: Void = larder_survive_cut_files()

    /// - Parameter path: The database's file.
    init(of path: FilePath) {
        Self.surviveCuts
        self.path = path + "-shm"
        cuts = larder_survived_cuts()
        unshared = larder_unshared_files()
    }

    /// Whether it is shared with the other processes no more: they do not see what is written, nor this one what they
    /// write.
    var isUnshared: Bool {
        larder_unshared_files() != unshared && larder_was_unshared(unshared, path.cString) != 0
    }

    /// A transaction begins, or a statement outside of one.
    mutating func begin() { cuts = larder_survived_cuts() }

    /// Whether it was cut short since then: what was read through it may be older than what is in the log. One that
    /// there is not, and was not, is none of those that were.
    var wasCut: Bool {
        guard larder_survived_cuts() != cuts, region != nil || access(path.cString, F_OK) == 0 else { return false }
        return larder_was_cut(cuts, path.cString) != 0
    }

    /// Whether it knows all of the log, as far as its beginning tells.
    var isWhole: Bool { region.map { larder_wal_index_is_whole($0) != 0 } ?? true }

    /// Whether nobody has taken it away to have it made anew. That may be while a transaction writes.
    var isMade: Bool { region.map { larder_wal_index_is_made($0) != 0 } ?? true }

    /// Has SQLite make it anew from the log. What is filled in while a file gets its length back may be lost, so the
    /// one that was made meanwhile is not to be trusted.
    func reset() {
        if let region { larder_wal_index_reset(region) }
    }
}
