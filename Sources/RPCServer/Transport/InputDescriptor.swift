import System

/// Where requests come from.
enum InputDescriptor {
    /// Whether nothing more will be written to it, though some of it may still have to be read: a file, or a pipe or a
    /// socket whose other end is closed.
    static func hasEnded(_ descriptor: Int32) -> Bool {
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return true }
        #if os(Linux)
            let halfClosed = Int16(0x2000)  // POLLRDHUP, of a socket.
        #else
            let halfClosed: Int16 = 0
        #endif
        var end = pollfd(fd: descriptor, events: halfClosed, revents: 0)
        return poll(&end, 1, 0) > 0
    }
}
