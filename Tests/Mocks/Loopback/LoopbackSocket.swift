import Model
import System

/// The server's end of a connection on 127.0.0.1.
struct LoopbackSocket: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        #if !canImport(Glibc)
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// Opens a socket that listens on a free port; nil if that fails.
    static func listen() -> (descriptor: Int32, port: Int)? {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && Self.listen(descriptor)
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isBound else {
            close(descriptor)
            return nil
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    private static func listen(_ descriptor: Int32) -> Bool {
        #if canImport(Glibc)
            Glibc.listen(descriptor, 512) == 0
        #else
            Darwin.listen(descriptor, 512) == 0
        #endif
    }

    /// Sends all bytes. Returns false if the client has disconnected.
    func send(_ bytes: [UInt8]) -> Bool {
        #if canImport(Glibc)
            let flags = Int32(MSG_NOSIGNAL)
        #else
            let flags: Int32 = 0
        #endif
        return bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let count = write(buffer.baseAddress.map { $0 + done }, buffer.count - done, flags)
                if count < 0, errno != EINTR { return false }
                done += max(0, count)
            }
            return true
        }
    }

    private func write(_ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
        #if canImport(Glibc)
            Glibc.send(descriptor, bytes, count, flags)
        #else
            Darwin.send(descriptor, bytes, count, flags)
        #endif
    }

    /// Waits for bytes and returns them; nil at the end of the connection.
    func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 { return Array(buffer[..<count]) }
            if count == 0 || errno != EINTR { return nil }
        }
    }
}

/// Reads HTTP requests from a connection.
struct LoopbackReader {
    private let socket: LoopbackSocket
    private var buffer: [UInt8] = []

    init(_ socket: LoopbackSocket) { self.socket = socket }

    /// Reads the next request; nil if the client has disconnected.
    mutating func next(connection: Int) -> LoopbackRequest? {
        guard let start = line(), !start.isEmpty else { return nil }
        let words = start.split(separator: " ")
        guard words.count == 3 else { return nil }
        var headers: [HTTPHeader] = []
        while let line = line() {
            if line.isEmpty {
                guard let body = bytes(headers["Content-Length"].flatMap { Int($0) } ?? 0) else { return nil }
                return LoopbackRequest(
                    method: String(words[0]), target: String(words[1]), headers: headers, body: body,
                    connection: connection)
            }
            guard let colon = line.firstIndex(of: ":") else { return nil }
            headers.append(HTTPHeader(String(line[..<colon]), String(line[colon...].dropFirst().drop { $0 == " " })))
        }
        return nil
    }

    private mutating func line() -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer.removeSubrange(...end) }
                return String(decoding: buffer[..<end].filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
            }
            guard let more = socket.receive() else { return nil }
            buffer += more
        }
    }

    private mutating func bytes(_ count: Int) -> [UInt8]? {
        while buffer.count < count {
            guard let more = socket.receive() else { return nil }
            buffer += more
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }
}

/// A detached thread that runs a closure.
enum LoopbackThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    static func start(_ run: @escaping @Sendable () -> Void) {
        let context = Unmanaged.passRetained(Body(run)).toOpaque()
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        let code = pthread_create(
            &thread, nil,
            { context in
                let context: UnsafeMutableRawPointer? = context
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, context)
        guard code == 0 else {
            Unmanaged<Body>.fromOpaque(context).release()
            return
        }
        #if canImport(Glibc)
            pthread_detach(thread)
        #else
            if let thread { pthread_detach(thread) }
        #endif
    }
}
