import JSON
import Protocol
import TestSupport
import Testing

@testable import RPCServer

/// Tests the exit of a server whose client kills it two seconds after the end of the input.
@Suite(.limited) struct HurriedExitTests {
    private struct Endless: MCPMethodContract {
        let started = Gate()

        func begin(_ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter) throws(RPCError) -> Step {
            .work(
                Work { () async throws(RPCError) in
                    started.open()
                    _ = try? await Gate().wait()
                    return ValueResult(.null)
                })
        }
    }

    @Test func hurriedExitTakesAtMostOneAndAHalfSeconds() {
        var limits = ServerLoop.Limits()
        #expect(limits.end == .seconds(30) && limits.flight == .seconds(30) && limits.maxStall() == .seconds(30))
        limits.isHurried = true
        #expect(limits.end == .seconds(1.5) && limits.flight < limits.end)
        #expect(
            limits.maxStall() == .seconds(1.5)
                && limits.flight + limits.maxStall(after: limits.flight) == .seconds(1.5))
        // A shorter `--drain` leaves the same time for the save.
        limits.drain = .milliseconds(250)
        #expect(limits.end == .milliseconds(500) && limits.flight == .milliseconds(250))
    }

    /// The argument is whether the termination signal arrives after the end of the input.
    @Test(arguments: [false, true])
    func terminationSignalEndsTheWaitForRequests(hasEnded: Bool) async throws {
        let endless = Endless()
        let loop = RunningLoop([:], mcp: MCPRouter(methods: ["endless": endless]))
        loop.input.write(MCPStage.request("endless") + "\n")
        try await endless.started.wait()
        if hasEnded { loop.input.closeOutput() }
        loop.terminate()
        let reply = try await loop.end()
        #expect(reply.contains(#""code":-32603"#) && reply.contains("a signal ended the server"))
    }

    @Test func requestInFlightIsCancelledEarlyInAHurriedExit() async throws {
        let loop = RunningLoop([:], mcp: MCPRouter(methods: ["endless": Endless()]))
        loop.input.write(MCPStage.request("endless") + "\n")
        #expect(try await loop.finish().hasPrefix(#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"#))
    }

    /// A subscription is answered when the input ends, even if its request has not started yet.
    @Test func subscriptionIsAnsweredWhenTheInputEnds() async {
        let session = TestSession(
            [:],
            mcp: MCPRouter(methods: [
                "subscriptions/listen": ListenMethod(repositories: RepositoryTable(repositories: []))
            ]))
        _ = session.handle(MCPStage.request("subscriptions/listen", "\"notifications\":{},"))
        session.session.mcp.endListening()
        let pending = session.pending
        #expect(await onThread { pending.drain(within: .seconds(600)) })
        let lines = session.sink.messages
        #expect(lines.count == 2 && lines.first?.contains("notifications/subscriptions/acknowledged") == true)
        #expect(lines.last?.hasPrefix(#"{"jsonrpc":"2.0","id":1,"result":{"#) == true)
    }
}
