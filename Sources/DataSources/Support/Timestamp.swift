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
    ///
    /// The calendar is computed with Howard Hinnant's `civil_from_days`. Moments outside the years 0 to 9999, which
    /// RFC 3339 cannot say, are clamped to them.
    public var rfc3339Bytes: [UInt8] {
        let clamped = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
        let (days, inDay) = (clamped.floorDivided(by: 86_400_000), clamped.floorRemainder(by: 86_400_000))
        let shifted = days + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        var out: [UInt8] = []
        out.reserveCapacity(24)
        func put(_ value: Int64, _ digits: Int, _ after: Unicode.Scalar) {
            var divisor: Int64 = digits == 4 ? 1000 : digits == 3 ? 100 : 10
            while divisor > 0 {
                out.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
                divisor /= 10
            }
            out.append(UInt8(ascii: after))
        }
        put(year, 4, "-")
        put(month, 2, "-")
        put(day, 2, "T")
        put(inDay / 3_600_000, 2, ":")
        put(inDay / 60_000 % 60, 2, ":")
        put(inDay / 1000 % 60, 2, ".")
        put(inDay % 1000, 3, "Z")
        return out
    }
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        self / divisor - (self % divisor < 0 ? 1 : 0)
    }

    fileprivate func floorRemainder(by divisor: Int64) -> Int64 {
        self - floorDivided(by: divisor) * divisor
    }
}
