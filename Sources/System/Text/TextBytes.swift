extension String {
    /// Calls `body` with the text's UTF-8, which is not copied where the string has it at hand.
    @inlinable @inline(__always)
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
            ?? Array(utf8).withUnsafeBytes { body($0) }
    }

    /// Whether both have the same bytes. `==` also holds for an accented letter in its two forms.
    @inlinable @inline(__always)
    public func isIdentical(to other: String) -> Bool {
        // The same words are the same small text, or the same storage; that is the answer nearly always.
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
