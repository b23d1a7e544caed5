/// An error that prevents the program from starting.
package struct StartupError: Error, Equatable {
    /// The exit code of the program, as in sysexits.h.
    package let exitCode: Int32
    /// The error messages for stderr, one per line.
    package let lines: [String]

    package init(exitCode: Int32, lines: [String]) {
        self.exitCode = exitCode
        self.lines = lines
    }
}

/// The exit codes of the program, as in sysexits.h.
package enum ExitCode {
    package static let success: Int32 = 0
    package static let failure: Int32 = 1
    /// EX_USAGE: invalid options.
    package static let usage: Int32 = 64
    /// EX_IOERR: the process could not write replies.
    package static let output: Int32 = 74
    /// EX_TEMPFAIL: the process did not exit in time, because a request or a disk hangs.
    package static let hung: Int32 = 75
    /// EX_CONFIG: an invalid catalog.
    package static let config: Int32 = 78
}
