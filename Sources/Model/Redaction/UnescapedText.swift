import System

/// A text in which one kind of escape is decoded, such as `\n` in JSON. Each decoded byte has a known position in the
/// original text.
///
/// The redactor searches the decoded text, because an API may escape a secret. The redactor then replaces the escaped
/// secret in the original text.
final class UnescapedText {
    /// The kinds of escapes that are decoded, such as `\n` in JSON. The raw value of a kind is the byte with which its
    /// escapes start.
    private enum Escapes: UInt8 {
        case json = 0x5C
        case html = 0x26
        case percent = 0x25

        /// The kinds of escapes in the order of decoding. JSON and percent-encoding occur twice, because an escaped
        /// text may be escaped again.
        static let order: [Escapes] = [.json, .json, .html, .percent, .percent]
    }

    private(set) var bytes: [UInt8] = []
    private let encoding: SecretEncoding
    /// The input of this decoding step: the result of the previous step. Nil if the input was the original text.
    private let origin: UnescapedText?
    /// The ends of decoded escapes and of UTF-16 characters. `start` is the position in the decoded text (`bytes`).
    /// `source` is the position in the text before this decoding step.
    private var runs: [(start: Int, source: Int)] = []

    private init(_ encoding: SecretEncoding, from origin: UnescapedText?) {
        self.encoding = encoding
        self.origin = origin
    }

    /// Decodes the escapes of a text in all supported ways, and calls `body` with each result. A UTF-16 text is also
    /// converted to UTF-8. Does not call `body` if there is nothing to decode.
    static func forEach(of text: UnsafeRawBufferPointer, _ body: (UnescapedText) -> Void) {
        unescape(text, .ascii, from: nil, Escapes.order[...], body)
        // A text with a zero byte is UTF-16, because meaningful UTF-8 text contains no zero bytes.
        guard contains(text, 0) else { return }
        let reading = UnescapedText(byteOrder(of: text), from: nil)
        reading.readUTF16(text)
        body(reading)
        reading.bytes.withUnsafeBytes { unescape($0, reading.encoding, from: reading, Escapes.order[...], body) }
    }

    /// Guesses the byte order of a UTF-16 text from its zero bytes, which are the high bytes of ASCII characters.
    private static func byteOrder(of text: UnsafeRawBufferPointer) -> SecretEncoding {
        var zeros = (even: 0, odd: 0)
        for place in stride(from: 0, to: text.count - 1, by: 2) {
            if text[place] == 0 { zeros.even += 1 }
            if text[place + 1] == 0 { zeros.odd += 1 }
        }
        return zeros.even > zeros.odd ? .utf16BigEndian : .utf16LittleEndian
    }

    private static func unescape(
        _ text: UnsafeRawBufferPointer, _ encoding: SecretEncoding, from origin: UnescapedText?,
        _ order: ArraySlice<Escapes>, _ body: (UnescapedText) -> Void
    ) {
        guard let index = order.firstIndex(where: { contains(text, $0.rawValue) }) else { return }
        let reading = UnescapedText(encoding, from: origin)
        reading.read(text, without: order[index])
        // If nothing was decoded, the result equals the input.
        guard !reading.runs.isEmpty else { return unescape(text, encoding, from: origin, order[(index + 1)...], body) }
        body(reading)
        reading.bytes.withUnsafeBytes { unescape($0, encoding, from: reading, order[(index + 1)...], body) }
    }

    /// Returns the range of an escaped secret in the original text, with the mark that replaces the secret.
    ///
    /// - Parameter range: the range of the secret in the decoded text (`bytes`).
    func place(of range: Range<Int>) -> SecretMatch {
        let source = source(of: range.lowerBound)..<source(of: range.upperBound)
        return origin?.place(of: source) ?? SecretMatch(range: source, mark: encoding.mark)
    }

    /// Converts an index in the decoded text (`bytes`) to the index of the same character in the text before this
    /// decoding step.
    private func source(of index: Int) -> Int {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].start <= index { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? index : runs[low - 1].source + index - runs[low - 1].start
    }

    private static func contains(_ text: UnsafeRawBufferPointer, _ byte: UInt8) -> Bool {
        guard let start = text.baseAddress else { return false }
        return memchr(start, Int32(byte), text.count) != nil
    }
}

extension UnescapedText {
    /// Decodes one kind of escape in a text. The result is never longer than the text.
    private func read(_ text: UnsafeRawBufferPointer, without escapes: Escapes) {
        // There may be one escape per byte. Appending to a local array avoids exclusivity checks.
        var runs: [(start: Int, source: Int)] = []
        defer { self.runs = runs }
        bytes = [UInt8](unsafeUninitializedCapacity: text.count) { buffer, count in
            var out = Output(buffer)
            var place = 0
            while place < text.count {
                let byte = text[place]
                guard byte == escapes.rawValue else {
                    out.append(byte)
                    place += 1
                    continue
                }
                let before = place - out.count
                switch escapes {
                case .json: place += Self.readJSON(text, at: place, &out)
                case .html: place += Self.readHTML(text, at: place, &out)
                case .percent: place += Self.readPercent(text, at: place, &out)
                }
                // A byte that starts no valid escape is copied unchanged. The offset between the two texts then stays
                // the same.
                if place - out.count != before { runs.append((out.count, place)) }
            }
            count = out.count
        }
    }

    /// Decodes a UTF-16 text. Unpaired surrogates become U+FFFD, and an unpaired last byte is dropped.
    private func readUTF16(_ text: UnsafeRawBufferPointer) {
        let isBigEndian = encoding == .utf16BigEndian
        func unit(_ place: Int) -> UInt16? {
            guard place + 1 < text.count else { return nil }
            let unit = text.loadUnaligned(fromByteOffset: place, as: UInt16.self)
            return isBigEndian ? UInt16(bigEndian: unit) : UInt16(littleEndian: unit)
        }
        runs.reserveCapacity(text.count / 2)
        bytes = [UInt8](unsafeUninitializedCapacity: text.count / 2 * 3) { buffer, count in
            var out = Output(buffer)
            var place = 0
            while let first = unit(place) {
                if let second = unit(place + 2), let scalar = Self.scalar(first, second) {
                    out.append(scalar)
                    place += 4
                } else {
                    out.append(Unicode.Scalar(first) ?? "\u{FFFD}")
                    place += 2
                }
                runs.append((out.count, place))
            }
            count = out.count
        }
    }

    /// Appends the character of a JSON escape (RFC 8259, section 7). Returns the length of the escape.
    private static func readJSON(_ text: UnsafeRawBufferPointer, at place: Int, _ out: inout Output) -> Int {
        guard place + 1 < text.count else { return out.append(text[place], 1) }
        switch text[place + 1] {
        case UInt8(ascii: "u"):
            guard let first = unit(text, at: place) else { return out.append(text[place], 1) }
            if let second = unit(text, at: place + 6), let scalar = scalar(first, second) {
                out.append(scalar)
                return 12
            }
            guard let scalar = Unicode.Scalar(first) else { return out.append(text[place], 1) }
            out.append(scalar)
            return 6
        case UInt8(ascii: "n"): return out.append(0x0A, 2)
        case UInt8(ascii: "t"): return out.append(0x09, 2)
        case UInt8(ascii: "r"): return out.append(0x0D, 2)
        case UInt8(ascii: "b"): return out.append(0x08, 2)
        case UInt8(ascii: "f"): return out.append(0x0C, 2)
        case let letter: return out.append(letter, 2)
        }
    }

    /// Appends the character of an HTML reference such as `&amp;` or `&#39;`. Returns the length of the reference. A
    /// reference can have at most 10 characters between `&` and `;`.
    private static func readHTML(_ text: UnsafeRawBufferPointer, at place: Int, _ out: inout Output) -> Int {
        let near = text[(place + 1)..<min(place + 12, text.count)]
        guard let end = near.firstIndex(of: UInt8(ascii: ";")),
            let scalar = character(String(decoding: text[(place + 1)..<end], as: UTF8.self))
        else { return out.append(text[place], 1) }
        out.append(scalar)
        return end + 1 - place
    }

    /// Returns the character of a numeric HTML reference, or of `amp`, `lt`, `gt`, `quot` or `apos`.
    private static func character(_ name: String) -> Unicode.Scalar? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let number =
            digits.hasPrefix("x") || digits.hasPrefix("X")
            ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
        return number.flatMap { Unicode.Scalar($0) }
    }

    /// Appends the byte of a percent-encoded sequence such as `%C3` (RFC 3986, section 2.1). Returns the length of the
    /// sequence.
    private static func readPercent(_ text: UnsafeRawBufferPointer, at place: Int, _ out: inout Output) -> Int {
        guard let byte = number(text, place + 1, digits: 2) else { return out.append(text[place], 1) }
        return out.append(UInt8(truncatingIfNeeded: byte), 3)
    }

    /// Returns the UTF-16 code unit of a JSON escape such as `\u00e9`.
    private static func unit(_ text: UnsafeRawBufferPointer, at place: Int) -> UInt16? {
        guard place + 1 < text.count, text[place] == UInt8(ascii: "\\"), text[place + 1] == UInt8(ascii: "u") else {
            return nil
        }
        return number(text, place + 2, digits: 4)
    }

    /// Returns the Unicode scalar of a surrogate pair.
    private static func scalar(_ high: UInt16, _ low: UInt16) -> Unicode.Scalar? {
        guard UTF16.isLeadSurrogate(high), UTF16.isTrailSurrogate(low) else { return nil }
        return Unicode.Scalar(0x1_0000 + (UInt32(high) - 0xD800) << 10 + UInt32(low) - 0xDC00)
    }

    private static func number(_ text: UnsafeRawBufferPointer, _ place: Int, digits: Int) -> UInt16? {
        guard place + digits <= text.count else { return nil }
        var number: UInt16 = 0
        for index in place..<place + digits {
            switch text[index] {
            case let byte where UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte:
                number = number << 4 | UInt16(byte - UInt8(ascii: "0"))
            case let byte where UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20:
                number = number << 4 | UInt16((byte | 0x20) - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }
}

/// An output buffer with a fixed capacity.
private struct Output {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

    mutating func append(_ byte: UInt8) {
        buffer[count] = byte
        count += 1
    }

    /// Appends a byte that was decoded from an escape, and returns the length of the escape.
    mutating func append(_ byte: UInt8, _ length: Int) -> Int {
        append(byte)
        return length
    }

    /// Appends a Unicode scalar in UTF-8.
    mutating func append(_ scalar: Unicode.Scalar) {
        let value = scalar.value
        switch value {
        case ..<0x80: return append(Self.low(value))
        case ..<0x800: append(0xC0 | Self.low(value &>> 6))
        case ..<0x1_0000:
            append(0xE0 | Self.low(value &>> 12))
            append(0x80 | Self.low(value &>> 6 & 0x3F))
        default:
            append(0xF0 | Self.low(value &>> 18))
            append(0x80 | Self.low(value &>> 12 & 0x3F))
            append(0x80 | Self.low(value &>> 6 & 0x3F))
        }
        append(0x80 | Self.low(value & 0x3F))
    }

    private static func low(_ value: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: value) }
}
