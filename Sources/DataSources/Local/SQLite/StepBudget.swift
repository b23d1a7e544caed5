import CSQLite
import System

/// Bounds the steps of SQLite's machine that one statement may take: a schema can hold a view or a trigger that never
/// ends. Who is entitled to many steps has a large file to go through.
// Safe: SQLite calls it on the thread that runs the statement, which is the thread of the connection's owner.
final class StepBudget: @unchecked Sendable {
    /// After how many steps SQLite asks whether to go on.
    private static let stride: Int32 = 1_000_000
    /// How many such strides any statement may take: a tenth of a second, about.
    private static let strides = 10
    /// A row takes about 100 bytes at least, and what is done with one in one statement some 200 steps at most.
    private static let stepsPerByte = 4

    /// A file system may pack a file to a part of its size,
    private static let packing = 64
    /// and count what was just written later.
    private static let unflushed = 64 << 20

    private let paths: [FilePath]
    private var taken = 0

    /// Has SQLite ask. The connection keeps the budget for as long as it is open.
    ///
    /// - Parameter path: The database's file.
    init(of database: OpaquePointer, path: FilePath) {
        paths = [path, path + "-wal"]
        sqlite3_progress_handler(
            database, Self.stride,
            { context in
                guard let context else { return 0 }
                // Safe: the connection keeps it for as long as SQLite may ask.
                return Unmanaged<StepBudget>.fromOpaque(context).takeUnretainedValue().spend() ? 0 : 1
            },
            // Safe: not retained, see above.
            Unmanaged.passUnretained(self).toOpaque())
    }

    func begin() { taken = 0 }

    private func spend() -> Bool {
        taken += 1
        return taken <= Self.strides || taken <= Self.strides + bytes * Self.stepsPerByte / Int(Self.stride)
    }

    /// How much there is of the file and its log: one with holes may be said to be of any size.
    private var bytes: Int {
        paths.reduce(0) { sum, path in
            var status = stat()
            guard stat(path.cString, &status) == 0 else { return sum }
            return sum + min(Int(status.st_size), Int(status.st_blocks) * 512 * Self.packing + Self.unflushed)
        }
    }
}
