/// The scanner for strings in a JSON text. It checks the UTF-8 and the escapes of a string without copying the string.
enum JSONString {
    /// Skips a string, including its quotes. The returned flags report whether the string contains escapes or
    /// characters outside ASCII.
    ///
    /// - Parameter at: the offset of the opening quote. After the call, the offset of the byte after the closing quote.
    @inline(__always)
    static func skip(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) throws(JSONFault) -> JSONNode.Flags {
        let start = at
        at &+= 1
        skipPlain(bytes, &at)
        // Most strings in a message are short and contain no escapes.
        if at < bytes.count, bytes[at] == UInt8(ascii: "\"") {
            at &+= 1
            return []
        }
        return try skipRest(of: start, bytes, &at)
    }

    @inline(never)
    private static func skipRest(
        of start: Int, _ bytes: UnsafeRawBufferPointer, _ at: inout Int
    ) throws(JSONFault) -> JSONNode.Flags {
        var flags: JSONNode.Flags = []
        while true {
            skipPlain(bytes, &at)
            guard at < bytes.count else { throw JSONFault("the string is not closed with '\"'", at: start) }
            switch bytes[at] {
            case UInt8(ascii: "\""):
                at += 1
                return flags
            case UInt8(ascii: "\\"):
                flags.insert(.escaped)
                try skipEscape(bytes, &at)
            case 0x80...:
                flags.insert(.nonASCII)
                try skipMultibyte(bytes, &at)
            case 0..<0x20:
                throw JSONFault("a control character in a string must be escaped", at: at)
            default:
                at += 1
            }
        }
    }

    /// Skips ASCII characters other than quotes, backslashes and control characters, eight bytes at a time.
    @inline(__always)
    private static func skipPlain(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        var index = at
        while index &+ 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let quotes = word ^ (ones &* 0x22)
            let slashes = word ^ (ones &* 0x5C)
            let special =
                word | ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)
                | ((word &- (ones &* 0x20)) & ~word)
            if special & highs != 0 {
                at = index &+ UInt64(littleEndian: special & highs).trailingZeroBitCount / 8
                return
            }
            index &+= 8
        }
        at = index
    }

    private static func skipEscape(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) throws(JSONFault) {
        let start = at
        at += 1
        let letter = at < bytes.count ? bytes[at] : 0
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            at += 1
        case UInt8(ascii: "u"):
            at += 1
            let unit = try hexUnit(of: start, bytes, &at)
            guard unit & 0xF800 == 0xD800 else { return }
            guard unit < 0xDC00, at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"),
                bytes[at + 1] == UInt8(ascii: "u")
            else { throw JSONFault("a '\\u' escape is half of a surrogate pair; add the other half", at: start) }
            at += 2
            guard try hexUnit(of: start, bytes, &at) & 0xFC00 == 0xDC00 else {
                throw JSONFault("a '\\u' escape is half of a surrogate pair; add the other half", at: start)
            }
        default:
            throw JSONFault("a backslash in a string must be written '\\\\', or begin a known escape", at: start)
        }
    }

    private static func hexUnit(
        of start: Int, _ bytes: UnsafeRawBufferPointer, _ at: inout Int
    ) throws(JSONFault) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard at < bytes.count, let digit = hexDigit(bytes[at]) else {
                throw JSONFault("an escape '\\u' needs four hexadecimal digits", at: start)
            }
            unit = unit << 4 | UInt16(digit)
            at += 1
        }
        return unit
    }

    /// Skips one scalar of two to four bytes (Unicode 15, table 3-7: well-formed UTF-8).
    private static func skipMultibyte(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) throws(JSONFault) {
        let lead = bytes[at]
        let second: ClosedRange<UInt8>
        let length: Int
        switch lead {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: throw JSONFault("invalid UTF-8", at: at)
        }
        guard at + length <= bytes.count, second.contains(bytes[at + 1]) else {
            throw JSONFault("invalid UTF-8", at: at)
        }
        for index in 2..<max(2, length) where bytes[at + index] & 0xC0 != 0x80 {
            throw JSONFault("invalid UTF-8", at: at)
        }
        at += length
    }
}

/// Returns the value of a hexadecimal digit in ASCII; nil for other bytes.
func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
