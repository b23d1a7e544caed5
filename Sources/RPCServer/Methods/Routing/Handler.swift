import JSON
import Protocol

/// Answers one method of the native dialect, and describes the method.
package protocol Handler: MethodContract {
    /// The method's params.
    associatedtype Params: MethodParams

    /// The description of the method for `rpc.discover`. It is made on demand.
    var description: MethodDescription { get }

    /// Whether a request may wait for an API, and so may be refused as busy. The result of `initialize` names all
    /// methods that never wait.
    var mayAskAPI: Bool { get }

    /// The method's parameters, as the catalog narrows and extends them.
    var parameters: [ParameterDescription] { get }

    /// Validates the params of a request and returns a closure that explains it, for `request/explain`. Nil if the
    /// method cannot be explained.
    var explain: Explain? { get }

    /// Begins a request with decoded params.
    func begin(_ params: Params, in session: Session, result: inout JSONWriter) throws(RPCError) -> Step
}

extension Handler {
    package typealias Explain = (ParamsReader) throws(RPCError) -> ExplainQuestion?

    var readsCache: Bool { false }
    var mayAskAPI: Bool { false }
    var explain: Explain? { nil }

    // In an extension of the protocol, and not a free function, so that it is compiled for each handler.
    func begin(_ params: ParamsReader, in session: Session, result: inout JSONWriter) throws(RPCError) -> Step {
        try begin(Params(params), in: session, result: &result)
    }

    /// The method's parameters, as the catalog narrows them.
    var parameters: [ParameterDescription] {
        let description = description
        return Params.declared.descriptions.map { parameter in
            var parameter = parameter
            if description.required.contains(parameter.name) { parameter.isRequired = true }
            if let narrowed = description.narrowed[parameter.name] { parameter.schema = narrowed }
            return parameter
        }
    }
}

/// The outcome of `begin`.
package enum Step {
    /// The result was written.
    case answered
    /// The result requires work.
    case work(Work)
}

/// The asynchronous work for a request.
package struct Work: Sendable {
    /// The queue in which the work runs; nil if it may run at any time.
    let queue: WorkQueue?
    /// Whether later requests that read the cache must wait for this work.
    let changesCache: Bool
    /// Performs the work.
    let run: @Sendable (Scope) async throws(RPCError) -> any RPCResult
    /// Nil if `run` is the only way to the result.
    let shortcut: Shortcut?
    /// Reverts the effects of the handler and the work after the request was cancelled.
    let undo: @Sendable () -> Void

    /// Creates work that sends nothing but its result.
    init(
        in queue: WorkQueue? = nil, changesCache: Bool = false,
        _ run: @escaping @Sendable () async throws(RPCError) -> any RPCResult
    ) {
        self.queue = queue
        self.changesCache = changesCache
        self.run = { (_) async throws(RPCError) in try await run() }
        shortcut = nil
        undo = {}
    }

    /// Creates work that may also send notifications to the client.
    init(
        speaking run: @escaping @Sendable (Scope) async throws(RPCError) -> any RPCResult,
        undo: @escaping @Sendable () -> Void = {}
    ) {
        queue = nil
        changesCache = false
        self.run = run
        shortcut = nil
        self.undo = undo
    }

    /// Creates work that may run at any time and is often avoided by a shortcut.
    init(
        shortcut: @escaping Shortcut,
        else run: @escaping @Sendable () async throws(RPCError) -> any RPCResult
    ) {
        queue = nil
        changesCache = false
        self.run = { (_) async throws(RPCError) in try await run() }
        self.shortcut = shortcut
        undo = {}
    }

    /// Tries to get the result without a task. It starts on the caller's thread and calls `then` once, on the loop.
    /// Returns false if that is impossible, and does not call `then`.
    typealias Shortcut = @Sendable (_ then: @escaping @Sendable (ShortcutOutcome) -> Void) -> Bool

    enum ShortcutOutcome: Sendable {
        case result(any RPCResult)
        /// No result yet. This work produces it and may run at any time.
        case work(Work)
    }
}

/// State that changes in the order of the requests. Each kind of state has its own queue.
enum WorkQueue: Sendable {
    case cache, recents
}

/// The receivers of notifications from the work for a request.
struct Scope: Sendable {
    /// Receives notifications, also after the reply.
    let client: any MessageSink
    /// Receives the progress; nil if the client did not ask for it.
    let progress: Progress?
}

/// The description and the schemas of a method. Its params describe themselves.
package struct MethodDescription: Sendable {
    let tag: Tag
    /// The purpose of the method, in a sentence.
    package let summary: String
    /// Further details; empty for none.
    var details = ""
    /// The schemas that the catalog narrows, by parameter name.
    var narrowed: [String: JSONSchema] = [:]
    /// The names of params that only the catalog makes required.
    var required: Set<String> = []
    /// The schema of the result; nil for a notification.
    package let result: JSONSchema?
    /// The method's own errors, besides those of every request and those of API calls.
    var errors: [RPCError.Code] = []

    /// The groups of methods.
    enum Tag: Sendable {
        case lifecycle, server, cache, recents
        case resource(String)

        var name: String {
            switch self {
            case .lifecycle: "lifecycle"
            case .server: "server"
            case .cache: "cache"
            case .recents: "recents"
            case .resource(let name): name
            }
        }
    }

    /// The errors that every request may return.
    static let commonErrors: [RPCError.Code] = [.invalidRequest, .invalidParams, .internalError, .requestCancelled]
}
