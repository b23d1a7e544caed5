import CCurl
import System

/// A connection that transfers raw bytes over TCP, TLS or a Unix socket. It uses libcurl, but never a proxy.
///
/// All calls must be on one thread. The connection closes when the last reference to the object is dropped.
// It has its own libcurl multi handle, because in the handle of the HTTP transfers, libcurl would close it as an old
// idle connection.
package final class CurlSocket {
    /// The address to which the socket connects.
    package enum Place: Equatable, Sendable {
        case host(String, port: Int, isSecure: Bool)
        case path(FilePath)
    }

    /// The state of a connection attempt.
    package enum Progress {
        case underWay
        case connected
        /// The attempt failed. The associated value is the reason.
        case failed(String)
    }

    /// The result of sending bytes over the socket.
    package enum Sent {
        case all
        /// The send buffer of the socket is full. `tookSome` is true if the socket accepted some of the bytes.
        case blocked(tookSome: Bool)
        case failed(String)
    }

    /// The result of receiving bytes from the socket.
    package enum Received {
        /// Received bytes, valid until the next call of `receive`. `mayHaveMore` is true if more bytes may already be
        /// available.
        case bytes(UnsafeRawBufferPointer, mayHaveMore: Bool)
        case nothing
        /// The connection is closed. The associated value is the reason.
        case ended(String)
    }

    /// The size of the receive buffer, in bytes.
    private static let inSize = 64 << 10
    /// The maximum number of bytes in one send: the size of a TLS record.
    private static let outSize = 16 << 10
    /// The limit for memory that the send queue keeps, in bytes. An empty queue frees its buffer if the buffer is
    /// larger. A queue that is not empty removes its first `taken` bytes if `taken` reaches the limit.
    private static let largeSize = 1 << 20
    /// The delay after which libcurl also tries the other IP version (IPv4 or IPv6), in milliseconds.
    // libcurl's default is longer than the connection timeout.
    private static let otherFamilyAfter = 25

    /// The queue of bytes to send. The first `taken` bytes are already copied to the send buffer `window`.
    private var outgoing: [UInt8] = []
    /// The file descriptor of the socket; negative until the socket is connected.
    package private(set) var descriptor: Int32 = -1
    private let library: CurlLibrary
    private let multi: UnsafeMutableRawPointer
    private let easy: UnsafeMutableRawPointer
    private let message: UnsafeMutablePointer<CChar>
    /// Whether the connection uses TLS.
    package let isSecure: Bool
    private var taken = 0
    /// The total number of bytes that were sent over the socket.
    package private(set) var sent = 0
    private let incoming: UnsafeMutableRawBufferPointer
    /// The bytes that libcurl is sending.
    // After a failed send, OpenSSL requires the next send to pass the same bytes at the same address.
    private let window: UnsafeMutableRawBufferPointer
    private var windowRange = 0..<0

    /// Starts to connect to an address. Returns nil if there is no memory or no file descriptor.
    package init?(to place: Place, library: CurlLibrary, environment: HTTPEnvironment) {
        let functions = library.functions
        guard let multi = larder_curl_multi_init(functions) else { return nil }
        guard let easy = larder_curl_easy_init(functions) else {
            larder_curl_multi_cleanup(functions, multi)
            return nil
        }
        (self.library, self.multi, self.easy) = (library, multi, easy)
        if case .host(_, _, true) = place { isSecure = true } else { isSecure = false }
        incoming = .allocate(byteCount: Self.inSize, alignment: 16)
        window = .allocate(byteCount: Self.outSize, alignment: 16)
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        for option in [CURLOPT_CONNECT_ONLY, CURLOPT_NOSIGNAL, CURLOPT_TCP_NODELAY] {
            _ = larder_curl_set_long(functions, easy, option, 1)
        }
        _ = larder_curl_set_long(functions, easy, CURLOPT_SSL_ENABLE_ALPN, 0)
        _ = larder_curl_set_long(functions, easy, CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS, Self.otherFamilyAfter)
        larder_curl_set_recent(functions, easy)
        // An empty string disables the proxies of the environment variables.
        _ = larder_curl_set_pointer(functions, easy, CURLOPT_PROXY, "")
        _ = larder_curl_set_pointer(functions, easy, CURLOPT_ERRORBUFFER, message)
        if let file = environment.authorities {
            _ = larder_curl_set_pointer(functions, easy, CURLOPT_CAINFO, file.cString)
        }
        if let folder = environment.authoritiesFolder {
            _ = larder_curl_set_pointer(functions, easy, CURLOPT_CAPATH, folder.cString)
        }
        switch place {
        case .host(let host, let port, let isSecure):
            let scheme = isSecure ? "https" : "http"
            _ = larder_curl_set_pointer(functions, easy, CURLOPT_URL, "\(scheme)://\(host):\(port)/")
        case .path(let path):
            _ = larder_curl_set_pointer(functions, easy, CURLOPT_URL, "http://localhost/")
            _ = larder_curl_set_pointer(functions, easy, CURLOPT_UNIX_SOCKET_PATH, path.cString)
        }
        guard larder_curl_multi_add(functions, multi, easy) == CURLM_OK else { return nil }
    }

    deinit {
        _ = larder_curl_multi_remove(library.functions, multi, easy)
        larder_curl_easy_cleanup(library.functions, easy)
        larder_curl_multi_cleanup(library.functions, multi)
        message.deallocate()
        incoming.deallocate()
        window.deallocate()
    }

    /// Continues the connection attempt and returns its state.
    package func connect() -> Progress {
        // The first call often starts an operation that the second finds complete.
        for _ in 0..<2 {
            _ = larder_curl_multi_perform(library.functions, multi)
            var code = CURLE_OK
            guard larder_curl_multi_next_done(library.functions, multi, &code) != nil else { continue }
            guard code == CURLE_OK else { return .failed(text(of: code)) }
            guard larder_curl_get_socket(library.functions, easy, &descriptor) == CURLE_OK, descriptor >= 0 else {
                return .failed("the Redis server closed the new connection; see its log")
            }
            return .connected
        }
        return .underWay
    }

    /// Sends bytes over a connected socket without TLS. Never blocks. Any thread may call this function. Returns false
    /// if the socket did not accept all bytes.
    package static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        #if os(Linux)
            let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        #else
            // libcurl sets SO_NOSIGPIPE on these systems.
            let flags = Int32(MSG_DONTWAIT)
        #endif
        return bytes.withUnsafeBytes { SystemCall.send($0, to: descriptor, flags: flags) } == bytes.count
    }

    /// Adds `count` to the number of sent bytes (`sent`). The static function `send(_:to:)` does not do this itself.
    package func noteSent(_ count: Int) { sent += count }

    /// The number of queued bytes that were not sent yet.
    package var backlog: Int { windowRange.count + outgoing.count - taken }

    /// The approximate number of sent bytes that the other end has received.
    // The system's count of unacknowledged bytes is subtracted from the number of sent bytes.
    package var arrived: Int {
        var left: Int32 = 0
        #if os(Linux)
            guard ioctl(descriptor, UInt(TIOCOUTQ), &left) == 0 else { return 0 }
        #else
            var size = socklen_t(MemoryLayout<Int32>.size)
            guard getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &left, &size) == 0 else { return 0 }
        #endif
        return sent - Int(left)
    }

    /// Adds bytes to the send queue. Only `flush` sends them.
    package func append(_ bytes: [UInt8]) { outgoing += bytes }

    /// Sends queued bytes until the queue is empty or the socket accepts no more.
    package func flush() -> Sent {
        var tookSome = false
        while fillWindow() {
            var sent = 0
            let bytes = UnsafeRawBufferPointer(rebasing: window[windowRange])
            let code = larder_curl_send(library.functions, easy, bytes.baseAddress, bytes.count, &sent)
            if code == CURLE_AGAIN || (code == CURLE_OK && sent == 0) { return .blocked(tookSome: tookSome) }
            guard code == CURLE_OK else { return .failed(text(of: code)) }
            windowRange = min(windowRange.lowerBound + sent, windowRange.upperBound)..<windowRange.upperBound
            self.sent += sent
            tookSome = true
        }
        return .all
    }

    /// Receives the available bytes, up to the size of the receive buffer.
    package func receive() -> Received {
        var count = 0
        let code = larder_curl_receive(library.functions, easy, incoming.baseAddress, incoming.count, &count)
        switch code {
        case CURLE_OK where count > 0:
            // TLS returns one record per call, and `poll` does not report records that libcurl has already read.
            return .bytes(
                UnsafeRawBufferPointer(rebasing: incoming[..<min(count, incoming.count)]),
                mayHaveMore: isSecure || count == incoming.count)
        case CURLE_OK: return .ended("the Redis server closed the connection; see its log")
        case CURLE_AGAIN: return .nothing
        default: return .ended(text(of: code))
        }
    }

    /// Copies bytes from the queue to the send buffer `window` if the buffer is empty. Returns true if the buffer then
    /// contains bytes.
    private func fillWindow() -> Bool {
        guard windowRange.isEmpty else { return true }
        let count = min(outgoing.count - taken, window.count)
        guard count > 0 else { return false }
        window.copyBytes(from: outgoing[taken..<taken + count])
        windowRange = 0..<count
        taken += count
        if taken == outgoing.count {
            outgoing.removeAll(keepingCapacity: outgoing.capacity <= Self.largeSize)
            taken = 0
        } else if taken >= Self.largeSize {
            outgoing.removeFirst(taken)
            taken = 0
        }
        return true
    }

    private func text(of code: CURLcode) -> String {
        if let shortage = Descriptors.shortage { return shortage }
        if code == CURLE_COULDNT_CONNECT {
            var number = 0
            _ = larder_curl_get_long(library.functions, easy, CURLINFO_OS_ERRNO, &number)
            if number > 0 { return "cannot connect: \(String(cString: strerror(Int32(clamping: number))))" }
        }
        let text = String(cString: message)
        return text.isEmpty ? String(cString: larder_curl_strerror(library.functions, code)) : text
    }
}
