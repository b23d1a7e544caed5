import CSQLite
import System

/// A VFS (SQLite's layer for file access) that limits the sleeps between SQLite's internal retries to 50 milliseconds
/// in total.
// If another process locks the incomplete index of a write-ahead log, SQLite retries a hundred times. It ignores the
// connection's `busy_timeout` and sleeps longer each time, for ten seconds in total.
enum ShortSleepVFS {
    /// The name of the VFS (SQLite's layer for file access) for new connections. If its registration failed, the name
    /// is nil, and SQLite uses its default VFS.
    static let name: String? = register()

    /// The longest sleep between two of SQLite's internal retries, in microseconds.
    private static let maxSleep: Int32 = 500
    /// One millisecond, in microseconds.
    private static let millisecond: Int32 = 1000

    private static func register() -> String? {
        let name = "larder"
        guard let usual = sqlite3_vfs_find(nil), let text = strdup(name) else { return nil }
        // SQLite uses the VFS and its name until the process exits.
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: usual.pointee)
        vfs.pointee.pNext = nil
        vfs.pointee.zName = UnsafePointer(text)
        vfs.pointee.xSleep = { _, time in
            // Only the sleeps for `busy_timeout` last whole milliseconds. They are not shortened.
            let isOfTimeout = time % ShortSleepVFS.millisecond == 0
            usleep(UInt32(max(0, isOfTimeout ? time : min(time, ShortSleepVFS.maxSleep))))
            return time
        }
        return sqlite3_vfs_register(vfs, 0) == SQLITE_OK ? name : nil
    }
}
