/// What the program was called for.
enum Command: Equatable {
    /// Serve on stdin and stdout.
    case serve(Options)
    /// One request; its result on stdout.
    case call(method: String, arguments: [String], Options)
    /// Something about the cache file.
    case cache(CacheAction, Options)
    case help
    case version
}

/// What `larder cache` does.
enum CacheAction: String, CaseIterable {
    /// Prints what `cache/stats` answers.
    case stats
    /// Removes everything, and prints how many entries that were.
    case clear
    /// Prints where the file is.
    case path
}

/// A command line that cannot be followed. The exit code is 64 (EX_USAGE).
struct UsageError: Error, Equatable {
    let message: String
}
