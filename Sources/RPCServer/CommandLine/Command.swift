/// What the program was called for.
enum Command: Equatable {
    /// Serve on stdin and stdout.
    case serve(Options)
    /// One request; its result on stdout.
    case call(method: String, arguments: [String], Options)
    case help
    case version
}

/// A command line that cannot be followed. The exit code is 64 (EX_USAGE).
struct UsageError: Error, Equatable {
    let message: String
}
