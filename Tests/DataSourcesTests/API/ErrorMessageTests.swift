import HTTP
import JSON
import TestSupport
import Testing

@testable import DataSources
@testable import Model

@Suite(.limited) struct ErrorMessageTests {
    private func message(_ body: String) -> String? {
        ErrorMessageFinder.find(in: HTTPResponse(status: 400, body: Array(body.utf8)))
    }

    @Test(
        arguments: [
            (#"{"message": "a", "error": "b"}"#, "a"), (#"{"error": {"message": "a"}}"#, "a"),
            (#"{"error": "a"}"#, "a"),
            (#"{"detail": "a"}"#, "a"), (#"{"message": "", "title": "t"}"#, "t"),
            (#"{"errors": [{"title": "a"}]}"#, "a"),
            (#"{"errors": ["a", "b"]}"#, "a"), (#"{"errorMessages": ["a", ""], "errors": {"x": "b"}}"#, "a; x: b"),
            (#"{"errorMessages": "a"}"#, "a"), ("{}", nil), ("[1]", nil), ("<html>", nil), (#"{"message": 1}"#, nil),
        ] as [(String, String?)])
    func errorMessageIsFoundInTheBody(body: String, expected: String?) {
        #expect(message(body) == expected)
    }

    @Test(
        arguments: [
            ("'/nope' does not exist\n", "text/plain", "'/nope' does not exist"), (" a\r\n\tb ", nil, "a b"),
            (#"{"message": "#, "application/json", #"{"message":"#), ("", "text/plain", nil), ("\n", nil, nil),
            ("a", "text/html; charset=utf-8", nil), ("a", "application/problem+xml", nil), (" <a>", nil, nil),
            (String(repeating: "a", count: 2001), "text/plain", nil),
        ] as [(String, String?, String?)])
    func shortTextBodyIsUsedAsTheErrorMessage(body: String, type: String?, expected: String?) {
        let headers = type.map { [HTTPHeader("Content-Type", $0)] } ?? []
        let response = HTTPResponse(status: 404, headers: headers, body: Array(body.utf8))
        #expect(ErrorMessageFinder.find(in: response) == expected)
    }

    @Test func binaryBodyIsNotUsedAsTheErrorMessage() {
        #expect(ErrorMessageFinder.find(in: HTTPResponse(status: 500, body: [0xFF, 0xFE])) == nil)
    }

    @Test func textOfAnAnswerIsShortenedAndRedacted() {
        let body = "hunter22 is wrong " + String(repeating: "x", count: 1000)
        let mapper = HTTPErrorMapper(redactor: Redactor(secrets: ["hunter22"]))
        let error = mapper.map(.status(HTTPResponse(status: 500, body: Array(body.utf8))))
        let message = error.apiMessage ?? ""
        #expect(message.hasPrefix("*** is wrong xxx") && message.count <= ErrorMessageFinder.maxLength)
        #expect(error.message == "the API answered with status 500: " + message)
    }

    @Test func largeBodyIsNotSearchedForAnErrorMessage() {
        func body(_ size: Int) -> String {
            let start = #"{"message": "a"}"#
            return start + String(repeating: " ", count: size - start.utf8.count)
        }
        #expect(message(body(256 << 10)) == "a")
        #expect(message(body((256 << 10) + 1)) == nil)
    }

    @Test(
        arguments: [
            (#"{"error": "a"}"#, "a"), (#"{"errors": [{"message": "b"}]}"#, "b"), (#"{"error": 0}"#, nil),
            (#"{"error": 7}"#, "7"), (#"{"error": false}"#, nil), (#"{"error": ""}"#, nil), (#"{"errors": []}"#, nil),
            (#"{"errors": {}}"#, nil), (#"{"error": null, "errors": ["c"]}"#, "c"), (#"{"message": "m"}"#, nil),
        ] as [(String, String?)])
    func errorInASuccessfulAnswerIsFound(body: String, expected: String?) throws {
        let document = try JSONDocument(Array(body.utf8))
        #expect(document.withRoot { ErrorMessageFinder.ofError(in: $0) } == expected)
        let orMessage = document.withRoot { ErrorMessageFinder.ofErrorOrMessage(of: $0) }
        #expect(orMessage == (body.contains(#""m""#) ? "m" : expected))
    }

    /// Error rules do not apply to status 304, because it confirms an answer that was already checked.
    @Test(arguments: [(200, true), (404, true), (304, false)])
    func errorRulesAreNotAppliedToA304Answer(status: Int, isJudged: Bool) async {
        let rule = ErrorRule(
            statuses: nil, when: nil, values: nil, isPastTheEnd: true, kind: .notFound, message: nil)
        var response = HTTPResponse(status: status)
        await response.judge(by: [rule])
        #expect((response.verdict != nil) == isJudged)
        let error = GraphQLError(.http(HTTPError(.status(response))))
        #expect(error.isPastTheEnd == isJudged)
    }

    @Test func unrelatedGraphQLErrorsDoNotCountAsTheEndOfAList() {
        for reason in [.missingData, .envelope("x"), .errors([]), .http(HTTPError(.timeout(5)))]
            as [GraphQLError.Reason]
        {
            #expect(!GraphQLError(reason).isPastTheEnd)
        }
    }
}
