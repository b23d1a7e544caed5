import JSON
import Protocol
import System

/// A client inside the server process. The client has its own session and sends one request at a time.
package final class InProcessClient {
    private final class Inbox: MessageSink {
        private let reply = Monitor<JSONValue?>(nil)
        private let onProgress: @Sendable (JSONValue) -> Void
        private let onChange: @Sendable () -> Void

        init(_ onProgress: @escaping @Sendable (JSONValue) -> Void, _ onChange: @escaping @Sendable () -> Void) {
            self.onProgress = onProgress
            self.onChange = onChange
        }

        func send(message: [UInt8]) {
            guard let value = try? JSONValue(parsing: String(decoding: message, as: UTF8.self)) else { return }
            switch value["method"] {
            case .none: reply.change { $0 = value }
            case "$/progress"?: onProgress(value["params"]?["value"] ?? .null)
            case .string(let method)? where method.hasSuffix("/changed"): onChange()
            default: break
            }
        }

        func wait() -> JSONValue { reply.wait(until: { $0 != nil }, then: { $0 ?? .null }) }
    }

    private let session: Session
    private let dispatcher: Dispatcher
    private let isCancelled = Lock(false)

    package init(_ serving: CurrentCatalog) {
        session = Session(serving)
        dispatcher = Dispatcher(session)
    }

    /// Sends a request and waits for the reply. Returns the result or the error in the reply.
    ///
    /// - Parameters:
    ///   - onProgress: gets the value of each progress notification.
    ///   - onChange: called for each `RESOURCE/changed` notification of an observer that the request starts. These
    ///     notifications continue after the reply.
    package func ask(
        _ method: String, _ params: JSONValue, onProgress: @escaping @Sendable (JSONValue) -> Void = { _ in },
        onChange: @escaping @Sendable () -> Void = {}
    ) -> (result: JSONValue?, error: JSONValue?) {
        let request: JSONValue = ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": params]
        var tape = JSONTape()
        var writer = JSONWriter()
        let inbox = Inbox(onProgress, onChange)
        Array(request.text.utf8).withUnsafeBytes {
            dispatcher.handle($0, tape: &tape, reply: &writer, sink: inbox)
        }
        // A call of `cancel` may have come before the registration of the request.
        if isCancelled.withLock({ $0 }) { Self.cancelAll(session) }
        let reply =
            writer.bytes.isEmpty
            ? inbox.wait() : (try? JSONValue(parsing: String(decoding: writer.bytes, as: UTF8.self))) ?? .null
        return (reply["result"], reply["error"])
    }

    /// A closure that cancels the request in flight. The request then fails with an error. Any thread may call the
    /// closure.
    package var cancel: @Sendable () -> Void {
        { [session, isCancelled] in
            isCancelled.withLock { $0 = true }
            Self.cancelAll(session)
        }
    }

    private static func cancelAll(_ session: Session) {
        session.pending.cancelAll(
            with: RPCError(.requestCancelled, "the request was cancelled: the command was interrupted"))
    }
}
