import JSON
import System

/// The description of a `sync` with the style `since`: the value that changes with each change of an item, and the
/// parameter that requests items with this or a larger value.
public struct SinceDefinition: Sendable {
    /// The types of the value.
    public enum Kind: Equatable, Sendable {
        /// A date: a string in the form of RFC 3339, or a number in the unit.
        case date(DateText.Unit?)
        case integer
        case number
    }

    /// The name of the query parameter, body member or variable.
    public var parameter: String
    /// The selector of the value in an item, as the API sends it.
    public var from: JSONSelector
    public var kind = Kind.date(nil)
    /// The difference between the largest value that was seen and the requested value: milliseconds for dates.
    public var overlap: Double = 0
    /// Whether items come in the order of their values.
    public var isAscending = false

    /// Returns the value in an item; nil if there is none or if it has another type.
    public func value(in item: JSONView) -> SinceValue? {
        guard let found = from.select(in: item) else { return nil }
        return (found.string ?? found.number).flatMap { value($0) }
    }

    /// Returns a value from its text.
    public func value(_ text: String) -> SinceValue? {
        switch kind {
        case .date(nil):
            guard let date = DateText(text, assumingUTC: true) else { return nil }
            return SinceValue(text: text, whole: date.milliseconds)
        case .date(let unit?):
            guard let date = DateText(number: text, in: unit) else { return nil }
            return SinceValue(text: text, whole: date.milliseconds)
        case .integer: return Int64(text).map { SinceValue(text: text, whole: $0) }
        case .number:
            guard let number = Double(text), abs(number) < 1e18 else { return nil }
            let whole = number.rounded(.down)
            return SinceValue(text: text, whole: Int64(whole), fraction: number - whole)
        }
    }

    /// Returns the value to request after `value` was the largest value that was seen, in the form of that value.
    ///
    /// - Parameter maxOverlap: the largest overlap for dates, in milliseconds.
    public func bound(after value: SinceValue, maxOverlap: Double = .infinity) -> SinceValue {
        var overlap = overlap
        if case .date = kind { overlap = min(overlap, maxOverlap) }
        guard overlap > 0, let text = text(value, overlap) else { return value }
        return self.value(text) ?? value
    }

    private func text(_ value: SinceValue, _ overlap: Double) -> String? {
        let (whole, isTooSmall) = value.whole.subtractingReportingOverflow(Int64(overlap.rounded(.up)))
        if isTooSmall { return nil }
        switch kind {
        case .date(nil):
            // The wall clock moves back by whole seconds, so that the fraction and the offset stay as they are.
            let local = value.text.prefix(19)
            guard let moment = DateText(String(local), assumingUTC: true) else { return nil }
            let seconds = Int64((overlap / 1000).rounded(.up))
            let earlier = Timestamp(milliseconds: moment.milliseconds - seconds * 1000).rfc3339
            let (day, separator) = (earlier.prefix(10), local.dropFirst(10).prefix(1))
            return "\(day)\(separator)\(earlier.dropFirst(11).prefix(8))\(value.text.dropFirst(19))"
        case .date(.milliseconds?), .integer: return String(whole)
        case .date(.seconds?): return String(whole / 1000 - (whole % 1000 < 0 ? 1 : 0))
        case .number: return String(Double(value.whole) + value.fraction - overlap)
        }
    }

    /// Returns the time of a value in milliseconds since 1970. Nil if the values are not dates, or if a date has no
    /// offset, because its time is then uncertain.
    public func milliseconds(of value: SinceValue) -> Int64? {
        switch kind {
        case .date(nil): DateText(value.text)?.milliseconds
        case .date: value.whole
        case .integer, .number: nil
        }
    }

    /// Returns the value of the parameter.
    public func sent(_ value: SinceValue) -> JSONValue {
        if case .date(nil) = kind { .string(value.text) } else { .number(value.text) }
    }
}

/// A value that grows with each change, such as the time at which an item was changed.
public struct SinceValue: Equatable, Sendable, Comparable {
    /// The value as the API writes it.
    public let text: String
    /// The milliseconds since 1970 for dates; otherwise the integer.
    let whole: Int64
    var fraction = 0.0

    public static func < (left: SinceValue, right: SinceValue) -> Bool {
        (left.whole, left.fraction) < (right.whole, right.fraction)
    }
}
