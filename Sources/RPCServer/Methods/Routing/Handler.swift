import JSON
import Protocol

/// A handler of one method in Larder's own JSON-RPC protocol. The handler also describes the method for `rpc.discover`.
package protocol Handler: MethodContract {
    /// The type that decodes the method's parameters.
    associatedtype Params: MethodParams

    /// The description of the method for `rpc.discover`. The handler builds the description at each access.
    var description: MethodDescription { get }

    /// Whether a request may wait for an API. A busy server refuses requests that may wait.
    var mayAskAPI: Bool { get }

    /// The method's parameters, including the additional parameters from the catalog.
    var parameters: [ParameterDescription] { get }

    /// A function that validates the parameters of a request, and returns a closure that explains the request
    /// (`request/explain`). Nil if the method does not support explanations.
    var explain: Explain? { get }

    /// Starts to answer a request. The parameters are already decoded.
    func begin(_ params: Params, in session: Session, result: inout JSONWriter) throws(RPCError) -> Step
}

extension Handler {
    package typealias Explain = (ParamsReader) throws(RPCError) -> ExplainQuestion?

    var readsCache: Bool { false }
    var mayAskAPI: Bool { false }
    var explain: Explain? { nil }

    // The compiler specializes this function of a protocol extension for each handler. A free function would not be
    // specialized.
    func begin(_ params: ParamsReader, in session: Session, result: inout JSONWriter) throws(RPCError) -> Step {
        try begin(Params(params), in: session, result: &result)
    }

    /// The method's parameters, with the restrictions of the catalog: required parameters, and narrower schemas.
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

/// The outcome of starting a request: a result that is already written, or the work that produces the result.
package enum Step {
    /// The handler has written the result.
    case answered
    /// The asynchronous work that produces the result.
    case work(Work)
}

/// The asynchronous work that produces the result of a request.
package struct Work: Sendable {
    /// The serial queue in which the work runs; nil if the work may run in any order.
    let queue: WorkQueue?
    /// Whether this work changes the cache. Later requests that read the cache wait until this work has finished.
    let changesCache: Bool
    /// The function that performs the work and returns the result of the request.
    let run: @Sendable (Scope) async throws(RPCError) -> any RPCResult
    /// A function that is faster than `run` and is called first. If it returns false, `run` must produce the result.
    /// Nil if `run` has no faster alternative.
    let shortcut: Shortcut?
    /// Undoes what a cancelled request has already done, such as the registration of an observer.
    let undo: @Sendable () -> Void

    /// Creates work that sends a reply but no notifications.
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

    /// Creates work that calls `shortcut` first. If `shortcut` returns false, `run` produces the result.
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

    /// A function that tries to get the result of a request without a Swift task. If the function returns true, it
    /// calls `then` once on the event loop. If it returns false, it never calls `then`.
    typealias Shortcut = @Sendable (_ then: @escaping @Sendable (ShortcutOutcome) -> Void) -> Bool

    enum ShortcutOutcome: Sendable {
        case result(any RPCResult)
        /// The result needs a Swift task. The associated value is the work that produces the result. The caller must
        /// run this work.
        case work(Work)
    }
}

/// A queue for requests that change the same state, such as the cache. It runs the work in the order of the requests.
enum WorkQueue: Sendable {
    case cache, recents
}

/// The objects that send notifications while a request runs.
struct Scope: Sendable {
    /// The object that sends notifications to the client. It can also send them after the reply to the request.
    let client: any MessageSink
    /// The object that reports the request's progress to the client; nil if the client did not request progress
    /// notifications.
    let progress: Progress?
}

/// The description of a method, with the JSON Schema of its result. The type `MethodParams` describes the parameters.
package struct MethodDescription: Sendable {
    let tag: Tag
    /// The purpose of the method, in one sentence.
    package let summary: String
    /// Further sentences about the method; empty if there are none.
    var details = ""
    /// The JSON Schemas of parameters that the catalog restricts, by parameter name. They replace the general schemas
    /// of these parameters.
    var narrowed: [String: JSONSchema] = [:]
    /// The names of parameters that the catalog makes required.
    var required: Set<String> = []
    /// The JSON Schema of the method's result; nil for a notification.
    package let result: JSONSchema?
    /// The method's own error codes, in addition to the common errors and the errors of API calls.
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
