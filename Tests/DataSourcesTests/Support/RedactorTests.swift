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

    @Test(arguments: [
        #"{"a":"p\"q\/é+🙂"}"#, #"{"a":"p\u0022q/\u00e9\u002B\ud83d\uDE42"}"#, #"{"a":"p\"q/é\u002b🙂"}"#,
        #"{"a":"\u0070\u0022\u0071\/\u00E9+🙂"}"#,
    ])
    func itTakesOutWhatJSONEscapes(text: String) {
        #expect(Redactor(secrets: [#"p"q/é+🙂"#]).redact(text) == #"{"a":"***"}"#)
    }

    @Test(arguments: [#"\\"#, #"a\"#, #"\u00"#, #"\u00zz"#, #"\\u0070"#, #"\"#, #"p\"q\/x"#])
    func otherEscapesStay(text: String) {
        #expect(Redactor(secrets: [#"p"q/é"#, "p"]).redact(text) == text.replacing("p", with: "***"))
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
