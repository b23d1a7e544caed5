import CSQLite
import System

/// Keeps other processes that ask for the same from working on a folder's names. Released with `unlock`.
struct FolderLock {
    private let folder: Int32

    /// Waits for the lock; where a folder cannot be locked, there is none.
    ///
    /// - Parameter patience: How long another process may keep it, in milliseconds. Any process that may read the folder
    ///   can lock it, for ever.
    /// - Throws: `SQLITE_BUSY` where another process keeps it for longer.
    init(folderOf path: FilePath, patience: Int32) throws(SQLiteError) {
        let parent = path.parent.isEmpty ? "." : path.parent
        folder = open(parent.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        let end = ContinuousClock.now + .milliseconds(Int(patience))
        while flock(folder, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
            guard ContinuousClock.now < end else {
                close(folder)
                throw SQLiteError(
                    code: SQLITE_BUSY, message: "another process has the folder of \(path) locked (flock)")
            }
            usleep(2000)
        }
    }

    func unlock() {
        if folder >= 0 { close(folder) }
    }
}
