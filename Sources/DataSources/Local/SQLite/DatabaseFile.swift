import CSQLite
import System

/// A file with its schema: how it is opened, and what is done with it when it is broken.
struct DatabaseFile: Sendable {
    /// Where it is.
    let path: FilePath
    /// Its schema.
    let migrations: Migrations
    /// `PRAGMA synchronous`: NORMAL may lose the last commits in a power cut, FULL does not.
    let synchronous: String
    /// How much of the file a connection keeps in memory, in KiB.
    let cacheSize: Int
    /// How far what is there is trusted.
    var trust = FileTrust.named
    /// How long a call waits for another process's lock, in milliseconds.
    var busyTimeout: Int32 = 5000

    /// An open connection, and what it took to get it.
    struct Opening {
        let connection: SQLiteConnection
        /// Why the file was rebuilt and where the broken one is now; nil where the file was sound.
        var rebuilt: String?
    }

    /// Opens the file; one that is broken is set aside and a new one takes its place.
    ///
    /// - Parameter now: Names the broken file.
    func open(now: Timestamp) throws(SQLiteError) -> Opening {
        try checkTrust()
        let connection = try SQLiteConnection(path: path, busyTimeout: busyTimeout)
        do {
            // Again, because what was not there before may be somebody else's now; nothing was read yet.
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

    /// Opens a file that is there, for reading alone. Nil where there is none, or where `open` must make it ready
    /// first.
    ///
    /// - Parameter busyTimeout: How long a call waits for another process's lock, in milliseconds.
    func openToRead(busyTimeout: Int32) throws(SQLiteError) -> SQLiteConnection? {
        try checkTrust()
        guard let connection = try SQLiteConnection(existing: path, busyTimeout: busyTimeout) else { return nil }
        do {
            makePrivate()
            try connection.distrust()
            if try migrations.version(of: connection) == migrations.version {
                try SchemaGuard.checkToRead(connection)
                // FTS5 of SQLite 3.40 works in a trigger of a trusted schema alone, and nothing is written here.
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

    /// Sets a file aside that was found broken, and opens a new one.
    func replace(
        _ connection: SQLiteConnection, after error: SQLiteError, now: Timestamp
    ) throws(SQLiteError) -> Opening {
        connection.close()
        return try replace(connection.identity, after: error, now: now)
    }

    /// Sets a file aside that was found broken, and opens a new one.
    ///
    /// - Parameter identity: Which file is broken; another one at its place is not touched.
    func replace(
        _ identity: FileIdentity?, after error: SQLiteError, now: Timestamp
    ) throws(SQLiteError) -> Opening {
        let place = try setAside(identity, now: now)
        // Nobody has a new file locked for more than a moment, and who gives up now would never say what was done.
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
            throw SQLiteError(code: SQLITE_PERM, message: "\(reason); --cache-dir and --data-dir name another folder")
        }
    }

    /// A file that others may read, such as one that was copied, becomes its owner's alone. It stays as it is where it
    /// is another user's.
    private func makePrivate() {
        for path in [path, path + "-wal", path + "-shm"] {
            if let status = FileStatus(path), status.isForOthers { chmod(path.cString, status.ownersMode) }
        }
    }

    private func prepare(_ connection: SQLiteConnection) throws(SQLiteError) {
        try connection.distrust()
        // A look first: nothing is changed in a file that is not ours.
        let version = try migrations.version(of: connection)
        // This one holds only if it comes before anything is written.
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
        // From here on the connection sees to it that the index is whole.
        _ = try connection.walIndex()
        connection.onWriting = { [unowned connection] () throws(SQLiteError) in try schema.check(connection) }
    }

    /// Switches to the write-ahead log, in which readers and a writer do not wait for one another.
    ///
    /// SQLite does not wait while another process does the same to a new file, but fails at once; so this waits. Where
    /// the file system cannot do it, SQLite stays with its older journal, which works as well.
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

    /// Renames the broken file and its log. Returns the new name; nil where another process did it before.
    private func setAside(_ identity: FileIdentity?, now: Timestamp) throws(SQLiteError) -> FilePath? {
        // Of two processes that find the same broken file, the second must not set the first one's new file aside.
        let lock = try FolderLock(folderOf: path, patience: busyTimeout)
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
        // The log goes first: left behind, it would be played into the new file.
        rename((path + "-wal").cString, (place + "-wal").cString)
        unlink((path + "-shm").cString)
        guard rename(path.cString, place.cString) == 0 else {
            throw SQLiteConnection.systemError("cannot set the broken file aside")
        }
        return place
    }
}

/// Which file stands at a path: another one under the same name has another identity.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64

    /// The identity of the file at a path; nil where there is none.
    init?(path: FilePath) {
        var status = stat()
        guard stat(path.cString, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}

/// Keeps other processes that ask for the same from working on a folder's names. Released with `unlock`.
struct FolderLock {
    private let folder: Int32

    /// Waits for the lock; where a folder cannot be locked, there is none.
    ///
    /// - Parameter patience: How long another process may keep it, in milliseconds. Any process that may read the
    ///   folder can lock it, for ever.
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
