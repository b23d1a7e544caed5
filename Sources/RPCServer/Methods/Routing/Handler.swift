import JSON
import Protocol

/// Answers one method of the native dialect, and says what the method is.
package protocol Handler: MethodContract {
    /// What the method takes.
    associatedtype Params: MethodParams

    /// What the method is, for `rpc.discover`; made when that is asked for.
    var description: MethodDescription { get }

    /// Whether a request may wait for an API, and so be refused as busy. All other methods are named to clients in the
    /// result of `initialize`.
    var mayAskAPI: Bool { get }

    /// What the method takes, as its params are read, with what a catalog narrows and adds.
    var parameters: [ParameterDescription] { get }

    /// Checks the params of a request and returns how to find out what the request would do, for `request/explain`;
    /// nil if the method cannot be explained.
    var explain: Explain? { get }

    /// `begin` with params that are read.
    func begin(_ params: Params, in session: Session, result: inout JSONWriter) throws(RPCError) -> Step
}

extension Handler {
    package typealias Explain = (ParamsReader) throws(RPCError) -> ExplainQuestion?

    var readsCache: Bool { false }
    var mayAskAPI: Bool { false }
    var explain: Explain? { nil }

    // A requirement with this one body, and no function beside the protocol, so that it is compiled for each handler.
    func begin(_ params: ParamsReader, in session: Session, result: inout JSONWriter) throws(RPCError) -> Step {
        try begin(Params(params), in: session, result: &result)
    }

    /// What the method takes, as its params are read, with what a catalog narrows.
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

/// What a handler made of a request.
package enum Step {
    /// The result is written.
    case answered
    /// The result takes work.
    case work(Work)
}

/// The work for a request, done in a task of its own.
package struct Work: Sendable {
    /// What state it reads or changes in the order of arrival; nil for work that may be done at any time.
    let lane: Lane?
    /// Whether requests that read the cache and come later see what it has done.
    let changesCache: Bool
    /// Does it.
    let run: @Sendable (Scope) async throws(RPCError) -> any RPCResult
    /// Nil if `run` is the only way to the result.
    let shortcut: Shortcut?
    /// Takes back what the handler and the work have done where the result is not wanted any more: the request was
    /// cancelled meanwhile.
    let undo: @Sendable () -> Void

    /// Work that says nothing but its result.
    init(
        in lane: Lane? = nil, changesCache: Bool = false,
        _ run: @escaping @Sendable () async throws(RPCError) -> any RPCResult
    ) {
        self.lane = lane
        self.changesCache = changesCache
        self.run = { (_) async throws(RPCError) in try await run() }
        shortcut = nil
        undo = {}
    }

    /// Work that speaks to the client besides.
    init(
        speaking run: @escaping @Sendable (Scope) async throws(RPCError) -> any RPCResult,
        undo: @escaping @Sendable () -> Void = {}
    ) {
        lane = nil
        changesCache = false
        self.run = run
        shortcut = nil
        self.undo = undo
    }

    /// Work that may be done at any time and that a shortcut often spares.
    init(
        shortcut: @escaping Shortcut,
        else run: @escaping @Sendable () async throws(RPCError) -> any RPCResult
    ) {
        lane = nil
        changesCache = false
        self.run = { (_) async throws(RPCError) in try await run() }
        self.shortcut = shortcut
        undo = {}
    }

    /// Tries to get the result without a task: starts on the caller's thread and calls its parameter once, on the loop.
    /// Returns false if that is not possible; the parameter is then not called.
    typealias Shortcut = @Sendable (_ then: @escaping @Sendable (ShortcutOutcome) -> Void) -> Bool

    enum ShortcutOutcome: Sendable {
        case result(any RPCResult)
        /// There is no result yet. This work, which may be done at any time, makes it.
        case work(Work)
    }
}

/// State that changes in the order in which that was asked for. One does not wait for the other.
enum Lane: Sendable {
    case cache, recents
}

/// To whom the work for a request may speak besides its reply.
struct Scope: Sendable {
    /// Takes notifications, also after the reply.
    let client: any MessageSink
    /// Hears how far the work is; nil where nobody asked.
    let progress: Progress?
}

/// What a method is, in words and schemas. Its params describe themselves.
package struct MethodDescription: Sendable {
    let tag: Tag
    /// What it does, in a sentence.
    package let summary: String
    /// What else there is to know; empty for nothing.
    var details = ""
    /// The schemas that a catalog makes narrower than the params' own, by the parameter's name.
    var narrowed: [String: JSONSchema] = [:]
    /// The params that a catalog makes required besides.
    var required: Set<String> = []
    /// What its result looks like; nil for a notification.
    package let result: JSONSchema?
    /// The errors that it may answer with besides those that every request may get, and those of asking an API.
    var errors: [RPCError.Code] = []

    /// What methods belong to.
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

    /// The errors that every request may get.
    static let commonErrors: [RPCError.Code] = [.invalidRequest, .invalidParams, .internalError, .requestCancelled]
}
