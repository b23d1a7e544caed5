extension JSONWriter {
    /// Appends UTF-8 as a quoted string.
    mutating func appendEscaped(_ text: UnsafeRawBufferPointer) {
        append("\"")
        var plain = 0
        var at = 0
        while at < text.count {
            guard let length = Self.lengthToEscape(text, at) else {
                at += 1
                continue
            }
            append(text[plain..<at])
            appendEscape(text, at, length)
            at += length
            plain = at
        }
        append(text[plain...])
        append("\"")
    }

    /// How many bytes the scalar at `at` has if it must be escaped; nil if it stands as it is.
    private static func lengthToEscape(_ text: UnsafeRawBufferPointer, _ at: Int) -> Int? {
        switch text[at] {
        case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"):
            return 1
        case 0xC2 where at + 1 < text.count && text[at + 1] == 0x85:
            return 2
        case 0xE2 where at + 2 < text.count && text[at + 1] == 0x80 && text[at + 2] & 0xFE == 0xA8:
            return 3
        default:
            return nil
        }
    }

    private mutating func appendEscape(_ text: UnsafeRawBufferPointer, _ at: Int, _ length: Int) {
        switch text[at] {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x08: append("\\b")
        case 0x09: append("\\t")
        case 0x0A: append("\\n")
        case 0x0C: append("\\f")
        case 0x0D: append("\\r")
        case 0xC2: append("\\u0085")
        case 0xE2: append(text[at + 2] == 0xA8 ? "\\u2028" : "\\u2029")
        case let control:
            append("\\u00")
            for digit in [control >> 4, control & 0xF] {
                append(CollectionOfOne(digit < 10 ? digit + UInt8(ascii: "0") : digit - 10 + UInt8(ascii: "a")))
            }
        }
    }
}
