import Catalog
import JSON
import Mocks
import TestSupport
import Testing

@testable import larder

@Suite(.limited) struct WebPageTests {
    @Test(
        arguments: [
            (["url": "https://a.test/1"], "https://a.test/1"), (["url": "http://a.test/1"], "http://a.test/1"),
            (["url": "https://a.test/1", "web": "https://b.test"], "https://b.test"),
            (["url": "https://api.a.test/1"], nil), (["url": "https://a.test/api/1"], nil),
            (["url": "https://a.test/rest/1"], nil),
            (["html_url": "https://api.a.test", "url": "http://b"], "http://b"),
            (["links": ["html": ["href": "https://c.test"]]], "https://c.test"), (["link": 7], nil), ([:], nil),
            (["url": "ftp://a.test/1"], nil), (["url": "javascript:alert(1)"], nil), (["url": "-https://a.test"], nil),
            (["url": "https://a.test/\u{20}b"], nil), (["url": "https://a.test/\u{7F}"], nil),
            (["url": "https://a.test/\u{E9}"], nil), (["url": "https://a.test/\""], nil),
            (["url": "https://a.test/\\"], nil), (["url": "https://a.test/!~"], "https://a.test/!~"),
        ] as [(JSONValue, String?)])
    func webPageIsReadFromAFieldWithASafeURL(item: JSONValue, url: String?) { #expect(WebPage(of: item)?.url == url) }

    @Test(
        arguments: [
            (#"{"web": "string"}"#, true), (#"{"name": "string"}"#, false), (#"{"url": "string"}"#, false),
            (#"{"url": {"from": "page", "type": "string"}}"#, true),
            (#"{"page": {"from": "url", "type": "string"}}"#, false),
        ])
    func declaredFieldsDecideWhetherItemsLikelyHaveWebPages(fields: String, isLikely: Bool) throws {
        let catalog = try CatalogText.decode(CatalogText.make(fields: fields))
        #expect(WebPage.isLikely(try #require(catalog.resources[0].fields)) == isLikely)
    }
}
