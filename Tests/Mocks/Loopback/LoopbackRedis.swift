import System
import TestSupport

/// A command as it arrived at the loopback server.
public struct LoopbackCommand: Sendable {
    /// Its name and arguments, as texts.
    public let words: [String]
    /// Which of the server's connections it came on, counted from 1.
    public let connection: Int
}

/// What the loopback server does with a command.
public enum LoopbackReply: Sendable {
    /// These bytes, whatever they are.
    case text(String)
    /// The same in several packets.
    case packets([String])
    /// These bytes, then the end of the connection.
    case last(String)
    /// Nothing; the commands that follow are read all the same.
    case silence
    /// The end of the connection.
    case close
    /// Another reply, once the gate is open.
    indirect case held(Gate, LoopbackReply)
}

/// A server on 127.0.0.1 that reads commands as Redis does, and does with each what a test tells it to.
///
/// It has a thread a connection. It ends with `stop()` or when it is let go.
public final class LoopbackRedis: Sendable {
    fileprivate struct State: Sendable {
        var commands: [LoopbackCommand] = []
        var connections = 0
        var sockets: Set<Int32> = []
        var gates: [Gate] = []
        var isStopped = false
    }

    // What the threads share; it does not keep the server itself.
    fileprivate final class Core: Sendable {
        let state = Watched(State())
        let responder: @Sendable (LoopbackCommand) -> LoopbackReply

        init(_ responder: @escaping @Sendable (LoopbackCommand) -> LoopbackReply) { self.responder = responder }
    }

    private let core: Core
    private let listener: Int32
    /// The port it listens on.
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

    /// A server that greets as Redis 7 does, and leaves the other commands to the test.
    public static func greeting(
        _ responder: @escaping @Sendable (LoopbackCommand) -> LoopbackReply
    ) throws -> LoopbackRedis {
        try LoopbackRedis { command in usual(command) ?? responder(command) }
    }

    /// What Redis 7 replies to a command of the greeting; nil for any other.
    public static func usual(_ command: LoopbackCommand) -> LoopbackReply? {
        switch command.words.first {
        case "HELLO": .text(hello())
        case "SELECT": .text("+OK\r\n")
        case "PING": .text("+PONG\r\n")
        default: nil
        }
    }

    /// The reply to `HELLO`.
    public static func hello(
        server: String = "redis", version: String = "7.0.15", mode: String = "standalone", role: String = "master"
    ) -> String {
        let members = [("server", server), ("version", version), ("mode", mode), ("role", role)]
        return "%\(members.count + 1)\r\n" + members.map { bulk($0.0) + bulk($0.1) }.joined() + bulk("proto") + ":3\r\n"
    }

    /// A bulk string.
    public static func bulk(_ text: String) -> String { "$\(text.utf8.count)\r\n\(text)\r\n" }

    /// `redis://127.0.0.1:PORT`.
    public var url: String { "redis://127.0.0.1:\(port)" }

    /// The commands in the order of arrival.
    public var commands: [LoopbackCommand] { core.state.value.commands }

    /// How many connections were opened.
    public var connections: Int { core.state.value.connections }

    /// Waits until this many commands of a name have arrived in all.
    public func arrived(_ count: Int, of name: String) async {
        await core.state.wait { state in state.commands.filter { $0.words.first == name }.count >= count }
    }

    /// Waits until this many connections have ended in all.
    public func closed(_ count: Int) async {
        await core.state.wait { $0.connections - $0.sockets.count >= count }
    }

    /// Ends all connections and opens the gates that hold replies back.
    public func stop() {
        let (gates, isFirst) = core.state.change { state in
            // The threads close their sockets themselves: here they only stop working.
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
        // The number must not be another connection's before it is taken out.
        state.change { _ = $0.sockets.remove(socket.descriptor) }
        close(socket.descriptor)
    }

    /// Returns whether the connection stays open.
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

/// Reads commands from a connection, one after the other.
private struct LoopbackCommandReader {
    private let socket: LoopbackSocket
    private var buffer: [UInt8] = []

    init(_ socket: LoopbackSocket) { self.socket = socket }

    /// The next command; nil when the client is gone.
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
