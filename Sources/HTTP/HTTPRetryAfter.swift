import System

/// The time after which an API accepts requests again, from the header field `Retry-After` (RFC 9110, section 10.2.3).
public struct HTTPRetryAfter: Equatable, Sendable {
    /// The maximum wait, in seconds. A longer wait is reduced to this limit, as in RFC 9111, section 1.2.2.
    private static let limit = 1 << 31

    /// The number of seconds to wait before the next request, from 0 to 2^31.
    public let seconds: Int
    /// Whether the wait exceeds the remaining time of the call. If so, Larder does not retry.
    public var isTooLate: Bool

    public init(seconds: Int, isTooLate: Bool = false) {
        self.seconds = seconds
        self.isTooLate = isTooLate
    }

    /// Converts a wait in milliseconds to seconds. Rounds up.
    package init(milliseconds: Milliseconds) {
        seconds = min(milliseconds / 1000 + (milliseconds % 1000 > 0 ? 1 : 0), Self.limit)
        isTooLate = false
    }

    /// Parses the value of `Retry-After`: a number of seconds, or a date. A date in the past means 0 seconds. Returns
    /// nil for other values.
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
