import JSON
import Protocol
import TestSupport
import Testing

@testable import RPCServer

/// The end of the input for clients that kill this process two seconds later.
@Suite(.limited) struct HurriedEndTests {
    private struct Endless: MCPMethodContract {
        func begin(_ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter) throws(RPCError) -> Step {
            .work(
                Work { () async throws(RPCError) in
                    _ = try? await Gate().wait()
                    return ValueResult(.null)
                })
        }
    }

    @Test func hurriedExitTakesAtMostOneAndAHalfSeconds() {
        var limits = ServerLoop.Limits()
        #expect(limits.end == 30 && limits.flight == 30 && limits.patience() == 30)
        limits.isHurried = true
        #expect(limits.end == 1.5 && limits.flight < limits.end)
        #expect(limits.patience() == 1.5 && limits.flight + limits.patience(after: limits.flight) == 1.5)
        limits.drain = 0.25
        #expect(limits.end == 0.25 && limits.flight == 0.25)
    }

    @Test func requestInFlightIsCancelledEarly() async throws {
        let loop = RunningLoop([:], mcp: MCPRouter(methods: ["endless": Endless()]))
        loop.input.write(MCPStage.request("endless") + "\n")
        #expect(try await loop.finish().hasPrefix(#"{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"#))
    }

    /// Also if the end comes before the work for the request has begun.
    @Test func subscriptionIsAnsweredWhenTheInputEnds() async {
        let session = TestSession(
            [:],
            mcp: MCPRouter(methods: [
                "subscriptions/listen": ListenMethod(repositories: RepositoryTable(repositories: []))
            ]))
        _ = session.handle(MCPStage.request("subscriptions/listen", "\"notifications\":{},"))
        session.session.mcp.endListening()
        let pending = session.pending
        #expect(await onThread { pending.drain(seconds: 600) })
        let lines = session.sink.messages
        #expect(lines.count == 2 && lines.first?.contains("notifications/subscriptions/acknowledged") == true)
        #expect(lines.last?.hasPrefix(#"{"jsonrpc":"2.0","id":1,"result":{"#) == true)
    }
}
