import JSON
import TestSupport
import Testing

@testable import Protocol

@Suite(.limited) struct JSONSchemaTests {
    @Test(arguments: [
        (JSONSchema.anything, "{}"), (.string, #"{"type":"string"}"#),
        (.integer(from: 1), #"{"type":"integer","minimum":1,"maximum":9223372036854775807}"#),
        (.integer(atLeast: 1), #"{"type":"integer","minimum":1}"#),
        (.array(of: .string, atMost: 50), #"{"type":"array","items":{"type":"string"},"maxItems":50}"#),
        (.number(in: 0...5), #"{"type":"number","minimum":0,"maximum":5}"#),
        (.one(of: ["a"]), #"{"enum":["a"]}"#), (.component("x"), ##"{"$ref":"#/components/schemas/x"}"##),
        (.map(of: .count), #"{"type":"object","additionalProperties":{"type":"integer","minimum":0}}"#),
        (.object([]), #"{"type":"object","properties":{},"additionalProperties":false}"#),
        (
            .openObject([.required("a", .null)]),
            #"{"type":"object","properties":{"a":{"type":"null"}},"required":["a"]}"#
        ),
        (
            .object([.required("a", .null), .optional("b", .boolean)]),
            #"{"type":"object","properties":{"a":{"type":"null"},"b":{"type":"boolean"}},"required":["a"],"#
                + #""additionalProperties":false}"#
        ),
        (.string.described("x").byDefault("y"), #"{"type":"string","description":"x","default":"y"}"#),
    ])
    func jsonSchemaIsWrittenAsJSON(schema: JSONSchema, text: String) {
        #expect(schema.json.text == text)
    }

    @Test(arguments: [
        (JSONSchema.anything, "{}"), (.string, #"{"type":["string","null"]}"#),
        (.one(of: ["a"]), #"{"enum":["a",null]}"#),
        (.any(of: [.string, .number]), #"{"anyOf":[{"type":"string"},{"type":"number"},{"type":"null"}]}"#),
        (.component("x"), ##"{"anyOf":[{"$ref":"#/components/schemas/x"},{"type":"null"}]}"##),
    ])
    func nullableSchemaAcceptsNull(schema: JSONSchema, text: String) {
        #expect(schema.orNull.json.text == text)
    }

    @Test func nestedAlternativesAreFlattenedAndUnique() {
        let inner = JSONSchema.any(of: [.string, .number])
        #expect(JSONSchema.any(of: [inner, .number, .boolean]) == .any(of: [.string, .number, .boolean]))
        #expect(JSONSchema.any(of: [.string, .string]) == .string)
        let described = inner.described("x")
        #expect(JSONSchema.any(of: [described, .null]).json["anyOf"]?[0] == described.json)
    }

    @Test(arguments: [
        (Parameters.id.schema(), #"{"anyOf":[{"type":"integer"},{"type":"string"}]}"#),
        (Parameters.ids.schema(), #"{"type":"array","items":{"anyOf":[{"type":"integer"},{"type":"string"}]}}"#),
        (
            Parameters.cachePolicy.schema(),
            #"{"enum":["localFirst","remoteFirst","none","localOnly"],"default":"localFirst"}"#
        ),
        (
            Parameters.maxAge.schema(),
            #"{"anyOf":[{"type":"number","minimum":0,"maximum":8640000000},"#
                + #"{"type":"string","pattern":"^([0-9]+\\.?[0-9]*|\\.[0-9]+) *[smhd]?$"}]}"#
        ),
        (
            Parameters.page.schema(),
            #"{"anyOf":[{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807},"#
                + #"{"type":"string","minLength":1}]}"#
        ),
        (Parameters.filter.schema(), #"{"type":"object"}"#),
        (
            Parameters.fields.schema(),
            #"{"type":"array","minItems":1,"items":{"type":"string","minLength":1}}"#
        ),
        (
            Parameters.values.schema(),
            #"{"type":"object","additionalProperties":{"#
                + #""anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"}]}}"#
        ),
        (Parameters.observer.schema(), #"{"type":"string","minLength":1}"#),
        (
            Parameters.workDoneToken.schema(),
            #"{"anyOf":[{"type":"string"},"#
                + #"{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}]}"#
        ),
    ])
    func commonParameterHasTheExpectedSchema(schema: JSONSchema, text: String) {
        #expect(schema.json.text == text)
    }

    @Test func errorCodesOfLarderHaveUniqueKindsAndMeanings() {
        #expect(RPCError.Code.own.map(\.rawValue) == (1...16).filter { $0 != 14 }.map { -31000 - $0 })
        let kinds = RPCError.Code.own.map(\.kind)
        #expect(!kinds.contains(nil) && Set(kinds).count == kinds.count)
        #expect(RPCError.Code.allCases.allSatisfy { $0.meaning.hasSuffix(".") })
    }
}
