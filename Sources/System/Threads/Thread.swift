import CSystem

/// Starts threads of the operating system. The started threads block all signals, because other threads handle signals.
public enum Thread {
    /// The error message for a thread that could not be started.
    public static let shortage =
        "cannot start a thread: this user's limit is reached (ulimit -u; in a container, pids.max), or memory for the"
        + " stack is missing; raise the limit or free memory"

    /// Runs `body` on a new detached thread. Returns whether the thread was started.
    ///
    /// - Parameter name: the name shown by tools such as top and gdb. The system truncates it to 15 bytes.
    public static func start(_ name: StaticString, _ body: @escaping @Sendable () -> Void) -> Bool {
        // Safe: the new thread takes over the reference.
        let box = Unmanaged.passRetained(Box(name, body))
        #if canImport(Glibc)
            var id = pthread_t()
        #else
            var id: pthread_t?
        #endif
        guard pthread_create(&id, nil, { Thread.main($0) }, box.toOpaque()) == 0 else {
            // No thread has taken over the reference, because none was started.
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
        // SIGBUS stays unblocked, because only the thread itself can cause it.
        sigdelset(&signals, SIGBUS)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        guard let context else { return nil }
        // Safe: `context` is the reference that was passed to the thread.
        let box = Unmanaged<Box>.fromOpaque(context).takeRetainedValue()
        // Safe: the name is a constant of the program and ends with a zero.
        box.name.withUTF8Buffer {
            larder_name_thread(UnsafeRawPointer($0.baseAddress)?.assumingMemoryBound(to: CChar.self))
        }
        box.body()
        return nil
    }
}
