import JSON

/// A JSON Schema (draft 07) of a value in a message, for `rpc.discover`.
public struct JSONSchema: Equatable, Sendable {
    public private(set) var keywords: JSONObject

    private init(_ keywords: [(String, JSONValue)] = []) { self.keywords = JSONObject(keywords) }

    public var json: JSONValue { .object(keywords) }

    public static let anything = JSONSchema()
    /// The schema that matches no value.
    public static let nothing = JSONSchema([("not", .object(JSONObject()))])
    /// The schema of `null`.
    public static let null = JSONSchema([("type", "null")])
    /// The schema of `true` and `false`.
    public static let boolean = JSONSchema([("type", "boolean")])
    public static let `true` = JSONSchema([("const", .bool(true))])
    public static let string = JSONSchema([("type", "string")])
    /// The schema of an integer of any size.
    public static let integer = JSONSchema([("type", "integer")])
    public static let number = JSONSchema([("type", "number")])
    public static let object = JSONSchema([("type", "object")])
    /// The schema of a duration in seconds.
    public static let seconds = JSONSchema([("type", "number"), ("minimum", 0)])
    /// The schema of a count: an integer of at least 0.
    public static let count = JSONSchema([("type", "integer"), ("minimum", 0)])
    /// The schema of a time in the format of RFC 3339, in UTC with milliseconds.
    public static let moment = string(pattern: #"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$"#)

    /// Returns the schema of a string that matches a regular expression (ECMA-262). The expression may match any part
    /// of the string.
    public static func string(pattern: String) -> JSONSchema {
        JSONSchema([("type", "string"), ("pattern", .string(pattern))])
    }

    /// Returns the schema of a string with at least `minLength` characters.
    public static func string(minLength: Int) -> JSONSchema {
        JSONSchema([("type", "string"), ("minLength", .integer(minLength))])
    }

    /// Returns the schema of a string with at most `maxLength` characters.
    public static func string(maxLength: Int) -> JSONSchema {
        JSONSchema([("type", "string"), ("maxLength", .integer(maxLength))])
    }

    /// Returns the schema of an integer within a range.
    public static func integer(in range: ClosedRange<Int>) -> JSONSchema {
        JSONSchema([
            ("type", "integer"), ("minimum", .integer(range.lowerBound)), ("maximum", .integer(range.upperBound)),
        ])
    }

    /// Returns the schema of a 64-bit integer that is at least `minimum`.
    public static func integer(from minimum: Int) -> JSONSchema {
        JSONSchema([("type", "integer"), ("minimum", .integer(minimum)), ("maximum", .integer(.max))])
    }

    /// Returns the schema of an integer that is at least `minimum`. There is no maximum.
    public static func integer(atLeast minimum: Int) -> JSONSchema {
        JSONSchema([("type", "integer"), ("minimum", .integer(minimum))])
    }

    /// Returns the schema of a number within a range.
    public static func number(in range: ClosedRange<Int>) -> JSONSchema {
        JSONSchema([
            ("type", "number"), ("minimum", .integer(range.lowerBound)), ("maximum", .integer(range.upperBound)),
        ])
    }

    /// Returns the schema of a value that equals one of the given strings.
    public static func one(of texts: [String]) -> JSONSchema {
        JSONSchema([("enum", .array(texts.map { .string($0) }))])
    }

    /// Returns the schema of a value that equals one of the given strings. Unlike `one(of:)`, the schema contains the
    /// keyword `type`, because some MCP hosts require it.
    public static func choice(of texts: [String]) -> JSONSchema {
        JSONSchema([("type", "string"), ("enum", .array(texts.map { .string($0) }))])
    }

    /// Returns the schema of a value that matches at least one of the given schemas.
    public static func any(of schemas: [JSONSchema]) -> JSONSchema {
        var choices: [JSONSchema] = []
        for choice in schemas.flatMap(\.choices) where !choices.contains(choice) { choices.append(choice) }
        return choices.count == 1 ? choices[0] : JSONSchema([("anyOf", .array(choices.map(\.json)))])
    }

    /// Returns the schema of an array with at most `count` elements.
    public static func array(of element: JSONSchema, atMost count: Int) -> JSONSchema {
        JSONSchema([("type", "array"), ("items", element.json), ("maxItems", .integer(count))])
    }

    /// Returns the schema of an array with any number of elements.
    public static func array(of element: JSONSchema) -> JSONSchema {
        JSONSchema([("type", "array"), ("items", element.json)])
    }

    /// Returns the schema of an array with at least one element.
    public static func array(ofSome element: JSONSchema) -> JSONSchema {
        JSONSchema([("type", "array"), ("minItems", 1), ("items", element.json)])
    }

    /// Returns the schema of an object with any member names. All values must match the given schema.
    public static func map(of value: JSONSchema) -> JSONSchema {
        JSONSchema([("type", "object"), ("additionalProperties", value.json)])
    }

    /// Returns the schema of an object whose member names match regular expressions (ECMA-262). All values must match
    /// the given schema.
    public static func map(of value: JSONSchema, names patterns: [String]) -> JSONSchema {
        var schema = object
        schema.keywords["patternProperties"] = .object(JSONObject(patterns.map { ($0, value.json) }))
        schema.keywords["additionalProperties"] = false
        return schema
    }

    /// Returns the schema of an object with the given members and no other members.
    public static func object(_ members: [Member]) -> JSONSchema {
        openObject(members).with("additionalProperties", false)
    }

    /// Returns the schema of an object with the given members. Unlike `object`, the schema does not forbid other
    /// members, because some MCP hosts reject a boolean `additionalProperties`.
    public static func openObject(_ members: [Member]) -> JSONSchema {
        var schema = object
        schema.keywords["properties"] = .object(JSONObject(members.map { ($0.name, $0.schema.json) }))
        let required = members.filter(\.isRequired)
        if !required.isEmpty { schema.keywords["required"] = .array(required.map { .string($0.name) }) }
        return schema
    }

    /// Returns required members with the given names. The value of each member is an integer of at least 0.
    public static func counts(_ names: String...) -> [Member] { names.map { .required($0, .count) } }

    /// Returns a reference to a schema in the components of the OpenRPC document.
    public static func component(_ name: String) -> JSONSchema {
        JSONSchema([("$ref", .string("#/components/schemas/\(name)"))])
    }

    /// A copy of this schema that also accepts null.
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

    /// Returns a copy of this schema with a description.
    public func described(_ text: String) -> JSONSchema { with("description", .string(text)) }

    /// Returns a copy of this schema with `transform` applied to its description. A schema without a description stays
    /// unchanged.
    public func mappingDescription(_ transform: (String) -> String) -> JSONSchema {
        guard case .string(let text)? = keywords["description"] else { return self }
        return described(transform(text))
    }

    /// Returns a copy of this schema with a default value, which applies if the member is absent.
    public func byDefault(_ value: JSONValue) -> JSONSchema { with("default", value) }

    /// The alternatives of a schema whose only keyword is `anyOf`. For any other schema, the schema itself.
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
        /// Whether the member is always present in the object.
        public let isRequired: Bool

        private init(_ name: String, _ schema: JSONSchema, isRequired: Bool) {
            self.name = name
            self.schema = schema
            self.isRequired = isRequired
        }

        /// Returns the declaration of a member that is always present.
        public static func required(_ name: String, _ schema: JSONSchema) -> Member {
            Member(name, schema, isRequired: true)
        }

        /// Returns the declaration of a member that may be absent.
        public static func optional(_ name: String, _ schema: JSONSchema) -> Member {
            Member(name, schema, isRequired: false)
        }
    }
}
