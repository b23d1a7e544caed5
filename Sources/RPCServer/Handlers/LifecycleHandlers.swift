import JSON
import Protocol
import Repositories

/// `initialize`: what the server is and can do.
struct InitializeHandler: Handler {
    let resources: [String]
    let trace: Trace
    /// Called with the process whose end ends this one.
    let watch: @Sendable (Int) -> Void

    func begin(_ params: ParamsReader, result: inout JSONWriter) throws(RPCError) -> Step {
        let params = try InitializeParams(params)
        if let process = params.processId { watch(process) }
        if let value = params.trace { trace.value = value }
        result.value([
            "serverInfo": ["name": "larder", "version": .string(Version.current)],
            "capabilities": [
                "framing": ["newline", "contentLength"],
                "cachePolicies": .array(CachePolicy.allCases.map { .string($0.rawValue) }),
                "resources": .array(resources.map { .string($0) }),
            ],
        ])
        return .answered
    }
}

/// `shutdown`, `initialized` and `exit`, and notifications that are heard and mean nothing here.
struct LifecycleHandler: Handler {
    let action: @Sendable () -> Void

    func begin(_ params: ParamsReader, result: inout JSONWriter) throws(RPCError) -> Step {
        action()
        result.null()
        return .answered
    }
}

/// `$/setTrace`: how much the client wants to hear of what becomes of its messages.
struct TraceHandler: Handler {
    let trace: Trace

    func begin(_ params: ParamsReader, result: inout JSONWriter) throws(RPCError) -> Step {
        trace.value = try TraceParams(params).value
        result.null()
        return .answered
    }
}

/// `$/cancelRequest`: answers a request that is in flight with an error and ends its work.
struct CancelHandler: Handler {
    let pending: PendingRequests

    func begin(_ params: ParamsReader, result: inout JSONWriter) throws(RPCError) -> Step {
        let id = try CancelParams(params).id
        for request in pending.requests(with: id) {
            request.cancel(with: RPCError(.requestCancelled, "the request was cancelled"))
        }
        result.null()
        return .answered
    }
}
