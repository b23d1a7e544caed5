/// A file that somebody names and that may be a wrong one: a catalog, a secret's file, a cassette.
///
/// Whatever it is, reading it ends: a device is refused at once, and so is what is larger than it may be; a pipe
/// (`<(...)` of a shell) has two seconds.
public enum InputFile {
    /// How large a catalog or a cassette may be, in bytes.
    public static let largest = 16 << 20
    /// How large the file of a secret may be, in bytes.
    public static let largestSecret = 64 << 10

    private static let patience = 2

    /// The contents of a file of at most so many bytes. It blocks, for two seconds at most where the file is a pipe.
    public static func read(_ path: FilePath, atMost limit: Int = largest) throws(FileError) -> [UInt8] {
        // To open a pipe that nobody writes to would wait for who does.
        let file = open(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        // A socket cannot be opened.
        guard file >= 0 else {
            throw errno == ENXIO ? refusal(path, "it is no file") : FileError("read", path, code: errno)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw FileError("read", path, code: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG where status.st_size > limit: throw tooLarge(path, limit)
        case S_IFREG: return try read(file, path, limit, from: nil)
        case S_IFIFO: return try read(file, path, limit, from: ContinuousClock.now)
        case S_IFDIR: throw FileError("read", path, code: EISDIR)
        default: throw refusal(path, "it is a device, not a file")
        }
    }

    /// Reads to the end.
    ///
    /// - Parameter start: since when a pipe is waited for; nil for a file, for which nobody waits.
    private static func read(
        _ file: Int32, _ path: FilePath, _ limit: Int, from start: ContinuousClock.Instant?
    ) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            if let start, !isReady(file, since: start) {
                throw refusal(path, "it is a pipe, and its end did not come within \(patience) s")
            }
            let count = readChunk(file, &chunk)
            if count == 0 { return bytes }
            if count < 0 {
                guard errno == EINTR || (errno == EAGAIN && start != nil) else {
                    throw FileError("read", path, code: errno)
                }
                continue
            }
            guard bytes.count + count <= limit else { throw tooLarge(path, limit) }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    /// Waits for something to read, or the end, until the time is over. A pipe that nobody has opened to write yet has
    /// no end.
    private static func isReady(_ file: Int32, since start: ContinuousClock.Instant) -> Bool {
        var ready = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        while true {
            let left = .seconds(patience) - (ContinuousClock.now - start)
            guard left > .zero else { return false }
            let found = poll(&ready, 1, Int32(left / .milliseconds(1)) + 1)
            if found > 0 || (found < 0 && errno != EINTR) { return true }
        }
    }

    private static func tooLarge(_ path: FilePath, _ limit: Int) -> FileError {
        refusal(path, "it is larger than \(limit >= 1 << 20 ? "\(limit >> 20) MiB" : "\(limit >> 10) KiB")")
    }

    private static func refusal(_ path: FilePath, _ reason: String) -> FileError {
        FileError(message: "cannot read \(path): \(reason)")
    }
}

// Inside `InputFile`, `read` is its own function.
private func readChunk(_ file: Int32, _ chunk: inout [UInt8]) -> Int {
    chunk.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
}
