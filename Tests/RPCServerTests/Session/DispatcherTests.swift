import DataSources
import JSON
import Protocol
import System
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct DispatcherTests {
    private static func error(_ code: Int, _ message: String, id: String = "1") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":\#(code),"message":"\#(message)"}}"#
    }

    private static func request(_ method: String, id: String = "1") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)"}"#
    }

    private static let refusal = RPCError(.notFound, "none", data: JSONObject([("kind", "notFound")]))

    @Test func immediateResultIsWrittenAtOnce() {
        let session = TestSession(["now": HandlerMock.value(["a": [1, nil, "x"]])])
        #expect(session.handle(Self.request("now")) == #"{"jsonrpc":"2.0","id":1,"result":{"a":[1,null,"x"]}}"#)
        #expect(session.sink.messages.isEmpty)
    }

    @Test(arguments: ["1", "-7", "1.0", "1e2", "123456789012345678901234567890", "\"\"", "\"a\\\"b\"", "\"é\"", "null"])
    func requestIDIsReturnedAsWritten(id: String) {
        let session = TestSession(["now": HandlerMock.value(true)])
        #expect(session.handle(Self.request("now", id: id)) == #"{"jsonrpc":"2.0","id":\#(id),"result":true}"#)
    }

    @Test(arguments: ["true", "[1]", "{}"])
    func invalidIdIsRefused(id: String) {
        let session = TestSession(["now": HandlerMock.value(true)])
        #expect(
            session.handle(Self.request("now", id: id))
                == Self.error(-32600, "'id' must be a string, a number or null", id: "null"))
    }

    @Test func resultOfAsynchronousWorkIsSentAtItsEnd() async {
        let gate = Gate()
        let session = TestSession(["later": HandlerMock.work(["done": true]) { _ = try? await gate.wait() }])
        #expect(session.handle(Self.request("later", id: "\"x\"")) == "")
        #expect(session.pending.unanswered == 1)
        gate.open()
        #expect(await session.sink.wait(for: 1) == [#"{"jsonrpc":"2.0","id":"x","result":{"done":true}}"#])
        #expect(await onThread { session.pending.drain(within: .seconds(600)) })
    }

    /// The server loop reads this value after each read, and then limits the requests in flight.
    @Test func asynchronousRequestIsReportedAsStartedOnce() async {
        let session = TestSession(["now": HandlerMock.value(1), "later": HandlerMock.work(2)])
        #expect(session.handle(Self.request("now")) != "" && !session.dispatcher.hasBegunWork())
        #expect(session.handle(Self.request("later")) == "")
        #expect(session.dispatcher.hasBegunWork() && !session.dispatcher.hasBegunWork())
        _ = await session.sink.wait(for: 1)
    }

    @Test func workCancelledBeforeItsStartNeverRuns() async throws {
        let (began, held, begun) = (Gate(), Gate(), Counter())
        let session = TestSession([
            // The first work blocks the event loop, so that later work waits.
            "first": HandlerMock.work(1) {
                began.open()
                held.block()
            },
            "next": HandlerMock.work(2) { begun.add() },
        ])
        #expect(session.handle(Self.request("first")) == "")
        try await began.wait()
        for _ in 0..<100 { #expect(session.handle(Self.request("next", id: "2")) == "") }
        session.pending.cancelAll(with: RPCError(.requestCancelled, "the end"))
        held.open()
        #expect(await onThread { session.pending.drain(within: .seconds(600)) })
        #expect(begun.value == 0)
        #expect(session.sink.messages.count == 101)
    }

    /// A reloaded catalog is served from the next message on. Requests in flight finish with the old one.
    @Test func catalogIsReplacedWhileRequestsRun() async throws {
        let (began, gate) = (Gate(), Gate())
        let session = TestSession([
            "now": HandlerMock.value("old"),
            "later": HandlerMock.work("old") {
                began.open()
                _ = try? await gate.wait()
            },
        ])
        #expect(session.handle(Self.request("later", id: "2")) == "")
        try await began.wait()
        session.session.serving.replace(by: ServedCatalog(["now": HandlerMock.value("new")]))
        #expect(session.handle(Self.request("now")) == #"{"jsonrpc":"2.0","id":1,"result":"new"}"#)
        #expect(session.handle(Self.request("later")).contains("there is no method 'later'"))
        gate.open()
        #expect(await session.sink.wait(for: 1) == [#"{"jsonrpc":"2.0","id":2,"result":"old"}"#])
    }

    @Test func errorDiscardsAPartialResult() async {
        let session = TestSession([
            "now": HandlerMock.failure(Self.refusal), "later": HandlerMock.failingWork(Self.refusal),
        ])
        let expected =
            #"{"jsonrpc":"2.0","id":1,"error":{"code":-31003,"message":"none","data":{"kind":"notFound"}}}"#
        #expect(session.handle(Self.request("now")) == expected)
        #expect(await session.reply(to: Self.request("later")) == expected)
    }

    @Test func repliesAreAppendedToOneBuffer() {
        let session = TestSession(["now": HandlerMock.value(1), "fail": HandlerMock.failure(RPCError(.busy, "no"))])
        var tape = JSONTape()
        var reply = JSONWriter()
        for method in ["now", "fail", "now"] {
            Array(Self.request(method).utf8).withUnsafeBytes {
                session.dispatcher.handle($0, tape: &tape, reply: &reply, sink: session.sink)
            }
            reply.append("\n")
        }
        #expect(
            String(decoding: reply.bytes, as: UTF8.self)
                == #"{"jsonrpc":"2.0","id":1,"result":1}"# + "\n" + Self.error(-31011, "no") + "\n"
                + #"{"jsonrpc":"2.0","id":1,"result":1}"# + "\n")
    }

    @Test(arguments: ["now", "later", "fail", "failLater", "unknown"])
    func notificationHasNoReply(method: String) async {
        let calls = Counter()
        let session = TestSession([
            "now": HandlerMock.value(true),
            "later": HandlerMock.work(true) { calls.add() },
            "fail": HandlerMock.failure(Self.refusal), "failLater": HandlerMock.failingWork(Self.refusal),
        ])
        #expect(session.handle(#"{"jsonrpc":"2.0","method":"\#(method)"}"#) == "")
        #expect(await onThread { session.pending.drain(within: .seconds(600)) })
        #expect(session.sink.messages.isEmpty)
        #expect(calls.value == (method == "later" ? 1 : 0))
    }

    /// All methods are found in a table that is so large that the hashes of some names are equal.
    @Test func methodsAreFoundDespiteHashCollisions() {
        let names = (0..<1000).map { "thing\($0)/get" }
        let session = TestSession(
            Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, HandlerMock.value(.integer($0))) }))
        for (index, name) in names.enumerated() {
            #expect(session.handle(Self.request(name)).contains(#""result":\#(index)"#), "\(name)")
        }
    }

    @Test(arguments: [(100, true), (101, false)])
    func unknownNameOver100CharactersHasNoSuggestion(length: Int, hasHint: Bool) {
        let name = String(repeating: "x", count: length - 4) + "/get"
        let reply = TestSession([name + "s": HandlerMock.value(1)]).handle(Self.request(name))
        #expect(reply.contains("; did you mean '\(name)s'?") == hasHint)
    }

    @Test func unknownMethodIsRefusedWithAHint() {
        let session = TestSession(["character/get": HandlerMock.value(1), "cache/stats": HandlerMock.value(2)])
        #expect(
            session.handle(Self.request("charcter/get"))
                == Self.error(-32601, "there is no method 'charcter/get'; did you mean 'character/get'?"))
        #expect(
            session.handle(Self.request("character/everything"))
                == Self.error(-32601, "there is no method 'character/everything'; there is 'character/get'"))
        #expect(
            session.handle(Self.request("hash/get"))
                == Self.error(-32601, "there is no method 'hash/get'; there is 'character/get'"))
        let list = "'rpc.discover' lists the methods"
        #expect(session.handle(Self.request("zzz")) == Self.error(-32601, "there is no method 'zzz'; \(list)"))
        let long = String(repeating: "m", count: 100_000)
        let cut = String(repeating: "m", count: 200)
        #expect(session.handle(Self.request(long)) == Self.error(-32601, "there is no method '\(cut)'; \(list)"))
    }

    @Test(
        arguments: [
            (#"{"jsonrpc":"1.0","id":1,"method":"now"}"#, "'jsonrpc' must be \\\"2.0\\\"", "1"),
            (#"{"id":"x","method":"now"}"#, "'jsonrpc' must be \\\"2.0\\\"", "\"x\""),
            (#"{"jsonrpc":"2.0","id":1}"#, "'method' must be a string", "1"),
            (#"{"jsonrpc":"2.0","id":1,"method":7}"#, "'method' must be a string", "1"),
            ("7", "a request must be an object", "null"), ("null", "a request must be an object", "null"),
            ("\"x\"", "a request must be an object", "null"),
        ] as [(String, String, String)])
    func invalidRequestIsRefusedWithItsId(message: String, text: String, id: String) {
        let session = TestSession(["now": HandlerMock.value(true)])
        #expect(session.handle(message) == Self.error(-32600, text, id: id))
    }

    @Test(arguments: ["[1]", "\"a\"", "true", "3"])
    func paramsMustBeAnObject(params: String) {
        let session = TestSession(["now": HandlerMock.value(true)])
        #expect(
            session.handle(#"{"jsonrpc":"2.0","id":1,"method":"now","params":\#(params)}"#)
                == Self.error(-32602, "'params' must be an object with named members"))
    }

    @Test func nullParamsCountAsAbsent() {
        let session = TestSession(["now": HandlerMock.value(true)])
        #expect(
            session.handle(#"{"jsonrpc":"2.0","id":1,"method":"now","params":null}"#)
                == #"{"jsonrpc":"2.0","id":1,"result":true}"#)
    }

    @Test(arguments: ["{", "", "nope", "{}{}", "{\"a\":1,}", "\u{7F}"])
    func invalidJSONIsRefusedWithItsPosition(message: String) {
        let reply = TestSession([:]).handle(message)
        #expect(
            reply.hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the message is not JSON: "#))
        #expect(reply.contains(" at line 1, column "))
    }

    @Test(arguments: [#"{"jsonrpc":"2.0","method":"exit"}"#, request("exit")])
    func onlyExitIsAcceptedAfterShutdown(exit: String) {
        let heard = Counter()
        let now = HandlerMock { (_, result) throws(RPCError) in
            heard.add()
            result.bool(true)
            return .answered
        }
        let session = TestSession([
            "now": now, "$/now": now, "shutdown": LifecycleHandler(.shutdown), "exit": LifecycleHandler(.exit),
        ])
        let lifecycle = session.lifecycle
        let handle = session.handle
        #expect(lifecycle.exitCode == 1)
        #expect(handle(#"{"jsonrpc":"2.0","method":"now"}"#) == "")
        #expect(handle(Self.request("shutdown")) == #"{"jsonrpc":"2.0","id":1,"result":null}"#)
        let refused = Self.error(-32600, "the server is shut down: only 'exit' is accepted", id: "2")
        #expect(handle(Self.request("now", id: "2")) == refused)
        #expect(handle(Self.request("shutdown", id: "2")) == refused)
        #expect(handle(#"{"jsonrpc":"2.0","method":"now"}"#) == "")
        #expect(heard.value == 1)
        #expect(handle(#"{"jsonrpc":"2.0","method":"$/now"}"#) == "")
        #expect(heard.value == 2)
        #expect(handle(Self.request("$/now", id: "2")) == refused)
        #expect(!lifecycle.isExiting)
        #expect(handle(exit) == (exit.contains("id") ? #"{"jsonrpc":"2.0","id":1,"result":null}"# : ""))
        #expect(lifecycle.isExiting)
        #expect(lifecycle.exitCode == 0)
    }

    @Test func cancelledRequestIsAnsweredImmediatelyAndOnce() async throws {
        let (began, gate) = (Gate(), Gate())
        let isCancelled = Counter()
        let session = TestSession([
            "later": HandlerMock.work(true) {
                began.open()
                do throws(CancellationError) {
                    try await gate.wait()
                } catch {
                    isCancelled.add()
                }
            },
            "$/cancelRequest": CancelHandler(),
        ])
        let sink = session.sink
        #expect(session.handle(Self.request("later", id: "5")) == "")
        try await began.wait()
        for id in ["\"5\"", "5", "5"] {
            #expect(session.handle(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(id)}}"#) == "")
        }
        let expected = Self.error(-32800, "the request was cancelled", id: "5")
        #expect(sink.messages == [expected])
        #expect(await onThread { session.pending.drain(within: .seconds(600)) })
        #expect(isCancelled.value == 1)
        #expect(sink.messages == [expected])
    }

    @Test func cacheChangesTakeEffectInTheOrderOfArrival() async {
        let gate = Gate()
        let seen = Lock<[Int]>([])
        var handlers: [String: any Handler] = [:]
        for number in 0..<50 {
            handlers["\(number)"] = HandlerMock.work(.integer(number), in: .cache) {
                if number == 0 { _ = try? await gate.wait() }
                seen.withLock { $0.append(number) }
            }
        }
        handlers["free"] = HandlerMock.work(true)
        let session = TestSession(handlers)
        for number in 0..<50 { #expect(session.handle(Self.request("\(number)", id: "\(number)")) == "") }
        // Work without a queue overtakes all of it. By then the queued work would have been reordered if it could be.
        #expect(await session.reply(to: Self.request("free")) == #"{"jsonrpc":"2.0","id":1,"result":true}"#)
        #expect(seen.withLock { $0 } == [])
        gate.open()
        let replies = await session.sink.wait(for: 51)
        #expect(seen.withLock { $0 } == Array(0..<50))
        #expect(Array(replies.dropFirst()) == (0..<50).map { #"{"jsonrpc":"2.0","id":\#($0),"result":\#($0)}"# })
    }
}
