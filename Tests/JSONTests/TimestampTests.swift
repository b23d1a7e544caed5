import JSON
import System
import TestSupport
import Testing

@Suite(.limited) struct TimestampTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"),
            (1, "1970-01-01T00:00:00.001Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (-86_400_000, "1969-12-31T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_800_000, "2000-03-01T00:00:00.000Z"),
            (1_709_164_800_000, "2024-02-29T00:00:00.000Z"),
            (1_677_628_800_000, "2023-03-01T00:00:00.000Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (1_769_850_300_250, "2026-01-31T09:05:00.250Z"),
            (2_147_483_647_000, "2038-01-19T03:14:07.000Z"),
            (-2_208_988_800_000, "1900-01-01T00:00:00.000Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func timestampIsWrittenInRFC3339(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
    }

    @Test func timestampOutsideTheYears0To9999IsClamped() {
        #expect(Timestamp(milliseconds: .max).rfc3339 == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp(milliseconds: .min).rfc3339 == "0000-01-01T00:00:00.000Z")
    }

    /// Compares every day of 400 years, a whole cycle of the calendar, with a calendar that counts days one by one.
    @Test func everyDayOfFourHundredYearsIsFormatted() {
        var (year, month, day) = (1970, 1, 1)
        for number in 0..<146_097 {
            func digits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
            let expected = "\(year)-\(digits(month))-\(digits(day))T00:00:00.000Z"
            let text = Timestamp(milliseconds: Int64(number) * 86_400_000).rfc3339
            if text != expected {
                Issue.record("day \(number): \(text), not \(expected)")
                return
            }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            day += 1
            if day > lengths[month - 1] { (day, month) = (1, month + 1) }
            if month > 12 { (month, year) = (1, year + 1) }
        }
        #expect(year == 2370)
    }

    @Test func timestampsAreOrderedByTime() {
        #expect(Timestamp(milliseconds: -1) < Timestamp(milliseconds: 0))
        #expect(!(Timestamp(milliseconds: 0) < Timestamp(milliseconds: 0)))
    }
}
