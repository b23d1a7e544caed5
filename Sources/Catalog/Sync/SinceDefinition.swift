import JSON
import System

/// The settings of `sync` with the style `since`. Each item contains its update time, or the sequence number of its
/// last change. A request for changes sends a time or sequence number, and the API returns the items with an equal or
/// greater value.
public struct SinceDefinition: Equatable, Sendable {
    /// The types that an update time or sequence number can have.
    public enum Kind: Equatable, Sendable {
        /// A date. If a unit is given, the API sends the time since 1970 in this unit; otherwise an RFC 3339 string.
        case date(DateText.Unit?)
        case integer
        case number
    }

    /// The name of the query parameter, body member or variable that carries the start of the requested changes: an
    /// update time or a sequence number.
    public var parameter: String
    /// The selector that finds the update time or sequence number in the API's item.
    public var from: JSONSelector
    public var kind = Kind.date(nil)
    /// The amount by which a request for changes reaches back before the last known change: milliseconds for dates,
    /// otherwise a difference of sequence numbers.
    public var overlap: Double = 0
    /// Whether the API returns the oldest changes first.
    public var isAscending = false

    /// Returns the update time or sequence number of an item. Nil if the value is missing or has another type.
    public func value(in item: JSONView) -> SinceValue? {
        guard let found = from.select(in: item) else { return nil }
        return (found.string ?? found.number).flatMap { value($0) }
    }

    /// Parses an update time or sequence number. Nil if the text does not have the declared type.
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

    /// Returns the update time or sequence number to send in a request for changes: the last known value minus the
    /// overlap. The result has the same format as `value`.
    ///
    /// - Parameter maxOverlap: the maximum overlap for dates, in milliseconds.
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

    /// Returns the time of a change in milliseconds since 1970. Nil if changes have numbers instead of times. Also nil
    /// for a date string without a UTC offset, because its exact time is unknown.
    public func milliseconds(of value: SinceValue) -> Int64? {
        switch kind {
        case .date(nil): DateText(value.text)?.milliseconds
        case .date: value.whole
        case .integer, .number: nil
        }
    }

    /// Returns the JSON value that a request sends for an update time or sequence number. The value is a string for a
    /// date in the form of RFC 3339, and a number otherwise.
    public func sent(_ value: SinceValue) -> JSONValue {
        if case .date(nil) = kind { .string(value.text) } else { .number(value.text) }
    }
}

/// The update time or sequence number of an item. Later changes have larger values.
public struct SinceValue: Equatable, Sendable, Comparable {
    /// The update time or sequence number, in the format of the API.
    public let text: String
    /// For a date, the whole milliseconds since 1970; for a sequence number, its integer part.
    let whole: Int64
    var fraction = 0.0

    public static func < (left: SinceValue, right: SinceValue) -> Bool {
        (left.whole, left.fraction) < (right.whole, right.fraction)
    }
}
