import TestSupport
import Testing

@testable import CatalogTools

@Suite(.limited) struct DraftNamesTests {
    @Test(
        arguments: [
            ("issues", "issue"), ("categories", "category"), ("addresses", "address"), ("boxes", "box"),
            ("branches", "branch"),
            ("status", "status"), ("statuses", "status"), ("analysis", "analysis"), ("people", "person"),
            ("series", "series"),
            ("pull_requests", "pull_request"), ("productSets", "productSet"), ("gists", "gist"), ("class", "class"),
            ("movies", "movie"), ("releases", "release"), ("news", "news"), ("s", "s"), ("", ""), ("ids", "id"),
            ("as", "as"), ("abs", "ab"), ("ties", "tie"), ("pies", "pie"), ("cities", "city"),
            ("classes", "class"),
            ("dishes", "dish"), ("quizzes", "quizz"), ("virus", "virus"), ("menus", "menus"), ("axis", "axis"),
            ("my-People", "my-person"), ("user.Groups", "user.Group"), ("Issues", "Issue"),
            ("petStatuses", "petstatus"),
        ])
    func pluralsAreReducedToSingulars(word: String, one: String) { #expect(DraftNames.singular(word) == one) }

    @Test(
        arguments: [
            ("issue", "issue"), ("1st thing", "st_thing"), ("cache", "cache_item"), ("ä", nil), ("", nil),
            ("a/b", "a_b"), ("a//b", "a_b"), ("a_/b", "a_b"), ("a b-", "a_b"),
            ("_x_", "x"), ("conversations.list", "conversations.list"),
        ] as [(String, String?)])
    func textIsConvertedToAValidResourceName(text: String, name: String?) { #expect(DraftNames.resource(text) == name) }

    @Test(
        arguments: [
            ("https://api.github.com/v3", "github"), ("https://shop.co.uk", "shop_co_uk"),
            ("https://github.com.de", "github_com_de"), ("http://127.0.0.1:80", nil),
            ("http://localhost", nil), ("/v1", nil),
            ("https://zoo.com", "zoo"), ("https://a.zoo.com", "zoo"), ("https://zoo.com.au:80/x", "zoo_com_au"),
            ("https://zoo.org.uk?q", "zoo_org_uk"), ("https://zoo.net.nz#f", "zoo_net_nz"),
            ("https://com.de", "com"),
            ("https://zoo.gov.uk", "zoo_gov_uk"), ("https://zoo.ac.uk", "zoo_ac_uk"), ("https://1.a", nil),
            ("https://${var:X}.zoo.test", nil),
        ] as [(String, String?)])
    func draftedAPIsAreNamedAfterTheirHost(url: String, name: String?) { #expect(DraftNames.api(url: url) == name) }

    @Test(
        arguments: [
            ("next_page", "nextpage"), ("Next-Page", "nextpage"), ("a1Z", "a1z"), ("@[`{/:", ""), ("az09", "az09"),
        ])
    func normalizedNamesHaveOnlyLettersAndDigits(name: String, expected: String) {
        #expect(DraftNames.normalized(name) == expected)
    }

    @Test func variableNamesAreUpperCase() {
        #expect(DraftNames.variable("my-api", "token") == "MY_API_TOKEN")
        #expect(DraftNames.variable("1x", "key") == "API_1X_KEY")
    }
}
