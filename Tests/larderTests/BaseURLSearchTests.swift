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
}
