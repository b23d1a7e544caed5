import System

/// Where replies are written, and how a write that must not wait is made there.
///
/// The inherited descriptor is never made non-blocking: that flag belongs to the open file, which the parent shares. A
/// pipe that is opened again through `/proc/self/fd` is an open file of its own; a socket takes `MSG_DONTWAIT` with
/// each send.
struct OutputDescriptor: Sendable {
    /// What a write came to.
    enum Outcome: Equatable {
        case wrote(Int)
        case wouldBlock
        /// Nobody reads any more.
        case closed
        /// What is written is lost, for this `errno`.
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

    /// Whether a write that does not wait can be made at all.
    var canWriteWithoutWaiting: Bool {
        if case .other = kind { false } else { true }
    }

    /// Writes what there is room for.
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

    /// Writes all of a short text or nothing, without waiting. Returns false where there is no room; who is gone, or
    /// broken, has room for everything.
    func writeWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if case .other = kind {
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&ready, 1, 0) > 0 else { return false }
        }
        return writeWithoutWaiting(bytes) != .wouldBlock
    }

    /// As much as is written at once where a write may wait for room.
    private static let maxWaitingWrite = 1 << 16

    /// Writes something, and waits for room if there is none. It does not wait until there is room for all: who waits
    /// for a slow reader sees that there is progress.
    func writeWaiting(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        let target = if case .ownPipe(let own) = kind { own } else { descriptor }
        // The parent may have made the descriptor non-blocking: a write alone would not wait then.
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
