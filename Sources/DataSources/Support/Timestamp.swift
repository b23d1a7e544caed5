import JSON

/// A moment: milliseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    /// A moment from its milliseconds since 1970.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The order of time.
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    /// RFC 3339 in UTC with milliseconds: `2026-01-31T09:05:00.250Z`.
    public var rfc3339: String { String(decoding: rfc3339Bytes, as: UTF8.self) }

    /// The same as ASCII bytes.
    public var rfc3339Bytes: [UInt8] {
        var writer = JSONWriter(capacity: 24)
        writer.append(moment: milliseconds)
        return writer.bytes
    }
}
