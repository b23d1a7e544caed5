/// Searches for texts in texts, byte for byte. The standard library's stand in a module with a parser of regular
/// expressions, which would be linked whole, and compare characters: what is equal there may have other bytes.
extension Substring {
    /// Where `other` first stands; nil where it does not, or is empty.
    public func firstRange(of other: String) -> Range<Index>? {
        let place = utf8.withContiguousStorageIfAvailable { text in
            other.withBytes { Self.place(of: $0, in: UnsafeRawBufferPointer(text)) }
        }
        let offset = place ?? Array(utf8).withUnsafeBytes { text in other.withBytes { Self.place(of: $0, in: text) } }
        guard let offset else { return nil }
        let start = utf8.index(startIndex, offsetBy: offset)
        return start..<utf8.index(start, offsetBy: other.utf8.count)
    }

    private static func place(of other: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer) -> Int? {
        guard let wanted = other.baseAddress, let first = other.first else { return nil }
        var offset = 0
        while text.count - offset >= other.count, let start = text.baseAddress {
            guard let found = memchr(start + offset, CInt(first), text.count - offset - other.count + 1) else { break }
            if memcmp(found, wanted, other.count) == 0 { return UnsafeRawPointer(found) - start }
            offset = UnsafeRawPointer(found) - start + 1
        }
        return nil
    }
}

extension String {
    /// Where `other` first stands; nil where it does not, or is empty.
    public func firstRange(of other: String) -> Range<Index>? { self[...].firstRange(of: other) }

    /// Whether `other`, which is not empty, stands in it.
    public func contains(_ other: String) -> Bool { firstRange(of: other) != nil }

    /// The same with `replacement` wherever `other` stood, from the front, `maxReplacements` times at most.
    public func replacing(_ other: String, with replacement: String, maxReplacements: Int = .max) -> String {
        var (out, rest, left) = ("", self[...], maxReplacements)
        while left > 0, let range = rest.firstRange(of: other) {
            out += rest[..<range.lowerBound]
            out += replacement
            rest = rest[range.upperBound...]
            left -= 1
        }
        return out + rest
    }
}
