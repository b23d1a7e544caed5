import DataSources
import Synchronization
import System

/// Interrupts the blocking `read` of the reader thread from another thread, for example after a termination signal.
///
/// `raise()` sends SIGUSR1 to the reader thread. The signal is repeated until the reader stops, because a signal just
/// before the `read` would be lost.
final class Interruption: Sendable {
    private let raised = Atomic<Bool>(false)
    private let reader = Monitor<pthread_t?>(nil)

    /// Whether `raise()` was called. The reader must then stop.
    var isRaised: Bool { raised.load(ordering: .acquiring) }

    /// Registers the calling thread as the reader thread that `raise()` interrupts.
    func attach() {
        SignalAction.handle(SIGUSR1) { _ in }
        // A new thread inherits the blocked signals of its parent thread, so SIGUSR1 must be unblocked here.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGUSR1)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        reader.change { $0 = pthread_self() }
    }

    /// Records that the reader thread has stopped. The thread then gets no further signals.
    func detach() { reader.change { $0 = nil } }

    /// Stops the reader thread. Any thread may call this method, even the reader thread itself.
    func raise() {
        guard !raised.exchange(true, ordering: .acquiringAndReleasing) else { return }
        if EventLoop.watch.isReady { return EventLoop.watch.run { [self] in wakeReader() } }
        // If the watch thread could not be started, the calling thread sends the signals itself. The reader thread
        // needs no signal, because it is not blocked in a `read` while it runs this code.
        guard !reader.withLock({ $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false }) else { return }
        while signalReader(), !reader.wait(upTo: .milliseconds(10), until: { $0 == nil }) {}
    }

    private func wakeReader() {
        if signalReader() { EventLoop.watch.run(after: 10) { [self] in wakeReader() } }
    }

    /// Sends SIGUSR1 once to the reader thread. Returns false if there is no reader thread.
    private func signalReader() -> Bool {
        reader.withLock {
            if let thread = $0 { pthread_kill(thread, SIGUSR1) }
            return $0 != nil
        }
    }
}

/// The state of the descriptor from which the server reads requests.
enum InputDescriptor {
    /// Whether no more data can arrive at the descriptor. The result is true for a file, and for a pipe or socket whose
    /// writing side is closed. Some data may still be unread.
    static func hasEnded(_ descriptor: Int32) -> Bool {
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return true }
        #if os(Linux)
            let halfClosed = Int16(0x2000)  // POLLRDHUP: the writing side of a socket is closed.
        #else
            let halfClosed: Int16 = 0
        #endif
        var end = pollfd(fd: descriptor, events: halfClosed, revents: 0)
        return poll(&end, 1, 0) > 0
    }
}
