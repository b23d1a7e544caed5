import DataSources
import Synchronization
import System

/// Ends the reader's wait for input from another thread: a signal asks to end, the parent is gone, nobody reads the
/// replies.
///
/// A read that blocks is ended by a signal of its own (SIGUSR1, whose handler does nothing). It is sent until the
/// reader has seen it, because one that comes just before the read would be lost.
final class Interruption: Sendable {
    private let raised = Atomic<Bool>(false)
    private let reader = Monitor<pthread_t?>(nil)

    /// Whether the reader is to end.
    var isRaised: Bool { raised.load(ordering: .acquiring) }

    /// Says that this thread is the reader.
    func attach() {
        SignalAction.handle(SIGUSR1) { _ in }
        // A process inherits what its parent blocks, a thread what its maker blocks: here the signal must come through.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGUSR1)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        reader.change { $0 = pthread_self() }
    }

    /// Says that nobody reads any more.
    func detach() { reader.change { $0 = nil } }

    /// Ends the reading. It may be called from any thread, the reader's own too.
    func raise() {
        guard !raised.exchange(true, ordering: .acquiringAndReleasing) else { return }
        if EventLoop.watch.isReady { return EventLoop.watch.run { [self] in wakeReader() } }
        // Where there is no thread to be had, this one does it; the reader itself is awake.
        guard !reader.withLock({ $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false }) else { return }
        while signalReader(), !reader.wait(seconds: 0.01, until: { $0 == nil }) {}
    }

    private func wakeReader() {
        if signalReader() { EventLoop.watch.run(after: 10) { [self] in wakeReader() } }
    }

    /// Returns whether there is a reader.
    private func signalReader() -> Bool {
        reader.withLock {
            if let thread = $0 { pthread_kill(thread, SIGUSR1) }
            return $0 != nil
        }
    }
}

/// Where requests come from.
enum InputDescriptor {
    /// Whether nothing more will be written to it, though some of it may still have to be read: a file, or a pipe or a
    /// socket whose other end is closed.
    static func hasEnded(_ descriptor: Int32) -> Bool {
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return true }
        #if os(Linux)
            let halfClosed = Int16(0x2000)  // POLLRDHUP, of a socket.
        #else
            let halfClosed: Int16 = 0
        #endif
        var end = pollfd(fd: descriptor, events: halfClosed, revents: 0)
        return poll(&end, 1, 0) > 0
    }
}
