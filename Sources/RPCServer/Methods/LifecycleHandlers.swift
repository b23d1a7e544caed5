import JSON
import Protocol

/// `initialize`: what the server is and can do.
struct InitializeHandler: Handler {
    let resources: [String]
    /// All other methods but `rpc.discover`, which lists this one.
    var others: [String: any Handler] = [:]

    static let method = "initialize"

    var description: MethodDescription {
        MethodDescription(
            tag: .lifecycle, summary: "What the server is and can do.",
            details: "A handshake is optional. Other params, as an editor sends them, are passed over.",
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

    /// The names of the requests that wait for no API, sorted; those of resources with `*` for the resource.
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

/// The steps of a session's life that a client may tell, and what they mean.
enum LifecycleStep: String {
    case initialized = "Heard, and nothing happens."
    case shutdown = "Requests after it are refused."
    case exit = "The process ends, with code 0 after `shutdown`, else 1."
}

/// `initialized`, `shutdown` and `exit`.
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

/// `$/setTrace`: how much the client wants to hear of what becomes of its messages.
struct TraceHandler: Handler {
    var description: MethodDescription {
        MethodDescription(
            tag: .lifecycle, summary: "How much the client wants to hear of what becomes of its messages.",
            details: "What is told comes as `$/logTrace`.", result: nil)
    }

    func begin(
        _ params: TraceParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        session.trace.value = params.value
        result.null()
        return .answered
    }
}

/// `$/cancelRequest`: answers a request that is in flight with an error and ends its work.
struct CancelHandler: Handler {
    var description: MethodDescription {
        MethodDescription(
            tag: .lifecycle, summary: "Answers a request that is in flight with an error and ends its work.",
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
