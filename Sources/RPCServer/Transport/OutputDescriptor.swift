import System

/// The file descriptor for replies, with writes that never block.
///
/// The inherited descriptor stays in blocking mode, because a change of the mode would also affect the parent process.
/// Therefore, `OutputDescriptor` opens a pipe again through `/proc/self/fd`, and writes to a socket with
/// `MSG_DONTWAIT`.
struct OutputDescriptor: Sendable {
    /// The outcome of a write.
    enum Outcome: Equatable {
        case wrote(Int)
        case wouldBlock
        /// The reader at the other end has closed the pipe or socket.
        case closed
        /// The write failed, and the bytes are lost. The associated value is the `errno`.
        case failed(Int32)
    }

    private enum Kind {
        case ownPipe(Int32)
        case socket
        case file
        case other
    }

    private let descriptor: Int32
    private let kind: Kind

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var status = stat()
        fstat(descriptor, &status)
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        #if os(Linux)
            case S_IFSOCK: kind = .socket
            case S_IFIFO:
                let own = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
                kind = own >= 0 ? .ownPipe(own) : .other
        #endif
        default: kind = .other
        }
    }

    /// Whether the descriptor supports writes that never block.
    var canWriteWithoutWaiting: Bool {
        if case .other = kind { false } else { true }
    }

    /// Writes as many bytes as the descriptor accepts without blocking.
    func writeWithoutWaiting(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        let count =
            switch kind {
            case .ownPipe(let own): write(own, bytes.baseAddress, bytes.count)
            #if os(Linux)
                case .socket:
                    send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            #endif
            default: write(descriptor, bytes.baseAddress, bytes.count)
            }
        return outcome(count)
    }

    /// Writes a short message completely or not at all, without blocking. Returns false if the descriptor cannot accept
    /// the message now; the caller can then retry later. If the descriptor is closed or broken, drops the message and
    /// returns true.
    func writeWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if case .other = kind {
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&ready, 1, 0) > 0 else { return false }
        }
        return writeWithoutWaiting(bytes) != .wouldBlock
    }

    /// The maximum size of one blocking write, in bytes.
    private static let maxWaitingWrite = 1 << 16

    /// Writes some of the bytes, at most 64 KiB, and blocks until the descriptor accepts them.
    func writeWaiting(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        let target = if case .ownPipe(let own) = kind { own } else { descriptor }
        // The descriptor may be non-blocking because of the parent process. A write would then return at once instead
        // of waiting.
        var ready = pollfd(fd: target, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, -1)
        return writeWithoutWaiting(UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.maxWaitingWrite)))
    }

    private func outcome(_ count: Int) -> Outcome {
        if count >= 0 { return .wrote(count) }
        return switch errno {
        case EAGAIN, EWOULDBLOCK, EINTR: .wouldBlock
        case EPIPE, ECONNRESET: .closed
        default: .failed(errno)
        }
    }
}
