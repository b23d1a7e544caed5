import JSON
import TestSupport
import Testing

@Suite("A selector follows a dotted path", .limited)
struct JSONSelectorTests {
    static let text = #"""
        {"info": {"pages": 42, "next": null}, "results": [{"id": 1}, {"id": 2}], "rows": [[0, 1], []],
         "0": "zero", "a.b": "dotted", "": "empty", "\u0061": {"x": true}, "dup": 1, "dup": 2}
        """#

    @Test(arguments: [
        ("info.pages", "42"), ("info.next", "null"), ("results.1.id", "2"), ("results.0", #"{"id": 1}"#),
        ("rows.0.1", "1"), ("rows.1", "[]"), ("0", #""zero""#), ("a.x", "true"), ("dup", "2"), ("results.01.id", "2"),
    ])
    func dottedPathSelectsAValue(_ path: String, _ expected: String) throws {
        let selector = try #require(JSONSelector(path))
        #expect(selector.path == path)
        try withView(of: Self.text) { view in
            #expect(selector.select(in: view).map { String(decoding: $0.token, as: UTF8.self) } == expected)
        }
    }

    @Test(
        arguments: [
            ("links.[rel=next].href", #""b""#), ("links.[rel=self].href", #""a""#), ("links.[rel=next]", nil),
            ("[rel=next]", nil),
            ("links.[rel=last].href", nil), ("links.[rel=nex].href", nil), ("links.[n=1].href", nil),
            ("map.[rel=next].href", nil), ("links.[rel=next].none", nil), ("deep.*.[rel=next].href", #""d""#),
            ("odd.[=next]", "1"), ("odd.[rel=]", "2"), ("odd.[rel]", "3"), ("odd.[rel=x", "4"), ("odd.rel=x]", "5"),
        ] as [(String, String?)])
    func conditionSelectsTheFirstElementWithAMember(_ path: String, _ expected: String?) throws {
        let text = #"""
            {"links": [{"rel": "self", "href": "a"}, 7, {"rel": "next", "href": "b", "n": 1}, {"rel": "next", "href": "c"}],
             "map": {"a": {"rel": "next", "href": "x"}}, "deep": [[{"rel": "no"}], [{"rel": "next", "href": "d"}]],
             "odd": {"[=next]": 1, "[rel=]": 2, "[rel]": 3, "[rel=x": 4, "rel=x]": 5}}
            """#
        let selector = try #require(JSONSelector(path))
        #expect(selector.path == path)
        try withView(of: text) { view in
            let found = selector.select(in: view).map { String(decoding: $0.token, as: UTF8.self) }
            #expect(path == "links.[rel=next]" ? found?.contains("\"b\"") == true : found == expected)
        }
    }

    @Test func pathOfASelectedValueContainsTheConditionOfItsSelector() throws {
        let selector = try #require(JSONSelector("a.*.[rel=next].href"))
        try withView(of: #"{"a": [[{"rel": "next", "href": "x"}]]}"#) { view in
            #expect(selector.selectAll(in: view)?.map(\.path) == ["a[0].[rel=next].href"])
        }
        #expect(JSONSelector("{id}.[a=b]")?.filled(id: "7").path == "7.[a=b]")
        #expect(JSONSelector("a.[b=c]")?.lastMember == nil && JSONSelector("[b=c]")?.onlyMember == nil)
    }

    @Test(arguments: [
        "nothing", "info.nothing", "info.pages.0", "info.next.x", "results.2", "results.-1", "results.+1", "results.-0",
        "results.id", "results.1.id.x", "rows.1.0", "results.9223372036854775807", "results.99999999999999999999",
        "rows.0x1", "rows. 0", "INFO", "info.pages ",
    ])
    func pathWithoutAValueSelectsNothing(_ path: String) throws {
        let selector = try #require(JSONSelector(path))
        try withView(of: Self.text) { #expect(selector.select(in: $0) == nil) }
    }

    @Test(arguments: [".", "a.", ".a", "a..b", "..", "a.b."])
    func pathWithAnEmptyStepIsRefused(_ path: String) {
        #expect(JSONSelector(path) == nil)
    }

    @Test func emptyPathSelectsTheValueItself() throws {
        #expect(JSONSelector("") == .whole)
        try withView(of: "[1]") { #expect(JSONSelector.whole.select(in: $0)?.kind == .array) }
    }

    @Test(arguments: ["a.b", ""])
    func fieldSelectorAcceptsAnyKey(_ key: String) throws {
        try withView(of: Self.text) { #expect(JSONSelector(field: key).select(in: $0)?.kind == .string) }
    }

    @Test(arguments: [
        ("results.*", "results[0] results[1]"), ("results.*.id", "results[0].id results[1].id"),
        ("rows.*.*", "rows[0][0] rows[0][1]"), ("rows.*.1", "rows[0].1"), ("info.*", "info.pages info.next"),
        ("info.*.@key", "info.pages info.next"), ("rows.1.*", ""), ("a.x", "a.x"),
    ])
    func starSelectsAllValues(_ path: String, _ expected: String) throws {
        let selector = try #require(JSONSelector(path))
        try withView(of: Self.text) { view in
            let picks = try #require(selector.selectAll(in: view))
            #expect(picks.map(\.path) == expected.split(separator: " ").map(String.init))
        }
    }

    @Test(arguments: ["nothing.*", "info.pages.*", "info.next.*", "0.*"])
    func starInASelectorRequiresAnArrayOrAnObject(_ path: String) throws {
        let selector = try #require(JSONSelector(path))
        try withView(of: Self.text) { view in
            #expect(selector.selectAll(in: view)?.isEmpty ?? true)
            #expect(selector.select(in: view) == nil)
        }
    }

    @Test func selectorReturnsTheFirstOfSeveralValues() throws {
        let selector = try #require(JSONSelector("results.*.id"))
        try withView(of: Self.text) { #expect(selector.select(in: $0)?.integer == 1) }
    }

    @Test func selectorStepForKeysSelectsTheKeysOfAnObject() throws {
        let selector = try #require(JSONSelector("info.*.@key"))
        try withView(of: Self.text) { view in
            #expect(selector.selectAll(in: view)?.map(\.view.string) == ["pages", "next"])
        }
        let key = try #require(JSONSelector("@key"))
        try withView(of: Self.text) { view in
            #expect(key.select(in: view) == nil)
            #expect(key.select(in: view, key: view["0"])?.string == "zero")
        }
    }

    @Test func stepOfASelectorMayContainDots() throws {
        let selector = try #require(JSONSelector(steps: ["a.b"]))
        try withView(of: Self.text) { #expect(selector.select(in: $0)?.string == "dotted") }
        #expect(JSONSelector(steps: ["a", ""]) == nil)
    }

    @Test(arguments: [
        ("query.pages.{id}", "query.pages.7.8"), ("{id}", "7.8"), ("{id}.*.{id}", "7.8.*.7.8"), ("a.{ids}", "a.{ids}"),
        ("", ""), ("@key.{id}", "@key.7.8"),
    ])
    func idPlaceholderOfASelectorIsReplaced(path: String, filled: String) throws {
        let selector = try #require(JSONSelector(path)).filled(id: "7.8")
        #expect(selector.path == filled)
        let document = try JSONDocument(Array(#"{"query": {"pages": {"7.8": 1, "7": {"8": 2}}}, "7.8": 3}"#.utf8))
        document.withRoot { root in
            if path == "query.pages.{id}" { #expect(selector.select(in: root)?.integer == 1) }
            if path == "{id}" { #expect(selector.select(in: root)?.integer == 3) }
        }
    }

    @Test(
        arguments: [
            ("result", "results"), ("info.page", "info.pages"), ("meta", nil), ("info.pages", nil), ("inf", "info"),
            ("results.*.nam", nil), ("results.0.nam", "results.0.name"), ("info.pages.x", nil), ("", nil),
        ] as [(String, String?)])
    func similarPathIsSuggestedForASelectorWithoutMatches(path: String, meant: String?) throws {
        let selector = try #require(JSONSelector(path))
        try withView(of: #"{"info": {"pages": 3}, "results": [{"name": 1}]}"#) { view in
            #expect(selector.meant(in: view) == meant)
        }
    }

    @Test(arguments: [
        ("links.[rel=next].href", true), ("links.[rel=self].href", false), ("linkz.[rel=next].href", false),
        ("[rel=next].href", false), ("links.0.href", false),
    ])
    func selectorConditionFailsOnlyIfTheArrayLacksAMatch(path: String, isUnmet: Bool) throws {
        let selector = try #require(JSONSelector(path))
        let found = try withView(of: #"{"links": [{"rel": "self"}]}"#) { selector.hasUnmetCondition(in: $0) }
        #expect(found == isUnmet)
        #expect(try withView(of: "[]") { JSONSelector("[rel=next].href")?.hasUnmetCondition(in: $0) } == true)
    }
}
