import CSQLite
import System

/// Creates database files and their folders, and reads the identity (device and inode) of files. Neither operation
/// releases SQLite's locks on the files.
enum DatabaseCreation {
    /// The lock that a thread holds while it creates a file or reads the identity of a file.
    // When a process closes any descriptor of a file, the process loses all of its locks on the file (POSIX). Because
    // of this lock, no connection can have locked a new file before the descriptor of the file is closed.
    private static let creation = Lock(())

    /// Returns the identity (device and inode) of a file; nil if the file does not exist. Waits while another thread
    /// creates a file.
    static func identity(of path: FilePath) -> FileIdentity? {
        creation.withLock { _ in FileIdentity(path: path) }
    }

    /// Creates an empty file and its parent folders. Only the owner gets access to the file and the folders.
    // If SQLite created the file, other users could read it.
    static func createFile(_ path: FilePath, timeout: Int32) throws(SQLiteError) {
        guard identity(of: path) == nil else { return }
        try createFolder(path.parent)
        // The folder's lock is taken first, so that a wait for it does not block the opening of other files.
        let lock = try FolderLock(folderOf: path, timeout: timeout)
        defer { lock.unlock() }
        try creation.withLock { (_) throws(SQLiteError) in
            guard FileIdentity(path: path) == nil else { return }
            // SQLite would use the log and index of a deleted file for the new file.
            unlink((path + "-wal").cString)
            unlink((path + "-shm").cString)
            let descriptor = openNew(path)
            if descriptor >= 0 {
                SystemCall.close(descriptor)
            } else if errno != EEXIST {
                throw .system("cannot create the file")
            }
        }
    }

    private static func openNew(_ path: FilePath) -> Int32 {
        open(path.cString, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }

    private static func createFolder(_ path: FilePath) throws(SQLiteError) {
        guard !path.isEmpty, mkdir(path.cString, 0o700) != 0, errno != EEXIST else { return }
        guard errno == ENOENT else { throw .system("cannot create the folder \(path)") }
        try createFolder(path.parent)
        guard mkdir(path.cString, 0o700) == 0 || errno == EEXIST else {
            throw .system("cannot create the folder \(path)")
        }
    }
}
