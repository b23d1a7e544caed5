/// What cuts an id out of a text: `*/{id}/`. `*` stands for any text, `{id}` for one without `/`.
public struct IDPattern: Equatable, Sendable {
    /// A text of more bytes has no id that one would want.
    private static let longest = 4096

    /// The pattern as written.
    public let text: String
    private let before: [UInt8]
    private let after: [UInt8]

    /// A pattern; nil where `{id}` does not stand in it exactly once.
    public init?(_ text: String) {
        guard let place = text.firstRange(of: "{id}"), text[place.upperBound...].firstRange(of: "{id}") == nil else {
            return nil
        }
        self.text = text
        before = Array(text[..<place.lowerBound].utf8)
        after = Array(text[place.upperBound...].utf8)
    }

    /// The first id of a type in a text.
    public func id(in text: String, as type: IDType) -> String? { id(in: text) { type.canonical($0) != nil } }

    /// The first id in a text that does; nil where there is none. Nil also for a very long text.
    private func id(in text: String, _ does: (String) -> Bool) -> String? {
        guard text.utf8.count <= Self.longest else { return nil }
        let bytes = Array(text.utf8)
        // Behind which of the text's beginnings, and before which of its ends, the id may stand.
        let begins = Self.matches(before, bytes)
        let ends = Array(Self.matches(after.reversed(), bytes.reversed()).reversed())
        for start in begins.indices where begins[start] {
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "/") { end += 1 }
            // The longest first; what it is too short for ends sooner.
            for end in stride(from: end, to: start, by: -1) where ends[end] {
                if let id = String(validating: bytes[start..<end], as: UTF8.self), does(id) { return id }
            }
        }
        return nil
    }

    /// Which beginnings of a text a pattern with `*` fits, by their lengths.
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
