import System

/// Parses HTTP dates (RFC 9110, section 5.6.7).
package enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Parses a date in one of the three HTTP formats. Returns nil for other strings. Does not check the name of the
    /// day.
    ///
    /// ```
    /// Sun, 06 Nov 1994 08:49:37 GMT      current format
    /// Sunday, 06-Nov-94 08:49:37 GMT     obsolete format (RFC 850)
    /// Sun Nov  6 08:49:37 1994           asctime
    /// ```
    ///
    /// - Parameter now: the current time. A date with a two-digit year is moved 100 years back if it is more than 50
    ///   years in the future.
    package static func parse(_ text: String, now: Timestamp) -> Timestamp? {
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
        guard text.utf8.count <= 40, words.count == 5 || words.last == "GMT" else { return nil }
        switch words.count {
        case 6: return moment(year: words[3], month: words[2], day: words[1], time: words[4], now)
        case 5: return moment(year: words[4], month: words[1], day: words[2], time: words[3], now)
        default: return nil
        }
    }

    private static func moment(
        year: Substring, month: Substring, day: Substring, time: Substring, _ now: Timestamp
    ) -> Timestamp? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, clock.allSatisfy({ $0.utf8.count == 2 }),
            let hour = number(clock[0], 0...23), let minute = number(clock[1], 0...59),
            let second = number(clock[2], 0...60), let month = months.firstIndex(of: String(month)),
            let day = number(day, 1...31), let written = number(year, 0...9999),
            year.utf8.count == 4 || year.utf8.count == 2
        else { return nil }
        func moment(in year: Int) -> Timestamp {
            let seconds = days(year, month + 1, day) * 86_400 + hour * 3600 + minute * 60 + second
            return Timestamp(milliseconds: Int64(seconds) * 1000)
        }
        if year.utf8.count == 4 { return moment(in: written) }
        let latest = now.milliseconds.addingReportingOverflow(50 * 31_556_952_000).partialValue
        // The fallback is never used: for every possible clock, one of these dates is in range.
        return stride(from: 2900, through: 1900, by: -100).lazy.map { moment(in: $0 + written) }
            .first { $0.milliseconds <= latest }
    }

    private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
        guard text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        return Int(text).flatMap { range.contains($0) ? $0 : nil }
    }

    /// Returns the number of days from 1970-01-01 to a date in the years 0 to 9999 (Howard Hinnant's
    /// `days_from_civil`).
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // The year starts in March here, so that a leap day is its last day.
        let year = (month <= 2 ? year - 1 : year) + 400
        let (era, yearOfEra) = (year / 400, year % 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return (era - 1) * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
