/// A lock around a value. Only one thread at a time can access the value.
///
/// The lock is a POSIX mutex instead of the standard library's mutex. On Linux, ThreadSanitizer does not recognize the
/// standard library's mutex and would report every access as a race.
public final class Lock<Value>: @unchecked Sendable {  // Safe: `value` is touched under `mutex` alone.
    @usableFromInline let value: UnsafeMutablePointer<Value>
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Creates a lock around a value. No other reference to the value may exist.
    public init(_ value: sending Value) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Calls `body` with exclusive access to the value. `body` must not use the same lock, because the thread would
    /// wait forever.
    @inlinable
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
