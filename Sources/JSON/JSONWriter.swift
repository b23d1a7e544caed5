/// A writer of compact JSON. The writer adds the commas; the caller writes keys and values in order.
///
/// The output has no line breaks. Even U+0085, U+2028 and U+2029 are escaped, because some readers treat them as line
/// breaks.
public struct JSONWriter: Sendable {
    /// The JSON text written so far.
    public private(set) var bytes: [UInt8]
    private var needsComma = false

    public init(capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Removes the output, but keeps its memory for reuse.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Removes the output after the first `count` bytes. The next value then starts without a comma.
    public mutating func truncate(to count: Int) {
        bytes.removeLast(max(0, bytes.count - max(0, count)))
        needsComma = false
    }

    /// Starts a new JSON text. The next value gets no comma before it.
    public mutating func beginText() { needsComma = false }

    public mutating func beginObject() { open(UInt8(ascii: "{")) }
    public mutating func endObject() { close(UInt8(ascii: "}")) }
    public mutating func beginArray() { open(UInt8(ascii: "[")) }
    public mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes a member's key. The key must not contain characters that JSON escapes.
    public mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(name)
        append("\":")
        needsComma = false
    }

    /// Writes a member's key, and escapes it if necessary.
    public mutating func key(text name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a member's key from encoded bytes. The bytes must include the quotes and the colon, as in `"name":`.
    public mutating func key(written key: [UInt8]) {
        separate()
        bytes.append(contentsOf: key)
        needsComma = false
    }

    /// Writes a string, and escapes it if necessary.
    public mutating func string(_ text: String) {
        separate()
        var text = text
        text.withUTF8 { appendEscaped(UnsafeRawBufferPointer($0)) }
        needsComma = true
    }

    /// Writes a string from its UTF-8 bytes.
    public mutating func string(utf8 text: [UInt8]) {
        separate()
        text.withUnsafeBytes { appendEscaped($0) }
        needsComma = true
    }

    /// Writes a constant string. The string must not contain characters that JSON escapes.
    public mutating func string(_ text: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(text)
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes an integer.
    public mutating func integer(_ value: some BinaryInteger) { literal(String(value)) }
    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }
    /// Writes `null`.
    public mutating func null() { raw("null") }

    /// Writes JSON that is already encoded, such as the digits of a number.
    public mutating func literal(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
        needsComma = true
    }

    /// Writes constant JSON that is already encoded.
    public mutating func raw(_ text: StaticString) {
        separate()
        append(text)
        needsComma = true
    }

    /// Writes a value that a `JSONWriter` has already encoded. Copies its bytes unchanged.
    public mutating func splice(_ value: [UInt8]) {
        separate()
        bytes.append(contentsOf: value)
        needsComma = true
    }

    /// Writes a value that a `JSONWriter` has already encoded. Copies its bytes unchanged.
    mutating func splice(_ value: UnsafeRawBufferPointer) {
        separate()
        bytes.append(contentsOf: value)
        needsComma = true
    }

    /// Writes an array of values that a `JSONWriter` has already encoded.
    public mutating func splice(array values: [[UInt8]]) {
        beginArray()
        for value in values { splice(value) }
        endArray()
    }

    /// Appends bytes unchanged, without a comma. Used for text outside the JSON values, such as line breaks.
    public mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends one byte unchanged, without a comma. Used for text outside the JSON values, such as line breaks.
    public mutating func append(byte: UInt8) { bytes.append(byte) }

    /// Appends bytes unchanged, without a comma. Used for text outside the JSON values, such as line breaks.
    public mutating func append(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// Appends bytes unchanged, without a comma. Used for text outside the JSON values, such as line breaks.
    public mutating func append(_ more: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: more)
    }

    /// Inserts a string at a byte offset of the output, without a comma. Used for text outside the JSON values.
    public mutating func insert(_ text: String, at offset: Int) {
        bytes.insert(contentsOf: text.utf8, at: min(max(0, offset), bytes.count))
    }

    private mutating func open(_ byte: UInt8) {
        separate()
        bytes.append(byte)
        needsComma = false
    }

    private mutating func close(_ byte: UInt8) {
        bytes.append(byte)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }
}

extension JSONWriter {
    /// Writes a JSON value.
    public mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let flag): bool(flag)
        case .number(let digits): literal(digits)
        case .string(let text): string(text)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let object):
            beginObject()
            for member in object.members {
                key(text: member.key)
                self.value(member.value)
            }
            endObject()
        }
    }

    /// Writes a parsed value as compact JSON. Numbers keep their digits; strings are escaped again.
    public mutating func value(_ view: JSONView) {
        switch view.kind {
        case .string:
            separate()
            appendString(view)
            needsComma = true
        case .object:
            beginObject()
            for member in view.members {
                key(member.key)
                value(member.value)
            }
            endObject()
        case .array:
            beginArray()
            for element in view.elements { value(element) }
            endArray()
        case .null, .true, .false, .number:
            separate()
            bytes.append(contentsOf: view.token)
            needsComma = true
        }
    }

    /// Writes a parsed string as a member's key.
    public mutating func key(_ view: JSONView) {
        separate()
        appendString(view)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    private mutating func appendString(_ view: JSONView) {
        if view.isPlainString {
            bytes.append(contentsOf: view.token)
        } else {
            view.unescaped().withUnsafeBytes { appendEscaped($0) }
        }
    }
}

extension JSONWriter {
    /// Appends UTF-8 bytes as a quoted string.
    mutating func appendEscaped(_ text: UnsafeRawBufferPointer) {
        append("\"")
        var plain = 0
        var at = 0
        while at < text.count {
            guard let length = Self.lengthToEscape(text, at) else {
                at += 1
                continue
            }
            append(UnsafeRawBufferPointer(rebasing: text[plain..<at]))
            appendEscape(text, at, length)
            at += length
            plain = at
        }
        append(UnsafeRawBufferPointer(rebasing: text[plain...]))
        append("\"")
    }

    /// Returns the length of the Unicode scalar at an offset, in bytes, if the writer must escape the scalar.
    /// Otherwise returns nil.
    private static func lengthToEscape(_ text: UnsafeRawBufferPointer, _ at: Int) -> Int? {
        switch text[at] {
        case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"):
            return 1
        case 0xC2 where at + 1 < text.count && text[at + 1] == 0x85:
            return 2
        case 0xE2 where at + 2 < text.count && text[at + 1] == 0x80 && text[at + 2] & 0xFE == 0xA8:
            return 3
        default:
            return nil
        }
    }

    private mutating func appendEscape(_ text: UnsafeRawBufferPointer, _ at: Int, _ length: Int) {
        switch text[at] {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x08: append("\\b")
        case 0x09: append("\\t")
        case 0x0A: append("\\n")
        case 0x0C: append("\\f")
        case 0x0D: append("\\r")
        case 0xC2: append("\\u0085")
        case 0xE2: append(text[at + 2] == 0xA8 ? "\\u2028" : "\\u2029")
        case let control:
            append("\\u00")
            for digit in [control >> 4, control & 0xF] {
                append(CollectionOfOne(digit < 10 ? digit + UInt8(ascii: "0") : digit - 10 + UInt8(ascii: "a")))
            }
        }
    }
}
