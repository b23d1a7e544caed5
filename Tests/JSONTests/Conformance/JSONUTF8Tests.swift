import JSON
import TestSupport
import Testing

@Suite("Strings are well-formed UTF-8", .limited)
struct JSONUTF8Tests {
    /// Compares every leading byte, with continuation bytes at the limits of their ranges, with the standard library.
    @Test(arguments: UInt8(0x80)...0xFF)
    func multibyteScalarsAreValidatedAsInTheStandardLibrary(lead: UInt8) {
        for second: UInt8 in [0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF] {
            for third: UInt8 in [0x41, 0x80, 0xBF, 0xC0] {
                for fourth: UInt8 in [0x41, 0x80, 0xBF, 0xC0] {
                    let scalar = [lead, second, third, fourth]
                    let isValid = String(validating: scalar, as: UTF8.self) != nil
                    #expect((faultIn(bytes: JSONText.inString(scalar)) == nil) == isValid, "\(scalar)")
                }
            }
        }
    }

    /// Plain ASCII is skipped eight bytes at a time, so every byte value must be detected at every position of a word.
    @Test(arguments: 0..<18)
    func invalidByteIsFoundAtEveryPosition(place: Int) {
        for byte in UInt8.min...UInt8.max {
            let text = JSONText.inString(Array(repeating: 0x78, count: place) + [byte] + Array("xxxxxxxxxxx".utf8))
            let isPlain = byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
            let fault = faultIn(bytes: text)
            #expect((fault == nil) == isPlain, "byte \(byte)")
            let isQuote = byte == UInt8(ascii: "\"")
            if let fault { #expect(fault.offset == 2 + place + (isQuote ? 1 : 0), "byte \(byte)") }
        }
    }

    @Test func faultInUTF8IsAtTheFirstByteOfItsScalar() {
        #expect(faultIn(bytes: JSONText.inString([0x41, 0xE2, 0x82])) == JSONFault("invalid UTF-8", at: 3))
        #expect(faultIn(bytes: [0x22, 0xF0, 0x9F]) == JSONFault("invalid UTF-8", at: 1))
    }
}
