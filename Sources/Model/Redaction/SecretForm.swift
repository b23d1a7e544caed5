import System

/// The bytes of a secret in one encoding, such as base64. The redactor searches for these bytes.
struct SecretForm: Sendable {
    let bytes: [UInt8]
    /// The character encoding of the bytes. The replacement `***` is written in the same encoding.
    var encoding = SecretEncoding.ascii
    /// Whether the base64 digit before `bytes` contains the first bits of the secret, after bits of the preceding text.
    /// Always false for other encodings.
    var sharesDigitBefore = false
    /// Whether the base64 digit after `bytes` contains the last bits of the secret. Bits of the following text may
    /// follow in this digit. Always false for other encodings.
    var sharesDigitAfter = false

    /// Returns the bytes of a secret in each encoding that the redactor searches for. Escaped forms are not included,
    /// because `UnescapedText` decodes escapes before the search.
    static func all(of secret: String) -> [SecretForm] {
        let trimmed = trimmed(secret)
        let texts = Redactor.isSearchable(trimmed) && trimmed != secret ? [secret, trimmed] : [secret]
        return texts.flatMap { text in
            var forms = [Array(text.utf8)]
            // HTML forms encode a space as a plus sign.
            if text.contains(" ") { forms.append(Array(text.utf8.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 })) }
            if let latin1 = latin1(text) { forms.append(latin1) }
            let wide = [SecretEncoding.utf16LittleEndian, .utf16BigEndian].map { encoding in
                SecretForm(bytes: text.utf16.flatMap { encoding.bytes(of: $0) }, encoding: encoding)
            }
            return forms.map { SecretForm(bytes: $0) } + wide + base64(Array(text.utf8))
        }
    }

    /// Removes whitespace at both ends of a secret, because HTTP also removes this whitespace from the values of header
    /// fields.
    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// Returns the Latin-1 bytes of a string. Nil if the Latin-1 and UTF-8 bytes are equal, or if Latin-1 cannot
    /// represent the string.
    private static func latin1(_ text: String) -> [UInt8]? {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let bytes = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        return bytes.count == text.unicodeScalars.count ? bytes : nil
    }

    /// Returns the base64 and base64url digits of a secret that is part of a longer encoded text. Three bytes become
    /// four digits, so there are different digits for each of three possible positions of the secret in the text.
    /// Digits that also encode bits outside of the secret are omitted.
    private static func base64(_ secret: [UInt8]) -> [SecretForm] {
        (0..<3).flatMap { before in
            let digits = Array(Base64.encode([UInt8](repeating: 0, count: before) + secret).utf8)
            let own = Array(digits[(8 * before + 5) / 6..<8 * (before + secret.count) / 6])
            let urlSafe = own.map { digit -> UInt8 in
                switch digit {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                default: digit
                }
            }
            return (own == urlSafe ? [own] : [own, urlSafe]).map { digits in
                SecretForm(
                    bytes: digits, sharesDigitBefore: before > 0,
                    sharesDigitAfter: (before + secret.count) % 3 > 0)
            }
        }
    }
}

/// The character encoding of a text that contains a secret.
enum SecretEncoding {
    /// ASCII, or an encoding that extends it, such as UTF-8 and Latin-1.
    case ascii
    case utf16LittleEndian
    case utf16BigEndian

    /// Returns the bytes of a UTF-16 code unit in this encoding. If the encoding is `.ascii`, the unit must be an ASCII
    /// character.
    func bytes(of unit: UInt16) -> [UInt8] {
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
        return switch self {
        case .ascii: [low]
        case .utf16LittleEndian: [low, high]
        case .utf16BigEndian: [high, low]
        }
    }

    /// The bytes of the mark `***`, which replaces a secret, in this encoding.
    var mark: [UInt8] { Redactor.mark.utf16.flatMap { bytes(of: $0) } }
}
