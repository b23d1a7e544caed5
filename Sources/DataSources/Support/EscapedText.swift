/// A text in which any character may be written as JSON's escapes write it (RFC 8259, section 7): a secret that an API
/// says back in a body can be looked for there without knowing how that API writes its JSON.
struct EscapedText {
    private static let backslash = UInt16(UInt8(ascii: "\\"))

    private let units: [UInt16]

    init(_ text: String) { units = Array(text.utf16) }

    /// The text with `mark` in place of each of these, which must not be empty. The first one that fits is taken.
    func replacing(_ secrets: [[UInt16]], with mark: String) -> String {
        let firsts = Set(secrets.compactMap(\.first) + [Self.backslash])
        var result: [UInt16] = []
        result.reserveCapacity(units.count)
        var place = 0
        while place < units.count {
            if firsts.contains(units[place]), let end = secrets.lazy.compactMap({ self.end(of: $0, from: place) }).first
            {
                result += mark.utf16
                place = end
            } else {
                // What follows a backslash belongs to it.
                let next = units[place] == Self.backslash ? min(place + 2, units.count) : place + 1
                result += units[place..<next]
                place = next
            }
        }
        return String(decoding: result, as: UTF16.self)
    }

    /// Where a secret ends that begins here.
    private func end(of secret: [UInt16], from start: Int) -> Int? {
        var place = start
        for unit in secret {
            guard place < units.count else { return nil }
            let (found, length) = units[place] == Self.backslash ? escape(at: place) : (units[place], 1)
            guard found == unit else { return nil }
            place += length
        }
        return place
    }

    /// What an escape stands for, and how long it is.
    private func escape(at place: Int) -> (UInt16?, length: Int) {
        guard place + 1 < units.count, let letter = UInt8(exactly: units[place + 1]) else { return (nil, 1) }
        switch letter {
        case UInt8(ascii: "u"):
            guard place + 6 <= units.count else { return (nil, 1) }
            return (UInt16(String(decoding: units[place + 2..<place + 6], as: UTF16.self), radix: 16), 6)
        case UInt8(ascii: "n"): return (0x0A, 2)
        case UInt8(ascii: "t"): return (0x09, 2)
        case UInt8(ascii: "r"): return (0x0D, 2)
        case UInt8(ascii: "b"): return (0x08, 2)
        case UInt8(ascii: "f"): return (0x0C, 2)
        default: return (UInt16(letter), 2)
        }
    }
}
