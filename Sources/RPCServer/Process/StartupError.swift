/// Why the program does not start.
struct StartupError: Error, Equatable {
    /// One of sysexits.h.
    let exitCode: Int32
    /// What is printed on stderr.
    let lines: [String]
}

/// The exit codes (sysexits.h).
enum ExitCode {
    static let success: Int32 = 0
    static let failure: Int32 = 1
    /// EX_USAGE
    static let usage: Int32 = 64
    /// EX_IOERR: output that could not be written.
    static let output: Int32 = 74
    /// EX_TEMPFAIL: the end took too long, because something hangs.
    static let hung: Int32 = 75
    /// EX_CONFIG
    static let config: Int32 = 78
}
