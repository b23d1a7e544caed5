import JSON
import Protocol
import TestSupport
import Testing

@testable import RPCServer

/// Tests the effect of a client's cancellation.
@Suite(.limited) struct MCPCancellationTests {
    /// Reports progress, waits for its cancellation, and then continues regardless.
    private struct Waiting: MCPMethodContract {
        func begin(_ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter) throws(RPCError) -> Step {
            .work(
                Work(speaking: { (scope) async throws(RPCError) in
                    scope.progress?.report(1, of: nil, "begun")
                    _ = try? await Gate().wait()
                    scope.progress?.report(2, of: nil, "done")
                    return WrittenResult(json: Array("{}".utf8))
                }))
        }
    }

    private static let begun = """
        {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1,"message":"begun"}}
        """

    private let session = TestSession(
        [
            "x/get": HandlerMock.work(1) { _ = try? await Gate().wait() }, "now": HandlerMock.value(1),
            "$/cancelRequest": CancelHandler(),
        ],
        mcp: MCPRouter(methods: [
            "wait": Waiting(), "ping2": MCPPingMethod(), "notifications/cancelled": MCPCancelledMethod(),
        ]))

    private func cancel(_ id: String) -> String {
        session.handle(
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\(id)}}")
    }

    private func drain() async -> Bool { await onThread { [session] in session.pending.drain(within: .seconds(600)) } }

    @Test(arguments: ["1", "\"1\"", "\"listen-1\""]) func cancelledRequestHasNoReply(id: String) async {
        #expect(session.handle(MCPStage.request("wait", id: id, token: "\"t\"")) == "")
        #expect(await session.sink.wait(for: 1) == [Self.begun])
        #expect(cancel(id) == "")
        #expect(await drain())
        #expect(session.sink.messages == [Self.begun])
    }

    @Test(arguments: ["2", "\"1\"", "null", "[1]", "{}", "1.0"]) func cancellationOfAnotherIdHasNoEffect(id: String)
        async
    {
        #expect(session.handle(MCPStage.request("wait", token: "\"t\"")) == "")
        _ = await session.sink.wait(for: 1)
        #expect(cancel(id) == "" && session.pending.unanswered == 1)
        #expect(cancel("1") == "")
        #expect(await drain())
    }

    @Test func cancellationWithoutAnIdIsIgnored() {
        for params in ["{}", "null", "[]", #"{"requestId":true}"#] {
            let message = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":\(params)}"
            #expect(session.handle(message) == "")
        }
    }

    @Test func cancellationInABatchDoesNotAffectItsOtherRequests() async throws {
        let batch = [MCPStage.request("wait", token: "\"t\""), MCPStage.request("ping2", id: "2")]
        #expect(session.handle("[\(batch.joined(separator: ","))]") == "")
        _ = await session.sink.wait(for: 1)
        #expect(cancel("1") == "")
        let messages = await session.sink.wait(for: 2)
        let reply = try JSONValue(parsing: messages[1])
        #expect(reply[0]?["id"] == 2 && reply[1] == nil)
        #expect(await drain())
        #expect(session.sink.messages.count == 2)
    }

    /// The dialects promise different replies, so each cancels only its own requests.
    @Test func cancellationAffectsOnlyRequestsOfTheSameDialect() async {
        let native = #"{"jsonrpc":"2.0","id":1,"method":"x/get"}"#
        #expect(session.handle(native) == "" && session.handle(MCPStage.request("wait", token: "\"t\"")) == "")
        _ = await session.sink.wait(for: 1)
        #expect(cancel("1") == "" && session.pending.unanswered == 1)
        #expect(session.handle(MCPStage.request("wait", token: "\"t\"")) == "")
        _ = await session.sink.wait(for: 2)
        _ = session.handle(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#)
        let messages = await session.sink.wait(for: 3)
        #expect(messages[2].hasPrefix(#"{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"#))
        #expect(session.pending.unanswered == 1)
        #expect(cancel("1") == "")
        #expect(await drain())
        #expect(session.sink.messages.count == 3)
    }

    @Test func invalidProgressTokenIsRefusedBeforeTheWork() throws {
        let reply = try JSONValue(parsing: session.handle(MCPStage.request("wait", token: "1.5")))
        #expect(reply["error"]?["code"] == -32602 && session.pending.unanswered == 0)
        // The native dialect's token is ignored.
        let other = session.handle(MCPStage.request("ping2", #""workDoneToken":[],"#))
        #expect(try JSONValue(parsing: other)["result"]?["resultType"] == "complete")
    }
}
