import JSON
import Protocol
import TestSupport
import Testing

@testable import RPCServer

/// Tests the progress of a request, as the client receives it.
@Suite(.limited) struct DispatcherProgressTests {
    private static func request(_ method: String, token: String = "9") -> String {
        #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{"workDoneToken":\#(token)}}"#
    }

    private static func said(_ value: String) -> String {
        #"{"jsonrpc":"2.0","method":"$/progress","params":{"token":9,"value":{\#(value)}}}"#
    }

    private static func begin(_ method: String) -> String {
        said(#""kind":"begin","title":"\#(method)","cancellable":true,"percentage":0"#)
    }

    private static let half = said(#""kind":"report","message":"half","percentage":50"#)
    private static let end = said(#""kind":"end""#)

    /// Work that reports half of its progress, then waits for the gate.
    private static func halting(_ gate: Gate) -> HandlerMock {
        HandlerMock { (_, _) throws(RPCError) in
            .work(
                Work(speaking: { scope async throws(RPCError) in
                    scope.progress?.report(1, of: 2, "half")
                    _ = try? await gate.wait()
                    scope.progress?.report(2, of: 2, "all")
                    return ValueResult(true)
                }))
        }
    }

    private static let cancelled = #"{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"gone"}}"#

    @Test func progressEndsBeforeTheResult() async {
        let gate = Gate()
        gate.open()
        let session = TestSession(["x": Self.halting(gate)])
        #expect(session.handle(Self.request("x")) == "")
        #expect(
            await session.sink.wait(for: 5) == [
                Self.begin("x"), Self.half, Self.said(#""kind":"report","message":"all","percentage":100"#), Self.end,
                #"{"jsonrpc":"2.0","id":1,"result":true}"#,
            ])
    }

    @Test func progressEndsBeforeAnError() async {
        let session = TestSession(["x": HandlerMock.failingWork(RPCError(.internalError, "broken"))])
        #expect(session.handle(Self.request("x")) == "")
        #expect(
            await session.sink.wait(for: 3) == [
                Self.begin("x"), Self.end, #"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"broken"}}"#,
            ])
    }

    @Test func progressEndsBeforeTheErrorOfACancelledRequest() async {
        let session = TestSession(["x": Self.halting(Gate())])
        #expect(session.handle(Self.request("x")) == "")
        _ = await session.sink.wait(for: 2)
        session.pending.cancelAll(with: RPCError(.requestCancelled, "gone"))
        #expect(await onThread { session.pending.drain(within: .seconds(600)) })
        #expect(session.sink.messages == [Self.begin("x"), Self.half, Self.end, Self.cancelled])
    }

    @Test func progressOfABatchIsSentSeparately() async {
        let gate = Gate()
        let session = TestSession(["x": Self.halting(gate), "y": HandlerMock.value(1)])
        #expect(session.handle("[\(Self.request("x")),\(Self.request("y"))]") == "")
        _ = await session.sink.wait(for: 2)
        session.pending.cancelAll(with: RPCError(.requestCancelled, "gone"))
        #expect(
            await session.sink.wait(for: 4) == [
                Self.begin("x"), Self.half, Self.end, #"[{"jsonrpc":"2.0","id":1,"result":1},\#(Self.cancelled)]"#,
            ])
    }

    @Test func progressOfANotificationEnds() async {
        let session = TestSession(["x": HandlerMock.work(1)])
        #expect(session.handle(#"{"jsonrpc":"2.0","method":"x","params":{"workDoneToken":9}}"#) == "")
        #expect(await session.sink.wait(for: 2) == [Self.begin("x"), Self.end])
    }

    @Test(arguments: ["{}", #"{"workDoneToken":null}"#])
    func requestWithoutATokenHasNoProgress(params: String) async {
        let session = TestSession(["x": HandlerMock.work(1)])
        #expect(await session.call("x", params) == #""result":1"#)
        #expect(session.sink.messages.count == 1)
    }

    @Test func immediateAnswerHasNoProgress() {
        let session = TestSession(["x": HandlerMock.value(1)])
        #expect(session.handle(Self.request("x")) == #"{"jsonrpc":"2.0","id":1,"result":1}"#)
        #expect(session.sink.messages.isEmpty)
    }

    /// An invalid token is refused before the handler starts, because the effects of the handler would not be undone.
    @Test(arguments: ["[]", "1.5", "true", "{}"])
    func invalidTokenIsRefusedBeforeTheHandlerStarts(token: String) {
        let begun = Counter()
        let session = TestSession([
            "x": HandlerMock { (_, _) throws(RPCError) in
                begun.add()
                return .work(Work { ValueResult(1) })
            }
        ])
        #expect(
            session.handle(Self.request("x", token: token)) == """
                {"jsonrpc":"2.0","id":1,"error":{"code":-32602,\
                "message":"'workDoneToken' must be a string or an integer"}}
                """)
        #expect(begun.value == 0 && session.sink.messages.isEmpty && session.pending.unanswered == 0)
    }
}
