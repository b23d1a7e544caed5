/// A thread of the system's own. All signals are blocked on it: they are for the threads that wait for them.
// Safe: a thread's id may be used on any thread, though Darwin's type for it is a pointer.
public struct Thread: @unchecked Sendable {
    /// Why there was no thread, for a person.
    public static let shortage =
        "no thread could be started: this user may have no more (ulimit -u; in a container, pids.max), or there is no"
        + " memory for its stack"

    private let id: pthread_t

    /// Runs `body` on a new thread, which is to be joined or detached; nil where the system has none to give.
    public init?(_ body: @escaping @Sendable () -> Void) {
        // Safe: the new thread takes the reference over.
        let box = Unmanaged.passRetained(Box(body))
        #if canImport(Glibc)
            var id = pthread_t()
        #else
            var id: pthread_t?
        #endif
        guard pthread_create(&id, nil, { Thread.main($0) }, box.toOpaque()) == 0 else {
            // No thread came to take the reference.
            box.release()
            return nil
        }
        #if canImport(Glibc)
            self.id = id
        #else
            guard let id else { return nil }
            self.id = id
        #endif
    }

    /// Runs `body` on a new thread that nobody waits for. Returns whether there is one.
    public static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard let thread = Thread(body) else { return false }
        thread.detach()
        return true
    }

    /// Waits for the thread's end.
    package func join() { pthread_join(id, nil) }

    /// Says that nobody will wait for the thread's end.
    package func detach() { pthread_detach(id) }

    private final class Box: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        var signals = sigset_t()
        sigfillset(&signals)
        // But for one that only the thread itself can bring about.
        sigdelset(&signals, SIGBUS)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        guard let context else { return nil }
        // Safe: it is the reference that was handed over with the thread.
        Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
        return nil
    }
}
