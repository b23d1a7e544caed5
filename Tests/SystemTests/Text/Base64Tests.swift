import System
import TestSupport
import Testing

@Suite(.limited) struct Base64Tests {
    /// The vectors of RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func bytesAreEncodedAndDecodedAsBase64(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(text.utf8))
    }

    @Test func everyByteSurvivesBase64() {
        let bytes = (0...255).map { UInt8($0) }
        #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }

    @Test(arguments: ["Zg=", "Zg", "Z===", "====", "Zm 9v", "Zm9v\n", "Zh==", "=m9v"])
    func invalidBase64IsRefused(text: String) {
        #expect(Base64.decode(text) == nil)
    }
}
