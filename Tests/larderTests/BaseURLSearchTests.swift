import JSON
import Model
import TestSupport
import Testing

@testable import larder

@Suite(.limited) struct BaseURLSearchTests {
    @Test(arguments: ["openapi.json", "openapi.yaml", "openapi.yml"]) func fileNameOfADocumentIsNotPartOfABaseURL(
        name: String
    ) {
        let document = "https://a.test/docs/\(name)"
        let search = BaseURLSearch(document: document, source: document)
        #expect(search.candidates(instead: "https://a.test") == ["https://a.test/docs", "https://a.test/api"])
    }

    @Test(
        arguments: [
            ("https://a.test/v2/", ["https://a.test/v1", "https://a.test", "https://a.test/api"]),
            ("https://a.test/api/", ["https://a.test/v1", "https://a.test"]),
            ("http://a.test", ["http://a.test/api"]), ("https://b.test", ["https://b.test/api"]), ("nonsense", []),
        ])
    func otherBaseURLsToTryHaveTheOriginOfTheBaseURL(base: String, candidates: [String]) {
        let search = BaseURLSearch(document: "https://a.test/v1/openapi.json", source: "https://a.test/")
        #expect(search.candidates(instead: base) == candidates)
    }

    @Test func baseURLOfTheOnlyAPIIsReplaced() {
        func text(_ catalog: String) -> String? {
            BaseURLSearch.text(Array(catalog.utf8), "https://b.test").map { String(decoding: $0, as: UTF8.self) }
        }
        let catalog = #"{"apis": {"a": {"x": 1, "baseURL": "https://a.test" /* it */}}}"#
        #expect(text(catalog) == #"{"apis": {"a": {"x": 1, "baseURL": "https://b.test" /* it */}}}"#)
        #expect(text(#"{"apis": {"a": {"baseURL": "x"}, "b": {"baseURL": "y"}}}"#) == nil)
        #expect(text(#"{"apis": {"a": {"baseURL": 1}}}"#) == nil && text(#"{"apis": {}}"#) == nil && text("{") == nil)
    }

    @Test func anotherBaseURLIsTriedIfNoRequestHasSucceeded() {
        func finding(_ status: Int?, error: APIError?, isTried: Bool = true) -> LiveFinding {
            var finding = LiveFinding(resource: "a", operation: "list")
            finding.error = error
            if isTried {
                finding.exchange = Exchange(
                    method: "GET", url: "https://a.test", status: status, milliseconds: 1, attempts: 1, limits: [],
                    signs: [])
            }
            return finding
        }
        let error = APIError(.notFound, "no")
        var typed = APIError(.decodingFailed, "no")
        typed.found = .string
        let wrong = [finding(404, error: error), finding(405, error: error), finding(200, error: error)]
        #expect(BaseURLSearch.isNeeded(wrong))
        #expect(BaseURLSearch.isNeeded(wrong + [finding(nil, error: nil, isTried: false)]))
        #expect(!BaseURLSearch.isNeeded([]) && !BaseURLSearch.isNeeded([finding(nil, error: error, isTried: false)]))
        for other in [
            finding(200, error: nil), finding(404, error: nil), finding(nil, error: error), finding(300, error: error),
            finding(401, error: error), finding(200, error: typed),
        ] {
            #expect(!BaseURLSearch.isNeeded(wrong + [other]))
        }
    }
}
