/// Replaces characters that YAML 1.2 allows but libyaml cannot read. libyaml reads YAML 1.1: it rejects some of these
/// characters and treats others as line breaks.
enum YAMLCharacters {
    private static let space = Array(" ".utf8)
    private static let replacement = Array("\u{FFFD}".utf8)

    /// Returns the text after replacing U+0085, U+2028 and U+2029 by spaces, and U+007F to U+009F by U+FFFD. Lines and
    /// columns stay the same. UTF-16 is returned unchanged.
    static func readable(_ text: [UInt8]) -> [UInt8] {
        if text.starts(with: [0xFE, 0xFF]) || text.starts(with: [0xFF, 0xFE]) { return text }
        guard var at = next(in: text, from: 0) else { return text }
        var out: [UInt8] = []
        out.reserveCapacity(text.count + 64)
        var plain = 0
        while true {
            let (length, substitute) = Self.substitute(in: text, at: at)
            if length > 0 {
                out += text[plain..<at]
                out += substitute
                plain = at + length
            }
            guard let following = next(in: text, from: at + max(1, length)) else { break }
            at = following
        }
        return out + text[plain...]
    }

    /// Returns the offset of the next byte that can be the start of a replaceable character; nil if there is none.
    private static func next(in text: [UInt8], from start: Int) -> Int? {
        var at = start
        while at < text.count {
            if text[at] == 0x7F || text[at] == 0xC2 || text[at] == 0xE2 { return at }
            at += 1
        }
        return nil
    }

    /// Returns the length in bytes of the character at an offset, and the bytes that replace it. The length is 0 if the
    /// character does not need a replacement.
    private static func substitute(in text: [UInt8], at: Int) -> (length: Int, substitute: [UInt8]) {
        let second = at + 1 < text.count ? text[at + 1] : 0
        let third = at + 2 < text.count ? text[at + 2] : 0
        switch text[at] {
        case 0x7F: return (1, replacement)
        case 0xC2 where second == 0x85: return (2, space)
        case 0xC2 where (0x80...0x9F).contains(second): return (2, replacement)
        case 0xE2 where second == 0x80 && third & 0xFE == 0xA8: return (3, space)
        default: return (0, [])
        }
    }
}
