import CSQLite
import System

/// An SQLite file and its schema. Opens the file, and replaces a broken file by a new one.
struct DatabaseFile: Sendable {
    let path: FilePath
    let migrations: Migrations
    /// The value of `PRAGMA synchronous`. NORMAL may lose the last commits in a power cut; FULL does not.
    let synchronous: String
    /// The size of a connection's page cache, in KiB.
    let cacheSize: Int
    /// Which existing files are trusted.
    var trust = FileTrust.named
    /// The time that a call waits for another process's lock, in milliseconds.
    var busyTimeout: Int32 = 5000

    /// An open connection, and the reason for a rebuild if there was one.
    struct Opening {
        let connection: SQLiteConnection
        /// The message that states why the file was rebuilt and where the broken file is; nil if the file was not
        /// broken.
        var rebuilt: String?
    }

    /// Opens the file. A broken file is set aside, and a new one takes its place.
    ///
    /// - Parameter now: The current time, which becomes part of the broken file's new name.
    func open(now: Timestamp) throws(SQLiteError) -> Opening {
        try checkTrust()
        let connection = try SQLiteConnection(path: path, busyTimeout: busyTimeout)
        do {
            // The check is repeated, because another user may have created the file since. Nothing was read yet.
            try checkTrust()
            makePrivate()
            try prepare(connection)
            return Opening(connection: connection)
        } catch {
            guard error.isCorrupt else {
                connection.close()
                throw error
            }
            return try replace(connection, after: error, now: now)
        }
    }

    /// Opens an existing file for reading only. Returns nil if there is no file, or if `open` must update its schema
    /// first.
    ///
    /// - Parameter busyTimeout: The time that a call waits for another process's lock, in milliseconds.
    func openToRead(busyTimeout: Int32) throws(SQLiteError) -> SQLiteConnection? {
        try checkTrust()
        guard let connection = try SQLiteConnection(existing: path, busyTimeout: busyTimeout) else { return nil }
        do {
            makePrivate()
            try connection.harden()
            if try migrations.version(of: connection) == migrations.version {
                try SchemaGuard.checkToRead(connection)
                // In SQLite 3.40, triggers can only use FTS5 if the schema is trusted. This connection runs no
                // triggers, because it does not write.
                try connection.execute(
                    "PRAGMA query_only = 1; PRAGMA trusted_schema = 0; PRAGMA cache_size = -\(cacheSize)")
                return connection
            }
        } catch {
            connection.close()
            throw error
        }
        connection.close()
        return nil
    }

    /// Sets a broken file aside, and opens a new one.
    func replace(
        _ connection: SQLiteConnection, after error: SQLiteError, now: Timestamp
    ) throws(SQLiteError) -> Opening {
        connection.close()
        return try replace(connection.identity, after: error, now: now)
    }

    /// Sets a broken file aside, and opens a new one.
    ///
    /// - Parameter identity: The identity of the broken file. If another file has taken its place, that file stays.
    func replace(
        _ identity: FileIdentity?, after error: SQLiteError, now: Timestamp
    ) throws(SQLiteError) -> Opening {
        let place = try setAside(identity, now: now)
        // A new file is only locked briefly. If this attempt failed because of a lock, the rebuild would never be
        // reported.
        var new = self
        new.busyTimeout = max(busyTimeout, 1000)
        let fresh = try SQLiteConnection(path: path, busyTimeout: new.busyTimeout)
        do {
            try new.prepare(fresh)
        } catch {
            fresh.close()
            throw error
        }
        let what = place.map { "set aside as \($0)" } ?? "already replaced by another process"
        return Opening(connection: fresh, rebuilt: "\(path) is broken (\(error)) and was \(what)")
    }

    private func checkTrust() throws(SQLiteError) {
        if let reason = trust.refusal(of: path) {
            throw SQLiteError(
                code: SQLITE_PERM, message: "\(reason); or choose another folder with --cache-dir or --data-dir")
        }
    }

    /// Removes the permissions of other users on the file. A copied file may have such permissions. A file that
    /// belongs to another user stays unchanged.
    private func makePrivate() {
        for path in [path, path + "-wal", path + "-shm"] {
            if let status = FileStatus(path), status.isAccessibleToOthers {
                chmod(path.cString, status.ownerPermissions)
            }
        }
    }

    private func prepare(_ connection: SQLiteConnection) throws(SQLiteError) {
        try connection.harden()
        // The version is checked first, so that a file of another program is not changed.
        let version = try migrations.version(of: connection)
        // This setting only takes effect before the first write.
        if version == 0 { try connection.execute("PRAGMA auto_vacuum = INCREMENTAL") }
        try useWriteAheadLog(connection)
        try connection.execute(
            """
            PRAGMA synchronous = \(synchronous);
            PRAGMA cache_size = -\(cacheSize);
            PRAGMA journal_size_limit = 8388608;
            """)
        if version < migrations.version { try migrations.apply(to: connection) }
        let schema = SchemaGuard(migrations)
        try connection.reading { () throws(SQLiteError) in try schema.check(connection) }
        // From here on the connection checks that the index is complete.
        _ = try connection.walIndex()
        connection.onWriting = { [unowned connection] () throws(SQLiteError) in try schema.check(connection) }
    }

    /// Switches the file to a write-ahead log, so that readers and a writer do not wait for each other.
    ///
    /// If another process switches the same new file at the same time, SQLite fails at once. This function then
    /// retries. If the file system does not support the log, SQLite keeps its rollback journal, which works as well.
    private func useWriteAheadLog(_ connection: SQLiteConnection) throws(SQLiteError) {
        let end = ContinuousClock.now + .milliseconds(Int(busyTimeout))
        while true {
            do {
                return try connection.execute("PRAGMA journal_mode = WAL")
            } catch {
                guard error.primaryCode == SQLITE_BUSY, ContinuousClock.now < end else { throw error }
                usleep(10_000)
            }
        }
    }

    /// Renames the broken file and its log. Returns the new path; nil if another process has already renamed them.
    private func setAside(_ identity: FileIdentity?, now: Timestamp) throws(SQLiteError) -> FilePath? {
        // If two processes find the same broken file, the second must not set aside the new file of the first.
        let lock = try FolderLock(folderOf: path, timeout: busyTimeout)
        defer { lock.unlock() }
        guard FileIdentity(path: path) == identity else { return nil }
        let stamp = now.rfc3339.filter { $0 != "-" && $0 != ":" }
        let base = path + ".corrupt-" + FilePath(stamp)
        var place = base
        var number = 1
        while FileIdentity(path: place) != nil {
            number += 1
            place = base + "-" + FilePath(String(number))
        }
        // The log is renamed first. If it stayed, SQLite would apply it to the new file.
        rename((path + "-wal").cString, (place + "-wal").cString)
        unlink((path + "-shm").cString)
        guard rename(path.cString, place.cString) == 0 else {
            throw .system("cannot set the broken file aside")
        }
        return place
    }
}

/// The identity of the file at a path. A different file that is later created at the same path has a different
/// identity.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64

    /// Reads the identity of the file at a path; nil if there is no file.
    init?(path: FilePath) {
        var status = stat()
        guard stat(path.cString, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}

/// A lock on a folder, which lets one process at a time create and rename Larder's files in it. The lock is held until
/// `unlock` is called.
struct FolderLock {
    private let folder: Int32

    /// Waits for the lock. If the folder cannot be locked, the caller continues without a lock.
    ///
    /// - Parameter timeout: The maximum wait for another process, in milliseconds. It is necessary because any process
    ///   that may read the folder can lock it forever.
    /// - Throws: `SQLITE_BUSY` if another process holds the lock for longer.
    init(folderOf path: FilePath, timeout: Int32) throws(SQLiteError) {
        let parent = path.parent.isEmpty ? "." : path.parent
        folder = open(parent.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        let end = ContinuousClock.now + .milliseconds(Int(timeout))
        while flock(folder, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
            guard ContinuousClock.now < end else {
                close(folder)
                throw SQLiteError(
                    code: SQLITE_BUSY,
                    message: "another process has locked the folder of \(path) (flock); end that process or wait")
            }
            usleep(2000)
        }
    }

    func unlock() {
        if folder >= 0 { close(folder) }
    }
}
