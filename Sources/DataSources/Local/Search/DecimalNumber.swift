/// A JSON number by its value, exactly: `1`, `1.0` and `10e-1` are equal, and no digit of a large one is lost.
struct DecimalNumber: Equatable {
    private let isNegative: Bool
    /// Without zeros at either end; empty for zero. The value is 0.DIGITS times ten to the `exponent`.
    private let digits: [UInt8]
    private let exponent: Int

    /// A number as JSON writes it (RFC 8259, section 6). Nil where its exponent is beyond all use.
    init?(_ text: String) {
        let parts = text.utf8.split(omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
        guard let mantissa = parts.first, parts.count <= 2 else { return nil }
        let written = parts.count == 2 ? Int(Substring(parts[1])) : 0
        let halves = mantissa.drop { $0 == UInt8(ascii: "-") }
            .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let all = halves.joined().drop { $0 == UInt8(ascii: "0") }
        let leading = halves.reduce(0) { $0 + $1.count } - all.count
        var digits = Array(all)
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        guard let written, let whole = halves.first?.count else { return nil }
        let (exponent, overflow) = written.addingReportingOverflow(whole - leading)
        if overflow { return nil }
        self.digits = digits
        self.exponent = digits.isEmpty ? 0 : exponent
        isNegative = !digits.isEmpty && mantissa.first == UInt8(ascii: "-")
    }
}
