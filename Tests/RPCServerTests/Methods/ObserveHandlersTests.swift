import DataSources
import Mocks
import Protocol
import Repositories
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct ObserveHandlersTests {
    private static func make(_ name: String = "character") throws -> (ResourceRepositoryMock, TestSession) {
        let repository = ResourceRepositoryMock(try TestCatalog.resource(name))
        let context = Self.context(repository)
        let session = TestSession(
            [
                "observe": ObserveHandler(context: context, list: repository.resource.list),
                "unobserve": UnobserveHandler(resource: name),
            ], resources: [name: context])
        return (repository, session)
    }

    private static func context(_ repository: ResourceRepositoryMock) -> ResourceContext {
        ResourceContext(
            repository: repository, idType: repository.resource.id,
            errors: RPCErrorMapper(redactor: .none), isOffline: false)
    }

    @Test func changesOfAnItemAreReported() async throws {
        let (repository, session) = try Self.make()
        defer { repository.forgetObservers() }
        #expect(await session.call("observe", #"{"id":"7","observer":"mine"}"#) == #""result":{"observer":"mine"}"#)
        #expect(repository.calls == [.observeItem("7")])
        repository.tellObservers(.item(Answers.item(#"{"id":7}"#, from: .remote, isStale: true)))
        repository.tellObservers(.gone)
        #expect(
            session.sink.messages.dropFirst() == [
                """
                {"jsonrpc":"2.0","method":"character/changed","params":{"observer":"mine","item":{"id":7},\
                "source":"remote",\(Answers.fetchedAt),"stale":true}}
                """,
                #"{"jsonrpc":"2.0","method":"character/changed","params":{"observer":"mine","gone":true}}"#,
            ])
    }

    @Test func changesOfAPageAreReported() async throws {
        let (repository, session) = try Self.make()
        defer { repository.forgetObservers() }
        #expect(
            await session.call("observe", #"{"page":2,"filter":{"name":"rick"}}"#)
                == #""result":{"observer":"observer-1"}"#)
        repository.tellObservers(.page(Answers.page([#"{"id":1}"#], #"{"current":2}"#)))
        #expect(
            session.sink.messages.last == """
                {"jsonrpc":"2.0","method":"character/changed","params":{"observer":"observer-1",\
                "items":[{"id":1}],"page":{"current":2},"source":"memory",\(Answers.fetchedAt),"stale":false}}
                """)
    }

    @Test func unobserveRequestEndsTheObserver() async throws {
        let (repository, session) = try Self.make()
        defer { repository.forgetObservers() }
        #expect(await session.call("observe", "{}") == #""result":{"observer":"observer-1"}"#)
        #expect(await session.call("unobserve", #"{"observer":"observer-1"}"#).hasPrefix(#""result":"#))
        repository.tellObservers(.gone)
        #expect(session.sink.messages.count == 1)
        let message = "there is no observer 'observer-1': pass the name that 'observe' returned"
        #expect(
            await session.call("unobserve", #"{"observer":"observer-1"}"#)
                == #""error":{"code":-32602,"message":"\#(message)"}"#)
    }

    @Test(
        arguments: [
            (#"{"id":[]}"#, "'id' must be an integer or a string"),
            (#"{"id":"x"}"#, "'id' must be an integer, not 'x'"),
            (
                #"{"id":1,"page":1}"#,
                "'id' cannot be combined with 'page' or 'filter'; pass only 'id' to observe an item"
            ),
            (#"{"observer":""}"#, "'observer' must be a string that is not empty"),
            (#"{"id":1,"workDoneToken":[]}"#, "'workDoneToken' must be a string or an integer"),
        ])
    func invalidParamsReserveNoObserverName(params: String, message: String) async throws {
        let (_, session) = try Self.make()
        let named = params.replacing("{", with: #"{"observer":"a","#, maxReplacements: 1)
        let asked = params.contains("observer") ? params : named
        #expect(await session.call("observe", asked) == #""error":{"code":-32602,"message":"\#(message)"}"#)
        #expect(await session.call("observe", #"{"id":1,"observer":"a"}"#) == #""result":{"observer":"a"}"#)
    }

    /// A client whose request was cancelled knows neither the observer nor its name.
    @Test func cancelledRequestLeavesNoObserver() async throws {
        let (repository, session) = try Self.make()
        defer { repository.forgetObservers() }
        let gate = Gate()
        repository.hold(gate)
        #expect(session.handle(#"{"jsonrpc":"2.0","id":1,"method":"observe","params":{"observer":"a"}}"#) == "")
        session.pending.cancelAll(with: RPCError(.requestCancelled, "gone"))
        gate.open()
        #expect(await onThread { session.pending.drain(within: .seconds(600)) })
        repository.tellObservers(.gone)
        #expect(session.sink.messages.count == 1)
        #expect(await session.call("observe", #"{"id":1,"observer":"a"}"#) == #""result":{"observer":"a"}"#)
    }

    /// A reloaded catalog has another repository, which may store the item under another key.
    @Test func observerContinuesAfterAReload() async throws {
        let (before, session) = try Self.make()
        defer { before.forgetObservers() }
        _ = await session.call("observe", #"{"id":"7","observer":"mine"}"#)
        let (after, gate) = (ResourceRepositoryMock(before.resource), Gate())
        defer { after.forgetObservers() }
        after.onObserve { gate.open() }
        session.session.serving.replace(by: ServedCatalog([:], resources: ["character": Self.context(after)]))
        try await gate.wait()
        #expect(after.calls == [.observeItem("7")])
        before.tellObservers(.gone)
        #expect(session.sink.messages.count == 1)
        after.tellObservers(.gone)
        #expect(session.sink.messages.count == 2)
        #expect(session.session.observers.end("mine"))
        after.tellObservers(.gone)
        #expect(session.sink.messages.count == 2)
    }

    @Test func removedResourceEndsTheObserver() async throws {
        let (repository, session) = try Self.make()
        defer { repository.forgetObservers() }
        _ = await session.call("observe", #"{"id":"7","observer":"mine"}"#)
        session.session.serving.replace(by: ServedCatalog([:]))
        #expect(
            await session.sink.wait(for: 2).last
                == #"{"jsonrpc":"2.0","method":"character/changed","params":{"observer":"mine","gone":true}}"#)
        #expect(!session.session.observers.end("mine"))
        repository.tellObservers(.gone)
        session.session.serving.replace(by: ServedCatalog([:], resources: ["character": Self.context(repository)]))
        #expect(session.sink.messages.count == 2)
    }
}
