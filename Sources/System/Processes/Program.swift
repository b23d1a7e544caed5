import CSystem

/// Runs a program without a shell and reads its output.
///
/// The program has no input. It inherits the environment, except variables that start with `LARDER_SHARED`. It inherits
/// no open descriptors.
public enum Program {
    /// The result of a program: its output, and the reason why the program is no longer running.
    public struct Finished: Equatable, Sendable {
        /// The program's stdout.
        public var output: [UInt8] = []
        /// The first 4 KiB of the program's stderr.
        public var errors: [UInt8] = []
        public var ending: Ending

        public init(output: [UInt8] = [], errors: [UInt8] = [], _ ending: Ending) {
            self.output = output
            self.errors = errors
            self.ending = ending
        }
    }

    /// The reason why a program is no longer running.
    public enum Ending: Equatable, Sendable {
        /// The program exited by itself, with the associated exit code.
        case exited(Int32)
        /// A signal ended the program. The associated value is the number of the signal.
        case signalled(Int32)
        /// The program was killed because it ran too long. The associated value is the limit in milliseconds.
        case timedOut(Milliseconds)
        /// The program was killed because it wrote too much. The associated value is the limit in bytes.
        case tooMuch(Int)
        /// The program could not be started. The associated value is the reason.
        case notStarted(String)
    }

    /// A group of running programs that can be killed together.
    public final class Group: Sendable {
        fileprivate struct State {
            /// The process ids of the running programs.
            // Collecting an exit status also removes the id from this set, because the system can then reuse the id.
            var children: Set<pid_t> = []
            var isOver = false
        }

        /// The group of programs that `run` and `wait` use by default.
        public static let all = Group()

        fileprivate let state = Lock(State())

        public init() {}

        /// Kills all programs of the group, and their children.
        public func killAll() {
            state.withLock { state in
                for child in state.children { kill(-child, SIGKILL) }
            }
        }

        /// Kills all programs of the group, and refuses to start further programs. Larder calls this function when it
        /// exits.
        public func end() {
            state.withLock { $0.isOver = true }
            killAll()
        }
    }

    private static let hidden = "LARDER_SHARED"
    private static let largestErrors = 4 << 10
    /// The interval at which Larder checks whether the program has exited, in milliseconds.
    // Polling works on all systems, which report an exit in different ways.
    private static let pollInterval: Int32 = 20

    /// Runs a program, and suspends the task until the program has exited. A new thread waits for the program.
    ///
    /// - Parameters:
    ///   - words: the program and its arguments.
    ///   - group: the group to which the program belongs while it runs.
    public static func run(_ words: [String], in group: Group = .all) async -> Finished {
        await withCheckedContinuation { continuation in
            let hasThread = Thread.start("larder-command") {
                continuation.resume(returning: wait(for: words, in: group))
            }
            if !hasThread { continuation.resume(returning: Finished(.notStarted(Thread.shortage))) }
        }
    }

    /// Runs a program and blocks until it has exited. Does not wait for descendants that keep running.
    ///
    /// - Parameters:
    ///   - words: the program and its arguments.
    ///   - maxWait: the maximum running time in milliseconds.
    ///   - limit: the maximum number of bytes on stdout.
    ///   - group: the group to which the program belongs while it runs.
    public static func wait(
        for words: [String], maxWait: Milliseconds = 30_000, atMost limit: Int = 64 << 10, in group: Group = .all
    ) -> Finished {
        // An inherited SIG_IGN for SIGCHLD would discard the exit status of children.
        if SignalAction.isIgnored(SIGCHLD) { signal(SIGCHLD, SIG_DFL) }
        guard let output = Pipe(), let errors = Pipe() else { return Finished(.notStarted(message(errno))) }
        var child = pid_t()
        // The start is under the lock, so that the program is either killed with its group or not started.
        let failure: String? = group.state.withLock { state in
            if state.isOver { return "Larder is exiting" }
            let code = withArguments(words) { larder_spawn($0, hidden, output.inlet, errors.inlet, &child) }
            if code != 0 { return message(code) }
            state.children.insert(child)
            return nil
        }
        if let failure { return Finished(.notStarted(failure)) }
        output.closeInlet()
        errors.closeInlet()
        let deadline = Monotonic.milliseconds + maxWait
        var finished = Finished(.timedOut(maxWait))
        while true {
            let isOver = hasEnded(child, of: group, &finished.ending)
            output.read(into: &finished.output, atMost: limit + 1)
            errors.read(into: &finished.errors, atMost: largestErrors)
            if isOver { break }
            let left = deadline - Monotonic.milliseconds
            if finished.output.count > limit || left <= 0 {
                kill(-child, SIGKILL)
                group.state.withLock { state in
                    while waitpid(child, nil, 0) < 0, errno == EINTR {}
                    _ = state.children.remove(child)
                }
                break
            }
            Pipe.wait(output, errors, for: min(pollInterval, Int32(clamping: left)))
        }
        if finished.output.count > limit { finished.ending = .tooMuch(limit) }
        return finished
    }

    /// Checks whether a child process has exited. If so, removes it from the group, and sets `ending` to its exit code
    /// or signal.
    private static func hasEnded(_ child: pid_t, of group: Group, _ ending: inout Ending) -> Bool {
        var status: Int32 = 0
        let isOver = group.state.withLock { state in
            guard waitpid(child, &status, WNOHANG) == child else { return false }
            state.children.remove(child)
            return true
        }
        guard isOver else { return false }
        ending = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
        return true
    }

    private static func message(_ code: Int32) -> String { String(cString: strerror(code)) }

    private static func withArguments<Result>(
        _ words: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = words.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return copies.withUnsafeBufferPointer { pointers in
            // The buffer is not empty: it contains at least the final nil.
            pointers.baseAddress.map(body) ?? body([nil])
        }
    }
}

/// A pipe from a child process. Reads do not block.
private final class Pipe {
    private let outlet: Int32
    private(set) var inlet: Int32
    private var isOpen = true

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        (outlet, inlet) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(outlet, F_SETFL, O_NONBLOCK)
    }

    deinit {
        closeInlet()
        close(outlet)
    }

    func closeInlet() {
        if inlet >= 0 { close(inlet) }
        inlet = -1
    }

    /// Reads the available bytes of the pipe. Bytes beyond `limit` are discarded.
    func read(into bytes: inout [UInt8], atMost limit: Int) {
        var chunk = [UInt8](repeating: 0, count: 4096)
        while isOpen {
            let count = readChunk(outlet, &chunk)
            guard count > 0 else {
                if count == 0 { isOpen = false } else if errno == EINTR { continue }
                return
            }
            bytes.append(contentsOf: chunk[..<min(count, max(0, limit - bytes.count))])
            if bytes.count >= limit, count == chunk.count { return }
        }
    }

    /// Waits until one of two pipes contains bytes, or until the time limit.
    static func wait(_ first: Pipe, _ second: Pipe, for milliseconds: Int32) {
        var polled = [first, second].map { pollfd(fd: $0.isOpen ? $0.outlet : -1, events: Int16(POLLIN), revents: 0) }
        poll(&polled, nfds_t(polled.count), milliseconds)
    }
}

// A free function, because `read` inside `Pipe` means `Pipe.read`.
private func readChunk(_ file: Int32, _ chunk: inout [UInt8]) -> Int {
    chunk.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
}
