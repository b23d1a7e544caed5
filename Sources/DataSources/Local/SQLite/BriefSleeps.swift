import CSQLite
import System

/// SQLite's own way to the files, but for how long it sleeps.
///
/// Where somebody keeps the index of a write-ahead log locked that is not made yet, SQLite tries again a hundred times
/// and sleeps longer each time, ten seconds in all, whatever the connection's `busy_timeout` says. With these sleeps it
/// is a twentieth of a second.
enum BriefSleeps {
    /// The name to open connections with; nil where it could not be made, for SQLite's usual way.
    static let name: String? = register()

    /// The longest sleep between two of SQLite's own attempts, in microseconds.
    private static let longest: Int32 = 500
    /// A `busy_timeout` sleeps for whole milliseconds, which SQLite's own attempts never do.
    private static let millisecond: Int32 = 1000

    private static func register() -> String? {
        let name = "larder"
        guard let usual = sqlite3_vfs_find(nil), let text = strdup(name) else { return nil }
        // SQLite keeps both for as long as the process runs.
        let way = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        way.initialize(to: usual.pointee)
        way.pointee.pNext = nil
        way.pointee.zName = UnsafePointer(text)
        way.pointee.xSleep = { _, time in
            let isOfTimeout = time % BriefSleeps.millisecond == 0
            usleep(UInt32(max(0, isOfTimeout ? time : min(time, BriefSleeps.longest))))
            return time
        }
        return sqlite3_vfs_register(way, 0) == SQLITE_OK ? name : nil
    }
}
