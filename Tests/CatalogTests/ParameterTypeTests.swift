import JSON
import Mocks
import TestSupport
import Testing

@testable import Catalog
@testable import Model

@Suite(.limited) struct ParameterTypeTests {
    @Test(
        arguments: [
            (.string, 5, "5"), (.string, true, "true"), (.string, .number("1.50"), "1.50"), (.integer, "5", 5),
            (.integer, -7, -7), (.integer, "05", nil), (.integer, .number("5.0"), nil), (.integer, true, nil),
            (.number, "1.5", .number("1.5")), (.number, "x", nil), (.number, "01", nil), (.boolean, "true", true),
            (.boolean, 1, nil), (.any, ["a": 1], ["a": 1]), (.string, ["a"], nil), (.enumeration(["a", "5"]), 5, "5"),
            (.enumeration(["a", "b"]), "c", nil), (.array(.integer), ["1", 2], [1, 2]), (.array(.integer), 3, [3]),
            (.array(.integer), ["x"], nil), (.date(nil), "2026-01-31", "2026-01-31"), (.date(nil), "2026-02-30", nil),
            (.date(nil), "2026-01-31T10:00:00.5+01:00", "2026-01-31T09:00:00.500Z"), (.date(nil), 5, nil),
            (.date(.seconds), "1970-01-02", 86_400), (.date(.milliseconds), "1970-01-01T00:00:01Z", 1000),
            (.date(.seconds), 7, 7), (.date(.seconds), "soon", nil), (.date(.seconds), "7", 7),
            (.date(nil), "1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"),
            (.date(nil), "2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"),
        ] as [(ParameterType, JSONValue, JSONValue?)])
    func equalParameterValuesHaveOneCanonicalForm(type: ParameterType, value: JSONValue, form: JSONValue?) {
        #expect(type.canonical(value) == form)
        if let form { #expect(type.canonical(form) == form) }
    }

    @Test(
        arguments: [
            (.number, ",", "1, 2.5", [.number("1"), .number("2.5")]), (.number, ",", "1,,2", nil),
            (.string, "; ", "a;b; c ", ["a;b", "c"]), (.string, ",", "", [""]), (.string, ",", ["a,b"], ["a,b"]),
            (.integer, ",", 5, [5]), (.enumeration(["a", "b"]), "|", "a|b", ["a", "b"]), (.string, nil, "a,b", ["a,b"]),
        ] as [(ParameterType, String?, JSONValue, JSONValue?)])
    func textOfAnArrayFilterIsSplit(type: ParameterType, split: String?, value: JSONValue, form: JSONValue?) {
        var filter = FilterDefinition(name: "f", parameter: "f")
        (filter.type, filter.split) = (.array(type), split)
        #expect(filter.canonical(value) == form)
    }

    @Test(arguments: [
        ("it's", "'", "'it''s'"), (#"a "b" \c"#, "\"", #""a \"b\" \\c""#), ("x y", "", "x y"),
    ])
    func quotesInsideAFilterValueAreEscaped(value: String, quote: String, part: String) {
        var filter = FilterDefinition(name: "f", parameter: "q")
        (filter.form, filter.quote) = ("f={}", quote)
        #expect(filter.parts(.string(value)) == ["f=" + part])
    }

    @Test func valuesOfAnArrayFilterAreSeparateConditionsUnlessJoined() throws {
        let list = { (join: String) in
            #"{"list": {"path": "/t", "filters": {"l": {"param": "q", "as": "labels in ({})", "quote": "'", "#
                + #""type": ["string"]\#(join)}}}}"#
        }
        for (join, text) in [
            (#", "join": ",""#, "labels in ('a','it''s')"), ("", "labels in ('a') labels in ('it''s')"),
            (#", "join": "repeat""#, "labels in ('a') labels in ('it''s')"),
        ] {
            let read = try CatalogText.decode(CatalogText.make(rest: list(join))).resources[0].list
            let request = PageRequest(filters: [.init("l", ["a", "it's"])])
            #expect(try read?.parameters(of: request) == [ListParameter("q", .string(text))])
        }
    }

    @Test func resourcesInDifferentScopesHaveDifferentKeys() {
        let key = ResourceKey(name: "issue", fingerprint: .init(high: 1, low: 2))
        let one = key.scoped(ResourceScope([("owner", "a"), ("repo", "b")]))
        let same = key.scoped(ResourceScope([("repo", "b"), ("owner", "a")]))
        let other = key.scoped(ResourceScope([("owner", "ab"), ("repo", "")]))
        #expect(one == same && one.name == same.name && one != other && one != key)
        #expect(one.name == #"issue{"owner":"a","repo":"b"}"# && one.resourceName == "issue")
        #expect(one.has(ScopeNarrowing([("owner", "a")])) && !one.has(ScopeNarrowing([("owner", "b")])))
        #expect(!key.has(ScopeNarrowing([("owner", "a")])) && key.has(ScopeNarrowing([])))
    }
}

@Suite(.limited) struct RFC3339ReaderTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.5Z", 500), ("1970-01-01t00:00:00.0019z", 1),
            ("1970-01-01 01:00:00+01:00", 0), ("1969-12-31T23:00:00-01:00", 0),
            ("2026-01-31T09:05:00.250Z", 1_769_850_300_250), ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("2016-12-31T23:59:60Z", 1_483_228_799_000),
        ] as [(String, Int64)])
    func dateParameterIsReadAsMilliseconds(text: String, milliseconds: Int64) {
        #expect(RFC3339Reader.milliseconds(text) == milliseconds)
    }

    @Test(arguments: [
        "", "2026-01-31", "2026-01-31T09:05:00", "2026-01-31T09:05Z", "2026-01-31T09:05:00.Z", "2026-01-31T09:05:00ZZ",
        "2026-01-31T24:00:00Z", "2026-01-31T09:60:00Z", "2026-01-31T09:05:61Z", "2026-13-01T00:00:00Z",
        "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-31T09:05:00+1:00",
        "2026-01-31T09:05:00+24:00", "+026-01-31T09:05:00Z", "2026-01-31T09:05:00Z ", "２026-01-31T09:05:00Z",
    ])
    func invalidDateParameterIsRefused(text: String) {
        #expect(RFC3339Reader.milliseconds(text) == nil)
    }
}
