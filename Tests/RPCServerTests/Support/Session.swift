import JSON
import Protocol

@testable import RPCServer

/// A dispatcher with a router of a test's own, and a sink for what comes later.
struct Session {
    let sink = SinkMock()
    let pending = PendingRequests()
    let lifecycle = Lifecycle()
    let trace: Trace
    let dispatcher: Dispatcher

    init(_ handlers: [String: any Handler], trace: Trace = Trace()) {
        self.trace = trace
        dispatcher = Dispatcher(router: Router(handlers), pending: pending, lifecycle: lifecycle, trace: trace)
    }

    /// Handles a message. Returns what is due at once.
    func handle(_ message: String) -> String {
        var tape = JSONTape()
        var reply = JSONWriter()
        Array(message.utf8).withUnsafeBytes { dispatcher.handle($0, tape: &tape, reply: &reply, sink: sink) }
        return String(decoding: reply.bytes, as: UTF8.self)
    }

    /// The one reply to a request, whenever it comes.
    func reply(to message: String) async -> String {
        let before = sink.messages.count
        let reply = handle(message)
        return reply.isEmpty ? await sink.wait(for: before + 1)[before] : reply
    }

    /// The result or error of a request with id 1, whenever it comes.
    func call(_ method: String, _ params: String) async -> String {
        let reply = await reply(to: #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#)
        let head = #"{"jsonrpc":"2.0","id":1,"#
        return reply.hasPrefix(head) ? String(reply.dropFirst(head.count).dropLast()) : reply
    }
}
