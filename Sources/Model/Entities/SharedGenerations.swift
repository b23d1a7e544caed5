/// The generations of a resource in the shared level: two random numbers. Removals renew the first, invalidations the
/// second. A value carries the generations that were current when its fetch began.
///
/// As text, `REMOVED INVALIDATED`: twice 16 hexadecimal digits, separated by a space.
public struct SharedGenerations: Hashable, Sendable {
    /// The generation of removals. A stored value with a different one counts as absent.
    package let removed: String
    /// The generation of invalidations. A stored value with a different one counts as stale.
    package let invalidated: String

    package init(removed: String, invalidated: String) {
        self.removed = removed
        self.invalidated = invalidated
    }

    /// Parses generations from their text; nil if it is malformed.
    package init?(_ text: [UInt8]) {
        guard text.count == 33, text[16] == UInt8(ascii: " ") else { return nil }
        for index in text.indices where index != 16 && !text[index].isHexDigit { return nil }
        self.init(
            removed: String(decoding: text[..<16], as: UTF8.self),
            invalidated: String(decoding: text[17...], as: UTF8.self))
    }

    package var text: String { "\(removed) \(invalidated)" }

    /// Creates two new random generations.
    package static func random() -> SharedGenerations {
        SharedGenerations(removed: randomDigits(), invalidated: randomDigits())
    }

    /// Returns 16 random hexadecimal digits.
    package static func randomDigits() -> String {
        let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
    }
}
