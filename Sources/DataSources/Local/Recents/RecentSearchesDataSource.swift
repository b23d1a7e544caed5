import System

/// Recent searches in an SQLite file of their own, which many processes may change at once.
///
/// The actor runs on a thread of its own and opens the file at the first use. These are a person's data: a broken file
/// is set aside and reported, never deleted, and every change is on the disk before it is answered.
public actor RecentSearchesDataSource: RecentSearchesDataSourceContract {
    /// How many texts a scope keeps.
    public static let limit = 5

    /// `application_id` is "LRDR" in ASCII. The newest text has the highest number.
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

    /// How long a call waits for another process's lock, in milliseconds.
    private static let busyTimeout: Int32 = 2000

    private let loop = EventLoop("larder-file", standIn: .shared)
    /// nil where nothing is kept in a file.
    private var file: DatabaseFile?
    private let clock: any ClockContract
    private let onFault: @Sendable (DegradedPart) -> Void
    private var connection: SQLiteConnection?
    private var lastReason: String?
    private var lock = LockMemory()

    /// A data source over a file that need not exist yet; its folder is made too. Nothing is opened here.
    ///
    /// - Parameters:
    ///   - path: Where the file is; nil keeps them in memory only, as long as the process runs.
    ///   - trust: How far what is there is trusted; they are in memory only where it is refused.
    ///   - clock: Tells when a fault was found.
    ///   - onFault: Called with each fault as it is found, on the actor's thread; it should return soon.
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

    /// The actor's own thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.isolation.asUnownedSerialExecutor() }

    /// The texts of a scope, newest first.
    public func list(scope: String) throws(LocalDataError) -> [String] {
        try perform("read the recent searches") { (connection) throws(SQLiteError) in
            try Self.entries(scope, in: connection).map(\.text)
        }
    }

    /// Puts a text, white space around it removed, first. Returns the texts then. An empty text changes nothing.
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

    /// Takes a text out, if it is there. Returns the texts then.
    public func remove(_ text: String, scope: String) throws(LocalDataError) -> [String] {
        let text = text.trimmed
        return try change(scope) { (connection) throws(SQLiteError) in
            try Self.delete(text, scope, in: connection)
        }
    }

    /// Takes all texts of a scope out. Returns no text.
    public func clear(scope: String) throws(LocalDataError) -> [String] {
        try change(scope) { (connection) throws(SQLiteError) in
            try connection.run("DELETE FROM recents WHERE scope = ?", .text(scope))
        }
    }

    /// Closes the file. The next call opens it again; what was in memory only is forgotten.
    public nonisolated func close() async {
        // Where nothing was ever asked, no thread is started to end that.
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

    /// Texts are compared here rather than in SQL: SQLite folds ASCII letters only and knows no canonical equivalence.
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

    /// Runs `body`; once more, over a new file, where the file turns out to be broken.
    private func perform<Result>(
        _ what: String, _ body: (SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(LocalDataError) -> Result {
        do {
            let result = try waiting { () throws(SQLiteError) in
                try SQLiteError.retryingCuts { () throws(SQLiteError) in try attempt(body) }
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

    /// SQLite waits by itself for a lock, but gives up soon where the index of the log is locked and not made yet.
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
            report("\(file.path) is refused, recent searches are in memory only: \(error.message)")
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
    /// Without Unicode white space at both ends.
    fileprivate var trimmed: String {
        var scalars = unicodeScalars[...]
        while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        return String(scalars)
    }

    /// The same for texts that differ in case only, after Unicode's full case folding: "Straße" and "STRASSE", and both
    /// forms of the Greek small sigma. The dotless i stays a letter of its own, as it does in Unicode.
    fileprivate var caseFolded: String {
        var folded = ""
        for scalar in lowercased().unicodeScalars {
            folded += scalar == "\u{131}" ? "\u{131}" : scalar.properties.uppercaseMapping.lowercased()
        }
        return folded
    }
}
