import DataSources
import Testing

@testable import RPCServer

@Suite struct RecentsHandlersTests {
    private static let errors = RPCErrorMapper(redactor: Redactor(secrets: []))

    private static let handlers: [String: any Handler] = [
        "list": RecentsScopeHandler(
            summary: "", errors: errors, action: { scope async throws(LocalDataError) in ["list of \(scope)"] }),
        "add": RecentsTextHandler(
            summary: "", errors: errors, action: { text, scope async throws(LocalDataError) in [text, scope] }),
        "broken": RecentsScopeHandler(
            summary: "", errors: errors, action: { _ async throws(LocalDataError) in throw LocalDataError("no disk") }),
        "brokenAdd": RecentsTextHandler(
            summary: "", errors: errors,
            action: { _, _ async throws(LocalDataError) in throw LocalDataError("no disk") }),
    ]

    @Test(
        arguments: [
            ("list", "{}", #""result":{"recents":["list of default"]}"#),
            ("list", #"{"scope":"people"}"#, #""result":{"recents":["list of people"]}"#),
            ("add", #"{"text":" Rick "}"#, #""result":{"recents":[" Rick ","default"]}"#),
            ("add", #"{"text":"Rick","scope":"people"}"#, #""result":{"recents":["Rick","people"]}"#),
            ("broken", "{}", #""error":{"code":-32603,"message":"no disk"}"#),
            ("brokenAdd", #"{"text":"a"}"#, #""error":{"code":-32603,"message":"no disk"}"#),
            (
                "add", "{}",
                #""error":{"code":-32602,"message":"'text' is missing: it must be a string that is not blank"}"#
            ),
            (
                "add", #"{"text":"  "}"#,
                #""error":{"code":-32602,"message":"'text' must be a string that is not blank"}"#
            ),
            ("list", #"{"scope":1}"#, #""error":{"code":-32602,"message":"'scope' must be a string"}"#),
            (
                "list", #"{"text":"x"}"#,
                #""error":{"code":-32602,"message":"unknown parameter 'text': this method takes 'scope'"}"#
            ),
        ])
    func everyReply(method: String, params: String, reply: String) async {
        #expect(await Session(Self.handlers).call(method, params) == reply)
    }
}
