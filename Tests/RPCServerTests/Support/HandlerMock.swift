import JSON
import Protocol

@testable import RPCServer

/// A handler whose answer is set by a test.
struct HandlerMock: Handler {
    /// The params as they arrive.
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
        _ value: JSONValue, in queue: WorkQueue? = nil, changesCache: Bool = false,
        _ work: @escaping @Sendable () async -> Void = {}
    ) -> HandlerMock {
        HandlerMock { (_, result) throws(RPCError) in
            result.string("taken back")
            return .work(
                Work(in: queue, changesCache: changesCache) {
                    await work()
                    return ValueResult(value)
                })
        }
    }

    /// Fails at once, after writing a partial result.
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
