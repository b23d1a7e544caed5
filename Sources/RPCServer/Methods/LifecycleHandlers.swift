import JSON
import Protocol

/// `initialize`: what the server is and can do.
struct InitializeHandler: Handler {
    let resources: [String]
    let trace: Trace
    /// Called with the process whose end ends this one.
    let watch: @Sendable (Int) -> Void

    var description: MethodDescription {
        MethodDescription(
            tag: .lifecycle, summary: "What the server is and can do.",
            details: "A handshake is optional. Other params, as an editor sends them, are passed over.",
            result: InitializeResult.schema)
    }

    func begin(_ params: InitializeParams, result: inout JSONWriter) throws(RPCError) -> Step {
        if let process = params.processId { watch(process) }
        if let value = params.trace { trace.value = value }
        InitializeResult(version: Version.current, resources: resources).write(to: &result)
        return .answered
    }
}

/// The steps of a process's life that a client may tell it, and what they mean.
enum LifecycleStep: String {
    case initialized = "Heard, and nothing happens."
    case shutdown = "Requests after it are refused."
    case exit = "The process ends, with code 0 after `shutdown`, else 1."
}

/// `initialized`, `shutdown` and `exit`.
struct LifecycleHandler: Handler {
    /// Which step of the process's life it is.
    let step: LifecycleStep
    let action: @Sendable () -> Void

    init(_ step: LifecycleStep, action: @escaping @Sendable () -> Void) {
        self.step = step
        self.action = action
    }

    var description: MethodDescription {
        MethodDescription(tag: .lifecycle, summary: step.rawValue, result: step == .shutdown ? .null : nil)
    }

    func begin(_ params: IgnoredParams, result: inout JSONWriter) throws(RPCError) -> Step {
        action()
        result.null()
        return .answered
    }
}

/// `$/setTrace`: how much the client wants to hear of what becomes of its messages.
struct TraceHandler: Handler {
    let trace: Trace

    var description: MethodDescription {
        MethodDescription(
            tag: .lifecycle, summary: "How much the client wants to hear of what becomes of its messages.",
            details: "What is told comes as `$/logTrace`.", result: nil)
    }

    func begin(_ params: TraceParams, result: inout JSONWriter) throws(RPCError) -> Step {
        trace.value = params.value
        result.null()
        return .answered
    }
}

/// `$/cancelRequest`: answers a request that is in flight with an error and ends its work.
struct CancelHandler: Handler {
    let pending: PendingRequests

    var description: MethodDescription {
        MethodDescription(
            tag: .lifecycle, summary: "Answers a request that is in flight with an error and ends its work.",
            result: nil)
    }

    func begin(_ params: CancelParams, result: inout JSONWriter) throws(RPCError) -> Step {
        for request in pending.requests(with: params.id) {
            request.cancel(with: RPCError(.requestCancelled, "the request was cancelled"))
        }
        result.null()
        return .answered
    }
}
