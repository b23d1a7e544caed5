import Model
import System
import TestSupport

/// An HTTP/1.1 server on 127.0.0.1 with real sockets that reacts to requests as a test configures it.
///
/// It has one thread per connection. It stops with `stop()` or when it is released.
public final class LoopbackServer: Sendable {
    /// The server could not listen on a port.
    public struct StartError: Error {}

    private let core: LoopbackCore
    public let port: Int

    /// Starts a server on a free port.
    public init(_ responder: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse) throws {
        guard let (listener, port) = LoopbackSocket.listen() else { throw StartError() }
        core = LoopbackCore(listener: listener, responder: responder)
        self.port = port
        let core = core
        LoopbackThread.start { core.acceptAll() }
    }

    deinit { stop() }

    /// The server's origin: `http://127.0.0.1:PORT`.
    public var origin: String { "http://127.0.0.1:\(port)" }

    /// The requests in the order of arrival.
    public var requests: [LoopbackRequest] { core.state.withLock { $0.requests } }

    /// The number of connections so far, including closed ones.
    public var connections: Int { core.state.withLock { $0.connections } }

    /// Waits until `count` requests have arrived in total.
    public func arrived(_ count: Int) async { await core.reached { $0.requests.count >= count } }

    /// Waits until clients have disconnected from `count` responses of the kinds `.endless` and `.silence`.
    public func left(_ count: Int) async { await core.reached { $0.departures >= count } }

    /// Waits until `count` connections have ended in total.
    public func closed(_ count: Int) async { await core.reached { $0.connections - $0.sockets.count >= count } }

    /// Stops the server, closes all connections, and opens the gates that delay responses.
    public func stop() { core.stop() }
}

/// The state that the server's threads share. The threads do not retain the server itself.
final class LoopbackCore: Sendable {
    struct State {
        var requests: [LoopbackRequest] = []
        var connections = 0
        var departures = 0
        var isStopped = false
        var sockets: Set<Int32> = []
        var gates: [Gate] = []
        var waiters:
            [(isReached: @Sendable (borrowing State) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
                []
    }

    let state = Lock(State())
    private let listener: Int32
    private let responder: @Sendable (LoopbackRequest) -> LoopbackResponse

    init(listener: Int32, responder: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse) {
        self.listener = listener
        self.responder = responder
    }

    func acceptAll() {
        while true {
            let socket = accept(listener, nil, nil)
            if socket < 0 {
                if errno == EINTR { continue }
                break
            }
            let number: Int? = state.withLock { state in
                guard !state.isStopped else { return nil }
                state.sockets.insert(socket)
                state.connections += 1
                return state.connections
            }
            guard let number else {
                close(socket)
                break
            }
            LoopbackThread.start { self.serve(LoopbackSocket(socket), number) }
        }
        close(listener)
    }

    func stop() {
        let gates = state.withLock { state in
            // Only shut the sockets down. Their threads close them.
            if !state.isStopped { shutdown(listener, Int32(SHUT_RDWR)) }
            state.isStopped = true
            for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
            return state.gates
        }
        for gate in gates { gate.open() }
    }

    func reached(_ isReached: @escaping @Sendable (borrowing State) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if isReached(state) { return true }
                state.waiters.append((isReached, continuation))
                return false
            }
            if isReached { continuation.resume() }
        }
    }

    private func change(_ change: (inout State) -> Void) {
        let ready = state.withLock { state in
            change(&state)
            let ready = state.waiters.filter { $0.isReached(state) }
            if !ready.isEmpty {
                let snapshot = state
                state.waiters.removeAll { $0.isReached(snapshot) }
            }
            return ready.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    private func serve(_ socket: LoopbackSocket, _ number: Int) {
        var reader = LoopbackReader(socket)
        while let request = reader.next(connection: number) {
            change { $0.requests.append(request) }
            guard answer(responder(request), on: socket) else { break }
        }
        change { _ = $0.sockets.remove(socket.descriptor) }
        close(socket.descriptor)
    }

    /// Sends a response. Returns whether the connection stays open.
    private func answer(_ response: LoopbackResponse, on socket: LoopbackSocket) -> Bool {
        switch response {
        case .normal(let status, let headers, let body):
            let length = status == 204 || status == 304 ? [] : [HTTPHeader("Content-Length", "\(body.count)")]
            return socket.send(Self.head(status, length + headers) + body)
        case .raw(let bytes):
            _ = socket.send(bytes)
            return false
        case .close:
            return false
        case .truncated(let announced, let body):
            _ = socket.send(Self.head(200, [HTTPHeader("Content-Length", "\(announced)")]) + body)
            return false
        case .chunked(let headers, let chunks, let trailers):
            var bytes = Self.head(200, [HTTPHeader("Transfer-Encoding", "chunked")] + headers)
            for chunk in chunks { bytes += "\(String(chunk.count, radix: 16))\r\n".utf8 + chunk + "\r\n".utf8 }
            return socket.send(bytes + "0\r\n".utf8 + Self.lines(trailers) + "\r\n".utf8)
        case .endless(let headers):
            let part = [UInt8](repeating: UInt8(ascii: "x"), count: 16 << 10)
            var isThere = socket.send(Self.head(200, headers))
            while isThere { isThere = socket.send(part) }
            change { $0.departures += 1 }
            return false
        case .silence:
            while socket.receive() != nil {}
            change { $0.departures += 1 }
            return false
        case .held(let gate, let response):
            let isStopped = state.withLock { state in
                state.gates.append(gate)
                return state.isStopped
            }
            if !isStopped { gate.block() }
            return answer(response, on: socket)
        }
    }

    private static func head(_ status: Int, _ headers: [HTTPHeader]) -> [UInt8] {
        Array("HTTP/1.1 \(status) Status\r\n".utf8) + lines(headers) + Array("\r\n".utf8)
    }

    private static func lines(_ headers: [HTTPHeader]) -> [UInt8] {
        headers.flatMap { "\($0.name): \($0.value)\r\n".utf8 }
    }
}
