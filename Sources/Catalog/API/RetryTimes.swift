import JSON
import Model
import System

/// The settings of the catalog for the time at which an API accepts requests again.
public struct RetryTimes: Equatable, Sendable {
    /// The time at which the API accepts requests again.
    public enum Moment: Equatable, Sendable {
        /// The response contains the time, at this selector.
        case told(AnswerSelector)
        /// A fixed number of milliseconds after the response.
        case after(Milliseconds)
    }

    /// The time to wait for after a response that reports too many requests, such as status 429.
    public var reset: Moment?
    /// The time to wait for after any response.
    public var pause: Moment?

    public init(reset: Moment? = nil, pause: Moment? = nil) {
        self.reset = reset
        self.pause = pause
    }

    /// The maximum wait in milliseconds: 68 years.
    private static let maxWait = Double(Int32.max) * 1000

    /// Returns the wait in milliseconds, from a value in a response. Nil if the value is not a time.
    ///
    /// A text is a date (RFC 3339) or a number. A number above 10^12 counts milliseconds since 1970, one above 10^9
    /// seconds since 1970, and any other number seconds from now.
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
