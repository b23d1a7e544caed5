import DataSources
import Testing

struct RedactorTests {
    @Test(arguments: [
        ("plain: p@ss w/rd!", "plain: ***"),
        ("in a URL: ?key=p%40ss%20w%2Frd%21&page=2", "in a URL: ?key=***&page=2"),
        ("in base64: cEBzcyB3L3JkIQ==", "in base64: ***"),
        ("p@ss w/rd!p@ss w/rd! twice", "****** twice"),
        ("p@ss w/rd!\u{301} under a combining mark", "***\u{301} under a combining mark"),
        ("p@ss only", "p@ss only"),
        ("", ""),
    ])
    func takesOutEveryForm(text: String, expected: String) {
        #expect(Redactor(secrets: ["p@ss w/rd!"]).redact(text) == expected)
    }

    @Test func theLongestSecretGoesFirst() {
        let redactor = Redactor(secrets: ["abc", "abcdef"])
        #expect(redactor.redact("abcdef abc") == "*** ***")
    }

    @Test func anEmptySecretIsNone() {
        #expect(Redactor(secrets: ["", "x"]).redact("axb") == "a***b")
        #expect(Redactor(secrets: []).redact("axb") == "axb")
    }
}
