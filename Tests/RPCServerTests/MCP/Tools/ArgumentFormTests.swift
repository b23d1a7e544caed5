import JSON
import TestSupport
import Testing

@testable import RPCServer

/// Tests the conversion of arguments that do not have the form of the schema, as hosts and models send them.
@Suite(.limited) struct ArgumentFormTests {
    private static func accepts(_ form: ArgumentForm, _ json: String) throws -> Bool {
        try JSONDocument(Array(json.utf8)).withRoot { form.accepts($0) }
    }

    @Test(
        arguments: [
            (.text, #""a""#), (.integer, "2"), (.integer, "-2"), (.object, "{}"), (.object, #"{"a":1}"#), (.id, "7"),
            (.id, #""a""#), (.ids, #"[1,"a"]"#), (.names, #"["id"]"#), (.page, "2"), (.page, #""n""#), (.duration, "5"),
            (.duration, #""5m""#), (.duration, "0.5"), (.id, "null"), (.names, "null"),
        ] as [(ArgumentForm, String)])
    func argumentOfTheDeclaredTypeIsUnchanged(form: ArgumentForm, json: String) throws {
        #expect(try Self.accepts(form, json))
        #expect(try form.converted(JSONValue(parsing: json)) == (json == "{}" ? .null : JSONValue(parsing: json)))
    }

    @Test(
        arguments: [
            (.integer, "2.0", "2"), (.integer, "2e0", "2"), (.integer, #""2""#, "2"), (.integer, #""2.0""#, "2"),
            (.integer, #"" 2 ""#, "2"), (.object, #""{\"a\":[1]}""#, #"{"a":[1]}"#), (.object, #""{}""#, "null"),
            (.id, "1.0", "1"), (.ids, "1", "[1]"), (.ids, #""a""#, #"["a"]"#), (.ids, #""1""#, #"["1"]"#),
            (.ids, #""[1,\"b\"]""#, #"[1,"b"]"#),
            (.ids, "[1.0,2]", "[1,2]"), (.names, #""id""#, #"["id"]"#),
            (.names, #""id, owner.name""#, #"["id","owner.name"]"#),
            (.names, #""[\"id\"]""#, #"["id"]"#), (.page, "2.0", "2"), (.text, #""""#, "null"),
            (.ids, #""[]""#, "null"), (.names, #""[]""#, "null"),
        ] as [(ArgumentForm, String, String)])
    func argumentInAnotherFormIsConverted(form: ArgumentForm, json: String, value: String) throws {
        #expect(try !Self.accepts(form, json))
        #expect(try form.converted(JSONValue(parsing: json)).text == value)
    }

    @Test(arguments: [.text, .integer, .object, .id, .ids, .names, .page, .duration] as [ArgumentForm])
    func emptyArgumentCountsAsAbsent(form: ArgumentForm) throws {
        for json in [#""""#, "[]", "{}", "null"] {
            #expect(try form.converted(JSONValue(parsing: json)) == .null, "\(json)")
        }
    }

    /// A value that cannot be converted stays unchanged, and the tool reports the form that it expects.
    @Test(
        arguments: [
            (.integer, "1.5"), (.integer, #""x""#), (.integer, "true"), (.integer, "1e400"), (.integer, "[2]"),
            (.object, #""x""#), (.object, "[1]"), (.object, #""5""#), (.object, #""[1]""#), (.object, #""{""#),
            (.id, "1.5"), (.id, "[1]"), (.page, "[2]"),
            (.text, "7"), (.text, #"["a"]"#),
        ] as [(ArgumentForm, String)])
    func argumentWithoutAConversionIsUnchanged(form: ArgumentForm, json: String) throws {
        #expect(try form.converted(JSONValue(parsing: json)).text == json)
    }
}
