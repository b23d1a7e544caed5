import Model

/// Collects the status line and the header fields of an answer. Informational answers (1xx) and trailers are ignored
/// (RFC 9110, sections 15.2 and 6.5).
///
/// The lines are parsed when the header section is complete.
struct HTTPHeadParser {
    /// The maximum total size of an answer's status lines and header fields, in bytes.
    static let limit = 256 << 10

    private var lines: [UInt8] = []
    private var received = 0
    private(set) var status = 0
    private(set) var isComplete = false

    /// Discards the lines of the header section, but keeps their memory allocated for the next answer.
    mutating func reset() {
        lines.removeAll(keepingCapacity: true)
        received = 0
        status = 0
        isComplete = false
    }

    /// Appends one line of the header section, with the line break.
    ///
    /// - Returns: whether the total size of all lines is within the limit.
    mutating func append(_ line: UnsafeRawBufferPointer) -> Bool {
        received += line.count
        guard received <= Self.limit else { return false }
        if isComplete { return true }
        if line.starts(with: "HTTP/".utf8) {
            lines.removeAll(keepingCapacity: true)
            status = Self.status(line)
        } else if line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") {
            isComplete = status >= 200
        } else {
            lines.append(contentsOf: line)
        }
        return true
    }

    /// The header fields in order of arrival. If a field spans several lines, the lines are joined (RFC 9112, section
    /// 5.2).
    var fields: [HTTPHeader] {
        var fields: [HTTPHeader] = []
        // Most answers have fewer header fields.
        fields.reserveCapacity(12)
        lines.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
                Self.append(bytes[start..<end], to: &fields)
                start = end + 1
            }
        }
        return fields
    }

    private static func append(_ line: Slice<UnsafeRawBufferPointer>, to fields: inout [HTTPHeader]) {
        guard let first = line.first else { return }
        if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
            guard let last = fields.popLast() else { return }
            fields.append(HTTPHeader(last.name, last.value + " " + text(line)))
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            fields.append(HTTPHeader(text(line[..<colon]), text(line[(colon + 1)...])))
        }
    }

    /// Returns bytes as a string, without the white space at both ends. Invalid UTF-8 becomes U+FFFD.
    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        func isBlank(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
        }
        var bytes = bytes
        while let byte = bytes.first, isBlank(byte) { bytes.removeFirst() }
        while let byte = bytes.last, isBlank(byte) { bytes.removeLast() }
        return String(decoding: UnsafeRawBufferPointer(rebasing: bytes), as: UTF8.self)
    }

    /// Parses the status code from a status line such as `HTTP/1.1 200 OK` or `HTTP/2 200`.
    private static func status(_ line: UnsafeRawBufferPointer) -> Int {
        guard let blank = line.firstIndex(of: UInt8(ascii: " ")) else { return 0 }
        return line[(blank + 1)...].prefix(3).reduce(0) { value, byte in
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte ? value * 10 + Int(byte - UInt8(ascii: "0")) : 0
        }
    }
}
