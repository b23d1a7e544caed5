/// The generations of a resource in the shared level: two random numbers. Removals renew the first, invalidations the
/// second. A value carries the generations that were current when its fetch began.
///
/// As text, `REMOVED INVALIDATED`: twice 16 hexadecimal digits, separated by a space.
public struct SharedGenerations: Hashable, Sendable {
    /// A value with another one is absent.
    let removed: String
    /// A value with another one is stale.
    let invalidated: String

    init(removed: String, invalidated: String) {
        self.removed = removed
        self.invalidated = invalidated
    }

    /// Parses generations from their text; nil if it is malformed.
    init?(_ text: [UInt8]) {
        let words = text.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 2, words.allSatisfy({ $0.count == 16 && $0.allSatisfy(\.isHexDigit) }) else { return nil }
        let texts = words.map { String(decoding: $0, as: UTF8.self) }
        self.init(removed: texts[0], invalidated: texts[1])
    }

    var text: String { "\(removed) \(invalidated)" }

    /// Two new generations.
    static func random() -> SharedGenerations {
        SharedGenerations(removed: randomDigits(), invalidated: randomDigits())
    }

    /// 16 random hexadecimal digits.
    static func randomDigits() -> String {
        let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
    }
}
