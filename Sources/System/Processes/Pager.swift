import CSystem

/// A program that shows the output of this process page by page on the terminal, such as `less`.
///
/// While the pager runs, the stdout of this process is a pipe to the pager. This process then ignores Ctrl-C, because
/// the pager handles it.
public final class Pager: Sendable {
    /// The exit code of the pager; 0 if a signal ended it. Nil while the pager runs.
    private let end = Monitor<Int32?>(nil)

    /// Starts a pager and connects stdout to it. Returns nil if the pager cannot be started; stdout is then unchanged.
    ///
    /// - Parameters:
    ///   - command: the shell command that starts the pager. For the pager, the environment variable `LESS` defaults to
    ///     `FRX`, and `LV` to `-c`. With these defaults, the pager shows colours.
    ///   - onExit: called on another thread after the pager has exited.
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
            // The buffer is not empty: it contains at least the final nil.
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
        let isWatched = Thread.start("larder-pager") { [end] in
            var status: Int32 = 0
            while waitpid(started, &status, 0) < 0, errno == EINTR {}
            end.change { $0 = status >> 8 & 0xFF }
            onExit()
        }
        if !isWatched { end.change { $0 = 0 } }
    }

    /// Whether the pager has exited.
    public var hasExited: Bool { end.withLock { $0 != nil } }

    /// Closes the pipe to the pager, and waits until the user leaves the pager. Returns whether the shell could run the
    /// pager.
    public func finish() -> Bool {
        // Descriptor 1 stays in use, so that no file that is opened later becomes stdout.
        let empty = open("/dev/null", O_WRONLY | O_CLOEXEC)
        dup2(empty, 1)
        close(empty)
        // A shell exits with one of these codes if the command cannot be executed or found.
        return end.wait(until: { $0 != nil }, then: { ![126, 127].contains($0) })
    }
}
