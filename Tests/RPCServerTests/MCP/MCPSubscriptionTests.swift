import DataSources
import JSON
import Repositories
import TestSupport
import Testing

@testable import Model
@testable import RPCServer

/// `resources/subscribe`, in the versions with a handshake.
@Suite(.limited) struct MCPSubscriptionTests {
    private let stage: MCPStage

    init() async throws {
        let stage = try MCPStage()
        stage.initialize()
        #expect(await onThread { stage.session.pending.drain(within: .seconds(600)) })
        self.stage = stage
    }

    private static func updated(_ uri: String) -> String {
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"\(uri)\"}}"
    }

    private func subscribe(_ uri: String) async -> String {
        await stage.session.call("resources/subscribe", "{\"uri\":\"\(uri)\"}")
    }

    private func unsubscribe(_ uri: String) async -> String {
        await stage.session.call("resources/unsubscribe", "{\"uri\":\"\(uri)\"}")
    }

    private func forget() {
        stage.books.forgetObservers()
        stage.leaves.forgetObservers()
    }

    @Test func changeIsReportedWithTheRequestedURI() async {
        defer { forget() }
        #expect(await subscribe("larder://book/%61") == "\"result\":{}")
        #expect(stage.books.calls == [.observeItem("a")])
        stage.books.tellObservers(.item(Answers.item("{}")))
        stage.books.tellObservers(.gone)
        let update = Self.updated("larder://book/%61")
        #expect(stage.session.sink.messages.dropFirst() == [update, update])
    }

    @Test func itemOfAScopeIsObservedInItsScope() async {
        defer { forget() }
        _ = await subscribe("larder://leaf/oak/3/7")
        let scope = ResourceScope([("tree", "oak"), ("branch", 3)])
        #expect(stage.leaves.calls == [.scoped(scope), .observeItem("7")])
    }

    @Test func noChangeIsReportedAfterUnsubscribe() async {
        defer { forget() }
        _ = await subscribe("larder://book/a")
        #expect(await unsubscribe("larder://book/a") == "\"result\":{}")
        stage.books.tellObservers(.gone)
        #expect(stage.session.sink.messages.count == 1)
    }

    @Test func secondSubscriptionReplacesTheFirst() async {
        defer { forget() }
        for _ in 1...2 { #expect(await subscribe("larder://book/a") == "\"result\":{}") }
        stage.books.tellObservers(.gone)
        #expect(stage.session.sink.messages.count == 3)
    }

    @Test func endOfTheInputEndsAllSubscriptions() async {
        defer { forget() }
        for uri in ["larder://book/a", "larder://book/b"] { _ = await subscribe(uri) }
        stage.session.session.mcp.endListening()
        stage.books.tellObservers(.gone)
        stage.session.session.serving.replace(by: stage.session.session.serving.current)
        #expect(stage.session.sink.messages.count == 2)
    }

    /// The description of a resource changes only with the catalog.
    @Test func uriOfAResourceDescriptionCanBeSubscribed() async {
        #expect(await subscribe("larder://book") == "\"result\":{}")
        #expect(stage.books.calls.isEmpty)
        #expect(await unsubscribe("larder://nothing") == "\"result\":{}")
    }

    @Test(arguments: ["larder://nothing/1", "larder://book/", "larder://note/1"])
    func unknownURIIsRefused(uri: String) async {
        #expect(await subscribe(uri).hasPrefix(#""error":{"code":-32002,"#))
    }

    @Test(arguments: ["{}", #"{"uri":7}"#, "null"]) func uriMustBeAString(params: String) async {
        for method in ["resources/subscribe", "resources/unsubscribe"] {
            #expect(await stage.session.call(method, params).hasPrefix(#""error":{"code":-32602,"#))
        }
    }

    /// A cancelled subscription leaves no observer, and its URI can be subscribed again.
    @Test func cancelledSubscribeRequestLeavesNoSubscription() async throws {
        defer { forget() }
        let gate = Gate()
        stage.books.hold(gate)
        let request = #""method":"resources/subscribe","params":{"uri":"larder://book/a"}}"#
        #expect(stage.session.handle("{\"jsonrpc\":\"2.0\",\"id\":1,\(request)") == "")
        _ = stage.session.handle(
            #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#)
        gate.open()
        let pending = stage.session.pending
        #expect(await onThread { pending.drain(within: .seconds(600)) })
        stage.books.tellObservers(.gone)
        #expect(stage.session.sink.messages.isEmpty)
        let subscriptions = stage.session.session.mcp.subscriptions
        #expect(throws: Never.self) { try subscriptions.reserve("larder://book/a") }
    }

    @Test func catalogReloadIsReportedOnceAfterTheInitializedNotification() async throws {
        let lists = ["tools", "resources"].map {
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/\($0)/list_changed\",\"params\":{}}"
        }
        // A second `initialized` has no effect.
        _ = stage.session.handle(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
        let pending = stage.session.pending
        #expect(await onThread { pending.drain(within: .seconds(600)) })
        #expect(stage.session.sink.messages.isEmpty)
        stage.session.session.serving.replace(by: stage.session.session.serving.current)
        #expect(stage.session.sink.messages == lists)
    }

    @Test func initializedNotificationWithoutAHandshakeHasNoEffect() async throws {
        let other = try MCPStage()
        let ready = #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#
        #expect(other.session.handle(ready) == "" && other.session.pending.count == 0)
        other.session.session.serving.replace(by: other.session.session.serving.current)
        #expect(other.session.sink.messages.isEmpty)
    }

    @Test func noListChangeIsReportedBeforeTheInitializedNotification() throws {
        let other = try MCPStage()
        _ = other.session.handle(
            #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#)
        other.session.session.serving.replace(by: other.session.session.serving.current)
        #expect(other.session.sink.messages.isEmpty)
    }
}
