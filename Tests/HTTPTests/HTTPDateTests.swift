import System
import TestSupport
import Testing

@testable import HTTP

@Suite(.limited) struct HTTPDateTests {
    /// The time 1994-11-06T08:49:37Z, which is the example in RFC 9110.
    private static let moment: Int64 = 784_111_777_000
    private static let halfCentury: Int64 = 50 * 31_556_952_000

    @Test(
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ])
    func everyHTTPDateFormatIsParsed(text: String) {
        #expect(HTTPDate.parse(text, now: Timestamp(milliseconds: Self.moment))?.milliseconds == Self.moment)
    }

    @Test(
        arguments: [
            "", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
            "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT",
            "Sun, 06 Non 1994 08:49:37 GMT", "Sun, 06 Nov 994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37 GMT more",
        ])
    func stringsInOtherFormatsAreNotHTTPDates(text: String) {
        #expect(HTTPDate.parse(text, now: Timestamp(milliseconds: 0)) == nil)
    }

    @Test func twoDigitYearIsAtMostFiftyYearsAhead() throws {
        let text = "Saturday, 06-Nov-94 08:49:37 GMT"
        func parsed(_ now: Int64) -> Int64? { HTTPDate.parse(text, now: Timestamp(milliseconds: now))?.milliseconds }
        let next = "Sat, 06 Nov 2094 08:49:37 GMT"
        let later = try #require(HTTPDate.parse(next, now: Timestamp(milliseconds: 0))).milliseconds
        #expect(parsed(later - Self.halfCentury) == later)
        #expect(parsed(later - Self.halfCentury - 1) == Self.moment)
    }

    @Test func leapSecondInAnHTTPDateIsParsed() {
        let date = HTTPDate.parse("Fri, 30 Jun 1972 23:59:60 GMT", now: Timestamp(milliseconds: 0))
        #expect(date?.milliseconds == 78_796_800_000)
    }

    private static let months = [
        ("Jan", 31), ("Feb", 28), ("Mar", 31), ("Apr", 30), ("May", 31), ("Jun", 30), ("Jul", 31), ("Aug", 31),
        ("Sep", 30), ("Oct", 31), ("Nov", 30), ("Dec", 31),
    ]

    @Test func daysOfHTTPDatesAreConsecutive() {
        var day: Int64 = 0
        for year in 1970...2101 {
            let isLeap = year % 4 == 0 && year != 2100
            for (name, length) in Self.months {
                for number in 1...(name == "Feb" && isLeap ? 29 : length) {
                    let two = number < 10 ? "0\(number)" : "\(number)"
                    let date = HTTPDate.parse(
                        "Sun, \(two) \(name) \(year) 00:00:00 GMT", now: Timestamp(milliseconds: 0))
                    if date?.milliseconds != day * 86_400_000 { Issue.record("\(number) \(name) \(year)") }
                    day += 1
                }
            }
        }
        #expect(day == 48_212)
    }

    @Test(
        arguments: [
            ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Sun, 06 Nov 1994 00:00:00 GMT", 784_080_000), ("Sun, 06 Nov 1994 23:59:00 GMT", 784_166_340),
            ("Mon, 29 Feb 1600 00:00:00 GMT", -11_670_998_400), ("Thu, 01 Mar 1900 00:00:00 GMT", -2_203_891_200),
        ])
    func boundaryValuesOfHTTPDatesAreParsed(text: String, seconds: Int64) {
        #expect(HTTPDate.parse(text, now: Timestamp(milliseconds: 0))?.milliseconds == seconds * 1000)
    }

    @Test func lengthOfAnHTTPDateIsLimited() {
        let now = Timestamp(milliseconds: Self.moment)
        for (count, isParsed) in [(40, true), (41, false)] {
            let text = String(repeating: "S", count: count - 26) + ", 06 Nov 1994 08:49:37 GMT"
            #expect((HTTPDate.parse(text, now: now) != nil) == isParsed)
        }
    }
}
