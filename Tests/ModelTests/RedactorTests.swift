import System
import TestSupport
import Testing

@testable import Model

@Suite(.limited) struct RedactorTests {
    private static let secret = "p@ss w/rd!"

    @Test(arguments: [
        ("plain: p@ss w/rd!", "plain: ***"),
        ("in a URL: ?key=p%40ss%20w%2Frd%21&page=2", "in a URL: ?key=***&page=2"),
        ("in a URL: ?key=p%40ss%20w%2frd!&page=2", "in a URL: ?key=***&page=2"),
        ("in a form: key=p%40ss+w%2Frd%21&page=2", "in a form: key=***&page=2"),
        ("in base64: cEBzcyB3L3JkIQ==", "in base64: ***"),
        ("in base64 in a URL: ?key=cEBzcyB3L3JkIQ%3d%3D&page=2", "in base64 in a URL: ?key=***&page=2"),
        ("p@ss w/rd!p@ss w/rd! twice", "****** twice"),
        ("p@ss w/rd!\u{301} under a combining mark", "***\u{301} under a combining mark"),
        ("p@ss only", "p@ss only"),
        ("100% of a C:\\path\\u00 %4", "100% of a C:\\path\\u00 %4"),
        ("", ""),
    ])
    func everyEncodingOfASecretIsRedacted(text: String, expected: String) {
        #expect(Redactor(secrets: [Self.secret]).redact(text) == expected)
        #expect(Redactor(secrets: [Self.secret]).finds(in: text) == (text != expected))
    }

    /// A search reads eight bytes at a time.
    @Test func secretOfEightBytesIsRedacted() {
        #expect(Redactor(secrets: ["abcdefgh"]).redact("abcdefgh") == "***")
        #expect(Redactor(secrets: ["abcdefgh"]).redact("abcdefg") == "abcdefg")
    }

    @Test(arguments: [#"pass\ud83dxude00word12"#, #"pass\ud83d\xde00word12"#])
    func halfOfASurrogatePairIsNotASecret(text: String) {
        #expect(Redactor(secrets: ["pass\u{1F600}word12"]).redact(text) == text)
        #expect(Redactor(secrets: ["pass\u{1F600}word12"]).redact(#"pass\ud83d\ude00word12"#) == "***")
    }

    @Test(
        arguments: [
            ("http://u:p@h/x", "http://***h/x"), ("http://@h", "http://***h"), ("u@h", "***h"),
            ("http://h/a", "http://h/a"), ("@h://x", "@h://x"),
        ])
    func userinfoIsHidden(url: String, expected: String) {
        let hidden = Userinfo.hide(in: url)
        #expect(hidden == expected || hidden == expected.replacing("***", with: "***@"))
        #expect((Userinfo.find(in: url) == nil) == (url == expected))
    }

    @Test(arguments: [
        #"{"a":"p\"q\/é+🙂pq"}"#, #"{"a":"p\u0022q/\u00e9\u002B\ud83d\uDE42pq"}"#, #"{"a":"p\"q/é\u002b🙂pq"}"#,
        #"{"a":"\u0070\u0022\u0071\/\u00E9+🙂pq"}"#, #"{"a":"p\\\"q\\\/\\u00e9+🙂pq"}"#,
        #"{"a":"p%22q\/%c3%A9%2b🙂pq"}"#,
    ])
    func secretsWithJSONEscapesAreRedacted(text: String) {
        #expect(Redactor(secrets: [#"p"q/é+🙂pq"#]).redact(text) == #"{"a":"***"}"#)
    }

    /// HTML pages escape secrets, and a URL that is a parameter of another URL is percent-encoded twice.
    @Test(arguments: [
        "<b>p&amp;ss&lt;w/rd&#39;q&quot;</b>", "<b>p&#38;ss&#60;w&#x2F;rd&#x27;q&#034;</b>",
        "<b>p&#x00026;ss&lt;w/rd&apos;q&#X22;</b>", #"<b>p\u0026amp;ss\u0026lt;w\/rd\u0026#39;q&quot;</b>"#,
        "<b>p%26ss%3Cw%2Frd%27q%22</b>", "<b>p%2526ss%253Cw%252Frd%2527q%2522</b>",
    ])
    func secretsInHTMLAndNestedURLsAreRedacted(text: String) {
        #expect(Redactor(secrets: ["p&ss<w/rd'q\""]).redact(text) == "<b>***</b>")
    }

    @Test(arguments: ["a & b &; &amp", "&nothing; &#; &#x; &#xD800; &#99999999;", "p&amp;ss&lt;w/rd", "&"])
    func redactorLeavesUnrelatedHTMLReferencesUnchanged(text: String) {
        #expect(Redactor(secrets: ["p&ss<w/rd'q\""]).redact(text) == text)
    }

    @Test(arguments: [#"\\"#, #"a\"#, #"\u00"#, #"\u00zz"#, #"\\u0070"#, #"\"#, #"pppp\"qqqq\/x"#, #"\ud83d\"#])
    func redactorLeavesUnrelatedEscapesUnchanged(text: String) {
        #expect(Redactor(secrets: [#"pppp"qqqq/é"#]).redact(text) == text)
    }

    /// Base64 text is redacted at each offset of the secret, in both base64 alphabets.
    @Test(arguments: 0...7, 0...4) func secretsInsideBase64AreRedacted(before: Int, after: Int) {
        let secret = "s\u{FF}\u{FF}?>~s3cr3t"
        let text = String(repeating: "a", count: before) + secret + String(repeating: "z", count: after)
        let encoded = Base64.encode(Array(text.utf8))
        let urlSafe = encoded.replacing("+", with: "-").replacing("/", with: "_")
        for whole in [encoded, urlSafe, urlSafe.replacing("=", with: "")] {
            let redacted = Redactor(secrets: [secret]).redact("<\(whole)>")
            #expect(redacted.contains("***") && redacted.hasPrefix("<") && redacted.hasSuffix(">"))
            // No remaining digit contains bits of the secret.
            let left = redacted.dropFirst().dropLast().split(separator: "***", omittingEmptySubsequences: false)
            #expect(left.count == 2 && left[0].count <= before * 8 / 6 && left[1].count <= (after * 8 + 5) / 6 + 2)
            #expect(whole.hasPrefix(left[0]) && whole.hasSuffix(left[1]))
        }
    }

    @Test(arguments: [false, true]) func secretsInUTF16AreRedacted(isBigEndian: Bool) {
        func encode(_ text: String) -> [UInt8] {
            text.utf16.flatMap { unit in
                let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
                return isBigEndian ? bytes : bytes.reversed()
            }
        }
        let redactor = Redactor(secrets: ["s3crét-🙂-t0ken"])
        for form in ["s3crét-🙂-t0ken", #"s3cr\u00e9t-\ud83d\ude42-t0ken"#, "s3cr%c3%a9t-%F0%9F%99%82-t0ken"] {
            #expect(redactor.redact(encode("\u{FEFF}{\"a\":\"\(form)\"}")) == encode("\u{FEFF}{\"a\":\"***\"}"))
            // The low byte of each "Ā" is zero, but more of the remaining characters have a high byte of zero.
            #expect(redactor.redact(encode("ĀĀĀ: \(form)")) == encode("ĀĀĀ: ***"))
        }
        #expect(redactor.redact(encode("nothing")) == encode("nothing"))
    }

    @Test func secretsInLatin1AreRedacted() {
        let body = "{\"a\":\"s3crét-tökens\"}".unicodeScalars.map { UInt8($0.value) }
        #expect(Redactor(secrets: ["s3crét-tökens"]).redact(body) == Array("{\"a\":\"***\"}".utf8))
        #expect(Redactor(secrets: ["s3crét-tökens"]).redact("s3cr%E9t-t%f6kens") == "***")
    }

    @Test func redactorLeavesBinaryBytesUnchanged() {
        let redactor = Redactor(secrets: [Self.secret])
        let bytes: [UInt8] = [0, 0xFF, 0x5C, 0x75, 0x25, 0, 0xD8, 0xD8]
        #expect(redactor.redact(bytes) == bytes)
        #expect(redactor.redact(bytes + Array(Self.secret.utf8) + bytes) == bytes + Array("***".utf8) + bytes)
    }

    @Test func secretIsFoundWithoutItsSurroundingWhitespace() {
        #expect(Redactor(secrets: [" s3cr3t-t0k3n\n"]).redact("<s3cr3t-t0k3n>") == "<***>")
    }

    @Test func longestOfOverlappingSecretsIsRedactedFirst() {
        let redactor = Redactor(secrets: ["abcdefgh", "abcdefghij", "ijklmnop"])
        #expect(redactor.redact("abcdefghij abcdefgh") == "*** ***")
        #expect(redactor.redact("abcdefghijklmnop") == "***", "overlapping secrets get one mark")
    }

    @Test func secretThatContainsAnotherIsRedactedCompletely() {
        let redactor = Redactor(secrets: ["abcdefgh-ijklmnop-qrstuvwx", "ijklmnop"])
        #expect(redactor.redact("abcdefgh-ijklmnop-qrstuvwx, ijklmnop-qrstuvwx") == "***, ***-qrstuvwx")
    }

    @Test func textIsRedactedBeforeItIsTruncated() {
        let redactor = Redactor(secrets: ["s3cr3t-t0k3n"])
        #expect(redactor.redact("a s3cr3t-t0k3n b", limit: 8) == "a *** b")
        #expect(redactor.redact("a s3cr3t-t0k3n bc", limit: 4) == "a **...")
        #expect(redactor.redact("abcd", limit: 4) == "abcd")
    }

    @Test(arguments: [
        "", "x", "1234567", "short-7", "20", "12345678", "-1234567.25", "1e234567", "12345678901234567890",
    ])
    func shortSecretsAndNumbersAreNotRedacted(secret: String) {
        #expect(!Redactor.isSearchable(secret))
        #expect(Redactor(secrets: [secret]).redact("a \(secret) b") == "a \(secret) b")
    }

    @Test(arguments: ["12345678a", "e1234567", "0x123456", "555-1234567", "ééééoooo"]) func longSecretsAreRedacted(
        secret: String
    ) {
        #expect(Redactor(secrets: [secret]).redact("a \(secret) b") == "a *** b")
    }

    @Test func redactorDecodesATextOncePerKindOfEscape() {
        func readings(_ text: String) -> Int {
            var count = 0
            text.withBytes { UnescapedText.forEach(of: $0) { _ in count += 1 } }
            return count
        }
        #expect(readings("a text of many words") == 0)
        #expect(readings(#"a \"text\" of many words"#) == 1)
        #expect(readings(#"100%25 of a \\\"text\\\" of many words"#) == 3)
        #expect(readings(#"100 % of a \\\"text\\\" &c."#) == 2, "invalid escapes cause no further pass")
        #expect(readings("100%2525 &amp; more") == 3)
        #expect(readings("a\0b") == 1)
    }
}
