import CSystem

/// A program that is run for what it writes, without a shell.
///
/// It has nothing to read, no descriptor of this process's but the two that it writes to, and this process's variables
/// without those that begin with `LARDER_SHARED`.
public enum Program {
    /// What a program wrote, and how it came to its end.
    public struct Finished: Equatable, Sendable {
        /// What it wrote to its stdout.
        public var output: [UInt8] = []
        /// The first 4 KiB of what it wrote to its stderr.
        public var errors: [UInt8] = []
        /// How it ended.
        public var ending: Ending

        /// A run that came to this end.
        public init(output: [UInt8] = [], errors: [UInt8] = [], _ ending: Ending) {
            self.output = output
            self.errors = errors
            self.ending = ending
        }
    }

    /// How a program came to its end.
    public enum Ending: Equatable, Sendable {
        /// By itself, with this code.
        case exited(Int32)
        /// By a signal of this number.
        case signalled(Int32)
        /// It took longer than this many milliseconds, and was killed.
        case timedOut(Int)
        /// It wrote more than this many bytes, and was killed.
        case tooMuch(Int)
        /// It never ran; the text says why.
        case notStarted(String)
    }

    /// The programs that a process runs.
    public final class Group: Sendable {
        fileprivate struct State {
            /// Those that run now. One is taken out together with its end, after which another process may have its
            /// number.
            var children: Set<pid_t> = []
            var isOver = false
        }

        /// All that are run, where nothing else is said.
        public static let all = Group()

        fileprivate let state = Lock(State())

        /// Nothing runs.
        public init() {}

        /// Kills all that run, with their children: who waited for them is about to end.
        public func killAll() {
            state.withLock { state in
                for child in state.children { kill(-child, SIGKILL) }
            }
        }

        /// Kills all that run, and lets none run any more: nobody would be there to kill it.
        public func end() {
            state.withLock { $0.isOver = true }
            killAll()
        }
    }

    private static let hidden = "LARDER_SHARED"
    private static let largestErrors = 4 << 10
    /// How long its end may go unnoticed, in milliseconds: what tells of it differs from system to system.
    private static let glance: Int32 = 20

    /// Runs a program on a thread of its own.
    public static func run(_ words: [String]) async -> Finished {
        await withCheckedContinuation { continuation in
            let hasThread = Thread.start("larder-command") { continuation.resume(returning: wait(for: words)) }
            if !hasThread { continuation.resume(returning: Finished(.notStarted(Thread.shortage))) }
        }
    }

    /// Runs a program, and blocks until it has ended. A descendant that goes on is not waited for.
    ///
    /// - Parameters:
    ///   - patience: how many milliseconds it may take.
    ///   - limit: how many bytes it may write.
    ///   - group: with which others it is killed.
    public static func wait(
        for words: [String], patience: Int = 30_000, atMost limit: Int = 64 << 10, in group: Group = .all
    ) -> Finished {
        // A parent that ignores the ends of its children leaves that to its own: then none could be waited for.
        if SignalAction.isIgnored(SIGCHLD) { signal(SIGCHLD, SIG_DFL) }
        guard let output = Pipe(), let errors = Pipe() else { return Finished(.notStarted(message(errno))) }
        var child = pid_t()
        // Under the lock: one that is started is killed with the others, or is not started.
        let failure: String? = group.state.withLock { state in
            if state.isOver { return "Larder is about to end" }
            let code = withArguments(words) { larder_spawn($0, hidden, output.inlet, errors.inlet, &child) }
            if code != 0 { return message(code) }
            state.children.insert(child)
            return nil
        }
        if let failure { return Finished(.notStarted(failure)) }
        output.closeInlet()
        errors.closeInlet()
        let deadline = Monotonic.milliseconds + patience
        var finished = Finished(.timedOut(patience))
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
            Pipe.wait(output, errors, for: min(glance, Int32(clamping: left)))
        }
        if finished.output.count > limit { finished.ending = .tooMuch(limit) }
        return finished
    }

    /// Whether a child has ended, and how.
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
            // It has at least the nil at its end.
            pointers.baseAddress.map(body) ?? body([nil])
        }
    }
}

/// A pipe from a child, which is read without waiting.
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

    /// Takes what is there; what is over the limit is lost.
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

    /// Waits until one of them has something, or the time is over.
    static func wait(_ first: Pipe, _ second: Pipe, for milliseconds: Int32) {
        var polled = [first, second].map { pollfd(fd: $0.isOpen ? $0.outlet : -1, events: Int16(POLLIN), revents: 0) }
        poll(&polled, nfds_t(polled.count), milliseconds)
    }
}

// Inside `Pipe`, `read` is its own function.
private func readChunk(_ file: Int32, _ chunk: inout [UInt8]) -> Int {
    chunk.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
}
