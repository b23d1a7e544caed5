import System

/// When an API takes requests again (`Retry-After`, RFC 9110, section 10.2.3).
public struct HTTPRetryAfter: Equatable, Sendable {
    /// What stands for any longer time, as RFC 9111 (section 1.2.2) has it for seconds that do not fit.
    private static let limit = 1 << 31

    /// In how many seconds, from 0 to 2^31.
    public let seconds: Int
    /// Whether that is past the call's deadline, so that no other try was made.
    public var isTooLate: Bool

    public init(seconds: Int, isTooLate: Bool = false) {
        self.seconds = seconds
        self.isTooLate = isTooLate
    }

    /// A time in milliseconds, rounded up.
    package init(milliseconds: Int) {
        seconds = min(milliseconds / 1000 + (milliseconds % 1000 > 0 ? 1 : 0), Self.limit)
        isTooLate = false
    }

    /// A field's value: a number of seconds, or a date, which is compared with the clock. A date that has passed is 0
    /// seconds; nil for what is neither.
    public init?(_ value: String, now: Timestamp) {
        isTooLate = false
        let digits = value.utf8
        if !digits.isEmpty, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
            seconds = min(Int(value) ?? Self.limit, Self.limit)
            return
        }
        guard let date = HTTPDate.parse(value, now: now) else { return nil }
        let (wait, overflow) = date.milliseconds.subtractingReportingOverflow(now.milliseconds)
        if overflow {
            seconds = date > now ? Self.limit : 0
        } else {
            seconds = wait <= 0 ? 0 : Int(min(wait / 1000 + (wait % 1000 > 0 ? 1 : 0), Int64(Self.limit)))
        }
    }
}
