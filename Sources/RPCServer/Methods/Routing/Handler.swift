import JSON
import Protocol

/// A type that answers one method of the native dialect and describes this method for `rpc.discover`.
package protocol Handler: MethodContract {
    /// The type that decodes the method's parameters.
    associatedtype Params: MethodParams

    /// The description of the method for `rpc.discover`. The handler builds it at each access.
    var description: MethodDescription { get }

    /// Whether a request may wait for an API. Only such a request can be refused because the server is busy. The result
    /// of `initialize` lists the methods that never wait.
    var mayAskAPI: Bool { get }

    /// The method's parameters. They include those that the catalog adds, and the catalog limits their values.
    var parameters: [ParameterDescription] { get }

    /// The function that `request/explain` calls for this method. It validates a request's parameters and returns a
    /// closure with the explanation. Nil if the method cannot be explained.
    var explain: Explain? { get }

    /// Starts to answer a request whose parameters are decoded.
    func begin(_ params: Params, in session: Session, result: inout JSONWriter) throws(RPCError) -> Step
}

extension Handler {
    package typealias Explain = (ParamsReader) throws(RPCError) -> ExplainQuestion?

    var readsCache: Bool { false }
    var mayAskAPI: Bool { false }
    var explain: Explain? { nil }

    // This is a protocol extension rather than a free function, so that the compiler specializes it for each handler.
    func begin(_ params: ParamsReader, in session: Session, result: inout JSONWriter) throws(RPCError) -> Step {
        try begin(Params(params), in: session, result: &result)
    }

    /// The method's parameters, with the value limits that the catalog sets.
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

/// The outcome of a handler's `begin` function.
package enum Step {
    /// The handler has written the result.
    case answered
    /// The result is not available yet. The given asynchronous work produces it.
    case work(Work)
}

/// The asynchronous work that produces the result of a request.
package struct Work: Sendable {
    /// The serial queue in which the work runs; nil if the order does not matter.
    let queue: WorkQueue?
    /// Whether later requests that read the cache must wait for this work.
    let changesCache: Bool
    /// Performs the work and returns the result of the request.
    let run: @Sendable (Scope) async throws(RPCError) -> any RPCResult
    /// A faster way to the result that needs no task; nil if there is none.
    let shortcut: Shortcut?
    /// Undoes the changes of a cancelled request, such as a registered observer.
    let undo: @Sendable () -> Void

    /// Creates work that sends only the reply, and no notifications.
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

    /// Creates work that may send notifications to the client, such as progress.
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

    /// Creates work with a shortcut. The work may run in any order, and does not run if the shortcut finds the result.
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

    /// A function that tries to find the result of a request without a task. It starts on the caller's thread, returns
    /// true and later calls `then` once on the event loop. If it cannot start, it returns false and never calls `then`.
    typealias Shortcut = @Sendable (_ then: @escaping @Sendable (ShortcutOutcome) -> Void) -> Bool

    enum ShortcutOutcome: Sendable {
        case result(any RPCResult)
        /// The shortcut has found no result. The given work must produce it, and may run in any order.
        case work(Work)
    }
}

/// The state that queued work changes. Work on the same state runs in the order of the requests; each kind of state has
/// its own queue.
enum WorkQueue: Sendable {
    case cache, recents
}

/// The receivers of the notifications that a request's work sends.
struct Scope: Sendable {
    /// Receives the notifications for the client, even after the reply.
    let client: any MessageSink
    /// Receives the request's progress; nil if the client did not request progress notifications.
    let progress: Progress?
}

/// The description of a method and its schemas. The type `MethodParams` describes the parameters.
package struct MethodDescription: Sendable {
    let tag: Tag
    /// The purpose of the method, in a sentence.
    package let summary: String
    /// Further sentences about the method; empty if there are none.
    var details = ""
    /// The JSON Schemas that replace those of single parameters, by parameter name. The catalog limits the values of
    /// these parameters.
    var narrowed: [String: JSONSchema] = [:]
    /// The names of parameters that are required because of the catalog.
    var required: Set<String> = []
    /// The JSON Schema of the method's result; nil for a notification.
    package let result: JSONSchema?
    /// The error codes of this method alone. The common errors and the errors of API calls are not included.
    var errors: [RPCError.Code] = []

    /// The groups of methods in the OpenRPC document.
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

    /// The error codes that every request may return.
    static let commonErrors: [RPCError.Code] = [.invalidRequest, .invalidParams, .internalError, .requestCancelled]
}
