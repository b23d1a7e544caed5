import CSQLite
import System

/// An SQLite file with its settings and schema. Opens the file, and replaces a broken file with a new one.
struct DatabaseFile: Sendable {
    let path: FilePath
    let migrations: Migrations
    /// The value of `PRAGMA synchronous`. With NORMAL, a power failure may undo the last commits; with FULL, it cannot.
    let synchronous: String
    /// The size of each connection's page cache, in KiB.
    let cacheSize: Int
    /// The rule that decides whether Larder trusts an existing file (see `FileTrust`).
    var trust = FileTrust.named
    /// The maximum time that a call waits for another process's lock, in milliseconds.
    var busyTimeout: Int32 = 5000

    /// The result of opening a database file: the connection, and a message if a broken file was replaced.
    struct Opening {
        let connection: SQLiteConnection
        /// The message about the rebuild: why the file was broken and where the broken file is now. Nil if the file was
        /// not broken.
        var rebuilt: String?
    }

    /// Opens the database file. If the file is broken, renames it and creates a new one.
    ///
    /// - Parameter now: The current time, which becomes part of the broken file's new name.
    func open(now: Timestamp) throws(SQLiteError) -> Opening {
        try checkTrust()
        let connection = try SQLiteConnection(path: path, busyTimeout: busyTimeout)
        do {
            // The check is repeated before anything is read, because another user may have created the file in the
            // meantime.
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

    /// Opens an existing database file for reading only. Returns nil if there is no file, or if the file has an older
    /// schema. Call `open` in these cases.
    ///
    /// - Parameter busyTimeout: The maximum time that a call waits for another process's lock, in milliseconds.
    func openToRead(busyTimeout: Int32) throws(SQLiteError) -> SQLiteConnection? {
        try checkTrust()
        guard let connection = try SQLiteConnection(existing: path, busyTimeout: busyTimeout) else { return nil }
        do {
            makePrivate()
            try connection.harden()
            if try migrations.version(of: connection) == migrations.version {
                try SchemaGuard.checkToRead(connection)
                // In SQLite 3.40, triggers can only use FTS5 if the schema is trusted. This connection does not write,
                // so it runs no triggers.
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

    /// Closes the connection to a broken database file, renames the file, and opens a new one.
    func replace(
        _ connection: SQLiteConnection, after error: SQLiteError, now: Timestamp
    ) throws(SQLiteError) -> Opening {
        connection.close()
        return try replace(connection.identity, after: error, now: now)
    }

    /// Renames a broken database file, and opens a new one.
    ///
    /// - Parameter identity: The identity of the broken file. If another file is now at the path, that file is opened
    ///   instead.
    func replace(
        _ identity: FileIdentity?, after error: SQLiteError, now: Timestamp
    ) throws(SQLiteError) -> Opening {
        let place = try setAside(identity, now: now)
        // This attempt waits longer for a lock, because a failed attempt would leave the rebuild unreported. Other
        // processes lock a new file only briefly.
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

    /// Removes all permissions except the owner's from the database file. Does nothing if the file belongs to another
    /// user.
    // A file that was copied may grant permissions to other users.
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

    /// Switches the database file to a write-ahead log, in which readers and a writer do not wait for each other. Keeps
    /// the rollback journal if the file system does not support a write-ahead log.
    // If another process switches the same new file at the same time, SQLite fails at once, so the switch is retried.
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

    /// Renames the broken database file and its log. Returns the new path; nil if another process has already renamed
    /// the file.
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
            throw .system("cannot rename the broken file; check the permissions of its folder")
        }
        return place
    }
}

/// The identity of the file at a path: its device and inode. A different file at this path has a different identity.
package struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64

    /// Reads the identity of the file at a path; nil if there is no file.
    package init?(path: FilePath) {
        var status = stat()
        guard stat(path.cString, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}

/// A lock on a folder. Larder's processes take this lock before they create or rename files in the folder. The lock is
/// held until `unlock` is called.
struct FolderLock {
    private let folder: Int32

    /// Waits for the lock on the folder that contains a file. Continues without a lock if the system cannot lock the
    /// folder.
    ///
    /// - Parameter timeout: The maximum time to wait, in milliseconds. Any process that may read the folder can hold
    ///   the lock, so the wait must be limited.
    /// - Throws: `SQLITE_BUSY` if another process holds the lock for longer than the timeout.
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
