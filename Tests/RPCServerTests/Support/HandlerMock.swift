import JSON
import Protocol

@testable import RPCServer

/// Answers a method as a test says.
struct HandlerMock: Handler {
    /// Params as they come.
    struct Params: MethodParams {
        static let declared = IgnoredParams.declared
        let reader: ParamsReader

        init(_ reader: ParamsReader) { self.reader = reader }
    }

    var readsCache = false
    let body: @Sendable (ParamsReader, inout JSONWriter) throws(RPCError) -> Step

    var description: MethodDescription {
        MethodDescription(tag: .server, summary: "As a test says.", result: .anything)
    }

    func begin(
        _ params: Params, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        try body(params.reader, &result)
    }
}

extension HandlerMock {
    /// Answers at once with a value.
    static func value(_ value: JSONValue) -> HandlerMock {
        HandlerMock { (_, result) throws(RPCError) in
            result.value(value)
            return .answered
        }
    }

    /// Answers with a value after some work.
    static func work(
        _ value: JSONValue, in lane: Lane? = nil, changesCache: Bool = false,
        _ work: @escaping @Sendable () async -> Void = {}
    ) -> HandlerMock {
        HandlerMock { (_, result) throws(RPCError) in
            result.string("taken back")
            return .work(
                Work(in: lane, changesCache: changesCache) {
                    await work()
                    return ValueResult(value)
                })
        }
    }

    /// Fails at once, after it has written something.
    static func failure(_ error: RPCError) -> HandlerMock {
        HandlerMock { (_, result) throws(RPCError) in
            result.string("taken back")
            throw error
        }
    }

    /// Fails after some work.
    static func failingWork(_ error: RPCError) -> HandlerMock {
        HandlerMock { (_, _) throws(RPCError) in
            .work(Work { () async throws(RPCError) in throw error })
        }
    }
}
