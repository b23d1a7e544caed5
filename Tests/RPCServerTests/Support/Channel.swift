import DataSources
import System

/// Two connected descriptors of this process: bytes written to `output` are read from `input`.
final class Channel: Sendable {
    enum Kind: CaseIterable {
        case pipe, socket
    }

    let input: Int32
    let output: Int32
    private let open: Lock<Set<Int32>>

    init(_ kind: Kind) {
        // A write to a channel without a reader must fail, and not end the process.
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [-1, -1]
        switch kind {
        case .pipe: pipe(&ends)
        case .socket:
            #if canImport(Glibc)
                socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
            #else
                socketpair(AF_UNIX, SOCK_STREAM, 0, &ends)
            #endif
        }
        input = ends[0]
        output = ends[1]
        open = Lock(Set(ends))
    }

    deinit { for end in open.withLock({ $0 }) { close(end) } }

    func closeInput() { closeOnce(input) }
    func closeOutput() { closeOnce(output) }

    /// Whether the output has the non-blocking flag, which a parent process would share.
    var isOutputNonBlocking: Bool { fcntl(output, F_GETFL) & O_NONBLOCK != 0 }

    func setNonBlocking(_ end: Int32) { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }

    /// Writes a string, blocking until there is room.
    func write(_ text: String) {
        guard isOpen(output) else { return }
        SystemCalls.write(Array(text.utf8), to: output)
    }

    /// Reads `count` bytes, or all bytes before the end, in pieces of at most `piece` bytes.
    func read(_ count: Int, piece: Int = 65_536) -> [UInt8] {
        guard isOpen(input) else { return [] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var chunk = [UInt8](repeating: 0, count: piece)
        while bytes.count < count {
            let got = SystemCalls.read(input, &chunk, min(piece, count - bytes.count))
            guard got > 0 else { break }
            bytes += chunk[..<got]
        }
        return bytes
    }

    /// Reads the bytes that are available now.
    func readAvailable() -> [UInt8] {
        guard isOpen(input) else { return [] }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var ready = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        while poll(&ready, 1, 0) > 0, ready.revents & Int16(POLLIN) != 0 {
            let got = SystemCalls.read(input, &chunk, chunk.count)
            guard got > 0 else { break }
            bytes += chunk[..<got]
        }
        return bytes
    }

    /// Whether a descriptor is still open. The number of a closed descriptor may be in use for another file.
    private func isOpen(_ end: Int32) -> Bool { open.withLock { $0.contains(end) } }

    private func closeOnce(_ end: Int32) {
        if open.withLock({ $0.remove(end) }) != nil { close(end) }
    }
}

/// System calls with the same names as methods of `Channel`.
private enum SystemCalls {
    static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
        while true {
            #if canImport(Glibc)
                let got = Glibc.read(descriptor, buffer, count)
            #else
                let got = Darwin.read(descriptor, buffer, count)
            #endif
            if got >= 0 || errno != EINTR { return got }
        }
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32) {
        bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                #if canImport(Glibc)
                    let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
                #else
                    let count = Darwin.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
                #endif
                if count < 0, errno != EINTR { return }
                done += max(0, count)
            }
        }
    }
}
