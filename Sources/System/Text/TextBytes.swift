extension String {
    /// Calls `body` with the string's UTF-8 bytes.
    // The bytes are copied only if the string does not store them contiguously.
    @inlinable @inline(__always)
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
            ?? Array(utf8).withUnsafeBytes { body($0) }
    }

    /// Whether both strings have the same UTF-8 bytes. In contrast, `==` also treats different encodings of the same
    /// accented letter as equal.
    @inlinable @inline(__always)
    public func isIdentical(to other: String) -> Bool {
        // Strings with equal machine words are equal: they are the same short string or share their storage. Nearly all
        // equal strings have equal machine words.
        typealias Words = (UInt64, UInt64)
        // Safe: a string is two words, and its bits are only compared.
        let (left, right) = (unsafeBitCast(self, to: Words.self), unsafeBitCast(other, to: Words.self))
        return left == right || hasSameBytes(as: other)
    }

    @inline(never)
    @usableFromInline func hasSameBytes(as other: String) -> Bool {
        withBytes { left in
            other.withBytes { right in
                guard left.count == right.count else { return false }
                guard let left = left.baseAddress, let right = right.baseAddress else { return true }
                return memcmp(left, right, other.utf8.count) == 0
            }
        }
    }
}
