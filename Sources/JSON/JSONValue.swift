/// A JSON value that owns its contents. Numbers keep their digits, and objects keep the order of their keys.
public enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    /// A number, with its digits as written in the JSON text. `1`, `1.0` and `1e0` are different values.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// Creates a copy of a parsed value.
    public init(_ view: JSONView) {
        switch view.kind {
        case .null: self = .null
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .number: self = .number(view.number ?? "0")
        case .string: self = .string(view.string ?? "")
        case .array: self = .array(view.elements.map { JSONValue($0) })
        case .object: self = .object(JSONObject(view.members.map { ($0.key.string ?? "", JSONValue($0.value)) }))
        }
    }

    /// Parses a JSON text.
    ///
    /// - Throws: `JSONFault` at the first byte that is not JSON.
    public init(parsing text: String) throws(JSONFault) {
        self = try JSONDocument(Array(text.utf8)).withRoot { JSONValue($0) }
    }

    public static func integer(_ value: Int) -> JSONValue { .number(String(value)) }

    /// The value of an object's member; nil if there is no such member.
    public subscript(key: String) -> JSONValue? {
        if case .object(let object) = self { object[key] } else { nil }
    }

    /// An element of an array; nil if there is no such element.
    public subscript(index: Int) -> JSONValue? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }

    /// The value as compact JSON.
    public var text: String {
        var writer = JSONWriter()
        writer.value(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// The members of a JSON object, in the order of the JSON text. A member whose value is set again keeps its position.
// Keys are compared scalar by scalar (RFC 8259, section 8.3). Swift considers some strings with different scalars to be
// equal.
public struct JSONObject: Equatable, Sendable {
    public private(set) var members: [Member] = []

    public struct Member: Equatable, Sendable {
        public let key: String
        public var value: JSONValue
    }

    /// Creates an object. The last value wins if a key occurs twice.
    public init(_ members: [(String, JSONValue)] = []) {
        for (key, value) in members { self[key] = value }
    }

    /// The value of a member; nil if there is no such member. Setting nil removes the member.
    public subscript(key: String) -> JSONValue? {
        get { index(of: key).map { members[$0].value } }
        set {
            switch (index(of: key), newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    private func index(of key: String) -> Int? {
        members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// The JSON value `null`.
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .integer(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Creates an object. Its keys have the same order as in the literal.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
}
