import DataSources
import HTTP
import JSON
import Mocks
import Model
import System
import TestSupport
import Testing

/// Tests the error rules of a catalog, and the error messages of the API.
@Suite(.limited) struct ErrorRuleTests {
    private let timer = TimerMock(passesWithSleeps: true)

    /// Returns a data source with error rules of its API and of its operations.
    private func source(
        _ responses: [HTTPResponse], api: String = "[]", operation: String = "[]", retries: Int = 0,
        absent: String = "", style: String = "page", secrets: [String] = []
    ) throws -> RESTDataSource {
        let left = Lock(responses)
        let mock = HTTPClientMock { _ in .success(left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }) }
        let catalog = try CatalogText.decode(
            CatalogText.make(
                api: #"{"baseURL": "https://a.test", "errors": \#(api)}"#,
                rest: """
                    {"get": {"path": "/things/{id}", "item": "thing", "errors": \(operation)},
                     "list": {"path": "/things", "items": "things", "errors": \(operation), \(absent)
                              "filters": {"q": "q"}, "emptyOnNotFound": true,
                              "pagination": {"style": "\(style)", "param": "p", "next": "next"}}}
                    """))
        guard case .rest(let operations) = catalog.resources[0].transport else { throw CancellationError() }
        let client = APIClient(mock, retries: retries, counters: RemoteCounters(), timer: timer, random: { $0 })
        return RESTDataSource(
            resource: catalog.resources[0], operations: operations, api: catalog.apis[0], client: client,
            redactor: Redactor(secrets: secrets))
    }

    private func error(
        _ response: HTTPResponse, api: String = "[]", operation: String = "[]", secrets: [String] = []
    ) async throws -> APIError? {
        let source = try source([response], api: api, operation: operation, secrets: secrets)
        return await failure { () throws(APIError) in try await source.item("1", since: nil) }
    }

    private static let good = #"{"thing": {"id": 1}, "things": [{"id": 1}], "ok": true}"#

    static let rules: [(rule: String, status: Int, body: String, kind: APIError.Kind?)] = [
        (#"{"when": "error", "kind": "invalidRequest"}"#, 200, #"{"error": "no"}"#, .invalidRequest),
        (#"{"when": "error"}"#, 200, #"{"error": "no"}"#, .invalidResponse),
        (#"{"when": "error"}"#, 200, #"{"error": "", "thing": {"id": 1}}"#, nil),
        (#"{"when": "error"}"#, 200, #"{"error": [], "thing": {"id": 1}}"#, nil),
        (#"{"when": "error"}"#, 200, #"{"error": false, "thing": {"id": 1}}"#, nil),
        (#"{"when": "error"}"#, 200, #"{"error": null, "thing": {"id": 1}}"#, nil),
        (#"{"when": "error"}"#, 200, good, nil),
        (#"{"when": "ok", "is": false, "kind": "notFound"}"#, 200, #"{"ok": false}"#, .notFound),
        (#"{"when": "ok", "is": false, "kind": "notFound"}"#, 200, good, nil),
        (#"{"when": "code", "is": ["7", 8], "kind": "rateLimited"}"#, 200, #"{"code": 8}"#, .rateLimited),
        (#"{"when": "code", "is": "8", "kind": "rateLimited"}"#, 200, #"{"code": 8}"#, .rateLimited),
        (
            #"{"when": "errors.*.code", "is": "b", "kind": "rateLimited"}"#, 200,
            #"{"errors": [{"code": "a"}, {"code": "b"}]}"#, .rateLimited
        ),
        (#"{"status": [403, 429], "kind": "rateLimited"}"#, 403, "{}", .rateLimited),
        (#"{"status": 403, "when": {"header": "X-Left"}, "is": "0", "kind": "rateLimited"}"#, 403, "", .rateLimited),
        (#"{"status": 403, "when": {"header": "X-Left"}, "is": "1", "kind": "rateLimited"}"#, 403, "", .unauthorized),
        (#"{"status": 404, "kind": "serverError"}"#, 404, "{}", .serverError),
        (#"{"status": 404, "kind": "serverError"}"#, 410, "{}", .notFound),
        (#"{"when": "error"}"#, 502, #"{"error": "no"}"#, .serverError),
        (#"{"when": "error", "kind": "notFound"}"#, 200, "no JSON", .decodingFailed),
    ]

    @Test(arguments: rules)
    func matchingRuleSetsTheErrorKind(_ rule: String, _ status: Int, _ body: String, _ kind: APIError.Kind?)
        async throws
    {
        let response = HTTPResponse(status: status, headers: [HTTPHeader("X-Left", "0")], body: Array(body.utf8))
        #expect(try await error(response, api: "[\(rule)]")?.kind == kind)
        #expect(try await error(response, operation: "[\(rule)]")?.kind == kind)
    }

    static let unruled: [(body: String, kind: APIError.Kind?)] = [
        (#"{"error": "no"}"#, .invalidResponse), (#"{"errors": [{"message": "no"}], "thing": null}"#, .invalidResponse),
        (#"{"error": {"code": 7}, "thing": {}}"#, .invalidResponse), (#"{"error": 0}"#, .notFound),
        (#"{"error": null, "errors": []}"#, .notFound), (#"{"error": false}"#, .notFound), ("{}", .notFound),
        (#"{"error": "partly", "thing": {"id": 1}}"#, nil),
    ]

    @Test(arguments: unruled)
    func errorBodyInsteadOfAnItemIsNotReportedAsNotFound(_ body: String, _ kind: APIError.Kind?) async throws {
        let error = try await error(.of(200, body))
        #expect(error?.kind == kind)
        #expect((error?.apiMessage != nil) == (kind == .invalidResponse))
    }

    @Test func errorBodyInsteadOfAnItemIsReportedWithoutSecrets() async throws {
        let error = try await error(.of(200, #"{"error": {"key": "hush-hush"}}"#), secrets: ["hush-hush"])
        #expect(error?.apiMessage == #"{"key":"***"}"#)
    }

    @Test(arguments: [(#"{"error": "no"}"#, false), (#"{"error": null}"#, true), ("{}", true)])
    func errorBodyInsteadOfItemsIsNotAnEmptyList(_ body: String, isEmpty: Bool) async throws {
        let source = try source([.of(200, body)], absent: #""absent": "empty","#)
        let error = await failure { () throws(APIError) in try await source.page(PageRequest(), since: nil) }
        #expect(error?.kind == (isEmpty ? nil : .invalidResponse))
    }

    static let instead: [(body: String, words: String?)] = [
        (#"{"error": "out of order"}"#, "out of order"), (#"{"message": "no such hush-hush"}"#, "no such ***"),
        (#"{"things": null, "errors": [{"message": "no"}]}"#, "no"),
        (#"{"things": {}, "error": {"code": 7}}"#, #"{"code":7}"#),
        (#"{"error": 0, "message": ""}"#, nil), (#"{"title": "things", "detail": "all"}"#, nil), ("7", nil),
    ]

    @Test(arguments: instead)
    func messageInsteadOfItemsIsReported(_ body: String, _ words: String?) async throws {
        let source = try source([.of(200, body)], secrets: ["hush-hush"])
        let error = await failure { () throws(APIError) in try await source.page(PageRequest(), since: nil) }
        #expect(error?.kind == .decodingFailed && error?.path == "things")
        #expect(error?.apiMessage == words)
        #expect(error?.message.hasPrefix("expected an array at 'things'") == true)
        #expect(words.map { error?.message.hasSuffix(": \($0)") == true } ?? true)
    }

    @Test func endOfTheListIsUncertainIfAPageNamesItselfAsTheNextPage() async throws {
        let source = try source([.of(200, #"{"things": [{"id": 1}], "next": "b"}"#)], style: "cursor")
        guard case .page(let page, _) = try await source.page(PageRequest(page: .opaque("b")), since: nil) else {
            Issue.record("no page")
            return
        }
        #expect(page.info.next == nil && page.info.isEndUncertain)
    }

    @Test func cursorWithASecretIsRejected() async throws {
        let source = try source(
            [.of(200, #"{"things": [{"id": 1}], "next": "is-hush-hush"}"#)], style: "cursor", secrets: ["hush-hush"])
        let error = await failure { () throws(APIError) in try await source.page(PageRequest(), since: nil) }
        #expect(error?.kind == .invalidResponse && error?.message.contains("hush") == false)
        #expect(error?.message.hasPrefix("the cursor of the next page contains a secret") == true)
        #expect(error?.message.contains("take") == false)
    }

    @Test func errorExplainsThatTheBodyItselfIsTheArray() async throws {
        let source = try source([.of(200, #"[{"id": 1}]"#)])
        let error = await failure { () throws(APIError) in try await source.page(PageRequest(), since: nil) }
        let hint = ", but the body itself is an array; remove 'items'"
        #expect(error?.message == "expected an array at 'things'" + hint)
    }

    @Test func firstRuleWinsAndOperationRulesPrecedeAPIRules() async throws {
        let response = HTTPResponse.of(200, #"{"error": "no"}"#)
        let first = #"{"when": "error", "kind": "notFound"}"#
        let second = #"{"when": "error", "kind": "unauthorized"}"#
        #expect(try await error(response, api: "[\(first), \(second)]")?.kind == .notFound)
        #expect(try await error(response, api: "[\(first)]", operation: "[\(second)]")?.kind == .unauthorized)
    }

    @Test func errorKindDeterminesRetries() async throws {
        let busy = HTTPResponse.of(200, #"{"error": "slow down"}"#)
        let good = HTTPResponse.of(200, Self.good)
        let limited = try source([busy, good], api: #"[{"when": "error", "kind": "rateLimited"}]"#, retries: 1)
        _ = try await limited.item("1", since: nil)
        let refused = try source([busy, good], api: #"[{"when": "error", "kind": "invalidRequest"}]"#, retries: 1)
        let error = await failure { () throws(APIError) in try await refused.item("1", since: nil) }
        #expect(error?.attempts == 1)
        let final = try source(
            [HTTPResponse.of(503, "{}"), good], api: #"[{"status": 503, "kind": "unauthorized"}]"#, retries: 1)
        let answer = await failure { () throws(APIError) in try await final.item("1", since: nil) }
        #expect(answer?.attempts == 1)
    }

    @Test func pagePastTheEndIsEmpty() async throws {
        let source = try source([.of(422, "{}")], api: #"[{"status": 422, "page": "past"}]"#)
        guard case .page(let page, _) = try await source.page(PageRequest(page: .number(3)), since: nil) else {
            Issue.record("no page")
            return
        }
        #expect(page.items.isEmpty)
        #expect(page.info.next == nil)
        let first = await failure { () throws(APIError) in try await source.page(PageRequest(), since: nil) }
        #expect(first?.kind == .notFound)
    }

    static let words: [(body: String, words: String?)] = [
        (#"{"message": "Bad\ncredentials", "error": "x"}"#, "Bad credentials"),
        (#"{"error": {"message": "a"}}"#, "a"), (#"{"error": "a"}"#, "a"), (#"{"detail": "a"}"#, "a"),
        (#"{"error_description": "a"}"#, "a"), (#"{"errors": [{"message": "a"}]}"#, "a"), (#"{"title": "a"}"#, "a"),
        (#"{"name": ["is short", "is odd"], "age": "is low"}"#, "name: is short, is odd; age: is low"),
        (#"{"errors": {"name": ["is short"]}, "status": 422}"#, "name: is short"),
        (#"{"message": "the key hush-hush is wrong"}"#, "the key *** is wrong"),
        (#"{"errors": ["no"]}"#, "no"), (#"{"errors": [{"detail": "no", "title": "x"}]}"#, "no"),
        (#"{"errorSummary": "no"}"#, "no"), (#"{"error_message": "no", "status": "x"}"#, "no"),
        (#"{"errorMessages": ["no", "never"], "errors": {}}"#, "no; never"),
        (#"{"errorMessages": ["no"], "errors": {"name": "is short"}}"#, "no; name: is short"),
        (#"{"errorMessages": [], "errors": {"name": "is short"}}"#, "name: is short"),
        (#"{"code": 7}"#, nil), ("<html>", nil), ("", nil), ("[]", nil), (#"{"message": ""}"#, nil),
    ]

    @Test(arguments: words)
    func errorMessageOfTheAPIIsReported(_ body: String, _ words: String?) async throws {
        let error = try await error(.of(500, body), secrets: ["hush-hush"])
        #expect(error?.apiMessage == words)
        #expect(error?.message == "the API answered with status 500" + (words.map { ": \($0)" } ?? ""))
    }

    @Test func ruleSelectsTheErrorMessage() async throws {
        let rule = #"[{"when": "fault", "message": "fault.text"}]"#
        let error = try await error(.of(200, #"{"fault": {"text": "it broke"}, "message": "other"}"#), api: rule)
        #expect(error?.apiMessage == "it broke")
        #expect(error?.message == "the API reports an error (status 200): it broke")
    }

    @Test func longErrorMessageOfTheAPIIsShortened() async throws {
        let long = String(repeating: "x", count: 10_000)
        let error = try await error(.of(500, #"{"message": "\#(long)"}"#))
        #expect(error?.apiMessage?.count == 500)
    }

    static let faults: [(String, [String])] = [
        (
            #"{}"#,
            [
                "1:69: 'errors' of the API 'a' must be an array of rules, such as [{\"status\": 404}]"
            ]
        ),
        (#"[{}]"#, ["1:70: a rule in 'errors' of the API 'a' needs 'status' or 'when'; add one of them"]),
        (#"[{"status": 99}]"#, ["1:81: 'status' must be an HTTP status from 100 to 599, or an array of such numbers"]),
        (#"[{"status": []}]"#, ["1:81: 'status' must be an HTTP status from 100 to 599, or an array of such numbers"]),
        (#"[{"when": "a.", "kind": "busy"}]"#, ["1:79: 'when' must be a selector such as \"info.pages\""]),
        (#"[{"status": 400, "is": 1}]"#, ["1:92: 'is' needs 'when', the selector of the value to compare; add 'when'"]),
        (#"[{"status": 400, "page": "last"}]"#, ["1:94: 'page' must be \"past\""]),
        (
            #"[{"status": 400, "page": "past", "kind": "busy"}]"#,
            ["1:110: 'kind' must be \"notFound\" in a rule with 'page'; change or remove 'kind'"]
        ),
        (
            #"[{"status": 400, "kinds": "busy"}]"#,
            ["1:86: a rule in 'errors' of the API 'a' has no key 'kinds'; did you mean 'kind'?"]
        ),
    ]

    @Test(arguments: faults)
    func invalidErrorRuleIsReported(_ rules: String, _ faults: [String]) {
        let api = #"{"baseURL": "https://a.test", "errors": \#(rules)}"#
        #expect(CatalogText.faults(CatalogText.make(api: api)) == faults)
    }
}
