import Model
import TestSupport
import Testing

@Suite(.limited) struct PercentEncodingTests {
    @Test(arguments: [
        ("", ""), ("AZaz09-._~", "AZaz09-._~"), ("a b", "a%20b"), ("a+b", "a%2Bb"), ("a/b?c#d", "a%2Fb%3Fc%23d"),
        ("100%", "100%25"), ("%2F", "%252F"), ("é", "%C3%A9"), ("\u{1F600}", "%F0%9F%98%80"), ("\u{0}\n", "%00%0A"),
        ("a&b=c;d,e", "a%26b%3Dc%3Bd%2Ce"), ("\u{7F}", "%7F"),
    ])
    func percentEncodingKeepsOnlyUnreservedCharacters(text: String, encoded: String) {
        #expect(PercentEncoding.encode(text) == encoded)
        #expect(PercentEncoding.decode(encoded) == text)
    }

    @Test(arguments: [
        ("%c3%a9", "é"), ("100%", "100%"), ("%4", "%4"), ("%4g", "%4g"), ("a+b", "a+b"), ("%FF", "\u{FFFD}"),
    ])
    func validPercentSequencesAreDecodedAndOthersKept(encoded: String, text: String) {
        #expect(PercentEncoding.decode(encoded) == text)
    }

    @Test func percentEncodingKeepsOnlyUnreservedCharacters() {
        let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        for byte in UInt8(0)..<128 {
            let text = String(UnicodeScalar(byte))
            #expect((PercentEncoding.encode(text) == text) == unreserved.contains(text))
        }
    }
}
