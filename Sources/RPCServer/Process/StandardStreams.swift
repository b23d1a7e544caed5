import JSON
import System

/// The standard streams of this process: stdin, stdout and stderr.
package enum StandardStreams {
    /// Opens `/dev/null` for each standard stream that the parent process has closed. Call this function before you
    /// open any file. Otherwise, the file would get the descriptor number of the closed stream.
    ///
    /// A write to a closed stdout still fails, because this function opens stdout only for reading.
    package static func openClosed() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            // `open` returns the lowest free number. All lower numbers are already in use, so `open` returns
            // `descriptor`.
            _ = open("/dev/null", descriptor == 1 ? O_RDONLY : O_RDWR)
        }
    }

    /// Moves stdout to a new descriptor for the replies, and returns this descriptor. Descriptor 1 then leads to
    /// stderr, so that an accidental `print` cannot corrupt the replies.
    ///
    /// Child processes do not inherit the new descriptor.
    static func takeOutput() -> Int32 {
        let own = fcntl(1, F_DUPFD_CLOEXEC, 3)
        guard own >= 0 else { return 1 }
        dup2(2, 1)
        return own
    }

    /// Writes text to a descriptor. If the descriptor is a terminal, escapes the control characters in the text.
    ///
    /// Returns 0, or the `errno` of a failed write.
    @discardableResult
    package static func show(_ text: String, on descriptor: Int32) -> Int32 {
        write(isatty(descriptor) == 1 ? VisibleText.lines(text) : text, to: descriptor)
    }

    /// Writes a whole string to a descriptor. Returns 0, or the `errno` of a failed write.
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
                    // The descriptor may be non-blocking because of the parent process. The function then waits until
                    // the descriptor is writable.
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
