import CCurl
import System

/// A connection for bytes over libcurl: by TCP, with TLS or without, or by a Unix socket; never through a proxy.
///
/// It is touched on one thread alone, and closed when it is let go. It has a multi handle of its own: in that of the
/// HTTP transfers, libcurl would take it for an idle connection and close it when it is old.
package final class CurlSocket {
    /// Where it leads.
    package enum Place: Equatable, Sendable {
        case host(String, port: Int, isSecure: Bool)
        case path(FilePath)
    }

    /// How far the connection is.
    package enum Progress {
        case underWay
        case connected
        /// It cannot be made; the text says why.
        case failed(String)
    }

    /// What became of the bytes that were to be sent.
    package enum Sent {
        case all
        /// The socket takes no more for now; whether it has taken any.
        case blocked(tookSome: Bool)
        case failed(String)
    }

    /// What has come.
    package enum Received {
        /// Bytes, which are there until the next call; whether there may be more at once.
        case bytes(UnsafeRawBufferPointer, mayHaveMore: Bool)
        case nothing
        /// The connection has ended; the text says how.
        case ended(String)
    }

    /// How many bytes are received at once.
    private static let inSize = 64 << 10
    /// How many bytes are given to libcurl at once: as many as a record of TLS holds.
    private static let outSize = 16 << 10
    /// From how many bytes on memory that is used no more is given back.
    private static let largeSize = 1 << 20
    /// When the other family of addresses is tried too, in milliseconds: libcurl's own time is longer than a connection
    /// may take.
    private static let otherFamilyAfter = 25

    /// The bytes to be sent, from `taken` on.
    private var outgoing: [UInt8] = []
    /// The socket's descriptor; negative before it is connected.
    package private(set) var descriptor: Int32 = -1
    private let library: CurlLibrary
    private let multi: UnsafeMutableRawPointer
    private let easy: UnsafeMutableRawPointer
    private let message: UnsafeMutablePointer<CChar>
    /// Whether the connection is over TLS.
    package let isSecure: Bool
    private var taken = 0
    /// How many bytes the socket has taken.
    package private(set) var sent = 0
    private let incoming: UnsafeMutableRawBufferPointer
    /// What was given to libcurl and is not sent yet. OpenSSL wants the same bytes again at the same address.
    private let window: UnsafeMutableRawBufferPointer
    private var windowRange = 0..<0

    /// Begins to connect. Nil where there is no memory or no descriptor.
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
        // An empty text turns off what the variables say.
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

    /// Goes on connecting.
    package func connect() -> Progress {
        // The first time often only begins what the second finds done.
        for _ in 0..<2 {
            _ = larder_curl_multi_perform(library.functions, multi)
            var code = CURLE_OK
            guard larder_curl_multi_next_done(library.functions, multi, &code) != nil else { continue }
            guard code == CURLE_OK else { return .failed(text(of: code)) }
            guard larder_curl_get_socket(library.functions, easy, &descriptor) == CURLE_OK, descriptor >= 0 else {
                return .failed("the connection ended at once")
            }
            return .connected
        }
        return .underWay
    }

    /// Sends all bytes over a connected socket without TLS, without waiting and on any thread. Returns false if the
    /// socket did not take all of them.
    package static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        #if os(Linux)
            let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        #else
            // libcurl sets SO_NOSIGPIPE there.
            let flags = Int32(MSG_DONTWAIT)
        #endif
        return bytes.withUnsafeBytes { SystemCall.send($0, to: descriptor, flags: flags) } == bytes.count
    }

    /// Counts bytes that were sent by `send(_:to:)`.
    package func noteSent(_ count: Int) { sent += count }

    /// How many bytes are still to be sent.
    package var backlog: Int { windowRange.count + outgoing.count - taken }

    /// About how many of the bytes that were sent have arrived at the other end: the system tells how many have not.
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

    /// Appends bytes to those that `flush` sends.
    package func append(_ bytes: [UInt8]) { outgoing += bytes }

    /// Sends what the socket takes.
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

    /// Receives what has come, as much as there is room for.
    package func receive() -> Received {
        var count = 0
        let code = larder_curl_receive(library.functions, easy, incoming.baseAddress, incoming.count, &count)
        switch code {
        case CURLE_OK where count > 0:
            // TLS gives one record at a time, and poll knows nothing of those that it has read already.
            return .bytes(
                UnsafeRawBufferPointer(rebasing: incoming[..<min(count, incoming.count)]),
                mayHaveMore: isSecure || count == incoming.count)
        case CURLE_OK: return .ended("the server closed the connection")
        case CURLE_AGAIN: return .nothing
        default: return .ended(text(of: code))
        }
    }

    /// Returns whether there is something to be sent.
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
