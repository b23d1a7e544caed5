import System

/// Writes times in the format of RFC 3339.
extension JSONWriter {
    /// Appends a time in UTC with milliseconds, as 24 bytes without quotes: `2026-01-31T09:05:00.250Z`. A time outside
    /// the years 0 to 9999 is clamped to these years.
    ///
    /// - Parameter milliseconds: the milliseconds since 1970-01-01T00:00:00Z.
    // The calendar is computed with Howard Hinnant's `civil_from_days`.
    public mutating func append(moment milliseconds: Int64) {
        // Days are counted from 0000-03-01, the start of a period of 400 years, so that no value is negative.
        let clamped = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
        let shifted = UInt64(clamped + 62_162_035_200_000 + Self.era * 86_400_000)
        let (days, inDay) = (shifted / 86_400_000, shifted % 86_400_000)
        let (era, dayOfEra) = (days / UInt64(Self.era), days % UInt64(Self.era))
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0) - 400
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { out in
            out.initialize(repeating: UInt8(ascii: "0"))
            func put(_ value: UInt64, at place: Int) {
                out[place] &+= UInt8(truncatingIfNeeded: value / 10)
                out[place + 1] &+= UInt8(truncatingIfNeeded: value % 10)
            }
            put(year / 100, at: 0)
            put(year % 100, at: 2)
            put(month, at: 5)
            put(day, at: 8)
            put(inDay / 3_600_000, at: 11)
            put(inDay / 60_000 % 60, at: 14)
            put(inDay / 1000 % 60, at: 17)
            put(inDay % 1000 / 10, at: 20)
            out[22] &+= UInt8(truncatingIfNeeded: inDay % 10)
            (out[4], out[7], out[10]) = (UInt8(ascii: "-"), UInt8(ascii: "-"), UInt8(ascii: "T"))
            (out[13], out[16]) = (UInt8(ascii: ":"), UInt8(ascii: ":"))
            (out[19], out[23]) = (UInt8(ascii: "."), UInt8(ascii: "Z"))
            append(UnsafeRawBufferPointer(out))
        }
    }

    /// The number of days in 400 years.
    private static var era: Int64 { 146_097 }
}

extension Timestamp {
    /// The time in the format of RFC 3339, in UTC with milliseconds: `2026-01-31T09:05:00.250Z`.
    public var rfc3339: String { String(decoding: rfc3339Bytes, as: UTF8.self) }

    /// The time in the format of RFC 3339, in UTC with milliseconds, as 24 ASCII bytes.
    public var rfc3339Bytes: [UInt8] {
        var writer = JSONWriter(capacity: 24)
        writer.append(moment: milliseconds)
        return writer.bytes
    }
}
