import DataSources
import JSON
import Model
import TestSupport
import Testing

@testable import larder

@Suite(.limited) struct CatalogMenderTests {
    private static func mended(_ fields: String, _ path: String, _ message: String) -> String? {
        let text = #"{"resources": {"t": {"fields": {\#(fields)}}}}"#
        var mender = CatalogMender(Array(text.utf8))
        var finding = LiveFinding(resource: "t", operation: "list")
        finding.error = APIError(.decodingFailed, message, path: path)
        guard mender.mend([finding]) else { return nil }
        #expect(mender.mends.count == 1)
        let after = String(decoding: mender.bytes, as: UTF8.self)
        return String(after.dropFirst(#"{"resources": {"t": {"fields": {"#.count).dropLast(4))
    }

    @Test(
        arguments: [
            (#""a": "integer""#, "x[0].a", #"declare "string""#, #""a": "string""#),
            (#""a": "integer?""#, "x[0].a", #"declare "number""#, #""a": "number?""#),
            (#""a": "string""#, "a", "'a' must be a string, but is null", #""a": "string?""#),
            (#""a": "string""#, "a", "'a' must be a string, but is missing", #""a": "string?""#),
            (#""a": "string?""#, "a", "'a' must be a string, but is null", nil),
            (#""a": "any""#, "a", "'a' must be a value, but is missing", nil),
            (#""a": ["x"]"#, "a", "but is null", #""a?": ["x"]"#),
            (#""a": {"b": "string"}"#, "x[0].a", "but is missing", #""a?": {"b": "string"}"#),
            (#""a?": {"b": "string"}"#, "x[0].a", "but is null", nil),
            (#""a?": {"b": "integer"}"#, "x[0].a.b", #"declare "string""#, #""a?": {"b": "string"}"#),
            (#""a": {"b": "string"}"#, "a", #"declare an array: [type]"#, nil),
            (#""a": [{"b": "string"}]"#, "a", #"declare its fields, or "any""#, nil),
            (#""a": ["x", "y"]"#, "a", "add the value to the type, or", #""a": "string""#),
            (#""a": "date""#, "a", #"declare "zone": "UTC", or "string""#, #""a": "string""#),
            (#""a": {"b": "integer"}"#, "x[1].a.b", #"declare "boolean""#, #""a": {"b": "boolean"}"#),
            (#""a": [{"b": "integer"}]"#, "x[1].a[3].b", #"declare "string""#, #""a": [{"b": "string"}]"#),
            (
                #""a": {"from": "q", "type": "integer"}"#, "q", #"declare "string""#,
                #""a": {"from": "q", "type": "string"}"#
            ),
            (#""a": {"from": "q", "type": "integer"}"#, "a", #"declare "string""#, nil),
            (#""a": {"type": ["x"], "otherwise": "y"}"#, "a", #"declare its fields, or "any""#, nil),
            (#""a": "string""#, "a", #"declare [type], or"#, #""a": "any""#),
            (#""a": "integer""#, "b", #"declare "string""#, nil),
            (
                #""name": "string", "o": {"from": "owner.name", "type": "string"}"#, "x[0].owner.name",
                #"declare "integer""#,
                #""name": "string", "o": {"from": "owner.name", "type": "integer"}"#
            ),
            (#""name": "string""#, "x[0].owner.name", #"declare "integer""#, nil),
            (#""a": {"from": {"list": "b"}, "type": "string"}"#, "x[0].a", #"declare "integer""#, nil),
            (#""a": ["string"]"#, "x[0].a[2]", #"declare "integer""#, #""a": ["integer"]"#),
            (#""a": "string""#, "x[0].a[2]", #"declare "integer""#, nil),
            (#""a": "integer""#, "a", "something else", nil),
            (#""a": "string""#, "a", #"declare "string""#, nil),
        ] as [(String, String, String, String?)])
    func typeIsMended(fields: String, path: String, message: String, result: String?) {
        #expect(Self.mended(fields, path, message) == result)
    }

    @Test func otherErrorsAndUnknownResourcesChangeNothing() {
        var mender = CatalogMender(Array(#"{"resources": {"t": {"fields": {"a": "integer"}}}}"#.utf8))
        let before = mender.bytes
        var finding = LiveFinding(resource: "u", operation: "get")
        finding.error = APIError(.decodingFailed, #"declare "string""#, path: "a")
        var other = LiveFinding(resource: "t", operation: "get")
        other.error = APIError(.serverError, #"declare "string""#, path: "a")
        var noPath = LiveFinding(resource: "t", operation: "get")
        noPath.error = APIError(.decodingFailed, #"declare "string""#)
        let hasChanged = mender.mend([finding, other, noPath, LiveFinding(resource: "t", operation: "list")])
        #expect(!hasChanged)
        #expect(mender.bytes == before && mender.mends.isEmpty)
        #expect(CatalogMender.steps("a[0].b.c[1][2]") == ["b", "c", "[]"] && CatalogMender.steps("[3].x") == ["x"])
        #expect(CatalogMender.steps("a.b") == ["a", "b"] && CatalogMender.steps("a[0]") == [])
    }

    @Test(
        arguments: [
            ("shop", true), ("Shop-2_x", true), ("2", true), ("", false), ("-x", false), ("_x", false), ("a.b", false),
            ("a/b", false), ("é", false), (String(repeating: "a", count: 64), true),
            (String(repeating: "a", count: 65), false),
        ])
    func namesOfCatalogsAreChecked(name: String, isName: Bool) {
        #expect(UserCatalogs.isName(name) == isName)
        #expect((UserCatalogs.refusal(of: name) == nil) == isName)
    }

    @Test(arguments: ["catalog", "config", "github"]) func namesInUseAreRefused(name: String) {
        #expect(UserCatalogs.refusal(of: name) != nil)
    }

    @Test func mendIsNotRepeated() {
        var mender = CatalogMender(Array(#"{"resources": {"t": {"fields": {"a": "string"}}}}"#.utf8))
        var finding = LiveFinding(resource: "t", operation: "list")
        for (name, isMended) in [("integer", true), ("string", true), ("integer", false), ("string", false)] {
            finding.error = APIError(.decodingFailed, "declare \"\(name)\"", path: "[0].a")
            #expect(mender.mend([finding]) == isMended)
        }
    }
}
