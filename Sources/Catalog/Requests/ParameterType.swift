import JSON

/// The type of a filter or scope parameter. The type also determines the canonical form of the parameter's values,
/// which cache keys contain.
public indirect enum ParameterType: Equatable, Sendable {
    case string, integer, number, boolean, any
    /// A date. If a unit is given, Larder sends the time since 1970 in this unit; otherwise an RFC 3339 string.
    case date(DateUnit?)
    /// One of the given strings.
    case enumeration([String])
    /// An array whose values have the given type.
    case array(ParameterType)

    /// The units of dates that are sent as numbers. Such a number counts the units since 1970.
    public enum DateUnit: String, CaseIterable, Sendable {
        case seconds = "s"
        case milliseconds = "ms"
    }

    /// Whether the type is an array.
    public var isArray: Bool { if case .array = self { true } else { false } }

    /// The description of valid values. Error messages use it after "must be".
    public var expected: String {
        switch self {
        case .string: "a string"
        case .integer: "an integer"
        case .number: "a number"
        case .boolean: "true or false"
        case .any: "a value"
        case .date(nil): "a date such as \"2026-01-31\" or \"2026-01-31T09:05:00Z\""
        case .date: "a date such as \"2026-01-31T09:05:00Z\", or a Unix timestamp"
        case .enumeration(let values): "one of \(values.map { "\"\($0)\"" }.joined(separator: ", "))"
        case .array(let element): "an array in which each element is \(element.expected)"
        }
    }

    /// Returns the canonical form of a value; nil if the value does not have the type. Two values with the same meaning
    /// have the same canonical form.
    public func canonical(_ value: JSONValue) -> JSONValue? {
        switch (self, value) {
        case (.any, _): return value
        case (.array(let element), .array(let values)):
            let canonical = values.compactMap { element.canonical($0) }
            return canonical.count == values.count ? .array(canonical) : nil
        // A single value counts as an array with one element.
        case (.array(let element), _): return element.canonical(value).map { .array([$0]) }
        case (_, .array), (_, .object), (_, .null): return nil
        case (.string, _): return .string(value.plainText)
        case (.integer, _): return IDType.integer.canonical(value.plainText).map { .number($0) }
        case (.number, .number): return value
        case (.number, .string(let text)): return Self.number(text)
        case (.boolean, .bool): return value
        case (.boolean, .string("true")): return true
        case (.boolean, .string("false")): return false
        case (.enumeration(let values), _): return values.contains(value.plainText) ? .string(value.plainText) : nil
        case (.date(let unit), _): return Self.date(value, unit)
        case (.number, _), (.boolean, _): return nil
        }
    }

    private static func number(_ text: String) -> JSONValue? {
        guard let value = try? JSONValue(parsing: text), case .number(text) = value else { return nil }
        return value
    }

    private static func date(_ value: JSONValue, _ unit: DateUnit?) -> JSONValue? {
        switch (value, unit) {
        case (.number, nil): return nil
        case (.number(let digits), _?): return IDType.integer.canonical(digits).map { .number($0) }
        case (.string(let text), nil):
            return RFC3339Reader.isDay(text)
                ? value : RFC3339Reader.milliseconds(text).map { .string(RFC3339Reader.text($0)) }
        case (.string(let text), let unit?):
            let midnight = RFC3339Reader.isDay(text) ? text + "T00:00:00Z" : text
            guard let moment = RFC3339Reader.milliseconds(midnight) else {
                return IDType.integer.canonical(text).map { .number($0) }
            }
            return .integer(Int(unit == .seconds ? moment / 1000 : moment))
        default: return nil
        }
    }
}

/// Parses RFC 3339 dates with a time.
public enum RFC3339Reader {
    /// Whether a string is a date without a time: `2026-01-31`.
    static func isDay(_ text: String) -> Bool { text.utf8.count == 10 && milliseconds(text + "T00:00:00Z") != nil }

    /// Returns the number of milliseconds from 1970 to a date. Digits below a millisecond are ignored. Nil if the
    /// string is not a date with a time.
    public static func milliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int64? {
            guard range.upperBound <= bytes.count else { return nil }
            var value: Int64 = 0
            for byte in bytes[range] {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - 0x30)
            }
            return value
        }
        func isByte(_ at: Int, _ allowed: String) -> Bool { at < bytes.count && allowed.utf8.contains(bytes[at]) }
        guard let year = number(0..<4), isByte(4, "-"), let month = number(5..<7), (1...12).contains(month),
            isByte(7, "-"), let day = number(8..<10), (1...days(of: month, year)).contains(day), isByte(10, "Tt "),
            let hour = number(11..<13), hour < 24, isByte(13, ":"), let minute = number(14..<16), minute < 60,
            isByte(16, ":"), let second = number(17..<19), second <= 60
        else { return nil }
        var at = 19
        var fraction: Int64 = 0
        if isByte(at, ".") {
            let digits = bytes[(at + 1)...].prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty else { return nil }
            for place in 0..<3 {
                let digit = place < digits.count ? digits[digits.startIndex + place] - 0x30 : 0
                fraction = fraction * 10 + Int64(digit)
            }
            at += 1 + digits.count
        }
        var offset: Int64 = 0
        if isByte(at, "Zz") {
            guard at + 1 == bytes.count else { return nil }
        } else {
            guard isByte(at, "+-"), at + 6 == bytes.count, let hours = number(at + 1..<at + 3), hours < 24,
                isByte(at + 3, ":"), let minutes = number(at + 4..<at + 6), minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (bytes[at] == UInt8(ascii: "-") ? -60 : 60)
        }
        let seconds = Self.day(year, month, day) * 86_400 + hour * 3600 + minute * 60 + min(second, 59) - offset
        return seconds * 1000 + fraction
    }

    /// Formats a date in UTC. Leaves out zero milliseconds (`.000`), because some APIs reject them.
    static func text(_ milliseconds: Int64) -> String {
        var writer = JSONWriter(capacity: 24)
        writer.append(moment: milliseconds)
        let text = String(decoding: writer.bytes, as: UTF8.self)
        return text.hasSuffix(".000Z") ? text.dropLast(5) + "Z" : text
    }

    private static func days(of month: Int64, _ year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Returns the number of days since 1970-01-01 (Howard Hinnant's `days_from_civil`).
    private static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
