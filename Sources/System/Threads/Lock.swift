/// State that only one thread at a time may touch.
///
/// It is POSIX's mutex and not the standard library's, because ThreadSanitizer sees into the one and not, on Linux,
/// into the other: with that it would report every use as a race.
public final class Lock<Value>: @unchecked Sendable {  // Safe: `value` is touched under `mutex` alone.
    @usableFromInline let value: UnsafeMutablePointer<Value>
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// A lock around a value, which nobody else has.
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

    /// Calls `body` with the value while no other thread has it. `body` must not come back here: it would wait for
    /// ever.
    @inlinable
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
