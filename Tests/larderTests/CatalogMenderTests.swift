import DataSources
import JSON
import Model
import TestSupport
import Testing

@testable import larder

@Suite(.limited) struct CatalogMenderTests {
    private static func mended(_ fields: String, _ path: String, _ found: APIError.FoundValue?) -> String? {
        let text = #"{"resources": {"t": {"fields": {\#(fields)}}}}"#
        var mender = CatalogMender(Array(text.utf8))
        var finding = LiveFinding(resource: "t", operation: "list")
        finding.error = error(found, at: path)
        guard mender.mend([finding]) else { return nil }
        #expect(mender.mends.count == 1)
        let after = String(decoding: mender.bytes, as: UTF8.self)
        return String(after.dropFirst(#"{"resources": {"t": {"fields": {"#.count).dropLast(4))
    }

    private static func error(_ found: APIError.FoundValue?, at path: String?) -> APIError {
        var error = APIError(.decodingFailed, "", path: path)
        error.found = found
        return error
    }

    @Test(
        arguments: [
            (#""a": "integer""#, "x[0].a", .string, #""a": "string""#),
            (#""a": "integer?""#, "x[0].a", .number, #""a": "number?""#),
            (#""a": "string""#, "a", .nothing, #""a": "string?""#),
            (#""a": "string""#, "a", .nothing, #""a": "string?""#),
            (#""a": "string?""#, "a", .nothing, nil),
            (#""a": "any""#, "a", .nothing, nil),
            (#""a": ["x"]"#, "a", .nothing, #""a?": ["x"]"#),
            (#""a": {"b": "string"}"#, "x[0].a", .nothing, #""a?": {"b": "string"}"#),
            (#""a?": {"b": "string"}"#, "x[0].a", .nothing, nil),
            (#""a?": {"b": "integer"}"#, "x[0].a.b", .string, #""a?": {"b": "string"}"#),
            (#""a": {"b": "string"}"#, "a", .array, nil),
            (#""a": [{"b": "string"}]"#, "a", .object, nil),
            (#""a": ["x", "y"]"#, "a", .string, #""a": "string""#),
            (#""a": "date""#, "a", .string, #""a": "string""#),
            (#""a": {"b": "integer"}"#, "x[1].a.b", .boolean, #""a": {"b": "boolean"}"#),
            (#""a": [{"b": "integer"}]"#, "x[1].a[3].b", .string, #""a": [{"b": "string"}]"#),
            (
                #""a": {"from": "q", "type": "integer"}"#, "q", .string,
                #""a": {"from": "q", "type": "string"}"#
            ),
            (#""a": {"from": "q", "type": "integer"}"#, "a", .string, nil),
            (#""a": {"type": ["x"], "otherwise": "y"}"#, "a", .object, nil),
            (#""a": "string""#, "a", .array, #""a": "any""#),
            (#""a": "integer""#, "b", .string, nil),
            (
                #""name": "string", "o": {"from": "owner.name", "type": "string"}"#, "x[0].owner.name",
                .integer,
                #""name": "string", "o": {"from": "owner.name", "type": "integer"}"#
            ),
            (#""name": "string""#, "x[0].owner.name", .integer, nil),
            (#""a": {"from": {"list": "b"}, "type": "string"}"#, "x[0].a", .integer, nil),
            (#""a": ["string"]"#, "x[0].a[2]", .integer, #""a": ["integer"]"#),
            (#""a": "string""#, "x[0].a[2]", .integer, nil),
            (#""a": "integer""#, "a", nil, nil),
            (#""a": "string""#, "a", .string, nil),
        ] as [(String, String, APIError.FoundValue?, String?)])
    func wrongTypeIsCorrected(fields: String, path: String, found: APIError.FoundValue?, result: String?) {
        #expect(Self.mended(fields, path, found) == result)
    }

    @Test func fixChangesNothingForUnfixableErrorsAndUnknownResources() {
        var mender = CatalogMender(Array(#"{"resources": {"t": {"fields": {"a": "integer"}}}}"#.utf8))
        let before = mender.bytes
        var finding = LiveFinding(resource: "u", operation: "get")
        finding.error = Self.error(.string, at: "a")
        var other = LiveFinding(resource: "t", operation: "get")
        other.error = Self.error(nil, at: "a")
        var noPath = LiveFinding(resource: "t", operation: "get")
        noPath.error = Self.error(.string, at: nil)
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
    func invalidCatalogNamesAreRefused(name: String, isName: Bool) {
        #expect(UserCatalogs.isName(name) == isName)
        #expect((UserCatalogs.refusal(of: name) == nil) == isName)
    }

    @Test(arguments: ["catalog", "config", "github"]) func catalogNamesInUseAreRefused(name: String) {
        #expect(UserCatalogs.refusal(of: name) != nil)
    }

    @Test(
        arguments: [
            (#"{"path": "/t"}"#, #"{"path": "/t", "pagination": {"style": "link"}}"#),
            (#"{"path": "/t",}"#, #"{"path": "/t", "pagination": {"style": "link"},}"#),
            ("{\n  \"path\": \"/t\"\n}", "{\n  \"path\": \"/t\",\n  \"pagination\": {\"style\": \"link\"},\n}"),
            (
                "{\n  \"path\": \"/t\",  // all\n}",
                "{\n  \"path\": \"/t\",  // all\n  \"pagination\": {\"style\": \"link\"},\n}"
            ),
            (#"{"path": "/t", "pagination": {"style": "page"}}"#, nil),
            ("{\"path\":\n\"/t\" }", "{\"path\":\n\"/t\", \"pagination\": {\"style\": \"link\"} }"),
        ] as [(String, String?)])
    func missingPaginationIsAdded(list: String, result: String?) {
        func catalog(_ list: String) -> String { #"{"resources": {"t": {"rest": {"list": \#(list)}}}}"# }
        var mender = CatalogMender(Array(catalog(list).utf8))
        var finding = LiveFinding(resource: "t", operation: "list")
        finding.missingPagination = #""pagination": {"style": "link"}"#
        let hasChanged = mender.mend([finding])
        #expect(hasChanged == (result != nil))
        #expect(String(decoding: mender.bytes, as: UTF8.self) == catalog(result ?? list))
        let hasChangedAgain = mender.mend([finding])
        #expect(!hasChangedAgain)
    }

    @Test func correctionOfAFieldTypeIsNotRepeated() {
        var mender = CatalogMender(Array(#"{"resources": {"t": {"fields": {"a": "string"}}}}"#.utf8))
        var finding = LiveFinding(resource: "t", operation: "list")
        let values: [(APIError.FoundValue, Bool)] = [
            (.integer, true), (.string, true), (.integer, false), (.string, false),
        ]
        for (found, isMended) in values {
            finding.error = Self.error(found, at: "[0].a")
            #expect(mender.mend([finding]) == isMended)
        }
    }
}
