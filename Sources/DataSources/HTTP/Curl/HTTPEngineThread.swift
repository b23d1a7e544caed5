#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The system thread that an engine's loop runs on: libcurl waits in system calls, which tasks must not.
///
/// A thread's id may be used on any thread, though Darwin's type for it is a pointer: hence unchecked.
struct HTTPEngineThread: @unchecked Sendable {
    private let id: pthread_t

    /// Starts a thread that runs the engine's loop until the engine is stopped; nil where the system has none to give.
    init?(running engine: HTTPEngine) {
        // The new thread takes the reference over.
        let context = Unmanaged.passRetained(engine)
        #if canImport(Glibc)
            var id = pthread_t()
        #else
            var id: pthread_t?
        #endif
        let code = pthread_create(&id, nil, { HTTPEngineThread.main($0) }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return nil
        }
        #if canImport(Glibc)
            self.id = id
        #else
            guard let id else { return nil }
            self.id = id
        #endif
    }

    /// Waits for the thread's end. It is called once.
    func join() { pthread_join(id, nil) }

    private static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context else { return nil }
        // The reference that was handed over with the thread.
        let engine = Unmanaged<HTTPEngine>.fromOpaque(context).takeRetainedValue()
        // Signals are for the program's own threads; and a TLS library's write to a closed connection raises SIGPIPE.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        guard let library = CurlLibrary.shared, let loop = HTTPEngineLoop(engine, library) else {
            engine.refuse(CurlLibrary.missing)
            return nil
        }
        loop.run()
        return nil
    }
}
