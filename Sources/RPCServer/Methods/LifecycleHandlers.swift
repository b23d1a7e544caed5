import JSON
import Protocol

/// `initialize`: sets up the session and returns a description of the server.
struct InitializeHandler: Handler {
    let resources: [String]
    /// The handlers of all methods except `initialize` and `rpc.discover`, by method name.
    var others: [String: any Handler] = [:]

    static let method = "initialize"

    var description: MethodDescription {
        MethodDescription(
            tag: .lifecycle, summary: "Describes the server and what it can do.",
            details: "The handshake is optional. Other params, such as those that editors send, are ignored.",
            result: InitializeResult.schema)
    }

    func begin(
        _ params: InitializeParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        if let process = params.processId { session.watch(process) }
        if let value = params.trace { session.trace.value = value }
        InitializeResult(version: Version.current, resources: resources, localMethods: localMethods).write(to: &result)
        return .answered
    }

    /// The sorted names of the methods that never wait for an API. In these names, `*` stands for any resource, as in
    /// `*/search`.
    private var localMethods: [String] {
        let resources = Set(resources)
        var names: Set = [Self.method, DiscoverHandler.method]
        for (method, handler) in others where !handler.mayAskAPI {
            let slash = method.firstIndex(of: "/")
            let isOfResource = slash.map { resources.contains(String(method[..<$0])) } ?? false
            let name = isOfResource ? "*" + method[(slash ?? method.startIndex)...] : method
            if !names.contains(name), handler.description.result != nil { names.insert(name) }
        }
        return names.sorted()
    }
}

/// The lifecycle methods, each with its description.
enum LifecycleStep: String {
    case initialized = "Accepted and ignored."
    case shutdown = "Refuses later requests, except `exit`."
    case exit = "Ends the process, with code 0 after `shutdown`, otherwise 1."
}

/// The handler of `initialized`, `shutdown` and `exit`.
struct LifecycleHandler: Handler {
    let step: LifecycleStep

    init(_ step: LifecycleStep) { self.step = step }

    var description: MethodDescription {
        MethodDescription(tag: .lifecycle, summary: step.rawValue, result: step == .shutdown ? .null : nil)
    }

    func begin(
        _ params: IgnoredParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        switch step {
        case .initialized: break
        case .shutdown: session.lifecycle.beginShutdown()
        case .exit: session.lifecycle.beginExit()
        }
        result.null()
        return .answered
    }
}

/// `$/setTrace`: sets how much detail the server reports about each message.
struct TraceHandler: Handler {
    var description: MethodDescription {
        MethodDescription(
            tag: .lifecycle, summary: "Sets how much the server reports about each message.",
            details: "Reports arrive as `$/logTrace` notifications.", result: nil)
    }

    func begin(
        _ params: TraceParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        session.trace.value = params.value
        result.null()
        return .answered
    }
}

/// `$/cancelRequest`: cancels a request in flight. The cancelled request gets an error reply.
struct CancelHandler: Handler {
    var description: MethodDescription {
        MethodDescription(
            tag: .lifecycle, summary: "Cancels a request in flight, which is answered with an error.",
            result: nil)
    }

    func begin(
        _ params: CancelParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        for request in session.pending.requests(with: params.id) where request.rules.answersCancellation {
            request.cancel(with: RPCError(.requestCancelled, "the request was cancelled"))
        }
        result.null()
        return .answered
    }
}
