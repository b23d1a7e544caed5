/// Moves the write-ahead log into the file now and then, after commits of our own. SQLite would do so within the commit,
/// which must be short.
final class LogKeeper {
    /// How many frames the log gets before it is moved into the file.
    private let frames: Int
    /// How many it gets before readers are waited for, so that it can be emptied.
    private var patience: Int

    /// Takes over from SQLite, which said how many frames the log gets.
    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        frames = Int(try connection.integer("PRAGMA wal_autocheckpoint"))
        patience = 4 * frames
        try connection.execute("PRAGMA wal_autocheckpoint = 0")
    }

    /// Called after each commit. The log begins anew only when nobody reads; where there is always somebody who does,
    /// they have to be waited for now and then.
    func shorten(_ connection: SQLiteConnection, _ watch: FileWatch) {
        guard watch.frames > frames else { return }
        if watch.frames <= patience {
            try? connection.moveLog()
        } else {
            try? connection.emptyLog()
            // Where they did not get out of the way, not at each commit again.
            patience = watch.frames + 4 * frames
        }
    }
}
