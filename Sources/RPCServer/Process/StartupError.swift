/// Why the program does not start.
package struct StartupError: Error, Equatable {
    /// One of sysexits.h.
    package let exitCode: Int32
    /// The lines for stderr.
    package let lines: [String]

    package init(exitCode: Int32, lines: [String]) {
        self.exitCode = exitCode
        self.lines = lines
    }
}

/// The exit codes (sysexits.h).
package enum ExitCode {
    package static let success: Int32 = 0
    package static let failure: Int32 = 1
    /// EX_USAGE
    package static let usage: Int32 = 64
    /// EX_IOERR: output that could not be written.
    package static let output: Int32 = 74
    /// EX_TEMPFAIL: the exit took too long, because a task or a disk hangs.
    package static let hung: Int32 = 75
    /// EX_CONFIG
    package static let config: Int32 = 78
}
