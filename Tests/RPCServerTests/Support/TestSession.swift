import JSON
import Protocol

@testable import RPCServer

/// A session with given handlers, its dispatcher, and a sink for later replies.
// Safe: only the test's thread calls the dispatcher.
struct TestSession: @unchecked Sendable {
    let sink = SinkMock()
    let session: Session
    let dispatcher: Dispatcher
    var pending: PendingRequests { session.pending }
    var lifecycle: Lifecycle { session.lifecycle }
    var trace: Trace { session.trace }

    init(
        _ handlers: [String: any Handler], resources: [String: ResourceContext] = [:],
        mcp: MCPRouter = MCPRouter(methods: [:]), onWatch: @escaping @Sendable (Int32) -> Void = { _ in }
    ) {
        var serving = ServedCatalog(handlers, resources: resources)
        serving.mcp = mcp
        session = Session(CurrentCatalog(serving)) { onWatch($1) }
        dispatcher = Dispatcher(session)
    }

    /// Creates a session with the methods of a process.
    init(_ serving: CurrentCatalog) {
        session = Session(serving)
        dispatcher = Dispatcher(session)
    }

    /// Handles a message. Returns the immediate reply.
    func handle(_ message: String) -> String {
        var tape = JSONTape()
        var reply = JSONWriter()
        Array(message.utf8).withUnsafeBytes { dispatcher.handle($0, tape: &tape, reply: &reply, sink: sink) }
        return String(decoding: reply.bytes, as: UTF8.self)
    }

    /// Returns the only reply to a request, also if it comes later.
    func reply(to message: String) async -> String {
        let before = sink.messages.count
        let reply = handle(message)
        return reply.isEmpty ? await sink.wait(for: before + 1)[before] : reply
    }

    /// Returns the result or error of a request with id 1, also if it comes later.
    func call(_ method: String, _ params: String) async -> String {
        let reply = await reply(to: #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#)
        let head = #"{"jsonrpc":"2.0","id":1,"#
        return reply.hasPrefix(head) ? String(reply.dropFirst(head.count).dropLast()) : reply
    }
}

extension ServedCatalog {
    init(
        _ handlers: [String: any Handler], secrets: [String] = [], resources: [String: ResourceContext] = [:]
    ) {
        self.init(router: Router(handlers), secrets: secrets, resources: resources)
    }
}
