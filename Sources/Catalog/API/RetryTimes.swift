import JSON
import Model
import System

/// The rules that determine when an API accepts requests again. A rule is a fixed wait after a response, or selects a
/// time in the response.
public struct RetryTimes: Equatable, Sendable {
    /// A way to determine the time at which the API accepts requests again.
    public enum Moment: Equatable, Sendable {
        /// A time in the response, located by the associated selector.
        case told(AnswerSelector)
        /// A fixed wait after the response, in milliseconds.
        case after(Milliseconds)
    }

    /// The rule for the time of the next request after a response that reports too many requests, such as status 429.
    /// Nil if the catalog declares no rule.
    public var reset: Moment?
    /// The rule for the time of the next request after any response. Nil if the catalog declares no rule.
    public var pause: Moment?

    public init(reset: Moment? = nil, pause: Moment? = nil) {
        self.reset = reset
        self.pause = pause
    }

    /// The maximum wait in milliseconds: 68 years.
    private static let maxWait = Double(Int32.max) * 1000

    /// Returns the wait time in milliseconds from a value in a response. Nil if the value is not a time.
    ///
    /// The value may be a date string (RFC 3339) or a number. The size of the number determines its unit:
    /// - above 10^12: milliseconds since 1970
    /// - above 10^9: seconds since 1970
    /// - otherwise: seconds from now
    package static func wait(for value: JSONValue, now: Timestamp) -> Milliseconds? {
        let text = value.plainText
        if case .string = value, let date = DateText(text) {
            return bounded(Double(date.milliseconds) - Double(now.milliseconds))
        }
        switch value {
        case .string, .number: break
        case .null, .bool, .array, .object: return nil
        }
        guard let number = Double(text), number.isFinite else { return nil }
        if number > 1e12 { return bounded(number - Double(now.milliseconds)) }
        return bounded(number > 1e9 ? number * 1000 - Double(now.milliseconds) : number * 1000)
    }

    private static func bounded(_ milliseconds: Double) -> Int {
        Int(max(0, min(milliseconds.rounded(.up), maxWait)))
    }
}
