import DataSources
import Protocol
import Synchronization
import System
import TestSupport

@testable import RPCServer

/// A server loop on its own thread, between two channels.
final class RunningLoop: Sendable {
    let input: Channel
    let output: Channel
    let interruption = Interruption()
    let session: Session
    var pending: PendingRequests { session.pending }
    var lifecycle: Lifecycle { session.lifecycle }
    private let writer: ReplyWriter
    private let ended = Gate()
    private let isOver = Atomic<Bool>(false)

    /// The default limits, with a drain that is long enough for slow machines.
    static var patient: ServerLoop.Limits {
        var limits = ServerLoop.Limits()
        limits.drain = .seconds(600)
        return limits
    }

    /// Starts a loop with the handlers, `exit` and `shutdown`.
    init(
        _ handlers: [String: any Handler], mcp: MCPRouter = MCPRouter(methods: [:]),
        limits: ServerLoop.Limits = patient, kind: Channel.Kind = .pipe, isInputNonBlocking: Bool = false
    ) {
        input = Channel(kind)
        output = Channel(kind)
        if isInputNonBlocking { input.setNonBlocking(input.input) }
        let interruption = interruption
        writer = ReplyWriter(output.output, maxQueue: 64 << 20) { interruption.raise() }
        var handlers = handlers
        handlers["exit"] = LifecycleHandler(.exit)
        handlers["shutdown"] = LifecycleHandler(.shutdown)
        var serving = ServedCatalog(handlers)
        serving.mcp = mcp
        let session = Session(CurrentCatalog(serving))
        self.session = session
        let isStarted = Thread.start("test") { [self, input, writer] in
            ServerLoop(
                input: input.input, writer: writer, session: session, interruption: interruption, limits: limits
            ).run()
            isOver.store(true, ordering: .sequentiallyConsistent)
            ended.open()
        }
        precondition(isStarted, "the thread of the loop could not be started")
    }

    /// Whether the loop has ended.
    var hasEnded: Bool { isOver.load(ordering: .sequentiallyConsistent) }

    /// Has the same effect as a termination signal.
    func terminate() {
        interruption.raise()
        writer.beginEnd()
    }

    /// Waits until the loop has ended. Returns its unread output.
    func end() async throws -> String {
        try await ended.wait()
        return await onThread { String(decoding: self.output.readAvailable(), as: UTF8.self) }
    }

    /// Ends the input and waits until the loop has ended. Returns its unread output.
    func finish() async throws -> String {
        input.closeOutput()
        return try await end()
    }
}
