import JSON
import Protocol
import TestSupport
import Testing

@testable import RPCServer

/// Tests how a cache change affects the requests that come after it.
@Suite(.limited) struct DispatcherOrderTests {
    private static func request(_ method: String, id: Int, params: String = "null") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
    }

    private static func result(_ value: String, id: Int) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"result":\#(value)}"#
    }

    /// Creates a session with a cache change that waits for the gate, and with methods that read the cache.
    private static func make(_ gate: Gate) -> TestSession {
        TestSession([
            "change": HandlerMock.work("changed", in: .cache, changesCache: true) { _ = try? await gate.wait() },
            "echo": HandlerMock(readsCache: true) { (params, result) throws(RPCError) in
                result.splice(params.copy ?? Array("null".utf8))
                return .answered
            },
            "work": HandlerMock(readsCache: true) { (_, _) throws(RPCError) in
                .work(Work { () async throws(RPCError) in ValueResult("worked") })
            },
            "fail": HandlerMock(readsCache: true) { (_, _) throws(RPCError) in throw RPCError(.notFound, "none") },
            "free": HandlerMock.value("free"),
        ])
    }

    @Test func readWaitsForAnEarlierChange() async {
        let gate = Gate()
        let session = Self.make(gate)
        let params = #"{"a":1.0,"b":[12345678901234567890]}"#
        #expect(session.handle(Self.request("echo", id: 0, params: params)) == Self.result(params, id: 0))
        #expect(session.handle(Self.request("change", id: 1)) == "")
        #expect(session.handle(Self.request("echo", id: 2, params: params)) == "")
        #expect(session.handle(Self.request("echo", id: 3)) == "")
        #expect(session.handle(Self.request("work", id: 4)) == "")
        #expect(session.handle(Self.request("fail", id: 5)) == "")
        #expect(session.handle(Self.request("free", id: 6)) == Self.result(#""free""#, id: 6))
        #expect(session.sink.messages.isEmpty)
        gate.open()
        #expect(await onThread { session.pending.drain(within: .seconds(600)) })
        #expect(
            session.sink.messages.sorted() == [
                Self.result(#""changed""#, id: 1), Self.result(params, id: 2), Self.result("null", id: 3),
                Self.result(#""worked""#, id: 4), #"{"jsonrpc":"2.0","id":5,"error":{"code":-31003,"message":"none"}}"#,
            ])
        #expect(session.handle(Self.request("echo", id: 7)) == Self.result("null", id: 7))
    }

    @Test func waitingReadCanBeCancelled() async {
        let gate = Gate()
        let session = Self.make(gate)
        #expect(session.handle(Self.request("change", id: 1)) == "")
        #expect(session.handle(Self.request("echo", id: 2)) == "")
        session.pending.cancelAll(with: RPCError(.requestCancelled, "gone"))
        #expect(session.sink.messages.count == 2)
        #expect(session.sink.messages.allSatisfy { $0.contains("-32800") })
        gate.open()
        #expect(await onThread { session.pending.drain(within: .seconds(600)) })
        #expect(session.sink.messages.count == 2)
    }

    enum Cancellation: CaseIterable {
        case never, beforeTheWork, beforeTheAnswer
    }

    @Test(arguments: Cancellation.allCases)
    func cancellationRollsBackTheEffectsOfARequest(cancellation: Cancellation) async throws {
        let undone = Counter()
        let (held, began, gate) = (Gate(), Gate(), Gate())
        let session = TestSession([
            "make": HandlerMock { (_, _) throws(RPCError) in
                .work(
                    Work(
                        speaking: { (_) async throws(RPCError) in
                            began.open()
                            await Task { _ = try? await gate.wait() }.value
                            return ValueResult(true)
                        }, undo: { undone.add() }))
            },
            "hold": HandlerMock.work(true) { held.block() },
        ])
        #expect(session.handle(Self.request("hold", id: 1)) == "")
        #expect(session.handle(Self.request("make", id: 2)) == "")
        if cancellation != .beforeTheWork {
            held.open()
            try await began.wait()
        }
        if cancellation != .never { session.pending.cancelAll(with: RPCError(.requestCancelled, "gone")) }
        held.open()
        gate.open()
        #expect(await onThread { session.pending.drain(within: .seconds(600)) })
        #expect(session.sink.messages.count == 2)
        #expect(undone.value == (cancellation == .never ? 0 : 1))
    }

    @Test func cacheRequestsAndRequestsForRecentSearchesDoNotWaitForEachOther() async {
        let gate = Gate()
        let session = TestSession([
            "slow": HandlerMock.work("slow", in: .cache) { _ = try? await gate.wait() },
            "recents": HandlerMock.work("recents", in: .recents),
        ])
        #expect(session.handle(Self.request("slow", id: 1)) == "")
        #expect(session.handle(Self.request("recents", id: 2)) == "")
        #expect(await session.sink.wait(for: 1).first?.contains(#""result":"recents""#) == true)
        gate.open()
        #expect(await session.sink.wait(for: 2).count == 2)
    }
}
