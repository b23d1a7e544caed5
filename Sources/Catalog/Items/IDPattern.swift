/// A pattern that extracts an id from a string, such as `*/{id}/` for a URL. `*` matches any characters; `{id}` matches
/// any characters except `/`.
public struct IDPattern: Equatable, Sendable {
    /// The maximum length of a searched string, in bytes. Longer strings never match.
    private static let maxLength = 4096

    /// The pattern as written in the catalog.
    public let text: String
    private let before: [UInt8]
    private let after: [UInt8]

    /// Creates a pattern; nil unless the pattern contains `{id}` exactly once.
    public init?(_ text: String) {
        guard let place = text.firstRange(of: "{id}"), text[place.upperBound...].firstRange(of: "{id}") == nil else {
            return nil
        }
        self.text = text
        before = Array(text[..<place.lowerBound].utf8)
        after = Array(text[place.upperBound...].utf8)
    }

    /// Returns the first substring that matches `{id}` and is a valid id of the given type; nil if there is none.
    public func id(in text: String, as type: IDType) -> String? { id(in: text) { type.canonical($0) != nil } }

    /// Returns the first substring that matches `{id}` and that `isAccepted` accepts. Nil if there is none, or if the
    /// string is too long.
    private func id(in text: String, _ isAccepted: (String) -> Bool) -> String? {
        guard text.utf8.count <= Self.maxLength else { return nil }
        let bytes = Array(text.utf8)
        // The offsets at which an id can start, and the offsets at which it can end.
        let begins = Self.matches(before, bytes)
        let ends = Array(Self.matches(after.reversed(), bytes.reversed()).reversed())
        for start in begins.indices where begins[start] {
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "/") { end += 1 }
            // The longest candidate is tried first.
            for end in stride(from: end, to: start, by: -1) where ends[end] {
                if let id = String(validating: bytes[start..<end], as: UTF8.self), isAccepted(id) { return id }
            }
        }
        return nil
    }

    /// Tests each prefix of a string against a pattern with `*`. Element `n` of the result is true if the first `n`
    /// bytes match.
    private static func matches(_ pattern: [UInt8], _ text: [UInt8]) -> [Bool] {
        var fits = [Bool](repeating: false, count: text.count + 1)
        fits[0] = true
        for symbol in pattern {
            if symbol == UInt8(ascii: "*") {
                if let first = fits.firstIndex(of: true) {
                    for index in first..<fits.count { fits[index] = true }
                }
            } else {
                for index in stride(from: text.count, to: 0, by: -1) {
                    fits[index] = fits[index - 1] && text[index - 1] == symbol
                }
                fits[0] = false
            }
        }
        return fits
    }
}
