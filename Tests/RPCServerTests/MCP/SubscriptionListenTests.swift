import DataSources
import JSON
import Repositories
import TestSupport
import Testing

@testable import RPCServer

/// `subscriptions/listen`, in the stateless versions.
@Suite(.limited) struct SubscriptionListenTests {
    private let stage: MCPStage
    private var sink: SinkMock { stage.session.sink }

    init() throws { stage = try MCPStage() }

    private static let id = "\"io.modelcontextprotocol/subscriptionId\":"

    private static func said(_ method: String, _ id: String, _ more: String) -> String {
        let meta = "\"_meta\":{\(Self.id)\(id)}"
        return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/\(method)\",\"params\":{\(meta)\(more)}}"
    }

    private static func acknowledged(_ wishes: String, id: String = "\"l\"") -> String {
        said("subscriptions/acknowledged", id, ",\"notifications\":{\(wishes)}")
    }

    private func listen(_ wishes: String, id: String = "\"l\"") {
        #expect(
            stage.session.handle(
                MCPStage.request("subscriptions/listen", "\"notifications\":{\(wishes)},", id: id)) == "")
    }

    private func drain() async -> Bool {
        await onThread { [stage] in stage.session.pending.drain(within: .seconds(600)) }
    }

    private func isResult(_ message: String, of id: String) throws -> Bool {
        let reply = try JSONValue(parsing: message)
        let subscription = reply["result"]?["_meta"]?["io.modelcontextprotocol/subscriptionId"]
        return reply["id"]?.text == id && subscription?.text == id && reply["result"]?["resultType"] == "complete"
    }

    private func forget() {
        stage.books.forgetObservers()
        stage.leaves.forgetObservers()
    }

    @Test(arguments: ["\"l\"", "7", "\"7\""]) func observedItemIsAcknowledgedAndReported(id: String) async {
        defer { forget() }
        let wishes = #""resourceSubscriptions":["larder://book/%61","larder://book"]"#
        listen(wishes, id: id)
        #expect(await sink.wait(for: 1) == [Self.acknowledged(wishes, id: id)])
        stage.books.tellObservers(.gone)
        #expect(
            sink.messages.dropFirst()
                == [Self.said("resources/updated", id, ",\"uri\":\"larder://book/%61\"")])
        stage.session.session.serving.replace(by: stage.session.session.serving.current)
        #expect(sink.messages.count == 2)
    }

    /// Subscriptions that were not requested, or that Larder does not support, are not accepted.
    @Test(arguments: [
        ("", ""), (#""toolsListChanged":false,"resourceSubscriptions":[]"#, ""),
        (#""promptsListChanged":true,"resourcesListChanged":null,"resourceSubscriptions":null"#, ""),
        (#""resourcesListChanged":true"#, #""resourcesListChanged":true"#),
        (#""toolsListChanged":true,"x":1"#, #""toolsListChanged":true"#),
    ])
    func acknowledgementListsTheAcceptedSubscriptions(wishes: String, granted: String) async {
        listen(wishes)
        #expect(await sink.wait(for: 1) == [Self.acknowledged(granted)])
    }

    @Test func listChangesAreReportedToSubscribers() async {
        listen(#""toolsListChanged":true"#, id: "1")
        _ = await sink.wait(for: 1)
        listen(#""toolsListChanged":true,"resourcesListChanged":true"#, id: "2")
        _ = await sink.wait(for: 2)
        stage.session.session.serving.replace(by: stage.session.session.serving.current)
        #expect(
            sink.messages.dropFirst(2).sorted() == [
                Self.said("resources/list_changed", "2", ""), Self.said("tools/list_changed", "1", ""),
                Self.said("tools/list_changed", "2", ""),
            ])
    }

    /// Clients drop notifications before the acknowledgement.
    @Test func noNotificationIsSentBeforeTheAcknowledgement() async throws {
        defer { forget() }
        let gate = Gate()
        stage.leaves.hold(gate)
        let wishes = #""resourceSubscriptions":["larder://book/a","larder://leaf/oak/3/7"]"#
        listen(wishes)
        await stage.books.called(.observeItem("a"))
        stage.books.tellObservers(.gone)
        #expect(sink.messages.isEmpty)
        gate.open()
        #expect(
            await sink.wait(for: 2) == [
                Self.acknowledged(wishes), Self.said("resources/updated", "\"l\"", ",\"uri\":\"larder://book/a\""),
            ])
    }

    @Test func cancelledSubscriptionHasNoReply() async {
        defer { forget() }
        listen(#""toolsListChanged":true,"resourceSubscriptions":["larder://book/a"]"#)
        _ = await sink.wait(for: 1)
        _ = stage.session.handle(
            #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"l"}}"#)
        #expect(await drain())
        stage.books.tellObservers(.gone)
        stage.session.session.serving.replace(by: stage.session.session.serving.current)
        #expect(sink.messages.count == 1)
    }

    @Test func subscriptionCancelledDuringItsStartSendsNothing() async throws {
        defer { forget() }
        let gate = Gate()
        stage.leaves.hold(gate)
        listen(#""resourceSubscriptions":["larder://book/a","larder://leaf/oak/3/7"]"#)
        await stage.books.called(.observeItem("a"))
        _ = stage.session.handle(
            #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"l"}}"#)
        gate.open()
        #expect(await drain())
        stage.books.tellObservers(.gone)
        #expect(sink.messages.isEmpty)
    }

    @Test func endOfTheInputEndsTheSubscriptionWithAResult() async throws {
        defer { forget() }
        for id in ["1", "2"] { listen(#""resourceSubscriptions":["larder://book/a"]"#, id: id) }
        _ = await sink.wait(for: 2)
        stage.session.session.mcp.endListening()
        #expect(await drain())
        let results = sink.messages.dropFirst(2).sorted()
        #expect(results.count == 2)
        for (result, id) in zip(results, ["1", "2"]) { #expect(try isResult(result, of: id)) }
        stage.books.tellObservers(.gone)
        #expect(sink.messages.count == 4)
    }

    /// The input may end before the last request has started.
    @Test func subscriptionAfterTheEndOfTheInputEndsAtOnce() async throws {
        stage.session.session.mcp.endListening()
        listen("")
        let messages = await sink.wait(for: 2)
        #expect(messages[0] == Self.acknowledged(""))
        #expect(try isResult(messages[1], of: "\"l\""))
        #expect(await drain())
    }

    @Test(arguments: [
        "", "\"notifications\":null,", "\"notifications\":[],", "\"notifications\":true,",
        "\"notifications\":{\"resourceSubscriptions\":\"larder://book/a\"},",
        "\"notifications\":{\"resourceSubscriptions\":[7]},",
    ])
    func invalidSubscriptionIsRefused(members: String) async throws {
        #expect(try await stage.error("subscriptions/listen", members)?["code"] == -32602)
        #expect(stage.books.calls.isEmpty && stage.session.pending.count == 0)
    }

    @Test func tooManyURIsAreRefused() throws {
        let uris = (0...Observers.limit).map { "\"larder://book/\($0)\"" }.joined(separator: ",")
        let members = "\"notifications\":{\"resourceSubscriptions\":[\(uris)]},"
        let reply = stage.session.handle(MCPStage.request("subscriptions/listen", members))
        let error = try JSONValue(parsing: reply)["error"]
        let message: JSONValue = "'resourceSubscriptions' has too many URIs; pass at most 10000"
        #expect(error?["code"] == -32602 && error?["message"] == message)
        #expect(stage.books.calls.isEmpty && stage.session.pending.count == 0)
    }

    @Test func listenRequestWithoutAnIdStartsNoSubscription() async {
        let message = MCPStage.request("subscriptions/listen", "\"notifications\":{},").replacing("\"id\":1,", with: "")
        #expect(stage.session.handle(message) == "")
        #expect(stage.session.pending.count == 0 && sink.messages.isEmpty)
    }
}
