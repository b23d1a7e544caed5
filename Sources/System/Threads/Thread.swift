import CSystem

/// Threads of the system's own. All signals are blocked on them: they are for the threads that wait for them.
public enum Thread {
    /// Why there was no thread, for a person.
    public static let shortage =
        "no thread could be started: this user may have no more (ulimit -u; in a container, pids.max), or there is no"
        + " memory for its stack"

    /// Runs `body` on a new thread that nobody waits for. Returns whether there is one.
    ///
    /// - Parameter name: what tools such as top and gdb call it; the system cuts it at 15 bytes.
    public static func start(_ name: StaticString, _ body: @escaping @Sendable () -> Void) -> Bool {
        // Safe: the new thread takes the reference over.
        let box = Unmanaged.passRetained(Box(name, body))
        #if canImport(Glibc)
            var id = pthread_t()
        #else
            var id: pthread_t?
        #endif
        guard pthread_create(&id, nil, { Thread.main($0) }, box.toOpaque()) == 0 else {
            // No thread came to take the reference.
            box.release()
            return false
        }
        #if canImport(Glibc)
            pthread_detach(id)
        #else
            if let id { pthread_detach(id) }
        #endif
        return true
    }

    private final class Box: Sendable {
        let name: StaticString
        let body: @Sendable () -> Void

        init(_ name: StaticString, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    private static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        var signals = sigset_t()
        sigfillset(&signals)
        // But for one that only the thread itself can bring about.
        sigdelset(&signals, SIGBUS)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        guard let context else { return nil }
        // Safe: it is the reference that was handed over with the thread.
        let box = Unmanaged<Box>.fromOpaque(context).takeRetainedValue()
        // Safe: the name is a constant of the program's, which ends with a zero.
        box.name.withUTF8Buffer {
            larder_name_thread(UnsafeRawPointer($0.baseAddress)?.assumingMemoryBound(to: CChar.self))
        }
        box.body()
        return nil
    }
}
