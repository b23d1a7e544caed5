/// Reads a file that the user names, such as a catalog, a cassette or a file that contains a secret.
///
/// Refuses devices, and files over the size limit. The writer of a pipe, such as `<(...)` in a shell, must close the
/// pipe within two seconds.
public enum InputFile {
    /// The maximum size of a catalog or a cassette, in bytes.
    public static let largest = 16 << 20
    /// The maximum size of a file that contains a secret, in bytes.
    public static let largestSecret = 64 << 10

    /// The time within which the writer of a pipe must close the pipe, in seconds.
    private static let pipeTimeout = 2

    /// Returns the contents of a file. Blocks for at most two seconds if the file is a pipe.
    ///
    /// - Parameter limit: the maximum size in bytes.
    /// - Throws: `FileError` with the reason.
    public static func read(_ path: FilePath, atMost limit: Int = largest) throws(FileError) -> [UInt8] {
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        let file = open(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        // `open` fails with ENXIO for a socket.
        guard file >= 0 else {
            throw errno == ENXIO
                ? refusal(path, "the path is a socket; use the path of a file") : FileError("read", path, code: errno)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw FileError("read", path, code: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG where status.st_size > limit: throw tooLarge(path, limit)
        case S_IFREG: return try read(file, path, limit, from: nil)
        case S_IFIFO: return try read(file, path, limit, from: ContinuousClock.now)
        case S_IFDIR: throw FileError("read", path, code: EISDIR)
        default: throw refusal(path, "the path is a device; use the path of a file")
        }
    }

    /// Returns all bytes of standard input. Blocks until the end of the input.
    ///
    /// - Parameter limit: the maximum size in bytes.
    /// - Throws: `FileError` with the reason, also if standard input is a terminal.
    public static func readStandardInput(atMost limit: Int = largest) throws(FileError) -> [UInt8] {
        guard isatty(STDIN_FILENO) == 0 else {
            throw refusal("standard input", "the input is a terminal; use a file or a pipe")
        }
        return try read(STDIN_FILENO, "standard input", limit, from: nil)
    }

    /// Reads a file to its end.
    ///
    /// - Parameter start: the time at which the wait for a pipe started; nil for a regular file.
    private static func read(
        _ file: Int32, _ path: FilePath, _ limit: Int, from start: ContinuousClock.Instant?
    ) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            if let start, !isReady(file, since: start) {
                throw refusal(
                    path, "the pipe was not closed within \(pipeTimeout) s; close it in the program that writes to it")
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

    /// Waits until a pipe contains input or has ended. Returns false after the time limit.
    // A pipe that no process has opened for writing yet does not count as ended.
    private static func isReady(_ file: Int32, since start: ContinuousClock.Instant) -> Bool {
        var ready = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        while true {
            let left = .seconds(pipeTimeout) - (ContinuousClock.now - start)
            guard left > .zero else { return false }
            let found = poll(&ready, 1, Int32(left / .milliseconds(1)) + 1)
            if found > 0 || (found < 0 && errno != EINTR) { return true }
        }
    }

    private static func tooLarge(_ path: FilePath, _ limit: Int) -> FileError {
        refusal(
            path,
            "the input must not be larger than \(limit >= 1 << 20 ? "\(limit >> 20) MiB" : "\(limit >> 10) KiB")")
    }

    private static func refusal(_ path: FilePath, _ reason: String) -> FileError {
        FileError(message: "cannot read \(path): \(reason)")
    }
}

// A free function, because `read` inside `InputFile` means `InputFile.read`.
private func readChunk(_ file: Int32, _ chunk: inout [UInt8]) -> Int {
    chunk.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
}
