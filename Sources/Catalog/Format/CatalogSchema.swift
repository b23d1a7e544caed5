import JSON

/// Generates the JSON Schema of catalog files from the definitions that the decoders use.
public enum CatalogSchema {
    /// The JSON Schema (2020-12) of catalog files. Every valid catalog conforms to it. Some rules, such as references
    /// to declared names, cannot be expressed in a schema. Only the decoders and `larder check` enforce these rules.
    public static var document: JSONValue {
        var definitions = JSONObject(CatalogPart.all.map { ($0.name, schema(of: $0)) })
        definitions["selector"] = selector
        definitions["fields"] = fields
        definitions["fieldType"] = fieldType
        definitions["parameterType"] = parameterType
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A catalog of Larder",
            "$ref": "#/$defs/catalog", "$defs": .object(definitions),
        ]
    }

    private static func schema(of part: CatalogPart) -> JSONValue {
        var schema = JSONObject([("type", "object"), ("description", .string(part.summary))])
        schema["properties"] = .object(
            JSONObject(
                part.keys.map { key in
                    var own = JSONObject([("description", .string(key.summary))])
                    if let standard = key.standard { own["default"] = standard }
                    if case .object(let type) = self.schema(of: key.type) {
                        for member in type.members { own[member.key] = member.value }
                    }
                    return (key.name, .object(own))
                }))
        schema["additionalProperties"] = false
        let required = part.keys.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { schema["required"] = .array(required) }
        let groups = part.oneOf.map { group in
            JSONObject([("anyOf", .array(group.map { ["required": [.string($0)]] }))])
        }
        if groups.count == 1 { schema["anyOf"] = groups[0]["anyOf"] }
        if groups.count > 1 { schema["allOf"] = .array(groups.map { .object($0) }) }
        if part.isChoice {
            schema["minProperties"] = 1
            schema["maxProperties"] = 1
        }
        return .object(schema)
    }

    private static func schema(of type: CatalogType) -> JSONValue {
        switch type {
        case .text, .secret: ["type": ["string", "number"]]
        case .plain: ["type": "string"]
        case .word(let words): ["enum": .array(words.map { .string($0) })]
        case .integer(let range):
            range.upperBound == Int.max
                ? ["type": "integer", "minimum": .integer(range.lowerBound)]
                : [
                    "type": "integer", "minimum": .integer(range.lowerBound),
                    "maximum": .integer(range.upperBound),
                ]
        case .version: ["const": 1]
        case .flag: ["type": "boolean"]
        case .scalar: ["type": ["string", "number", "boolean"]]
        case .duration(let isPositive):
            [
                "anyOf": [
                    isPositive ? ["type": "number", "exclusiveMinimum": 0] : ["type": "number", "minimum": 0],
                    ["type": "string", "pattern": "^[0-9.]+ *[smhd]?$"],
                ]
            ]
        case .size:
            [
                "anyOf": [
                    ["type": "integer", "minimum": 1],
                    ["type": "string", "pattern": "^[0-9.]+ *(B|KiB|MiB|GiB|TiB|kB|KB|MB|GB)?$"],
                ]
            ]
        case .selector: reference("selector")
        case .answerSelector: ["anyOf": [reference("selector"), reference(CatalogPart.answerHeader.name)]]
        case .part(let part): reference(part.name)
        case .style(let parts): ["oneOf": .array(parts.map { reference($0.name) })]
        case .short(let key, let part, let array):
            [
                "anyOf": .array(
                    part.keys.filter { $0.name == key || $0.name == array }.map { schema(of: $0.type) } + [
                        reference(part.name)
                    ])
            ]
        case .named(let type): ["type": "object", "additionalProperties": schema(of: type)]
        case .list(let type): ["type": "array", "items": schema(of: type)]
        case .either(let types): ["anyOf": .array(types.map { schema(of: $0) })]
        case .fields: reference("fields")
        case .fieldType: reference("fieldType")
        case .parameterType: reference("parameterType")
        case .any: [:]
        }
    }

    private static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/$defs/\(name)")] }

    private static let selector: JSONValue = [
        "description":
            """
        A dotted path such as meta.pages, or an array of its steps. A number selects one element, * selects all, and \
        [rel=next] selects the first element with this member.
        """,
        "anyOf": [
            ["type": "string"], ["type": "array", "items": ["type": ["string", "integer"]], "minItems": 1],
        ],
    ]

    private static let fields: JSONValue = [
        "description": "Fields by name; a field whose name ends with ? is optional.", "type": "object",
        "minProperties": 1,
        "additionalProperties": ["anyOf": [reference("fieldType"), reference(CatalogPart.field.name)]],
    ]

    private static let fieldType: JSONValue = [
        "description":
            "A type name, with a final ? if optional; an object of fields; {\"*\": type}; [type]; or an enumeration.",
        "anyOf": [
            ["enum": .array(FieldsDecoder.names.flatMap { [.string($0), .string($0 + "?")] })],
            [
                "type": "object", "properties": ["*": reference("fieldType")], "required": ["*"],
                "additionalProperties": false,
            ],
            reference("fields"), ["type": "array", "items": reference("fieldType"), "minItems": 1, "maxItems": 1],
            enumeration,
        ],
    ]

    private static let parameterType: JSONValue = [
        "description": "The name of a type, [type] for several values, or the strings of an enumeration.",
        "anyOf": [
            ["enum": .array(ParametersDecoder.types.map { .string($0) })],
            [
                "type": "array", "minItems": 1, "maxItems": 1,
                "items": ["anyOf": [["enum": .array(ParametersDecoder.types.map { .string($0) })], enumeration]],
            ],
            enumeration,
        ],
    ]

    private static let enumeration: JSONValue = ["type": "array", "items": ["type": "string"], "minItems": 2]
}
