#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Starts threads.
enum Thread {
    /// Runs `body` on a thread of its own that nobody waits for.
    static func start(_ body: @escaping @Sendable () -> Void) {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        // The new thread takes the reference over; if there is none, it is released below.
        let box = Unmanaged.passRetained(Box(body))
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        let failure = pthread_create(
            &thread, nil,
            { argument in
                #if canImport(Glibc)
                    guard let argument else { return nil }
                #endif
                // The reference that was handed over with the thread.
                Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        if failure == 0 {
            #if canImport(Glibc)
                pthread_detach(thread)
            #else
                if let thread { pthread_detach(thread) }
            #endif
        } else {
            box.release()
        }
    }
}
