import DataSources
import Mocks
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct RecentsHandlerTests {
    private let recents = RecentSearchesDataSourceMock()

    private func call(_ method: String, _ params: String) async -> String {
        let handlers = RecentsMethods.handlers(recents, RPCErrorMapper(redactor: .none))
        return await TestSession(handlers).call("recents/\(method)", params)
    }

    @Test(
        arguments: [
            ("list", "{}", .list(scope: "default")), ("list", #"{"scope":"people"}"#, .list(scope: "people")),
            ("clear", "{}", .clear(scope: "default")), ("clear", #"{"scope":""}"#, .clear(scope: "")),
            ("add", #"{"text":" Rick "}"#, .add(" Rick ", scope: "default")),
            ("add", #"{"text":"Rick","scope":"people"}"#, .add("Rick", scope: "people")),
            ("remove", #"{"text":"Rick","scope":"people"}"#, .remove("Rick", scope: "people")),
        ] as [(String, String, RecentSearchesDataSourceMock.Call)])
    func methodForRecentsCallsTheDataSource(method: String, params: String, expected: RecentSearchesDataSourceMock.Call)
        async
    {
        recents.set(.success(["Rick", "Morty"]))
        #expect(await call(method, params) == #""result":{"recents":["Rick","Morty"]}"#)
        #expect(recents.calls == [expected])
    }

    @Test(arguments: [("list", "{}"), ("clear", "{}"), ("add", #"{"text":"a"}"#), ("remove", #"{"text":"a"}"#)])
    func failureOfTheDataSourceIsReported(method: String, params: String) async {
        let unset = "RecentSearchesDataSourceMock is not configured"
        #expect(await call(method, params) == #""error":{"code":-32603,"message":"\#(unset)"}"#)
        recents.set(.failure(LocalDataError("no disk")))
        #expect(await call(method, params) == #""error":{"code":-32603,"message":"no disk"}"#)
    }

    @Test(
        arguments: [
            ("add", "{}", "'text' is missing; pass a string that is not blank"),
            ("remove", "{}", "'text' is missing; pass a string that is not blank"),
            ("add", #"{"text":"  "}"#, "'text' must be a string that is not blank"),
            ("list", #"{"scope":1}"#, "'scope' must be a string"),
            ("list", #"{"text":"x"}"#, "unknown parameter 'text': this method takes 'scope'"),
        ])
    func invalidParamsAreNotPassedToTheDataSource(method: String, params: String, message: String) async {
        #expect(await call(method, params) == #""error":{"code":-32602,"message":"\#(message)"}"#)
        #expect(recents.calls == [])
    }
}
