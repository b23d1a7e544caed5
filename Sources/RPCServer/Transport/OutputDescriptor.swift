import System

/// The descriptor that replies are written to, with writes that do not block.
///
/// The inherited descriptor is never made non-blocking, because the parent process shares that flag. Instead, a pipe is
/// opened again through `/proc/self/fd`, and a socket gets `MSG_DONTWAIT` with each send.
struct OutputDescriptor: Sendable {
    /// The outcome of a write.
    enum Outcome: Equatable {
        case wrote(Int)
        case wouldBlock
        /// The reader has closed the other end.
        case closed
        /// The write failed with this `errno`, and the bytes are lost.
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

    /// Writes as many bytes as fit without blocking.
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

    /// Writes all of a short text or none of it, without blocking. Returns false if there is no room. A closed or
    /// broken descriptor counts as written.
    func writeWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if case .other = kind {
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&ready, 1, 0) > 0 else { return false }
        }
        return writeWithoutWaiting(bytes) != .wouldBlock
    }

    /// The maximum number of bytes in one write that may block.
    private static let maxWaitingWrite = 1 << 16

    /// Writes some bytes, and blocks until there is room. It writes only a part of a large text, so that a caller that
    /// waits for a slow reader sees progress.
    func writeWaiting(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        let target = if case .ownPipe(let own) = kind { own } else { descriptor }
        // The parent may have made the descriptor non-blocking. Then a write alone would not wait.
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
