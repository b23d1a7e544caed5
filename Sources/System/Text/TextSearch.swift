/// A byte-wise search in strings.
// The search functions of the standard library are not used, because they would link a parser of regular expressions.
// They also compare characters, which can be equal although their bytes differ.
extension Substring {
    /// Returns the range of the first occurrence of `other`. Nil if `other` does not occur or is empty.
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
    /// Returns the range of the first occurrence of `other`. Nil if `other` does not occur or is empty.
    public func firstRange(of other: String) -> Range<Index>? { self[...].firstRange(of: other) }

    /// Whether the string contains `other`. False if `other` is empty.
    public func contains(_ other: String) -> Bool { firstRange(of: other) != nil }

    /// Returns a copy of the string in which `replacement` replaces the first `maxReplacements` occurrences of `other`.
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
