import JSON
import Synchronization
import TestSupport
import Testing

@testable import Protocol
@testable import RPCServer

/// The examples of JSON-RPC 2.0, section 7, with Larder's answers: Larder accepts only named params.
@Suite(.limited) struct DispatcherBatchTests {
    private static let numbers = ParameterList(
        Parameter("minuend", "an integer", "", schema: .integer) { $0.integer }.required,
        Parameter("subtrahend", "an integer", "", schema: .integer) { $0.integer }.required)

    private static let subtract = HandlerMock { (params, result) throws(RPCError) in
        let (minuend, subtrahend) = try numbers.read(params)
        result.integer(minuend - subtrahend)
        return .answered
    }

    private static func session() -> TestSession {
        TestSession([
            "subtract": subtract, "update": HandlerMock.value(nil), "notify_hello": HandlerMock.work(nil),
            "notify_sum": HandlerMock.value(nil), "get_data": HandlerMock.work(["hello", 5]),
        ])
    }

    private static func error(_ code: Int, _ message: String, id: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":\#(code),"message":"\#(message)"}}"#
    }

    private static let notAnObject = error(-32600, "a request must be an object", id: "null")

    @Test(
        arguments: [
            (
                #"{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}"#,
                #"{"jsonrpc":"2.0","id":3,"result":19}"#
            ),
            (
                #"{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}"#,
                #"{"jsonrpc":"2.0","id":4,"result":19}"#
            ),
            (
                #"{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}"#,
                error(-32602, "'params' must be an object with named members", id: "1")
            ),
            (
                #"{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42}, "id": 1}"#,
                error(-32602, "'subtrahend' is missing; pass an integer", id: "1")
            ),
            (
                #"{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": "x"}, "id": 1}"#,
                error(-32602, "'minuend' must be an integer", id: "1")
            ),
            (#"{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}"#, ""),
            (#"{"jsonrpc": "2.0", "method": "foobar"}"#, ""),
            (
                #"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#,
                error(-32601, "there is no method 'foobar'; 'rpc.discover' lists the methods", id: "\"1\"")
            ),
            (
                #"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#,
                error(-32600, "'method' must be a string", id: "null")
            ),
        ] as [(String, String)])
    func singleMessageIsAnsweredAsInTheSpecification(message: String, reply: String) {
        #expect(Self.session().handle(message) == reply)
    }

    @Test func messageWithInvalidJSONIsRefused() {
        let reply = Self.session().handle(#"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#)
        #expect(reply.hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"#))
    }

    @Test func batchWithInvalidJSONIsRefused() {
        let reply = Self.session().handle(
            """
            [{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"}, {"jsonrpc": "2.0", "method"]
            """)
        #expect(reply.hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"#))
    }

    @Test func emptyBatchIsRefused() {
        let error = Self.error(-32600, "the batch is empty: send at least one request", id: "null")
        #expect(Self.session().handle("[]") == error)
    }

    @Test(arguments: [1, 3])
    func batchOfInvalidRequestsIsAnswered(count: Int) async {
        let entries = (1...count).map { String($0) }.joined(separator: ",")
        let expected = Array(repeating: Self.notAnObject, count: count).joined(separator: ",")
        #expect(await Self.session().reply(to: "[\(entries)]") == "[\(expected)]")
    }

    @Test func nestedBatchIsRefused() async {
        #expect(await Self.session().reply(to: "[[]]") == "[\(Self.notAnObject)]")
    }

    @Test func mixedBatchIsAnsweredByOneArray() async {
        let reply = await Self.session().reply(
            to: """
                [{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 7, "subtrahend": 4}, "id": "1"},
                 {"jsonrpc": "2.0", "method": "notify_hello", "params": {"n": 7}},
                 {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
                 {"foo": "boo"},
                 {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
                 {"jsonrpc": "2.0", "method": "get_data", "id": "9"}]
                """)
        let replies = [
            #"{"jsonrpc":"2.0","id":"1","result":3}"#,
            Self.error(-32602, "'params' must be an object with named members", id: "\"2\""),
            Self.error(-32600, "'jsonrpc' must be \\\"2.0\\\"", id: "null"),
            Self.error(-32601, "there is no method 'foo.get'; 'rpc.discover' lists the methods", id: "\"5\""),
        ]
        let data = #"{"jsonrpc":"2.0","id":"9","result":["hello",5]}"#
        // A reply that takes work may be at any position.
        #expect((try? JSONValue(parsing: reply)) != nil)
        #expect(reply.contains(data))
        let rest = reply.replacing("\(data),", with: "").replacing(",\(data)", with: "")
        #expect(rest == "[" + replies.joined(separator: ",") + "]")
    }

    @Test func batchOfNotificationsHasNoReply() async {
        let session = Self.session()
        let reply = session.handle(
            """
            [{"jsonrpc": "2.0", "method": "notify_sum", "params": {"n": 1}},
             {"jsonrpc": "2.0", "method": "notify_hello", "params": {"n": 7}}]
            """)
        #expect(reply == "")
        #expect(await onThread { session.pending.drain(within: .seconds(600)) })
        #expect(session.sink.messages.isEmpty)
    }

    @Test func batchIsSentWhenAllItsRepliesAreReady() async {
        let gate = Gate()
        let session = TestSession([
            "slow": HandlerMock.work("slow") { _ = try? await gate.wait() }, "now": HandlerMock.value("now"),
        ])
        #expect(
            session.handle(
                #"[{"jsonrpc":"2.0","id":1,"method":"slow"},{"jsonrpc":"2.0","id":2,"method":"now"}]"#) == "")
        #expect(session.sink.messages.isEmpty)
        gate.open()
        #expect(
            await session.sink.wait(for: 1) == [
                #"[{"jsonrpc":"2.0","id":2,"result":"now"},{"jsonrpc":"2.0","id":1,"result":"slow"}]"#
            ])
    }

    @Test func requestsOfABatchRunConcurrently() async {
        let gate = Gate()
        let session = TestSession([
            "waits": HandlerMock.work(1) { _ = try? await gate.wait() },
            "opens": HandlerMock.work(2) { gate.open() },
        ])
        let reply = await session.reply(
            to: #"[{"jsonrpc":"2.0","id":1,"method":"waits"},{"jsonrpc":"2.0","id":2,"method":"opens"}]"#)
        #expect(reply.contains(#"{"jsonrpc":"2.0","id":1,"result":1}"#))
        #expect(reply.contains(#"{"jsonrpc":"2.0","id":2,"result":2}"#))
    }

    @Test func batchCanHaveAThousandEntries() async throws {
        let session = TestSession(["now": HandlerMock.value(true)])
        let entry = #"{"jsonrpc":"2.0","id":1,"method":"now"}"#
        let full = Array(repeating: entry, count: 1000).joined(separator: ",")
        let reply = try JSONValue(parsing: await session.reply(to: "[\(full)]"))
        #expect(reply[999]?["result"] == true)
        #expect(
            session.handle("[\(full),\(entry)]")
                == Self.error(-32600, "the batch has 1001 entries: at most 1000 are allowed", id: "null"))
        #expect(session.sink.messages.count == 1)
    }
}
