import DataSources
import JSON
import Protocol
import System

/// Turns messages into replies. It runs on the reader's thread, except for the work that a handler returns.
// Exclusivity: only the reader's thread uses it, and no handler calls back into it.
final class Dispatcher {
    /// The maximum number of entries in a batch.
    static let maxBatch = 1000

    private let session: Session
    @exclusivity(unchecked) private var router: Router
    @exclusivity(unchecked) private var mcp: MCPRouter
    /// The generation of the catalog that the router belongs to.
    @exclusivity(unchecked) private var generation: Int
    @exclusivity(unchecked) private var hasBegun = false
    /// Whether a message in the native dialect has arrived. Clients of that dialect wait for the process to exit.
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

    /// Answers one message. Appends an immediate reply to `reply`, unframed; later replies go to `sink`.
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

    /// Switches to the current catalog's methods, if the catalog was reloaded.
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
            return Reply.error(error.error, id: error.id, to: &reply)
        }
        let entry = session.trace.entry(envelope, client: client)
        do throws(RPCError) {
            let dialect = try Dialect(of: envelope, in: session)
            try check(envelope)
            Reply.beginResult(envelope.idView, to: &reply)
            let params = try ParamsReader(envelope.params)
            // Checked first, so that an invalid token never requires an undo of the handler's work.
            let token = try dialect == .native ? params.progressToken() : params.metaProgressToken()
            switch try step(method(of: envelope, dialect), params, result: &reply) {
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

    /// Returns the method that handles a message in its dialect.
    @inline(__always)
    private func method(of envelope: Envelope, _ dialect: Dialect) throws(RPCError) -> any MethodContract {
        switch dialect {
        case .native:
            hasSpokenNative = true
            return try router.handler(of: envelope)
        case .mcp(let version):
            let method = try mcp.method(of: envelope, version, in: session)
            if envelope.idView != nil { session.mcp.isUsed = true }
            return method
        }
    }

    /// Begins a request. If it reads the cache, it first waits for cache changes that were requested earlier.
    @inline(__always)
    private func step(
        _ handler: any MethodContract, _ params: ParamsReader, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        if let barrier = cacheQueue.barrier, handler.readsCache {
            return .work(Work(of: handler, params.copy, in: session, after: barrier))
        }
        return try handler.begin(params, in: session, result: &result)
    }

    /// Refuses messages after `shutdown`, except `exit` and notifications such as `$/cancelRequest`.
    private func check(_ envelope: Envelope) throws(RPCError) {
        guard session.lifecycle.isShutDown, envelope.method != "exit" else { return }
        if envelope.idView != nil || !envelope.method.hasPrefix("$/") {
            throw RPCError(.invalidRequest, "the server is shut down: only 'exit' is accepted")
        }
    }

    /// Whether the client kills this process about two seconds after it closes the input.
    var isClientHurried: Bool { session.mcp.isUsed && !hasSpokenNative }

    /// Whether any request was left in flight since the last call.
    func hasBegunWork() -> Bool {
        defer { hasBegun = false }
        return hasBegun
    }

    private func begin(_ work: Work, for request: PendingRequest, _ scope: Scope) {
        let pending = session.pending
        let number = pending.add(request)
        hasBegun = true
        let start: @Sendable (Work) -> Void = { work in
            request.started(
                Task(executorPreference: EventLoop.shared) {
                    await Self.run(work, for: request, scope)
                    pending.remove(number)
                })
        }
        let hasShortcut = work.shortcut?({ outcome in
            switch outcome {
            case .result(let result):
                request.answer(.success(result))
                pending.remove(number)
            case .work(let work): start(work)
            }
        })
        if hasShortcut == true { return }
        guard let queue = work.queue else { return start(work) }
        let run: @Sendable () async -> Void = {
            await Self.run(work, for: request, scope)
            pending.remove(number)
        }
        switch queue {
        case .cache: request.started(cacheQueue.add(isBarrier: work.changesCache, run))
        case .recents: request.started(recentsQueue.add(run))
        }
    }

    private static func run(_ work: Work, for request: PendingRequest, _ scope: Scope) async {
        // Work for requests that were already cancelled is skipped.
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
