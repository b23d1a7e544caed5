/// A lock around a value. Only one thread at a time can access the value. Copies of the lock share the value.
// The lock is a POSIX mutex instead of the standard library's mutex. On Linux, ThreadSanitizer does not recognize the
// standard library's mutex and would report every access as a race.
public struct Lock<Value>: @unchecked Sendable {  // Safe: the value is accessed under the mutex only.
    /// The mutex and the value in one allocation.
    @usableFromInline
    final class Storage: ManagedBuffer<pthread_mutex_t, Value> {
        deinit {
            withUnsafeMutablePointers { mutex, value in
                value.deinitialize(count: 1)
                pthread_mutex_destroy(mutex)
            }
        }
    }

    @usableFromInline let storage: ManagedBuffer<pthread_mutex_t, Value>

    /// Creates a lock around a value. No other reference to the value may exist.
    public init(_ value: sending Value) {
        storage = Storage.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
        storage.withUnsafeMutablePointers { mutex, place in
            pthread_mutex_init(mutex, nil)
            place.initialize(to: value)
        }
    }

    /// Calls `body` with exclusive access to the value. `body` must not use the same lock, because the thread would
    /// wait forever.
    @inlinable
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.withUnsafeMutablePointers { (mutex, value) throws(Failure) in
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&value.pointee)
        }
    }
}
