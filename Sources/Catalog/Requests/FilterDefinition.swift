import JSON

/// One filter of a list: its name, its type, and the form in which it is sent.
public struct FilterDefinition: Equatable, Sendable {
    /// The name of the filter in the params of a call.
    public let name: String
    /// The name of the query parameter, body member or variable. Several filters can share one as a composed text.
    public let parameter: String
    /// The type of the filter's value.
    public var type = ParameterType.string
    /// The default value; nil if a filter without a value is not sent.
    public var standard: JSONValue?
    /// Whether a list call must give the filter.
    public var isRequired = false
    /// Whether an empty text is sent. Otherwise it counts as a missing value.
    public var allowsEmpty = false
    /// How several values are sent in a query.
    public var join = ListParameter.Join.by(",")
    /// The part of a `POST` that carries the filter; nil for the transport's default.
    public var place: ListParameter.Place?
    /// The filter's part of a composed text, with `{}` for the value; nil if the filter is a parameter of its own.
    public var form: String?
    /// The separator of several values within one part of a composed text; nil if each value is a part of its own.
    public var joinInPart: String?
    /// The separator of the parts of a composed text.
    public var with = " "
    /// The quotation mark around each value of a composed text; nil for none.
    public var quote: String?
    /// The text around a whole composed text, with `{}` for the composed text; nil for none.
    public var wrap: String?

    /// Creates a filter that sends the text of its value as a parameter.
    public init(name: String, parameter: String) {
        self.name = name
        self.parameter = parameter
    }

    /// Whether the filter is a part of a composed text.
    var isComposed: Bool { form != nil }

    /// Returns the parts of a composed text for a value. Several values become one part each, unless `joinInPart` joins
    /// them.
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
