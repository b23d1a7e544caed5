/// Two random numbers per resource that show which values in the shared cache level (Redis) are outdated. A removal
/// replaces the first number, and an invalidation replaces the second. Each stored value contains both numbers from the
/// start of its fetch. If a number has changed since then, the value is outdated.
///
/// The text form is `REMOVED INVALIDATED`: 16 hexadecimal digits each, separated by a space.
public struct SharedGenerations: Hashable, Sendable {
    /// A random number that each removal in the shared level replaces. Entries that were stored with another number
    /// count as removed.
    package let removed: String
    /// A random number that each invalidation in the shared level replaces. Entries that were stored with another
    /// number count as stale.
    package let invalidated: String

    package init(removed: String, invalidated: String) {
        self.removed = removed
        self.invalidated = invalidated
    }

    /// Parses the text form of two generation numbers, `REMOVED INVALIDATED`. Returns nil if the text is malformed.
    package init?(_ text: [UInt8]) {
        guard text.count == 33, text[16] == UInt8(ascii: " ") else { return nil }
        for index in text.indices where index != 16 && !text[index].isHexDigit { return nil }
        self.init(
            removed: String(decoding: text[..<16], as: UTF8.self),
            invalidated: String(decoding: text[17...], as: UTF8.self))
    }

    package var text: String { "\(removed) \(invalidated)" }

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
