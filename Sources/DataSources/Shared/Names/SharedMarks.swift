/// The marks of a resource in the shared level: random numbers that are renewed by removals.
///
/// As text, `REMOVED INVALIDATED TOUCHED`: three times 16 hexadecimal digits, with a space between.
public struct SharedMarks: Hashable, Sendable {
    /// A value that carries another one is absent.
    let removed: String
    /// A value that carries another one is stale.
    let invalidated: String
    /// Renewed by every removal, also by that of a single key: what was asked for before is not stored.
    let touched: String

    init(removed: String, invalidated: String, touched: String) {
        self.removed = removed
        self.invalidated = invalidated
        self.touched = touched
    }

    /// Marks from their text; nil where it is none.
    init?(_ text: [UInt8]) {
        let words = text.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, words.allSatisfy({ $0.count == 16 && $0.allSatisfy(\.isHexDigit) }) else { return nil }
        let texts = words.map { String(decoding: $0, as: UTF8.self) }
        self.init(removed: texts[0], invalidated: texts[1], touched: texts[2])
    }

    /// The marks as text.
    var text: String { "\(removed) \(invalidated) \(touched)" }

    /// A new mark.
    static func random() -> String {
        let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
    }
}
