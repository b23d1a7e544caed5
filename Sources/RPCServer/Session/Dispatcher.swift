import DataSources
import JSON
import Protocol
import System

/// Handles the messages of a session on the thread that reads the input. Other threads run only the asynchronous work
/// of handlers.
// Exclusivity: only the reader's thread uses the dispatcher, and no handler calls back into it.
final class Dispatcher {
    /// The maximum number of requests and notifications in a JSON-RPC batch.
    static let maxBatch = 1000

    private let session: Session
    @exclusivity(unchecked) private var router: Router
    @exclusivity(unchecked) private var mcp: MCPRouter
    /// The reload count (`CurrentCatalog.generation`) of the catalog whose methods the dispatcher uses.
    @exclusivity(unchecked) private var generation: Int
    @exclusivity(unchecked) private var hasBegun = false
    /// Whether a message in Larder's own protocol has arrived.
    @exclusivity(unchecked) private var hasSpokenNative = false
    private static let noThread = RPCError(
        .busy, "\(Thread.shortage); data in memory is still served", data: JSONObject([("kind", "busy")]))
    private let cacheQueue = SerialQueue()
    private let recentsQueue = SerialQueue()

    init(_ session: Session) {
        self.session = session
        generation = session.serving.generation
        let serving = session.serving.current
        router = serving.router
        mcp = serving.mcp
    }

    /// Answers one message. Appends an immediate reply to `reply`, without a `Content-Length` header or a final
    /// newline. Sends a later reply to `sink`.
    func handle(_ message: UnsafeRawBufferPointer, tape: inout JSONTape, reply: inout JSONWriter, sink: any MessageSink)
    {
        do throws(JSONFault) {
            try tape.parse(message)
        } catch {
            return Reply.error(
                RPCError(.parseError, "the message is not JSON: \(error.description(in: message))"), id: .null,
                to: &reply)
        }
        followCatalog()
        tape.withRoot(in: message) { root in
            if root.kind == .array {
                batch(root, reply: &reply, sink: sink)
            } else {
                request(root, target: .stream(sink), client: sink, reply: &reply)
            }
        }
    }

    /// Switches to the methods of the current catalog if the catalog was reloaded.
    private func followCatalog() {
        guard session.serving.generation != generation else { return }
        generation = session.serving.generation
        let serving = session.serving.current
        router = serving.router
        mcp = serving.mcp
    }

    private func batch(_ root: JSONView, reply: inout JSONWriter, sink: any MessageSink) {
        let count = root.elements.reduce(0) { count, _ in count + 1 }
        guard (1...Self.maxBatch).contains(count) else {
            let text =
                count == 0
                ? "the batch is empty: send at least one request"
                : "the batch has \(count) entries: at most \(Self.maxBatch) are allowed"
            return Reply.error(RPCError(.invalidRequest, text), id: .null, to: &reply)
        }
        let batch = BatchReply(sink: sink)
        for entry in root.elements {
            var own = JSONWriter()
            request(entry, target: .batch(batch), client: sink, reply: &own)
            if !own.bytes.isEmpty {
                batch.expect()
                batch.add(own.bytes)
            }
        }
        batch.close()
    }

    /// Handles one request or notification. Writes the reply if it is available at once.
    private func request(
        _ view: JSONView, target: ReplyTarget, client: any MessageSink, reply: inout JSONWriter
    ) {
        let start = reply.bytes.count
        let envelope: Envelope
        do throws(Envelope.Refusal) {
            envelope = try Envelope(view)
        } catch {
            if session.mcp.isUsed, Self.isResponse(view) { return }
            return Reply.error(error.error, id: error.id, to: &reply)
        }
        let entry = session.trace.entry(envelope, client: client)
        do throws(RPCError) {
            let dialect = try Dialect(of: envelope, in: session)
            try check(envelope)
            if dialect != .native { try Self.checkID(envelope) }
            Reply.beginResult(envelope.idView, to: &reply)
            let params = try ParamsReader(envelope.params)
            // The progress token is checked before the handler starts, because otherwise an invalid token would require
            // undoing the handler's work.
            let token = try dialect == .native ? params.progressToken() : params.metaProgressToken()
            switch try step(method(of: envelope, dialect, client), params, result: &reply) {
            case .answered:
                if envelope.idView != nil { Reply.endResult(to: &reply) } else { reply.truncate(to: start) }
                entry?.done()
            case .work(let work):
                guard EventLoop.shared.isReady else {
                    work.undo()
                    throw Self.noThread
                }
                reply.truncate(to: start)
                let progress = token.map {
                    Progress($0, dialect == .native ? .workDone(title: envelope.method) : .mcp, client: client)
                }
                let id = envelope.id
                let request = PendingRequest(
                    id: id, target: id == nil ? .none : target, isChange: work.queue != nil,
                    rules: dialect.rules, progress: progress, trace: entry)
                if id != nil, case .batch(let batch) = target { batch.expect() }
                begin(work, for: request, Scope(client: client, progress: progress))
            }
        } catch {
            reply.truncate(to: start)
            if let id = envelope.id { Reply.error(error, id: id, to: &reply) }
            entry?.failed(error)
        }
    }

    /// Whether a message is a response. The server ignores responses, because it sends no requests to MCP clients.
    private static func isResponse(_ view: JSONView) -> Bool {
        view["method" as StaticString] == nil
            && (view["result" as StaticString] != nil || view["error" as StaticString] != nil)
    }

    /// Rejects ids that MCP forbids.
    private static func checkID(_ envelope: Envelope) throws(RPCError) {
        guard let id = envelope.idView, id.kind != .string, !id.isInteger else { return }
        throw RPCError(.invalidRequest, "'id' must be a string or an integer")
    }

    /// Returns the handler of a message. Larder's own protocol and the Model Context Protocol have separate handlers.
    @inline(__always)
    private func method(
        of envelope: Envelope, _ dialect: Dialect, _ client: any MessageSink
    ) throws(RPCError) -> any MethodContract {
        switch dialect {
        case .native:
            hasSpokenNative = true
            return try router.handler(of: envelope)
        case .mcp(let version):
            let method = try mcp.method(of: envelope, version, in: session, client: client)
            if envelope.idView != nil { session.mcp.isUsed = true }
            return method
        }
    }

    /// Starts a request. A request that reads the cache first waits for earlier requests that change the cache.
    @inline(__always)
    private func step(
        _ handler: any MethodContract, _ params: ParamsReader, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        if let barrier = cacheQueue.barrier, handler.readsCache {
            return .work(Work(of: handler, params.copy, in: session, after: barrier))
        }
        return try handler.begin(params, in: session, result: &result)
    }

    /// Rejects a message after `shutdown`, except `exit` and notifications such as `$/cancelRequest`.
    private func check(_ envelope: Envelope) throws(RPCError) {
        guard session.lifecycle.isShutDown, envelope.method != "exit" else { return }
        if envelope.idView != nil || !envelope.method.hasPrefix("$/") {
            throw RPCError(.invalidRequest, "the server is shut down: only 'exit' is accepted")
        }
    }

    /// Whether the client is an MCP client. MCP clients kill the server about two seconds after they close its stdin.
    var isClientHurried: Bool { session.mcp.isUsed && !hasSpokenNative }

    /// Whether any request has started asynchronous work since the previous call of this function.
    func hasBegunWork() -> Bool {
        defer { hasBegun = false }
        return hasBegun
    }

    private func begin(_ work: Work, for request: PendingRequest, _ scope: Scope) {
        let pending = session.pending
        let number = pending.add(request)
        hasBegun = true
        if let shortcut = work.shortcut {
            let isStarted = shortcut { outcome in
                switch outcome {
                case .result(let result):
                    request.answer(.success(result))
                    pending.remove(number)
                case .work(let work): Self.start(work, for: request, scope, number, in: pending)
                }
            }
            if isStarted { return }
        }
        guard let queue = work.queue else { return Self.start(work, for: request, scope, number, in: pending) }
        let run: @Sendable () async -> Void = {
            await Self.run(work, for: request, scope)
            pending.remove(number)
        }
        switch queue {
        case .cache: request.started(cacheQueue.add(isBarrier: work.changesCache, run))
        case .recents: request.started(recentsQueue.add(run))
        }
    }

    private static func start(
        _ work: Work, for request: PendingRequest, _ scope: Scope, _ number: Int, in pending: PendingRequests
    ) {
        request.started(
            Task(executorPreference: EventLoop.shared) {
                await run(work, for: request, scope)
                pending.remove(number)
            })
    }

    private static func run(_ work: Work, for request: PendingRequest, _ scope: Scope) async {
        // The work of an already cancelled request does not start.
        guard !request.isAnswered else { return work.undo() }
        let outcome: Result<any RPCResult, RPCError>
        do throws(RPCError) {
            outcome = .success(try await work.run(scope))
        } catch {
            outcome = .failure(error)
        }
        if !request.answer(outcome), case .success = outcome { work.undo() }
    }
}
