/// Finds many secrets in one pass over a text. Then decodes the text's escapes, and searches the decoded text too.
///
/// Every encoding of a secret has at least 8 bytes. At each position of the text, a filter of 65,536 bits checks the
/// next 8 bytes. The filter excludes most positions, so the search is fast.
struct SecretSearch: Sendable {
    static let window = 8

    private var filter = [UInt64](repeating: 0, count: 1 << 10)
    /// The encodings of all secrets, by their first 8 bytes. Encodings with equal first bytes are sorted, the longest
    /// first.
    private var forms: [UInt64: [SecretForm]] = [:]

    init(_ forms: [SecretForm]) {
        for form in forms.sorted(by: { $0.bytes.count > $1.bytes.count }) where form.bytes.count >= Self.window {
            let head = form.bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
            self.forms[head, default: []].append(form)
            filter[Self.bit(of: head) >> 6] |= 1 << UInt64(Self.bit(of: head) & 63)
        }
    }

    /// Returns a copy of the text with the mark `***` in place of each secret; nil if the text contains no secret.
    ///
    /// - Parameter other: a second search, for other secrets; nil for none. If secrets overlap, one mark replaces them.
    func redacted(_ text: UnsafeRawBufferPointer, with other: SecretSearch? = nil) -> [UInt8]? {
        var found: [SecretMatch] = []
        forEachMatch(in: text) { found.append(SecretMatch(range: $0, mark: $1.mark)) }
        other?.forEachMatch(in: text) { found.append(SecretMatch(range: $0, mark: $1.mark)) }
        UnescapedText.forEach(of: text) { reading in
            reading.bytes.withUnsafeBytes { bytes in
                forEachMatch(in: bytes) { range, _ in found.append(reading.place(of: range)) }
                other?.forEachMatch(in: bytes) { range, _ in found.append(reading.place(of: range)) }
            }
        }
        return found.isEmpty ? nil : Self.replaced(found, in: text)
    }

    /// Replaces each found secret by the mark `***`. Overlapping secrets get only one mark.
    private static func replaced(_ found: [SecretMatch], in text: UnsafeRawBufferPointer) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var end = 0
        for place in found.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            if place.range.lowerBound >= end {
                result.append(contentsOf: text[end..<place.range.lowerBound])
                result.append(contentsOf: place.mark)
            }
            end = max(end, place.range.upperBound)
        }
        result.append(contentsOf: text[end...])
        return result
    }

    private func forEachMatch(in bytes: UnsafeRawBufferPointer, _ body: (Range<Int>, SecretEncoding) -> Void) {
        guard bytes.count >= Self.window else { return }
        filter.withUnsafeBufferPointer { filter in
            for place in 0...bytes.count - Self.window {
                let head = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                let bit = Self.bit(of: head)
                guard filter[bit >> 6] & 1 << UInt64(bit & 63) != 0, let form = form(with: head, at: place, in: bytes)
                else { continue }
                body(Self.extent(of: form, at: place, in: bytes), form.encoding)
            }
        }
    }

    private func form(with head: UInt64, at place: Int, in bytes: UnsafeRawBufferPointer) -> SecretForm? {
        forms[head]?.first { form in
            form.bytes.count <= bytes.count - place
                && bytes[place..<place + form.bytes.count].elementsEqual(form.bytes)
        }
    }

    /// Returns the complete range of a secret in base64 text. The range includes padding, and digits that contain only
    /// some bits of the secret.
    private static func extent(of form: SecretForm, at place: Int, in bytes: UnsafeRawBufferPointer) -> Range<Int> {
        var (start, end) = (place, place + form.bytes.count)
        if form.sharesDigitBefore, start > 0, isDigit(bytes[start - 1]) { start -= 1 }
        if form.sharesDigitAfter {
            if end < bytes.count, isDigit(bytes[end]) { end += 1 }
            while end < bytes.count, bytes[end] == UInt8(ascii: "=") { end += 1 }
        }
        return start..<end
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func bit(of head: UInt64) -> Int { Int((head &* 0x9E37_79B9_7F4A_7C15) >> 48) }
}

/// The range of a secret in a text, and the mark that replaces the secret.
struct SecretMatch {
    let range: Range<Int>
    let mark: [UInt8]
}
