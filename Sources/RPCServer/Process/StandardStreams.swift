import JSON
import System

/// The process's standard streams.
package enum StandardStreams {
    /// Opens `/dev/null` for each standard stream that the parent has closed.
    ///
    /// Otherwise the next file or socket would get the stream's number and be used as the stream. Call it before
    /// anything is opened. A closed stdout stays unwritable.
    package static func openClosed() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            // `open` returns the lowest free number, which is this one: those below are open by now.
            _ = open("/dev/null", descriptor == 1 ? O_RDONLY : O_RDWR)
        }
    }

    /// Moves the real stdout to a new descriptor for the replies, and points descriptor 1 at stderr. So a stray `print`
    /// cannot get into the replies.
    ///
    /// Returns the new descriptor. Child processes do not inherit it.
    static func takeOutput() -> Int32 {
        let own = fcntl(1, F_DUPFD_CLOEXEC, 3)
        guard own >= 0 else { return 1 }
        dup2(2, 1)
        return own
    }

    /// Writes text from outside, such as an API's message, a catalog's name or an argument. A terminal gets it with
    /// control characters escaped; a pipe and a file get it unchanged.
    ///
    /// Returns 0, or the `errno` of a failed write.
    @discardableResult
    package static func show(_ text: String, on descriptor: Int32) -> Int32 {
        write(isatty(descriptor) == 1 ? VisibleText.lines(text) : text, to: descriptor)
    }

    /// Writes all of a text to a descriptor. Returns 0, or the `errno` of a failed write.
    @discardableResult
    package static func write(_ text: String, to descriptor: Int32) -> Int32 { write(Array(text.utf8), to: descriptor) }

    /// Writes all bytes to a descriptor. Returns 0, or the `errno` of a failed write.
    @discardableResult
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = SystemCall.write(rest, to: descriptor)
                if count < 0 {
                    let failure = errno
                    guard failure == EINTR || failure == EAGAIN else { return failure }
                    // The parent may have made the descriptor non-blocking.
                    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    if failure == EAGAIN { poll(&ready, 1, -1) }
                    continue
                }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return 0
        }
    }
}
