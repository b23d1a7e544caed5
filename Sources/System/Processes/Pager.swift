import CSystem

/// A program that shows the output of this process page by page on the terminal, such as `less`.
///
/// While it runs, the stdout of this process is a pipe to it, and SIGINT is ignored, because the pager handles Ctrl-C.
public final class Pager: Sendable {
    /// Whether the pager has exited.
    private let isOver = Monitor(false)

    /// Starts a pager and connects stdout to it. Returns nil if it cannot be started; stdout is then unchanged.
    ///
    /// - Parameters:
    ///   - command: the command, which a shell runs. `LESS` is set to `FRX` and `LV` to `-c` unless they are set:
    ///     `less` then shows colours, and exits if the output fits on one screen.
    ///   - onExit: called on another thread when the pager has exited.
    public init?(_ command: String, onExit: @escaping @Sendable () -> Void) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        let (outlet, inlet) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let script = #"LESS="${LESS-FRX}" LV="${LV--c}" exec sh -c "$0""#
        var child = pid_t()
        let words: [UnsafeMutablePointer<CChar>?] =
            ["sh", "-c", script, command].map { (word: String) in strdup(word) } + [nil]
        defer { for word in words { free(word) } }
        let failure = words.withUnsafeBufferPointer { pointers in
            // The buffer is not empty: it has at least the final nil.
            pointers.baseAddress.map { larder_spawn_reader($0, "LARDER_SHARED", outlet, &child) } ?? EINVAL
        }
        close(outlet)
        guard failure == 0 else {
            close(inlet)
            return nil
        }
        let started = child
        signal(SIGINT, SIG_IGN)
        dup2(inlet, 1)
        close(inlet)
        let isWatched = Thread.start("larder-pager") { [isOver] in
            while waitpid(started, nil, 0) < 0, errno == EINTR {}
            isOver.change { $0 = true }
            onExit()
        }
        if !isWatched { isOver.change { $0 = true } }
    }

    /// Whether the user has left the pager.
    public var hasExited: Bool { isOver.withLock { $0 } }

    /// Ends the output, and waits until the user leaves the pager.
    public func finish() {
        // Descriptor 1 stays in use, so that no file that is opened later becomes stdout.
        let empty = open("/dev/null", O_WRONLY | O_CLOEXEC)
        if empty >= 0 {
            dup2(empty, 1)
            close(empty)
        }
        isOver.wait(until: { $0 }, then: { _ in })
    }
}
