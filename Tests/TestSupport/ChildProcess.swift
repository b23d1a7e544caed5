import System

/// Runs programs and captures their output.
public enum ChildProcess {
    /// The exit code and output of a program.
    public struct Outcome: Sendable {
        /// The exit code; 128 plus the signal's number if a signal ended the program.
        public let code: Int32
        /// The bytes that the program wrote to stdout.
        public let output: [UInt8]
    }

    /// Runs a program of `PATH` with an empty stdin and waits for its exit. Blocks the calling thread.
    ///
    /// - Returns: the outcome; nil if the program could not be started.
    public static func run(_ program: String, _ arguments: [String]) -> Outcome? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let process = spawn(program, arguments, output: ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        guard let process else { return nil }
        let output = readAll(ends[0])
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return Outcome(code: signal == 0 ? (status >> 8) & 0xFF : 128 + signal, output: output)
    }

    private static func spawn(_ program: String, _ arguments: [String], output: Int32) -> pid_t? {
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
        #else
            var actions: posix_spawn_file_actions_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        #if canImport(Glibc)
            var attributes = posix_spawnattr_t()
        #else
            var attributes: posix_spawnattr_t?
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The program must not inherit the signal mask of the test's thread.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        return posix_spawnp(&process, program, &actions, &attributes, &words, environ) == 0 ? process : nil
    }

    private static func readAll(_ descriptor: Int32) -> [UInt8] {
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count > 0 { output += chunk[..<count] }
            if count == 0 || (count < 0 && errno != EINTR) { return output }
        }
    }
}
