import DataSources
import Synchronization
import System

/// Interrupts the reader's blocking `read` from another thread: after a termination signal, the parent's exit or a
/// closed reply pipe.
///
/// `raise()` sends SIGUSR1 to the reader's thread; the signal's handler does nothing. The signal is repeated until the
/// reader notices, because a signal just before the `read` would be lost.
final class Interruption: Sendable {
    private let raised = Atomic<Bool>(false)
    private let reader = Monitor<pthread_t?>(nil)

    /// Whether the reader must stop.
    var isRaised: Bool { raised.load(ordering: .acquiring) }

    /// Makes the calling thread the reader that `raise()` interrupts.
    func attach() {
        SignalAction.handle(SIGUSR1) { _ in }
        // A thread inherits its creator's blocked signals. SIGUSR1 must be unblocked here.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGUSR1)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        reader.change { $0 = pthread_self() }
    }

    /// Marks the reader as stopped, so that it gets no more signals.
    func detach() { reader.change { $0 = nil } }

    /// Stops the reader. May be called from any thread, also from the reader's own.
    func raise() {
        guard !raised.exchange(true, ordering: .acquiringAndReleasing) else { return }
        if EventLoop.watch.isReady { return EventLoop.watch.run { [self] in wakeReader() } }
        // If no watch thread could be started, this thread sends the signals. The reader itself is not blocked in a
        // read.
        guard !reader.withLock({ $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false }) else { return }
        while signalReader(), !reader.wait(seconds: 0.01, until: { $0 == nil }) {}
    }

    private func wakeReader() {
        if signalReader() { EventLoop.watch.run(after: 10) { [self] in wakeReader() } }
    }

    /// Sends the signal once. Returns whether a reader is attached.
    private func signalReader() -> Bool {
        reader.withLock {
            if let thread = $0 { pthread_kill(thread, SIGUSR1) }
            return $0 != nil
        }
    }
}

/// Checks on the descriptor that requests are read from.
enum InputDescriptor {
    /// Whether no more data will be written to the descriptor, although unread data may remain. True for a file, and
    /// for a pipe or socket whose other end is closed.
    static func hasEnded(_ descriptor: Int32) -> Bool {
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return true }
        #if os(Linux)
            let halfClosed = Int16(0x2000)  // POLLRDHUP, for sockets.
        #else
            let halfClosed: Int16 = 0
        #endif
        var end = pollfd(fd: descriptor, events: halfClosed, revents: 0)
        return poll(&end, 1, 0) > 0
    }
}
