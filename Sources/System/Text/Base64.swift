/// Base64 with the standard alphabet and padding (RFC 4648, section 4).
public enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Encodes bytes as Base64, on one line.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        var out: [UInt8] = []
        out.reserveCapacity((bytes.count + 2) / 3 * 4)
        var group: UInt32 = 0
        var count = 0
        for byte in bytes {
            group = group << 8 | UInt32(byte)
            count += 1
            if count == 3 {
                append(group, digits: 4, to: &out)
                (group, count) = (0, 0)
            }
        }
        if count > 0 { append(group << UInt32(8 * (3 - count)), digits: count + 1, to: &out) }
        return String(decoding: out, as: UTF8.self)
    }

    /// Decodes Base64. Returns nil if the input lacks padding or contains characters outside the alphabet.
    public static func decode(_ text: String) -> [UInt8]? {
        var digits = Array(text.utf8)
        guard digits.count % 4 == 0 else { return nil }
        let padding = digits.suffix(2).count { $0 == UInt8(ascii: "=") }
        digits.removeLast(padding)
        var out: [UInt8] = []
        var group: UInt32 = 0
        var bits: UInt32 = 0
        for digit in digits {
            guard let value = alphabet.firstIndex(of: digit) else { return nil }
            group = group << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                out.append(UInt8(group >> bits & 0xFF))
                group &= (1 << bits) - 1
            }
        }
        return group == 0 ? out : nil
    }

    private static func append(_ group: UInt32, digits: Int, to out: inout [UInt8]) {
        for index in 0..<4 {
            out.append(index < digits ? alphabet[Int(group >> UInt32(18 - 6 * index) & 63)] : UInt8(ascii: "="))
        }
    }
}
