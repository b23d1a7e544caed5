import RPCServer
import System

/// The output on stdout. It stops at the first failure.
struct TerminalOutput {
    /// The `errno` of the first failed write; nil if there was none.
    private(set) var failure: Int32?

    /// Writes text. Returns false if this or an earlier write failed.
    mutating func write(_ text: String) -> Bool {
        guard failure == nil else { return false }
        if text.isEmpty { return true }
        let failure = StandardStreams.write(text, to: 1)
        if failure != 0 { self.failure = failure }
        return failure == 0
    }

    /// The exit code for the output. Reports a failure on stderr.
    var exitCode: Int32 {
        // EPIPE: the reader closed the pipe because it has read enough.
        guard let failure, failure != EPIPE else { return ExitCode.success }
        StandardStreams.write("larder: cannot write to stdout: \(String(cString: strerror(failure)))\n", to: 2)
        return ExitCode.output
    }
}
