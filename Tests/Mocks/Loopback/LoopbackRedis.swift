import System
import TestSupport

/// A Redis command to the loopback server.
public struct LoopbackCommand: Sendable {
    /// The command's name and arguments.
    public let words: [String]
    /// The number of the connection, starting at 1.
    public let connection: Int
}

/// The reaction of the loopback server to a command.
public enum LoopbackReply: Sendable {
    /// Sends the given bytes.
    case text(String)
    /// Sends the given strings, each with its own system call.
    case packets([String])
    /// Sends the given bytes and closes the connection.
    case last(String)
    /// Sends nothing and continues with the next command.
    case silence
    /// Closes the connection.
    case close
    /// Waits until the gate is open, then sends the associated reply.
    indirect case held(Gate, LoopbackReply)
}

/// A server on 127.0.0.1 that reads Redis commands and reacts as a test configures it.
///
/// It has one thread per connection. It stops with `stop()` or when it is released.
public final class LoopbackRedis: Sendable {
    fileprivate struct State: Sendable {
        var commands: [LoopbackCommand] = []
        var connections = 0
        var sockets: Set<Int32> = []
        var gates: [Gate] = []
        var isStopped = false
    }

    // The state that the threads share. The threads do not retain the server itself.
    fileprivate final class Core: Sendable {
        let state = Watched(State())
        let responder: @Sendable (LoopbackCommand) -> LoopbackReply

        init(_ responder: @escaping @Sendable (LoopbackCommand) -> LoopbackReply) { self.responder = responder }
    }

    private let core: Core
    private let listener: Int32
    public let port: Int

    /// Starts a server on a free port.
    public init(_ responder: @escaping @Sendable (LoopbackCommand) -> LoopbackReply) throws {
        guard let (listener, port) = LoopbackSocket.listen() else { throw LoopbackServer.StartError() }
        self.port = port
        self.listener = listener
        core = Core(responder)
        let core = core
        LoopbackThread.start { core.acceptAll(listener) }
    }

    deinit { stop() }

    /// Starts a server that greets like Redis 7 and calls `responder` for all other commands.
    public static func greeting(
        _ responder: @escaping @Sendable (LoopbackCommand) -> LoopbackReply
    ) throws -> LoopbackRedis {
        try LoopbackRedis { command in usual(command) ?? responder(command) }
    }

    /// Returns the reply of Redis 7 to `HELLO`, `SELECT` and `PING`; nil for any other command.
    public static func usual(_ command: LoopbackCommand) -> LoopbackReply? {
        switch command.words.first {
        case "HELLO": .text(hello())
        case "SELECT": .text("+OK\r\n")
        case "PING": .text("+PONG\r\n")
        default: nil
        }
    }

    /// Returns a reply to `HELLO`.
    public static func hello(
        server: String = "redis", version: String = "7.0.15", mode: String = "standalone", role: String = "master"
    ) -> String {
        let members = [("server", server), ("version", version), ("mode", mode), ("role", role)]
        return "%\(members.count + 1)\r\n" + members.map { bulk($0.0) + bulk($0.1) }.joined() + bulk("proto") + ":3\r\n"
    }

    /// Returns a RESP bulk string.
    public static func bulk(_ text: String) -> String { "$\(text.utf8.count)\r\n\(text)\r\n" }

    /// The server's URL: `redis://127.0.0.1:PORT`.
    public var url: String { "redis://127.0.0.1:\(port)" }

    /// The commands in the order of arrival.
    public var commands: [LoopbackCommand] { core.state.value.commands }

    /// The number of connections so far, including closed ones.
    public var connections: Int { core.state.value.connections }

    /// Waits until `count` commands of a name have arrived in total.
    public func arrived(_ count: Int, of name: String) async {
        await core.state.wait { state in state.commands.filter { $0.words.first == name }.count >= count }
    }

    /// Waits until `count` connections have ended in total.
    public func closed(_ count: Int) async {
        await core.state.wait { $0.connections - $0.sockets.count >= count }
    }

    /// Stops the server, closes all connections, and opens the gates that delay replies.
    public func stop() {
        let (gates, isFirst) = core.state.change { state in
            // Only shut the sockets down. Their threads close them.
            for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
            defer { state.isStopped = true }
            return (state.gates, !state.isStopped)
        }
        if isFirst { shutdown(listener, Int32(SHUT_RDWR)) }
        for gate in gates { gate.open() }
    }
}

extension LoopbackRedis.Core {
    func acceptAll(_ listener: Int32) {
        while true {
            let socket = accept(listener, nil, nil)
            if socket < 0 {
                if errno == EINTR { continue }
                break
            }
            let number: Int? = state.change { state in
                guard !state.isStopped else { return nil }
                state.connections += 1
                state.sockets.insert(socket)
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

    private func serve(_ socket: LoopbackSocket, _ number: Int) {
        var reader = LoopbackCommandReader(socket)
        while let words = reader.next() {
            let command = LoopbackCommand(words: words, connection: number)
            state.change { $0.commands.append(command) }
            guard answer(responder(command), on: socket) else { break }
        }
        // Remove the descriptor before it is closed, because a new connection may get the same number.
        state.change { _ = $0.sockets.remove(socket.descriptor) }
        close(socket.descriptor)
    }

    /// Sends a reply. Returns whether the connection stays open.
    private func answer(_ reply: LoopbackReply, on socket: LoopbackSocket) -> Bool {
        switch reply {
        case .text(let text): return socket.send(Array(text.utf8))
        case .packets(let parts): return parts.allSatisfy { socket.send(Array($0.utf8)) }
        case .last(let text):
            _ = socket.send(Array(text.utf8))
            return false
        case .silence: return true
        case .close: return false
        case .held(let gate, let reply):
            let isStopped = state.change { state in
                state.gates.append(gate)
                return state.isStopped
            }
            if !isStopped { gate.block() }
            return answer(reply, on: socket)
        }
    }
}

/// Reads RESP commands from a connection.
private struct LoopbackCommandReader {
    private let socket: LoopbackSocket
    private var buffer: [UInt8] = []

    init(_ socket: LoopbackSocket) { self.socket = socket }

    /// Reads the next command; nil if the client has disconnected.
    mutating func next() -> [String]? {
        guard let count = number(after: UInt8(ascii: "*")) else { return nil }
        var words: [String] = []
        for _ in 0..<count {
            guard let size = number(after: UInt8(ascii: "$")), let bytes = take(size + 2) else { return nil }
            words.append(String(decoding: bytes.dropLast(2), as: UTF8.self))
        }
        return words
    }

    private mutating func number(after mark: UInt8) -> Int? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                guard buffer.first == mark, let line = take(end + 1) else { return nil }
                return Int(String(decoding: line.dropFirst().dropLast(2), as: UTF8.self))
            }
            guard let more = socket.receive() else { return nil }
            buffer += more
        }
    }

    private mutating func take(_ count: Int) -> [UInt8]? {
        while buffer.count < count {
            guard let more = socket.receive() else { return nil }
            buffer += more
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }
}
