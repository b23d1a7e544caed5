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
}
