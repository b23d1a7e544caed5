#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Starts threads.
enum Thread {
    /// Runs `body` on a thread of its own that nobody waits for. Where the system has no room for one, it waits for it.
    static func start(_ body: @escaping @Sendable () -> Void) {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        // The new thread takes the reference over.
        let box = Unmanaged.passRetained(Box(body))
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        func create() -> Int32 {
            pthread_create(
                &thread, nil,
                { argument in
                    #if canImport(Glibc)
                        guard let argument else { return nil }
                    #endif
                    // The reference that was handed over with the thread.
                    Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
                    return nil
                }, box.toOpaque())
        }
        while create() != 0 { usleep(10_000) }
        #if canImport(Glibc)
            pthread_detach(thread)
        #else
            if let thread { pthread_detach(thread) }
        #endif
    }
}
