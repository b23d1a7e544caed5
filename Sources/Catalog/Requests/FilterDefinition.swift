import JSON

/// One filter of a list: its name in params, what it takes, and how it is sent.
public struct FilterDefinition: Equatable, Sendable {
    /// The name in params.
    public let name: String
    /// The query parameter, the member of a body, or the variable; several filters may make up one.
    public let parameter: String
    /// What its value must be.
    public var type = ParameterType.string
    /// What stands for a value that is not given.
    public var standard: JSONValue?
    /// Whether a list cannot do without it.
    public var isRequired = false
    /// Whether an empty text is a value, and not none.
    public var allowsEmpty = false
    /// How several values are sent in a query.
    public var join = ListParameter.Join.by(",")
    /// Where it is sent; nil is where the transport sends parameters.
    public var place: ListParameter.Place?
    /// The part that it is of a composed text, with `{}` for the value; nil where it is a parameter of its own.
    public var form: String?
    /// What stands between several values within one part of a composed text; nil where each is a part of its own.
    public var joinInPart: String?
    /// What stands between the parts of a composed text.
    public var with = " "
    /// What stands around each value of a composed text.
    public var quote: String?
    /// What stands around a whole composed text, with `{}` for it.
    public var wrap: String?

    /// A filter that sends its value's text as that parameter.
    public init(name: String, parameter: String) {
        self.name = name
        self.parameter = parameter
    }

    /// Whether its parts are to be put together with those of others.
    var isComposed: Bool { form != nil }

    /// The part of a composed text; of several values a part each, unless they are joined.
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
