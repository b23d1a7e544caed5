/// A moment in UTC with up to nine fractional digits of a second, in the years 0 to 9999 (RFC 3339).
public struct DateText: Equatable, Sendable {
    /// The unit of a number that counts the time since 1970-01-01T00:00:00Z.
    public enum Unit: String, Equatable, Sendable {
        case seconds = "s"
        case milliseconds = "ms"
    }

    private static let years: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    /// The whole seconds since 1970-01-01T00:00:00Z; negative for earlier moments.
    private let seconds: Int64
    /// The digits after the decimal point of the seconds, at most 9.
    private let fraction: [UInt8]

    private init?(seconds: Int64, fraction: [UInt8]) {
        guard Self.years.contains(seconds) else { return nil }
        self.seconds = seconds
        self.fraction = fraction
    }

    /// Parses a moment in the form of RFC 3339, with any offset. Returns nil for other strings and for days that do not
    /// exist.
    ///
    /// - Parameter assumingUTC: whether a string without an offset means a moment in UTC. If false, such a string is
    ///   invalid.
    public init?(_ text: String, assumingUTC: Bool = false) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 19, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            "Tt ".utf8.contains(bytes[10]), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10]), let hour = Self.number(bytes[11..<13]),
            let minute = Self.number(bytes[14..<16]), let second = Self.number(bytes[17..<19]),
            (1...12).contains(month), day >= 1, day <= Self.days(of: month, in: year), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        var rest = bytes[19...]
        var fraction: ArraySlice<UInt8> = []
        if rest.first == UInt8(ascii: ".") {
            fraction = rest.dropFirst().prefix { Self.isDigit($0) }
            guard !fraction.isEmpty else { return nil }
            rest = rest.dropFirst(fraction.count + 1)
        }
        guard let offset = rest.isEmpty && assumingUTC ? 0 : Self.offset(rest) else { return nil }
        // A leap second becomes the second after it, because system clocks have no leap seconds.
        let inDay = hour * 3600 + minute * 60 + second - offset
        self.init(
            seconds: Self.dayNumber(year, month, day) * 86_400 + inDay, fraction: Array(fraction.prefix(9)))
    }

    /// Creates a moment from a number. Returns nil for a number with an exponent, and for a moment outside the years 0
    /// to 9999.
    ///
    /// - Parameter number: the digits of the number, as written in JSON.
    public init?(number: String, in unit: Unit) {
        let isNegative = number.hasPrefix("-")
        let parts = number.dropFirst(isNegative ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ $0.utf8.allSatisfy(Self.isDigit) }), var whole = Int64(parts[0])
        else { return nil }
        var fraction = parts.count == 2 ? Array(parts[1].utf8.prefix(9)) : []
        if unit == .milliseconds {
            let digits = String(whole % 1000)
            fraction = Array((String(repeating: "0", count: 3 - digits.count) + digits).utf8) + fraction.prefix(6)
            whole /= 1000
        }
        if isNegative {
            let scale = fraction.reduce(Int64(1)) { scale, _ in scale * 10 }
            let left = fraction.reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
            if left > 0 {
                let digits = String(scale - left)
                fraction = Array((String(repeating: "0", count: fraction.count - digits.count) + digits).utf8)
                whole = whole == Int64.max ? whole : whole + 1
            }
            whole = -whole
        }
        self.init(seconds: whole, fraction: fraction)
    }

    /// The moment in the form of RFC 3339, in UTC: `2026-01-31T09:05:00Z`, `2026-01-31T09:05:00.25Z`.
    public var rfc3339: String {
        var writer = JSONWriter(capacity: 32)
        writer.append(moment: seconds * 1000)
        let second = String(decoding: writer.bytes.prefix(19), as: UTF8.self)
        return fraction.isEmpty ? second + "Z" : "\(second).\(String(decoding: fraction, as: UTF8.self))Z"
    }

    /// The milliseconds since 1970-01-01T00:00:00Z, without fractions of a millisecond.
    public var milliseconds: Int64 {
        seconds * 1000 + (fraction + [0x30, 0x30, 0x30]).prefix(3).reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard digits.allSatisfy(isDigit) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Returns the seconds by which an offset such as `+02:00` is ahead of UTC; 0 for `Z`, and nil for an invalid
    /// offset.
    private static func offset(_ text: ArraySlice<UInt8>) -> Int64? {
        let bytes = Array(text)
        if bytes == [UInt8(ascii: "Z")] || bytes == [UInt8(ascii: "z")] { return 0 }
        guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
            bytes[3] == UInt8(ascii: ":"), let hours = number(bytes[1..<3]), let minutes = number(bytes[4..<6]),
            hours < 24, minutes < 60
        else { return nil }
        return (hours * 3600 + minutes * 60) * (bytes[0] == UInt8(ascii: "-") ? -1 : 1)
    }

    private static func days(of month: Int64, in year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the number of days from 1970-01-01 to a date (Howard Hinnant's `days_from_civil`).
    // The days are counted in periods of 400 years from the year -400, so that no intermediate value is negative.
    private static func dayNumber(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = (month <= 2 ? year - 1 : year) + 400
        let (era, ofEra) = (year / 400, year % 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + dayOfYear - 719_468 - 146_097
    }
}
