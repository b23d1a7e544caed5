/// Encodes and decodes percent-encoded text (RFC 3986, section 2.1).
public enum PercentEncoding {
    /// Percent-encodes a path segment or query value. Only letters, digits and `-._~` stay unchanged.
    public static func encode(_ text: String) -> String { encode(text, keeping: []) }

    /// The reserved characters that a path may contain without encoding (RFC 3986, section 3.3).
    package static let pathReserved = Array("/!$&'()*+,;=:@".utf8)
    /// The reserved characters that a query value may contain without encoding. They are safe even if the API decodes
    /// the query as form data.
    package static let queryReserved = Array("/!$'()*,;:@?".utf8)

    /// Percent-encodes a string. Letters, digits, `-._~` and the bytes in `kept` stay unchanged.
    package static func encode(_ text: String, keeping kept: [UInt8]) -> String {
        if text.utf8.allSatisfy(isUnreserved) { return text }
        var out: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) || kept.contains(byte) {
                out.append(byte)
            } else {
                out.append(UInt8(ascii: "%"))
                out.append(hex(byte >> 4))
                out.append(hex(byte & 0xF))
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// Decodes percent-encoded bytes, such as `%C3`. Invalid UTF-8 in the result becomes U+FFFD.
    public static func decode(_ text: String) -> String {
        var out: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                out.append(UInt8(digits[0] << 4 | digits[1]))
                rest.removeFirst(2)
            } else {
                out.append(byte)
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func hex(_ digit: UInt8) -> UInt8 {
        digit < 10 ? digit + UInt8(ascii: "0") : digit - 10 + UInt8(ascii: "A")
    }
}
