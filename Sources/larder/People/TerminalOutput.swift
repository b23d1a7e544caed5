import RPCServer
import System

/// The output on stdout. After the first failed write, later writes have no effect.
struct TerminalOutput {
    /// The `errno` of the first failed write; nil if no write has failed.
    private(set) var failure: Int32?
    /// Called before each write. The first call can start a pager.
    private let prepare: () -> Void
    private let writer: @Sendable (String) -> Int32

    /// Creates an output.
    ///
    /// - Parameter writer: writes text to stdout. Returns the `errno` of a failed write, or 0.
    init(prepare: @escaping () -> Void = {}, writer: @escaping @Sendable (String) -> Int32 = Self.write) {
        self.prepare = prepare
        self.writer = writer
    }

    /// Writes text to stdout. Returns the `errno` of a failed write, or 0.
    @Sendable static func write(_ text: String) -> Int32 { StandardStreams.write(text, to: 1) }

    /// Writes text to stdout. Returns false if this write or an earlier write has failed.
    mutating func write(_ text: String) -> Bool {
        guard failure == nil else { return false }
        if text.isEmpty { return true }
        prepare()
        let failure = writer(text)
        if failure != 0 { self.failure = failure }
        return failure == 0
    }

    /// The exit code of the command: an error code if a write to stdout failed, otherwise 0. A pipe that the reader has
    /// closed does not count as a failure. Reading this property also prints the error to stderr.
    var exitCode: Int32 {
        // EPIPE is not an error: the reading program, such as `head`, needs no more output.
        guard let failure, failure != EPIPE else { return ExitCode.success }
        ErrorStream.fail("larder: cannot write to stdout: \(String(cString: strerror(failure)))\n")
        return ExitCode.output
    }
}
