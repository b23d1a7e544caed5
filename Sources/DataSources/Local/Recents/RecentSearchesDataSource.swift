import System

/// Stores a user's recent searches in a separate SQLite file, which several processes may change at the same time.
///
/// A broken file is set aside and reported, but never deleted, because recent searches are user data. Calls that change
/// the searches return after the change is on the disk.
// The actor runs on its own thread. The first call opens the file.
public actor RecentSearchesDataSource: RecentSearchesDataSourceContract {
    /// The maximum number of recent searches per scope.
    public static let limit = 5

    /// The schema versions of the recent searches file. `application_id` is "LRDR" in ASCII. The row with the highest
    /// number contains the newest search.
    private static let migrations = Migrations(
        applicationID: 0x4C52_4452,
        steps: [
            """
            CREATE TABLE recents (
                number INTEGER PRIMARY KEY,
                scope TEXT NOT NULL,
                text TEXT NOT NULL
            ) STRICT;
            CREATE INDEX recents_scope ON recents (scope);
            """
        ])

    /// The maximum time that a call waits for another process's lock, in milliseconds.
    private static let busyTimeout: Int32 = 2000

    private let loop = EventLoop("larder-file", standIn: .shared)
    /// The file of the recent searches; nil if the recent searches are only in memory.
    private var file: DatabaseFile?
    private let clock: any ClockContract
    private let onFault: @Sendable (DegradedPart) -> Void
    private var connection: SQLiteConnection?
    private var lastReason: String?
    private var lock = LockBackoff()

    /// Creates a data source over a file, which need not exist yet. The first use creates the file and its folder.
    ///
    /// - Parameters:
    ///   - path: The path of the file; nil keeps recent searches in memory until the process exits.
    ///   - trust: The rule for trusting existing files. If the file is refused, recent searches are in memory only.
    ///   - clock: The clock that supplies the times of faults.
    ///   - onFault: Called with each new fault, on the actor's thread. It must not block.
    public init(
        path: FilePath?, trust: FileTrust = .named, clock: any ClockContract,
        onFault: @escaping @Sendable (DegradedPart) -> Void
    ) {
        file = path.map {
            DatabaseFile(
                path: $0, migrations: Self.migrations, synchronous: "FULL", cacheSize: 64, trust: trust,
                busyTimeout: Self.busyTimeout)
        }
        self.clock = clock
        self.onFault = onFault
    }

    /// The executor of the actor's own thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.isolation.asUnownedSerialExecutor() }

    /// Returns the recent searches of a scope, newest first.
    public func list(scope: String) throws(LocalDataError) -> [String] {
        try perform("read the recent searches") { (connection) throws(SQLiteError) in
            try Self.entries(scope, in: connection).map(\.text)
        }
    }

    /// Adds a query as the newest recent search of a scope. Ignores white space at the start and end of the query.
    /// Returns the scope's recent searches. A blank query changes nothing.
    public func add(_ text: String, scope: String) throws(LocalDataError) -> [String] {
        let text = text.trimmed
        guard !text.isEmpty else { return try list(scope: scope) }
        return try change(scope) { (connection) throws(SQLiteError) in
            try Self.delete(text, scope, in: connection)
            try connection.run("INSERT INTO recents (scope, text) VALUES (?, ?)", .text(scope), .text(text))
            for old in try Self.entries(scope, in: connection).dropFirst(Self.limit) {
                try connection.run("DELETE FROM recents WHERE number = ?", .integer(old.number))
            }
        }
    }

    /// Removes a query from the recent searches of a scope. Returns the scope's recent searches after the change.
    public func remove(_ text: String, scope: String) throws(LocalDataError) -> [String] {
        let text = text.trimmed
        return try change(scope) { (connection) throws(SQLiteError) in
            try Self.delete(text, scope, in: connection)
        }
    }

    /// Removes all recent searches of a scope. Returns an empty array.
    public func clear(scope: String) throws(LocalDataError) -> [String] {
        try change(scope) { (connection) throws(SQLiteError) in
            try connection.run("DELETE FROM recents WHERE scope = ?", .text(scope))
        }
    }

    /// Closes the file of recent searches. The next call opens the file again. Recent searches that are only in memory
    /// are lost.
    public nonisolated func close() async {
        // If no call was made yet, the actor's thread need not be started.
        if loop.hasBegun { await closeFile() }
    }

    private func closeFile() {
        connection?.close()
        connection = nil
    }
}

extension RecentSearchesDataSource {
    private struct Entry {
        let number: Int64
        let text: String
    }

    private static func entries(_ scope: String, in connection: SQLiteConnection) throws(SQLiteError) -> [Entry] {
        var entries: [Entry] = []
        try connection.rows(
            "SELECT number, text FROM recents WHERE scope = ? ORDER BY number DESC", [.text(scope)]
        ) { entries.append(Entry(number: $0.integer(0), text: $0.text(1))) }
        return entries
    }

    /// Removes a query and its other spellings, which differ only in case or in the encoding of letters.
    // They are compared in Swift, because SQLite only ignores the case of ASCII letters.
    private static func delete(
        _ text: String, _ scope: String, in connection: SQLiteConnection
    ) throws(SQLiteError) {
        let folded = text.caseFolded
        for entry in try entries(scope, in: connection) where entry.text.caseFolded == folded {
            try connection.run("DELETE FROM recents WHERE number = ?", .integer(entry.number))
        }
    }

    private func change(
        _ scope: String, _ body: (SQLiteConnection) throws(SQLiteError) -> Void
    ) throws(LocalDataError) -> [String] {
        try perform("change the recent searches") { (connection) throws(SQLiteError) in
            try connection.writing { () throws(SQLiteError) in
                try body(connection)
                return try Self.entries(scope, in: connection).map(\.text)
            }
        }
    }

    /// Calls `body` with the open file of recent searches. If the file is broken, calls `body` again with a new file.
    private func perform<Result>(
        _ what: String, _ body: (SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(LocalDataError) -> Result {
        do {
            let result = try waiting { () throws(SQLiteError) in
                try SQLiteError.retryingTruncations { () throws(SQLiteError) in try attempt(body) }
            }
            lock.forget()
            return result
        } catch {
            if error.isBusy { lock.note() }
            if error.isSystemFailure { closeFile() }
            let place = file.map { "\($0.path): " } ?? ""
            let reason = "cannot \(what): \(place)\(error)"
            if connection == nil, reason != lastReason { report(reason) }
            lastReason = reason
            throw LocalDataError(reason)
        }
    }

    /// Runs `body`, and repeats it while another process creates the index of the write-ahead log. SQLite itself does
    /// not wait for the lock on this index.
    // SQLite waits long enough for other locks, but not for this lock.
    private func waiting<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        let end = ContinuousClock.now + .milliseconds(Int(lock.busyTimeout(Self.busyTimeout)))
        while true {
            do {
                return try body()
            } catch {
                guard error.isProtocol, ContinuousClock.now < end else { throw error }
            }
        }
    }

    private func attempt<Result>(
        _ body: (SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
        let timeout = lock.busyTimeout(Self.busyTimeout)
        let connection = try opened(timeout)
        connection.busyTimeout = timeout
        do {
            return try body(connection)
        } catch {
            guard error.isCorrupt, var file else { throw error }
            self.connection = nil
            file.busyTimeout = timeout
            return try body(use(try file.replace(connection, after: error, now: clock.now())))
        }
    }

    private func opened(_ timeout: Int32) throws(SQLiteError) -> SQLiteConnection {
        if let connection { return connection }
        guard var file else { return try inMemory() }
        do {
            file.busyTimeout = timeout
            return use(try file.open(now: clock.now()))
        } catch {
            guard error.isRefusal else { throw error }
            report("recent searches are in memory only: cannot use \(file.path): \(error.message)")
            self.file = nil
            return try inMemory()
        }
    }

    private func inMemory() throws(SQLiteError) -> SQLiteConnection {
        let connection = try SQLiteConnection()
        try Self.migrations.apply(to: connection)
        self.connection = connection
        return connection
    }

    private func use(_ opening: DatabaseFile.Opening) -> SQLiteConnection {
        connection = opening.connection
        if let reason = opening.rebuilt { report(reason) }
        return opening.connection
    }

    private func report(_ reason: String) {
        onFault(DegradedPart(part: "recents", reason: reason, since: clock.now()))
    }
}

extension String {
    /// The string without the Unicode white space at its start and end.
    fileprivate var trimmed: String {
        var scalars = unicodeScalars[...]
        while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        return String(scalars)
    }

    /// The string in a form that ignores case (Unicode's full case folding). For example, "Straße" equals "STRASSE".
    // Both forms of the Greek small sigma are equal. The dotless i stays a separate letter, as in Unicode.
    fileprivate var caseFolded: String {
        var folded = ""
        for scalar in lowercased().unicodeScalars {
            folded += scalar == "\u{131}" ? "\u{131}" : scalar.properties.uppercaseMapping.lowercased()
        }
        return folded
    }
}
