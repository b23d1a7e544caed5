extension JSONView {
    /// A string's UTF-8 with its escapes resolved. The parser has checked that they are well-formed.
    func unescaped() -> [UInt8] {
        let contents = contents
        var out: [UInt8] = []
        out.reserveCapacity(contents.count)
        var at = 0
        while at < contents.count {
            guard contents[at] == UInt8(ascii: "\\") else {
                out.append(contents[at])
                at += 1
                continue
            }
            let letter = contents[at + 1]
            at += 2
            switch letter {
            case UInt8(ascii: "b"): out.append(0x08)
            case UInt8(ascii: "f"): out.append(0x0C)
            case UInt8(ascii: "n"): out.append(0x0A)
            case UInt8(ascii: "r"): out.append(0x0D)
            case UInt8(ascii: "t"): out.append(0x09)
            case UInt8(ascii: "u"):
                var scalar = Self.unit(contents, at)
                at += 4
                if scalar & 0xF800 == 0xD800 {
                    scalar = 0x10000 + (scalar & 0x3FF) << 10 + Self.unit(contents, at + 2) & 0x3FF
                    at += 6
                }
                out.append(contentsOf: Unicode.Scalar(scalar).map { Array(String(Character($0)).utf8) } ?? [])
            default: out.append(letter)
            }
        }
        return out
    }

    /// Whether a string is this one, its escapes resolved.
    @usableFromInline
    func isUnescaped(_ wanted: UnsafeBufferPointer<UInt8>) -> Bool { unescaped().elementsEqual(wanted) }

    private static func unit(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 << 4 | UInt32(hexDigit(bytes[at + $1]) ?? 0) }
    }
}
