import System

extension Timestamp {
    /// RFC 3339 in UTC with milliseconds: `2026-01-31T09:05:00.250Z`.
    public var rfc3339: String { String(decoding: rfc3339Bytes, as: UTF8.self) }

    /// The same as ASCII bytes.
    public var rfc3339Bytes: [UInt8] {
        var writer = JSONWriter(capacity: 24)
        writer.append(moment: milliseconds)
        return writer.bytes
    }
}
