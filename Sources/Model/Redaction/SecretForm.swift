import System

/// One of the byte strings that a secret is found by.
struct SecretForm: Sendable {
    let bytes: [UInt8]
    /// How they encode it, and so what stands in its place.
    var encoding = SecretEncoding.ascii
    /// Of digits of base64: whether the one before them holds bits of the secret too.
    var sharesDigitBefore = false
    /// Of digits of base64: whether the one behind them does, and there may be padding behind that.
    var sharesDigitBehind = false

    /// Every form that no `SecretReading` turns into another one. Each has at least as many bytes as
    /// `SecretSearch.window` where the secret has so many characters.
    static func all(of secret: String) -> [SecretForm] {
        let trimmed = trimmed(secret)
        let texts = Redactor.looksFor(trimmed) && trimmed != secret ? [secret, trimmed] : [secret]
        return texts.flatMap { text in
            var forms = [Array(text.utf8)]
            // As HTML forms encode it.
            if text.contains(" ") { forms.append(Array(text.utf8.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 })) }
            if let latin1 = latin1(text) { forms.append(latin1) }
            let wide = [SecretEncoding.utf16LittleEndian, .utf16BigEndian].map { encoding in
                SecretForm(bytes: text.utf16.flatMap { encoding.bytes(of: $0) }, encoding: encoding)
            }
            return forms.map { SecretForm(bytes: $0) } + wide + base64(Array(text.utf8))
        }
    }

    /// The text without the blanks at its ends, which HTTP takes from a field's value.
    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// Nil for what has no other form there than in UTF-8.
    private static func latin1(_ text: String) -> [UInt8]? {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let bytes = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        return bytes.count == text.unicodeScalars.count ? bytes : nil
    }

    /// The digits that hold nothing but the secret, wherever it stands in what was encoded: there are three places
    /// within a group of three bytes.
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
                    sharesDigitBehind: (before + secret.count) % 3 > 0)
            }
        }
    }
}

/// How the characters of a text are encoded in which a secret stands.
enum SecretEncoding {
    /// ASCII and all that writes its characters in the same way: UTF-8, Latin-1.
    case ascii
    case utf16LittleEndian
    case utf16BigEndian

    /// A code unit of UTF-16 as bytes; in the first case those of a character of ASCII.
    func bytes(of unit: UInt16) -> [UInt8] {
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
        return switch self {
        case .ascii: [low]
        case .utf16LittleEndian: [low, high]
        case .utf16BigEndian: [high, low]
        }
    }

    /// What stands in a secret's place.
    var mark: [UInt8] { Redactor.mark.utf16.flatMap { bytes(of: $0) } }
}
