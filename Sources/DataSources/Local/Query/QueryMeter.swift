import CSQLite
import CSQLiteMemory
import System

/// Cancels a query from another thread. The query ends at its next allocation of memory, or at its next check.
final class QueryCancellation: Sendable {
    /// The account of the memory that SQLite uses for the query.
    // Safe: other threads only call the functions for `stopped`, which are atomic.
    nonisolated(unsafe) fileprivate let account: UnsafeMutablePointer<larder_memory_account>

    init() {
        account = .allocate(capacity: 1)
        account.initialize(to: larder_memory_account())
    }

    deinit { account.deallocate() }

    var isCancelled: Bool { larder_memory_is_stopped(account) != 0 }

    func cancel() { larder_memory_stop(account) }
}

/// Measures the time and the memory of one query, and stops the query at its limits.
// Exclusivity: only the query's thread uses the meter. No access to a property encloses another access.
final class QueryMeter {
    /// The reason why a query was stopped.
    enum Stop {
        case time, memory, cancelled

        var error: QueryError {
            switch self {
            case .time: .limit(.time, "the query exceeded its time limit")
            case .memory: .limit(.memory, "the query exceeded its memory limit")
            case .cancelled: .cancelled
            }
        }
    }

    private let cancellation: QueryCancellation
    private let end: Milliseconds
    @exclusivity(unchecked) private(set) var stop: Stop?
    @exclusivity(unchecked) private var ticks = 0

    /// Creates a meter, and starts its clock.
    ///
    /// - Parameter memory: the maximum number of bytes that SQLite and the result may use.
    init(timeout: Milliseconds, memory: Int, _ cancellation: QueryCancellation) {
        self.cancellation = cancellation
        end = Monotonic.milliseconds + max(0, timeout)
        cancellation.account.pointee.limit = Int64(memory)
    }

    private var account: UnsafeMutablePointer<larder_memory_account> { cancellation.account }

    /// Counts SQLite's memory on this thread while `body` runs.
    func counting<Value>(_ body: () -> Value) -> Value {
        larder_sqlite_account(account)
        defer { larder_sqlite_account(nil) }
        return body()
    }

    /// Whether an allocation failed because of the memory limit.
    var hasRefusedMemory: Bool { account.pointee.refused != 0 }

    /// The number of copies of the result that exist while the reply is written.
    private static let copies: Int64 = 3

    /// Checks the time, the memory and whether the caller has cancelled the query. Returns whether the query must stop.
    func mustStop(resultBytes: Int = 0) -> Bool {
        if stop != nil { return true }
        if cancellation.isCancelled {
            stop = .cancelled
        } else if hasRefusedMemory || account.pointee.used + Self.copies * Int64(resultBytes) > account.pointee.limit {
            stop = .memory
        } else if Monotonic.milliseconds >= end {
            stop = .time
        }
        return stop != nil
    }

    /// At every 256th call, checks the limits and returns whether the query must stop. At all other calls, returns
    /// false without a check.
    @inline(__always)
    func mustStopAtTick() -> Bool {
        ticks &+= 1
        return ticks & 255 == 0 && mustStop()
    }

    /// The pointer that SQLite passes to `handler`. The handler must be removed before the meter is freed.
    // Safe: the handler is removed before the meter is released.
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// The progress handler of SQLite, which stops a statement if it returns 1.
    static let handler: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
        guard let context else { return 1 }
        // Safe: the context is the meter that registered the handler.
        return Unmanaged<QueryMeter>.fromOpaque(context).takeUnretainedValue().mustStop() ? 1 : 0
    }
}
