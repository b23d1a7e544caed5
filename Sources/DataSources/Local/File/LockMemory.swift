/// Remembers for a second that somebody keeps the file locked. Who looks next does not wait for the lock: else calls that
/// come together would wait one after the other.
struct LockMemory {
    private static let span = Duration.seconds(1)

    private var end: ContinuousClock.Instant?

    /// The file was found locked.
    mutating func note() { end = .now + Self.span }

    /// The file was used, or somebody looks who may wait.
    mutating func forget() { end = nil }

    /// How many milliseconds the next call waits for a lock, where calls wait for so many.
    func busyTimeout(_ usual: Int32) -> Int32 {
        guard let end, ContinuousClock.now < end else { return usual }
        return 0
    }
}
