import RPCServer
import System

/// The output on stdout. After the first failed write, later writes have no effect.
struct TerminalOutput {
    /// The `errno` of the first failed write; nil if no write has failed.
    private(set) var failure: Int32?
    /// The function that runs before each write. It starts a pager before the first write.
    private let prepare: () -> Void

    init(prepare: @escaping () -> Void = {}) { self.prepare = prepare }

    /// Writes text to stdout. Returns false if this write or an earlier write has failed.
    mutating func write(_ text: String) -> Bool {
        guard failure == nil else { return false }
        if text.isEmpty { return true }
        prepare()
        let failure = StandardStreams.write(text, to: 1)
        if failure != 0 { self.failure = failure }
        return failure == 0
    }

    /// The exit code of the command: an error code if a write to stdout failed, unless the reader closed the pipe.
    /// Reading this property also reports the error on stderr.
    var exitCode: Int32 {
        // EPIPE is not an error: the reading program, such as `head`, needs no more output.
        guard let failure, failure != EPIPE else { return ExitCode.success }
        ErrorStream.fail("larder: cannot write to stdout: \(String(cString: strerror(failure)))\n")
        return ExitCode.output
    }
}
