/// The thread that parses large response bodies, so that the event loop does not wait for the parser.
public enum LargeBodies {
    /// The minimum size of a large response body, in bytes. Parsing a body of this size takes about a millisecond.
    public static let threshold = 256 << 10

    private static let loop = EventLoop("larder-bodies", standIn: .shared)

    /// Runs a closure that parses a response body. A large body is parsed on a separate thread, and a small body on the
    /// current thread.
    ///
    /// - Parameter size: the number of bytes to process.
    @inlinable
    public static func reading<Result, Failure: Error>(
        _ size: Int, _ body: () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        if size < threshold { return try body() }
        return try await readingApart(body)
    }

    @usableFromInline
    static func readingApart<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await withTaskExecutorPreference(loop) { () async throws(Failure) in try body() }
    }
}
