import TestSupport
import Testing

@testable import CatalogTools

/// Tests how types of a draft are merged, and how the draft declares them.
@Suite(.limited) struct DraftTypeTests {
    private static var date: DraftType.Shape { .date(unit: nil) }
    private static var seconds: DraftType.Shape { .date(unit: "s") }

    @Test func mergedTypeAcceptsTheValuesOfBothTypes() {
        let (date, seconds) = (Self.date, Self.seconds)
        let cases: [(DraftType.Shape, DraftType.Shape, DraftType.Shape)] = [
            (.string, .string, .string), (.integer, .number, .number), (.any, .integer, .any),
            (seconds, .integer, .integer), (date, .string, .string), (.enumeration(["a"]), .string, .string),
            (.enumeration(["a"]), date, .string), (.localDate, date, .localDate), (.localDate, .string, .string),
            (.localDate, .enumeration(["a"]), .string), (date, .integer, .integer),
            (.array(DraftType(.integer)), .array(DraftType(.number)), .array(DraftType(.number))),
            (.map(DraftType(.integer)), .map(DraftType(.number)), .map(DraftType(.number))),
        ]
        for (one, two, merged) in cases {
            #expect(DraftType(one).merged(with: DraftType(two)) == DraftType(merged))
            #expect(DraftType(two).merged(with: DraftType(one)) == DraftType(merged))
        }
        let values = DraftType(.enumeration(["a", "b"])).merged(with: DraftType(.enumeration(["c", "a"])))
        #expect(values == DraftType(.enumeration(["a", "b", "c"])))
    }

    @Test func typesWithoutACommonTypeAreMergedIntoTheTypeAny() {
        let cases: [(DraftType.Shape, DraftType.Shape)] = [
            (.boolean, .string), (Self.seconds, .string), (.integer, .string), (.array(DraftType(.string)), .string),
            (.object([]), .map(DraftType(.string))), (.localDate, .integer),
        ]
        for (one, two) in cases {
            #expect(DraftType(one).merged(with: DraftType(two)) == DraftType(.any, note: "several types"))
        }
    }

    @Test func mergedTypeIsOptionalIfEitherTypeIsOptional() {
        let (one, two) = (DraftType(.string, isOptional: true, note: "one"), DraftType(.string, note: "two"))
        #expect(one.merged(with: two) == DraftType(.string, isOptional: true, note: "one"))
        #expect(two.merged(with: one) == DraftType(.string, isOptional: true, note: "two"))
        #expect(DraftType(.string).merged(with: two) == two)
    }

    @Test func fieldOfOnlyOneMergedObjectIsOptional() {
        let one = DraftType(
            .object([DraftField(name: "a", type: DraftType(.integer)), DraftField(name: "b", type: DraftType(.string))])
        )
        let two = DraftType(
            .object([
                DraftField(name: "c", type: DraftType(.boolean)), DraftField(name: "a", type: DraftType(.number)),
            ]))
        let merged = one.merged(with: two)
        #expect(
            merged.fields == [
                DraftField(name: "a", type: DraftType(.number)),
                DraftField(name: "b", type: DraftType(.string, isOptional: true)),
                DraftField(name: "c", type: DraftType(.boolean, isOptional: true)),
            ])
        #expect(merged.note == nil && DraftType(.string).fields == [])
    }

    /// Returns the declaration of a field `f` with the given type.
    private func declared(_ shape: DraftType.Shape, isOptional: Bool = false, note: String? = nil) -> String {
        DraftPrinter.text(
            of: [DraftField(name: "f", type: DraftType(shape, isOptional: isOptional, note: note))].lines)
    }

    private static func field(_ name: String, _ shape: DraftType.Shape, isOptional: Bool = false) -> DraftField {
        DraftField(name: name, type: DraftType(shape, isOptional: isOptional))
    }

    private static var declarations: [(DraftType.Shape, String, String)] {
        [
            (.string, #""f": "string","#, #""f": "string?","#), (.integer, #""f": "integer","#, #""f": "integer?","#),
            (.number, #""f": "number","#, #""f": "number?","#), (.boolean, #""f": "boolean","#, #""f": "boolean?","#),
            (.any, #""f": "any","#, #""f": "any?","#), (date, #""f": "date","#, #""f": "date?","#),
            (seconds, #""f": {"type": "date", "unit": "s"},"#, #""f?": {"type": "date", "unit": "s"},"#),
            (.localDate, #""f": {"type": "date", "zone": "UTC"},"#, #""f?": {"type": "date", "zone": "UTC"},"#),
            (.enumeration(["a"]), #""f": "string","#, #""f": "string?","#),
            (
                .enumeration(["a", "b"]), #""f": {"type": ["a", "b", "other"], "otherwise": "other"},"#,
                #""f?": {"type": ["a", "b", "other"], "otherwise": "other"},"#
            ),
            (
                .enumeration(["other", "unknown"]),
                #""f": {"type": ["other", "unknown", "unrecognized"], "otherwise": "unrecognized"},"#,
                #""f?": {"type": ["other", "unknown", "unrecognized"], "otherwise": "unrecognized"},"#
            ),
            (
                .enumeration(["other", "unknown", "unrecognized"]),
                #""f": {"type": ["other", "unknown", "unrecognized", "_other"], "otherwise": "_other"},"#,
                #""f?": {"type": ["other", "unknown", "unrecognized", "_other"], "otherwise": "_other"},"#
            ),
            (.array(DraftType(.integer)), #""f": ["integer"],"#, #""f?": ["integer"],"#),
            (.array(DraftType(.integer, isOptional: true)), #""f": ["integer?"],"#, #""f?": ["integer?"],"#),
            (.array(DraftType(seconds)), #""f": ["integer"],"#, #""f?": ["integer"],"#),
            (
                .array(DraftType(.localDate)), #""f": {"type": ["date"], "zone": "UTC"},"#,
                #""f?": {"type": ["date"], "zone": "UTC"},"#
            ),
            (.array(DraftType(.localDate, isOptional: true)), #""f": ["string?"],"#, #""f?": ["string?"],"#),
            (.map(DraftType(.localDate)), #""f": {"*": "string"},"#, #""f?": {"*": "string"},"#),
            (
                .object([field("a", .string, isOptional: true)]), #""f": {"a": "string?"},"#,
                #""f?": {"a": "string?"},"#
            ),
            (.object([]), #""f": "any","#, #""f": "any?","#),
            // An object with the field `type` could be the long form of a field.
            (
                .object([field("type", .string), field("unit", .string)]),
                #""f": {"type": {"type": "string", "unit": "string"}},"#,
                #""f?": {"type": {"type": "string", "unit": "string"}},"#
            ),
            (
                .object([field("type", .string), field("x", .string)]), #""f": {"type": "string", "x": "string"},"#,
                #""f?": {"type": "string", "x": "string"},"#
            ),
            (.object([field("zone", .string)]), #""f": {"zone": "string"},"#, #""f?": {"zone": "string"},"#),
        ]
    }

    @Test func draftedTypeHasTheSyntaxOfTheCatalog() {
        for (shape, required, optional) in Self.declarations {
            #expect(declared(shape) == required + "\n")
            #expect(declared(shape, isOptional: true) == optional + "\n")
        }
    }

    @Test(arguments: [(1, false), (2, true), (40, true), (41, false)])
    func enumerationHas2To40Values(count: Int, isEnumeration: Bool) {
        let values = (0..<count).map { "v\($0)" }
        #expect(declared(.enumeration(values)).contains("otherwise") == isEnumeration)
        #expect(declared(.enumeration(values), isOptional: true).contains("f?") == isEnumeration)
    }

    @Test func fieldsWithInvalidNamesBecomeComments() {
        let names = ["", "*", "a?", "b"]
        let text = DraftPrinter.text(of: names.map { Self.field($0, .string) }.lines)
        #expect(
            text == """
                // left out: a catalog cannot declare a field with the name ''
                // left out: a catalog cannot declare a field with the name '*'
                "a??": "string",
                "b": "string",

                """)
        #expect(declared(.string, note: "why") == "\"f\": \"string\",  // why\n")
        #expect(declared(.object([Self.field("*", .string)])) == "\"f\": \"any\",\n")
    }
}
