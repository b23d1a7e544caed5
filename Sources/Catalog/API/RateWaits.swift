import JSON
import Model
import System

/// When an API takes requests again, as its answers say it.
public struct RateWaits: Equatable, Sendable {
    /// Where that is said, or what it always is.
    public enum Moment: Equatable, Sendable {
        case told(AnswerSelector)
        /// So many milliseconds after each such answer.
        case after(Int)
    }

    /// Read from answers that mean that there were too many requests.
    public var reset: Moment?
    /// Read from any answer.
    public var pause: Moment?

    /// Waits, by what answers say.
    public init(reset: Moment? = nil, pause: Moment? = nil) {
        self.reset = reset
        self.pause = pause
    }

    /// What stands for any longer wait, in milliseconds: 68 years.
    private static let longest = Double(Int32.max) * 1000

    /// In how many milliseconds a text or a number says that is; nil for what says nothing of it.
    ///
    /// It is a moment as RFC 3339 writes it, or a number: over 10^12 of milliseconds since 1970, over 10^9 of seconds
    /// since 1970, else of seconds from now.
    package static func wait(for value: JSONValue, now: Timestamp) -> Int? {
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
        Int(max(0, min(milliseconds.rounded(.up), longest)))
    }
}
