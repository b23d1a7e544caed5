import HTTP
import Model
import TestSupport
import Testing

@testable import larder

@Suite(.limited) struct PageSignsTests {
    private static func signs(_ body: String, link: String? = nil) -> [String] {
        let headers = link.map { [HTTPHeader("Link", $0)] } ?? []
        return PageSigns.find(in: HTTPResponse(status: 200, headers: headers, body: Array(body.utf8)))
    }

    @Test(
        arguments: [
            (#"{"next": "x"}"#, 1), (#"{"next": null}"#, 0), (#"{"next": ""}"#, 0), (#"{"next": false}"#, 0),
            (#"{"has_more": true}"#, 1), (#"{"has_more": false}"#, 0), (#"{"total_pages": 3}"#, 1),
            (#"{"total_pages": 1}"#, 0), (#"{"@odata.nextLink": "x"}"#, 1), (#"{"a": {"b": {"c": {"next": "x"}}}}"#, 1),
            (#"{"a": {"b": {"c": {"d": {"next": "x"}}}}}"#, 0), (#"{"items": [{"next": "x"}]}"#, 0), ("[]", 0),
            ("no JSON", 0), (#"{"other": "x"}"#, 0),
        ])
    func membersThatSuggestAnotherPageAreFound(body: String, count: Int) { #expect(Self.signs(body).count == count) }

    @Test(
        arguments: [
            (#"<https://a.test/2>; rel="next""#, 1), (#"<https://a.test/1>; rel="prev""#, 0),
            (#"<https://a.test/2>; rel="next"; results="false""#, 0),
        ])
    func linkToTheNextPageIsFound(link: String, count: Int) { #expect(Self.signs("[]", link: link).count == count) }
}
