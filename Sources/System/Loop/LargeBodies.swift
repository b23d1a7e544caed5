/// Where bodies are read that take long: on a thread of their own, so that nothing on the loop waits for it.
public enum LargeBodies {
    /// From so many bytes on a body is large: to read it takes about a millisecond.
    public static let threshold = 256 << 10

    private static let loop = EventLoop("larder-bodies", standIn: .shared)

    /// Reads a body, or makes something of what was read of it.
    ///
    /// - Parameter size: how many bytes that goes through.
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
