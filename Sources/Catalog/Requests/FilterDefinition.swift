import JSON

/// One filter of a list: its name, its type, and the part of the request that carries its value.
///
/// Several filters can share one query parameter, such as `label:bug author:ann`. Each filter then contributes one part
/// of the parameter's value.
public struct FilterDefinition: Equatable, Sendable {
    /// The name of the filter in a client's call.
    public let name: String
    /// The name of the query parameter, body member or variable. Several filters can share one query parameter.
    public let parameter: String
    /// The type of the filter's value.
    public var type = ParameterType.string
    /// The default value. Larder sends it if the call contains no value. Nil if there is no default.
    public var standard: JSONValue?
    /// Whether every list call must contain the filter. A call without a required filter fails.
    public var isRequired = false
    /// Whether an empty string is sent as the filter's value. If false, an empty string counts as a missing value.
    public var allowsEmpty = false
    /// The separator at which a string is split into the values of an array filter; nil if strings are not split.
    public var split: String?
    /// The format of an array in a query.
    public var join = ListParameter.Join.by(",")
    /// The part of a `POST` request that carries the filter; nil for the default, which is the body.
    public var place: ListParameter.Place?
    /// The format of this filter's part in a shared query parameter, such as `label:{}`. The value replaces `{}`. Nil
    /// if the filter does not share its query parameter.
    public var form: String?
    /// The separator between the array elements in this filter's part of a shared query parameter. With `,`, the part
    /// is `label:a,b`. If nil, each element gets its own part: `label:a label:b`.
    public var joinInPart: String?
    /// The separator between the parts of a shared query parameter, such as a space.
    public var with = " "
    /// The quotation mark around each value in a shared query parameter; nil for none.
    public var quote: String?
    /// The format that encloses the whole value of a shared query parameter, such as `AND({})`; nil for none.
    public var wrap: String?

    /// Creates a filter that does not share its query parameter.
    public init(name: String, parameter: String) {
        self.name = name
        self.parameter = parameter
    }

    /// The description of valid values. Error messages use it after "must be".
    public var expected: String {
        type.expected + (split.map { ", or a string with such values, separated by '\($0)'" } ?? "")
    }

    /// Returns the canonical form of a value. If the filter has a separator, a string is first split into an array. Nil
    /// if the value does not have the filter's type.
    public func canonical(_ value: JSONValue) -> JSONValue? { type.canonical(splitting(value)) }

    /// Splits a string at the filter's separator, and returns an array of the parts without surrounding spaces. If the
    /// filter has no separator or the value is not a string, returns the value unchanged.
    public func splitting(_ value: JSONValue) -> JSONValue {
        guard let split, case .string(let text) = value else { return value }
        var values: [JSONValue] = []
        var rest = text[...]
        while let range = rest.firstRange(of: split) {
            values.append(.string(Self.trimmed(rest[..<range.lowerBound])))
            rest = rest[range.upperBound...]
        }
        return .array(values + [.string(Self.trimmed(rest))])
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " }
        return start.lastIndex { $0 != " " }.map { String(start[...$0]) } ?? ""
    }

    /// Whether the filter's value is only a part of a shared query parameter.
    var isComposed: Bool { form != nil }

    /// Returns the parts that this filter adds to a shared query parameter. Each value becomes one part, unless
    /// `joinInPart` joins the values in one part.
    func parts(_ value: JSONValue) -> [String] {
        guard let form else { return [] }
        let values: [JSONValue]
        if case .array(let elements) = value { values = elements } else { values = [value] }
        var texts = values.map { quoted($0.plainText) }
        if let joinInPart, !texts.isEmpty { texts = [texts.joined(separator: joinInPart)] }
        return texts.map { form.replacing("{}", with: $0, maxReplacements: 1) }
    }

    private func quoted(_ text: String) -> String {
        guard let quote, !quote.isEmpty else { return text }
        if quote == "'" { return quote + text.replacing(quote, with: quote + quote) + quote }
        return quote + text.replacing("\\", with: "\\\\").replacing(quote, with: "\\" + quote) + quote
    }
}
