import JSON
import Protocol
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct TraceTests {
    private static func session(_ value: TraceValue, waiting gate: Gate = Gate()) -> TestSession {
        let session = TestSession([
            "now": HandlerMock.value(1), "later": HandlerMock.work(2),
            "waits": HandlerMock.work(3) { _ = try? await gate.wait() },
            "fails": HandlerMock.failure(RPCError(.invalidParams, "no")),
            "failsLater": HandlerMock.failingWork(RPCError(.notFound, "gone")),
            "$/setTrace": TraceHandler(), "initialize": InitializeHandler(resources: []),
        ])
        session.trace.value = value
        return session
    }

    /// Returns the reported messages, without the times.
    private static func reported(_ session: TestSession) throws -> [String] {
        try session.sink.messages.filter { $0.contains("$/logTrace") }.map { message in
            let reported = try JSONValue(parsing: message)
            #expect(reported["method"] == "$/logTrace" && reported["id"] == nil)
            let text = try #require(Self.string(reported["params"]?["message"]))
            #expect(text.contains(/\ in [0-9]+\.[0-9]+ ms$/))
            let verbose = Self.string(reported["params"]?["verbose"]).map { "; \($0)" } ?? ""
            return text.replacing(/\ in [0-9.]+ ms$/, with: "") + verbose
        }
    }

    private static func string(_ value: JSONValue?) -> String? {
        if case .string(let text) = value { text } else { nil }
    }

    private static func request(_ method: String, _ params: String = "{}", id: String = "1") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
    }

    @Test func noMessageIsTracedIfTraceIsOff() async throws {
        let session = Self.session(.off)
        _ = session.handle(Self.request("now"))
        _ = await session.reply(to: Self.request("later"))
        #expect(try Self.reported(session) == [])
    }

    @Test func everyMessageIsReportedOnce() async throws {
        let session = Self.session(.messages)
        _ = session.handle(Self.request("now"))
        _ = session.handle(Self.request("fails", id: #""a""#))
        _ = session.handle(Self.request("unknown", id: "null"))
        _ = session.handle(#"{"jsonrpc":"2.0","method":"now"}"#)
        for method in ["later", "failsLater"] {
            _ = session.handle(Self.request(method, id: "2"))
            #expect(await onThread { session.pending.drain(within: .seconds(600)) })
        }
        #expect(
            try Self.reported(session) == [
                "now 1: done", "fails \"a\": error -32602, no,",
                "unknown null: error -32601, there is no method 'unknown'; 'rpc.discover' lists the methods,",
                "now: done", "later 2: done", "failsLater 2: error -31003, gone,",
            ])
    }

    @Test func cancelledRequestIsReportedOnce() async throws {
        let session = Self.session(.messages)
        _ = session.handle(Self.request("waits"))
        session.pending.cancelAll(with: RPCError(.requestCancelled, "gone"))
        #expect(await onThread { session.pending.drain(within: .seconds(600)) })
        #expect(try Self.reported(session) == ["waits 1: error -32800, gone,"])
    }

    @Test func everyEntryOfABatchIsReported() async throws {
        let session = Self.session(.messages)
        _ = session.handle("[\(Self.request("now", id: "1")),\(Self.request("now", id: "2"))]")
        #expect(try Self.reported(session) == ["now 1: done", "now 2: done"])
    }

    @Test func verboseTraceReportsTheParams() throws {
        let session = Self.session(.verbose)
        _ = session.handle(Self.request("now", #"{ "a" : [1.50, "x"] }"#))
        _ = session.handle(#"{"jsonrpc":"2.0","id":1,"method":"now"}"#)
        #expect(
            try Self.reported(session) == [#"now 1: done; params: {"a":[1.50,"x"]}"#, "now 1: done; params: none"])
    }

    @Test func newTraceLevelAppliesToTheNextMessage() throws {
        let session = Self.session(.off)
        _ = session.handle(Self.request("$/setTrace", #"{"value":"messages"}"#))
        #expect(try Self.reported(session) == [])
        _ = session.handle(Self.request("now"))
        _ = session.handle(Self.request("$/setTrace", #"{"value":"verbose"}"#, id: "2"))
        _ = session.handle(Self.request("$/setTrace", #"{"value":"loud"}"#, id: "3"))
        let reported = try Self.reported(session)
        #expect(reported.count == 3 && reported[1] == "$/setTrace 2: done")
        #expect(reported[2].hasSuffix(#"; params: {"value":"loud"}"#))
        #expect(session.trace.value == .verbose)
    }

    @Test func nothingIsTracedAfterTraceIsTurnedOff() async throws {
        let gate = Gate()
        let session = Self.session(.messages, waiting: gate)
        _ = session.handle(Self.request("waits"))
        _ = session.handle(#"{"jsonrpc":"2.0","method":"$/setTrace","params":{"value":"off"}}"#)
        gate.open()
        #expect(await onThread { session.pending.drain(within: .seconds(600)) })
        #expect(try Self.reported(session) == [])
    }

    @Test func initializeRequestSetsTheTraceLevel() throws {
        let session = Self.session(.off)
        _ = session.handle(Self.request("initialize", #"{"trace":"verbose"}"#))
        #expect(session.trace.value == .verbose)
        _ = session.handle(Self.request("initialize", "{}"))
        #expect(session.trace.value == .verbose)
        #expect(session.handle(Self.request("initialize", #"{"trace":"all"}"#)).contains("'trace' must be one of"))
    }
}
