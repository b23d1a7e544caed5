import JSON

/// A JSON Schema (draft 07): what a value on the wire looks like, for `rpc.discover`.
public struct JSONSchema: Equatable, Sendable {
    public private(set) var keywords: JSONObject

    private init(_ keywords: [(String, JSONValue)] = []) { self.keywords = JSONObject(keywords) }

    public var json: JSONValue { .object(keywords) }

    public static let anything = JSONSchema()
    /// No value at all.
    public static let nothing = JSONSchema([("not", .object(JSONObject()))])
    /// `null`.
    public static let null = JSONSchema([("type", "null")])
    /// `true` or `false`.
    public static let boolean = JSONSchema([("type", "boolean")])
    public static let `true` = JSONSchema([("const", .bool(true))])
    public static let string = JSONSchema([("type", "string")])
    /// A number without fraction, of any size.
    public static let integer = JSONSchema([("type", "integer")])
    public static let number = JSONSchema([("type", "number")])
    public static let object = JSONSchema([("type", "object")])
    /// A time in seconds.
    public static let seconds = JSONSchema([("type", "number"), ("minimum", 0)])
    /// How many: an integer from 0.
    public static let count = JSONSchema([("type", "integer"), ("minimum", 0)])
    /// A moment: RFC 3339 in UTC with milliseconds.
    public static let moment = string(pattern: #"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$"#)

    /// A string that a regular expression (ECMA-262) finds.
    public static func string(pattern: String) -> JSONSchema {
        JSONSchema([("type", "string"), ("pattern", .string(pattern))])
    }

    /// A string of at least so many characters.
    public static func string(minLength: Int) -> JSONSchema {
        JSONSchema([("type", "string"), ("minLength", .integer(minLength))])
    }

    /// A string of at most so many characters.
    public static func string(maxLength: Int) -> JSONSchema {
        JSONSchema([("type", "string"), ("maxLength", .integer(maxLength))])
    }

    /// An integer within a range.
    public static func integer(in range: ClosedRange<Int>) -> JSONSchema {
        JSONSchema([
            ("type", "integer"), ("minimum", .integer(range.lowerBound)), ("maximum", .integer(range.upperBound)),
        ])
    }

    /// An integer that fits 64 bits and is not below `minimum`.
    public static func integer(from minimum: Int) -> JSONSchema {
        JSONSchema([("type", "integer"), ("minimum", .integer(minimum)), ("maximum", .integer(.max))])
    }

    /// An integer that is not below `minimum`.
    public static func integer(atLeast minimum: Int) -> JSONSchema {
        JSONSchema([("type", "integer"), ("minimum", .integer(minimum))])
    }

    /// A number within a range.
    public static func number(in range: ClosedRange<Int>) -> JSONSchema {
        JSONSchema([
            ("type", "number"), ("minimum", .integer(range.lowerBound)), ("maximum", .integer(range.upperBound)),
        ])
    }

    /// One of these texts.
    public static func one(of texts: [String]) -> JSONSchema {
        JSONSchema([("enum", .array(texts.map { .string($0) }))])
    }

    /// One of these texts, with the type that some hosts of models demand besides.
    public static func choice(of texts: [String]) -> JSONSchema {
        JSONSchema([("type", "string"), ("enum", .array(texts.map { .string($0) }))])
    }

    /// A value that one of these schemas takes.
    public static func any(of schemas: [JSONSchema]) -> JSONSchema {
        var choices: [JSONSchema] = []
        for choice in schemas.flatMap(\.choices) where !choices.contains(choice) { choices.append(choice) }
        return choices.count == 1 ? choices[0] : JSONSchema([("anyOf", .array(choices.map(\.json)))])
    }

    /// A value of any of these types.
    public static func any(ofTypes types: String...) -> JSONSchema {
        JSONSchema([("type", .array(types.map { .string($0) }))])
    }

    /// An array of at most so many such elements.
    public static func array(of element: JSONSchema, atMost count: Int) -> JSONSchema {
        JSONSchema([("type", "array"), ("items", element.json), ("maxItems", .integer(count))])
    }

    /// An array of such elements.
    public static func array(of element: JSONSchema) -> JSONSchema {
        JSONSchema([("type", "array"), ("items", element.json)])
    }

    /// An array of one or more such elements.
    public static func array(ofSome element: JSONSchema) -> JSONSchema {
        JSONSchema([("type", "array"), ("minItems", 1), ("items", element.json)])
    }

    /// An object of any names with such values.
    public static func map(of value: JSONSchema) -> JSONSchema {
        JSONSchema([("type", "object"), ("additionalProperties", value.json)])
    }

    /// An object of names that regular expressions (ECMA-262) find, with such values, and no others.
    public static func map(of value: JSONSchema, names patterns: [String]) -> JSONSchema {
        var schema = object
        schema.keywords["patternProperties"] = .object(JSONObject(patterns.map { ($0, value.json) }))
        schema.keywords["additionalProperties"] = false
        return schema
    }

    /// An object of these members and no others.
    public static func object(_ members: [Member]) -> JSONSchema {
        var schema = object
        schema.keywords["properties"] = .object(JSONObject(members.map { ($0.name, $0.schema.json) }))
        let required = members.filter(\.isRequired)
        if !required.isEmpty { schema.keywords["required"] = .array(required.map { .string($0.name) }) }
        schema.keywords["additionalProperties"] = false
        return schema
    }

    /// Members that are always there and say how many.
    public static func counts(_ names: String...) -> [Member] { names.map { .required($0, .count) } }

    /// The schema of this name among the document's components.
    public static func component(_ name: String) -> JSONSchema {
        JSONSchema([("$ref", .string("#/components/schemas/\(name)"))])
    }

    /// The same, or null.
    public var orNull: JSONSchema {
        var schema = self
        if case .string(let type) = keywords["type"] {
            schema.keywords["type"] = [.string(type), "null"]
        } else if case .array(let values) = keywords["enum"] {
            schema.keywords["enum"] = .array(values + [.null])
        } else if self != .anything {
            schema = .any(of: [self, .null])
        }
        return schema
    }

    /// The same, with what it is in words.
    public func described(_ text: String) -> JSONSchema { with("description", .string(text)) }

    /// The same, with the value that an absent one stands for.
    public func byDefault(_ value: JSONValue) -> JSONSchema { with("default", value) }

    /// The schemas of which a value takes one.
    private var choices: [JSONSchema] {
        guard keywords.members.count == 1, case .array(let choices) = keywords["anyOf"] else { return [self] }
        return choices.map { choice in
            guard case .object(let keywords) = choice else { return .anything }
            return JSONSchema(keywords.members.map { ($0.key, $0.value) })
        }
    }

    private func with(_ keyword: String, _ value: JSONValue) -> JSONSchema {
        var schema = self
        schema.keywords[keyword] = value
        return schema
    }

    public struct Member: Equatable, Sendable {
        public let name: String
        public let schema: JSONSchema
        /// Whether it is always there.
        public let isRequired: Bool

        private init(_ name: String, _ schema: JSONSchema, isRequired: Bool) {
            self.name = name
            self.schema = schema
            self.isRequired = isRequired
        }

        /// A member that is always there.
        public static func required(_ name: String, _ schema: JSONSchema) -> Member {
            Member(name, schema, isRequired: true)
        }

        /// A member that may be absent.
        public static func optional(_ name: String, _ schema: JSONSchema) -> Member {
            Member(name, schema, isRequired: false)
        }
    }
}
