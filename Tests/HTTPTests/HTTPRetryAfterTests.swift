import HTTP
import System
import TestSupport
import Testing

/// Tests all formats of `Retry-After` (RFC 9110, sections 5.6.7 and 10.2.3).
@Suite(.limited) struct HTTPRetryAfterTests {
    /// 1994-11-06T08:49:07Z, 30 seconds before the example date of RFC 9110.
    private static let now = Timestamp(milliseconds: 784_111_747_000)

    @Test(
        arguments: [
            ("7", 7), ("0", 0), ("007", 7), ("2147483648", 1 << 31), ("2147483649", 1 << 31),
            ("1000000000000000000000000000000", 1 << 31), ("-1", nil), ("+1", nil), ("soon", nil), ("1.5", nil),
            ("", nil), (" 7", nil), ("7s", nil), ("٧", nil),
        ] as [(String, Int?)])
    func retryAfterHeaderInSecondsIsParsed(value: String, expected: Int?) {
        #expect(HTTPRetryAfter(value, now: Self.now)?.seconds == expected)
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 30), ("Sunday, 06-Nov-94 08:49:37 GMT", 30),
            ("Sun Nov  6 08:49:37 1994", 30), ("Sun Nov 16 08:49:37 1994", 864_030),
            ("Sun, 06 Nov 1994 08:49:07 GMT", 0), ("Sat, 01 Jan 2000 00:00:00 GMT", 162_573_053),
            ("Thu, 29 Feb 1996 00:00:00 GMT", 41_440_253), ("Sun, 06 Nov 1994 08:49:60 GMT", 53),
            // Dates in the past.
            ("Sun, 06 Nov 1994 08:49:06 GMT", 0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Sat, 01 Jan 0000 00:00:00 GMT", 0),
            // Two-digit years are at most 50 years in the future.
            ("Sunday, 06-Nov-43 08:49:37 GMT", 1_546_300_830), ("Sunday, 06-Nov-46 08:49:37 GMT", 0),
            // Times beyond the maximum are reduced to it.
            ("Fri, 31 Dec 9999 23:59:59 GMT", 1 << 31),
        ])
    func retryAfterHeaderWithADateIsParsed(value: String, seconds: Int) {
        #expect(HTTPRetryAfter(value, now: Self.now)?.seconds == seconds)
    }

    @Test func partialSecondsUntilARetryAreRoundedUp() {
        let now = Timestamp(milliseconds: Self.now.milliseconds + 1)
        #expect(HTTPRetryAfter("Sun, 06 Nov 1994 08:49:37 GMT", now: now)?.seconds == 30)
    }

    @Test(arguments: [Int64.min, Int64.max])
    func retryAfterHeaderWithADateIsParsedIfTheClockIsFarOff(milliseconds: Int64) {
        let now = Timestamp(milliseconds: milliseconds)
        let seconds = HTTPRetryAfter("Sun, 06 Nov 1994 08:49:37 GMT", now: now)?.seconds
        #expect(seconds == (milliseconds < 0 ? 1 << 31 : 0))
        _ = HTTPRetryAfter("Sunday, 06-Nov-94 08:49:37 GMT", now: now)
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 32 Nov 1994 08:49:37 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
        "Sun, 06 Nov 199 08:49:37 GMT", "Sun, 06 Nov 19940 08:49:37 GMT", "1994-11-06T08:49:37Z",
        "Sun Nov  6 08:49:37 94 1994", "Sun, 06 Nov +994 08:49:37 GMT", ", , , , , GMT", "GMT",
    ])
    func retryAfterHeaderWithAnInvalidDateIsIgnored(value: String) {
        #expect(HTTPRetryAfter(value, now: Self.now) == nil)
    }
}
