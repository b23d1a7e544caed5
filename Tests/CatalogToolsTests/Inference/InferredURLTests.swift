import TestSupport
import Testing

@testable import CatalogTools

/// Tests which components of the requested URL become part of a draft.
@Suite(.limited) struct InferredURLTests {
    private static func shown(_ url: InferredURL) -> String {
        "\(url.origin) \(url.path) " + url.query.map { "\($0.name)=\($0.value)" }.joined(separator: "|")
    }

    @Test(
        arguments: [
            ("https://a.test", "https://a.test / "), ("https://a.test:8080/v1/", "https://a.test:8080 /v1/ "),
            ("https://a.test?x=1", "https://a.test / x=1"), ("https://a.test/p?#x=1", "https://a.test /p "),
            ("https://a.test/p?a+b=c%26d&&e&f==g#h?i", "https://a.test /p a b=c&d|e=|f==g"),
            ("https://a.test/~!a", "https://a.test /~!a "),
        ])
    func urlIsSplitIntoItsParts(text: String, parts: String) throws {
        #expect(try Self.shown(InferredURL(text)) == parts)
    }

    @Test(arguments: ["https://a.test/a b", "https://a.test/\u{E9}", "https://a.test/\u{7F}", "https://a.test/\u{1F}"])
    func pathWithCharactersThatNeedEncodingIsRefused(text: String) {
        let error = #expect(throws: CatalogDraftError.self) { try InferredURL(text) }
        #expect(
            error?.message == "the URL contains spaces or non-ASCII characters: percent-encode these characters")
    }

    @Test(
        arguments: [
            (.file("/x/my things.v2.json"), "/my_things"), (.file("/x/7.json"), "/items"), (.file("a"), "/a"),
            (.standardInput, "/items"), (.url("https://a.test/x"), "/items"),
        ] as [(DocumentLocation, String)])
    func savedAnswerHasAPathFromItsFileName(location: DocumentLocation, path: String) {
        let url = InferredURL(answerAt: location)
        #expect(Self.shown(url) == "${var:API_URL} \(path) " && url.isOpen)
    }

    @Test func bracesOfThePathAreEncodedInTheDraft() throws {
        let url = try InferredURL("https://a.test/a/{b}/c%20d/")
        #expect(url.declaredPath == "/a/%7Bb%7D/c%20d/" && !url.isOpen)
        #expect(url.words == ["c d", "{b}", "a"])
    }

    @Test(
        arguments: [
            ("https://a.test/other", "/other"), ("https://a.test", "https://a.test"),
            ("http://b.test/things/1", "/things/1"), ("http://b.test/things", "http://b.test/things"),
            ("http://b.test/thingsx/1", "http://b.test/thingsx/1"), ("/things/1", "/things/1"),
            ("http://b.test", "http://b.test"), ("https://a.testing/x", "https://a.testing/x"),
        ])
    func linkToTheSameAPIIsWrittenAsAPath(link: String, path: String) throws {
        for url in ["https://a.test/things", "https://a.test/things/"] {
            #expect(try InferredURL(url).path(of: link) == path)
        }
    }

    @Test func secretQueryParametersAreSeparatedFromPublicOnes() throws {
        let url = try InferredURL("https://a.test/p?Per-Page=5&api_key=s1&page=2&X=3&Access-Token=s2")
        #expect(url.secretValues == ["s1", "s2"])
        #expect(url.publicParameters.map(\.name) == ["Per-Page", "page", "X"])
        let found = url.parameter(["apikey", "none", "page", "perpage"])
        #expect(found?.name == "page" && found?.value == "2")
        #expect(url.parameter(["perpage", "page"])?.value == "5")
        #expect(url.parameter(["apikey"]) == nil)
    }
}
