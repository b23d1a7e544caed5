import JSON
import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests searches by text and by filters, in the file and in memory.
@Suite(.limited) struct CacheFileSearchTests {
    typealias Entries = LocalEntries

    private static func items(_ jsons: [String]) -> [ItemEntity] {
        jsons.enumerated().map { index, json in
            Entries.item(String(index + 1), json: #"{"id":\#(index + 1),\#(json)}"#)
        }
    }

    private static func query(
        _ text: String? = nil, _ filters: [(String, JSONValue)] = [], since: Int64? = nil, limit: Int = 20,
        offset: Int = 0
    ) -> SearchQuery {
        SearchQuery(
            resource: Entries.character, text: text, filters: filters.map { PageRequest.Filter($0.0, $0.1) },
            fetchedAfter: since.map { Timestamp(milliseconds: $0) }, limit: limit, offset: offset)
    }

    private static let people = items([
        #""name":"Rick Sanchez","origin":{"name":"Earth (C-137)","url":"https://earth.example/rick"}"#,
        #""name":"Morty Smith","tags":["Ängstlich","naïve"]"#, #""name":"Rick's Ricky \"rick\" Rickson","n":42"#,
        #""name":"东京 tower","note":"über Café, e\u0301clair""#, #""name":"Tab\tNew\nLine","url":"http://x.example/""#,
    ])

    @Test(
        arguments: [
            ("rick", ["3", "1"]), ("RICK", ["3", "1"]), ("ri", ["3", "1"]), ("sanch ri", ["1"]), ("sanchez", ["1"]),
            ("anchez", []), ("rick morty", []), ("angst", ["2"]), ("ÄNGSTLICH", ["2"]), ("Naive", ["2"]),
            ("cafe", ["4"]), ("CAFÉ", ["4"]), ("e\u{301}cl", ["4"]), ("eclair", ["4"]), ("东", ["4"]), ("uber", ["4"]),
            ("c-137", ["1"]), ("c-13", ["1"]), ("c-1 rick", ["1"]), ("(rick)", ["3", "1"]), ("new line tab", ["5"]),
            ("earth.example", []), ("example", []), ("https", []), ("42", []), ("name", []), ("id", []),
        ])
    func everySearchWordMatchesThePrefixOfAWord(text: String, ids: [String]) throws {
        for subject in SearchSubject.allCases {
            #expect(try subject.ids(Self.query(text), among: Self.people) == ids, "\(subject)")
        }
    }

    /// No part of a search text is interpreted as FTS5 query syntax.
    @Test(
        arguments: [
            "rick AND", "rick OR nobody", "NOT rick", "rick NEAR morty", "NEAR(rick morty)", "name:rick", "text:rick",
            "rick*", "^rick", "-rick", "rick + sanchez", "{text}: rick", "\"rick", "rick\"", "\"\"\"",
            "'; DROP TABLE items",
            "rick\u{0}sanchez", "\u{0}", "?1", "%", "_", "*", "()", "\\", "\u{200D}", "🚀", "-- rick", "ri\"ck",
        ])
    func searchTextIsNotInterpretedAsQuerySyntax(text: String) throws {
        for subject in SearchSubject.allCases {
            let hits = try subject.hits(Self.query(text), among: Self.people)
            #expect(hits.count == hits.items.count)
        }
    }

    @Test func searchOperatorsAreSearchedAsWords() throws {
        let items = Self.items([#""a":"rick and morty or not near""#, #""a":"rick morty""#])
        for subject in SearchSubject.allCases {
            #expect(try subject.ids(Self.query("rick AND morty"), among: items) == ["1"])
            #expect(try subject.ids(Self.query("NOT"), among: items) == ["1"])
            #expect(try subject.ids(Self.query("OR NEAR"), among: items) == ["1"])
            // A word without letters and digits matches nothing by itself, and does not affect other words.
            #expect(try subject.ids(Self.query("--"), among: items) == [])
            #expect(try subject.ids(Self.query("rick -- *"), among: items).count == 2)
            #expect(try subject.ids(Self.query("-- rick"), among: items).count == 2)
            #expect(try subject.ids(Self.query("\u{0}rick\u{0}near\""), among: items) == ["1"])
        }
    }

    @Test(arguments: ["\"", "\"\"\"", "\u{0}", "\u{1B} \"", "...", "*", "()", "\u{200D}", "?!", "「」"])
    func searchTextOfSymbolsOnlyMatchesNothing(text: String) throws {
        for subject in SearchSubject.allCases {
            #expect(try subject.ids(Self.query(text), among: Self.people) == [], "\(subject)")
        }
    }

    @Test func longSearchTextIsSupported() throws {
        let words = (0..<500).map { "w\($0)" }.joined(separator: " ")
        for subject in SearchSubject.allCases {
            #expect(try subject.ids(Self.query(words), among: Self.items([#""a":"\#(words)""#])) == ["1"])
        }
    }

    @Test func searchHitsAreOrderedByRankThenID() throws {
        let items = Self.items([
            #""a":"other words around one rick here""#, #""a":"rick""#, #""a":"rick rick rick""#, #""a":"rick""#,
            #""a":"nobody""#,
        ])
        for subject in SearchSubject.allCases {
            #expect(try subject.ids(Self.query("rick"), among: items) == ["3", "2", "4", "1"])
        }
    }

    @Test(arguments: [nil, "", "  ", "\n\t\u{A0}"]) func blankSearchTextFindsEveryItem(text: String?) throws {
        let ids = ["10", "9", "b", "1", "100", "a", "-1", "2", "99999999999999999999", "B", "1a"]
        let items = ids.map { Entries.item($0, json: #"{"id":"\#($0)"}"#) }
        for subject in SearchSubject.allCases {
            #expect(
                try subject.ids(Self.query(text), among: items)
                    == ["1", "2", "9", "10", "100", "99999999999999999999", "-1", "1a", "B", "a", "b"])
        }
    }

    @Test func searchHitsArePaginated() throws {
        let items = Self.items((1...30).map { #""a":"rick \#($0)""# })
        for subject in SearchSubject.allCases {
            for text in [nil, "rick"] {
                #expect(try subject.hits(Self.query(text), among: items).items.count == 20)
                var seen: [String] = []
                for offset in stride(from: 0, to: 40, by: 7) {
                    let query = Self.query(text, limit: 7, offset: offset)
                    #expect(try subject.hits(query, among: items).count == 30)
                    seen += try subject.ids(query, among: items)
                }
                #expect(seen == (1...30).map(String.init))
                let none = try subject.hits(Self.query(text, limit: 0), among: items)
                #expect(none == SearchHits(items: [], count: 30))
                #expect(try subject.hits(Self.query(text, limit: .max, offset: .max), among: items).items == [])
            }
        }
    }

    @Test func searchIgnoresPartialAndExpiredItems() throws {
        let json = #"{"id":1,"a":"rick"}"#
        let items = [
            Entries.item("1", json: json, at: 1000), Entries.item("2", json: #"{"id":2,"a":"rick"}"#, at: 1001),
            Entries.item("3", isPartial: true, json: json), Entries.item("4", of: Entries.otherCharacter, json: json),
            Entries.item("5", of: Entries.location, json: json),
        ]
        for subject in SearchSubject.allCases {
            for text in [nil, "rick"] {
                #expect(try subject.ids(Self.query(text), among: items) == ["1", "2"])
                #expect(try subject.ids(Self.query(text, since: 1000), among: items) == ["2"])
                #expect(
                    try subject.hits(Self.query(text, since: 1001), among: items) == SearchHits(items: [], count: 0))
                #expect(try subject.hits(Self.query(text), among: []) == SearchHits(items: [], count: 0))
            }
        }
    }

    @Test(arguments: [
        ("1e9223372036854775807", false), ("0.1e9223372036854775807", true), ("10e9223372036854775806", false),
        ("0.01e-9223372036854775808", false), ("1e-9223372036854775808", true), ("1e9223372036854775808", false),
    ])
    func decimalNumberIsParsedUnlessItsExponentOverflows(text: String, isNumber: Bool) {
        #expect((DecimalNumber(text) != nil) == isNumber)
    }

    @Test(arguments: [
        ("100", "1e2", true), ("-0", "0", true), ("0.010", "1E-2", true), ("-1", "1", false), ("10", "1", false),
        ("1.50", "15e-1", true), ("0e5", "0.00", true), ("123", "124", false), ("1e1", "1e-1", false),
    ])
    func decimalNumbersAreComparedByValue(left: String, right: String, isEqual: Bool) {
        #expect((DecimalNumber(left) == DecimalNumber(right)) == isEqual)
    }

    private static let things = items([
        #""n":1,"s":"a","b":true,"z":null,"o":{"n":1,"s":"x","l":[5,"y"]},"a.b":"dotted","a":{"b":"nested"}"#,
        #""n":1.0,"s":"A","b":false,"o":{"n":2},"a":{"b":"nested"}"#,
        #""n":"1","s":"é","b":"true","o":"x""#, #""n":9007199254740993,"s":"e\u0301","b":1"#,
        #""n":9007199254740992,"s":"\u0041","b":0"#, #""n":-0.0,"s":"","b":null"#, #""n":1e400"#,
        #""n":12345678901234567890.5"#,
    ])

    @Test(
        arguments: [
            ("n", .number("1"), ["1", "2"]), ("n", .number("1.00"), ["1", "2"]), ("n", .number("10e-1"), ["1", "2"]),
            ("n", .number("0.1E+1"), ["1", "2"]), ("n", .string("1"), ["3"]), ("n", .number("9007199254740993"), ["4"]),
            ("n", .number("9007199254740992"), ["5"]), ("n", .number("9007199254740992.0"), ["5"]),
            ("n", .number("0"), ["6"]), ("n", .number("-0e7"), ["6"]), ("n", .number("-1"), []),
            ("n", .number("1e400"), ["7"]), ("n", .number("10e399"), ["7"]), ("n", .number("1e401"), []),
            ("n", .number("12345678901234567890.5"), ["8"]), ("n", .number("12345678901234567890.51"), []),
            ("n", .number("1e99999999999999999999"), []),
            ("s", .string("a"), ["1"]), ("s", .string("A"), ["2", "5"]), ("s", .string("é"), ["3"]),
            ("s", .string("e\u{301}"), ["4"]), ("s", .string(""), ["6"]), ("s", .number("1"), []),
            ("b", .bool(true), ["1"]), ("b", .bool(false), ["2"]), ("b", .string("true"), ["3"]),
            ("b", .number("1"), ["4"]), ("b", .number("0"), ["5"]), ("z", .bool(false), []),
            ("o.n", .number("1"), ["1"]), ("o.s", .string("x"), ["1"]), ("o", .string("x"), ["3"]),
            ("o.l.0", .number("5"), ["1"]), ("o.l.1", .string("y"), ["1"]), ("o.l.9", .string("y"), []),
            ("a.b", .string("dotted"), ["1"]), ("a.b", .string("nested"), ["2"]), ("none", .string("a"), []),
            ("", .string("a"), []), (".", .string("a"), []), ("o..n", .number("1"), []),
        ] as [(String, JSONValue, [String])])
    func searchFilterComparesFieldValues(name: String, value: JSONValue, ids: [String]) throws {
        for subject in SearchSubject.allCases {
            #expect(try subject.ids(Self.query(nil, [(name, value)]), among: Self.things) == ids, "\(subject)")
        }
    }

    @Test func searchTextAndFiltersMustAllMatch() throws {
        let items = Self.items([
            #""a":"rick","n":1,"b":true"#, #""a":"rick","n":2,"b":true"#, #""a":"morty","n":1,"b":true"#,
            #""a":"rick","n":1,"b":true"#,
        ])
        for subject in SearchSubject.allCases {
            let filters: [(String, JSONValue)] = [("n", 1), ("b", true)]
            #expect(try subject.ids(Self.query("rick", filters), among: items) == ["1", "4"])
            let second = try subject.hits(Self.query("rick", filters, limit: 1, offset: 1), among: items)
            #expect(second.items == [items[3].json] && second.count == 2 && second.keys == [items[3].key])
        }
    }

    @Test func itemWithInvalidJSONIsFoundOnlyWithoutASearchText() throws {
        let items = [Entries.item("1", json: "{\"id\":"), Entries.item("2", json: #"{"id":2,"a":"rick"}"#)]
        for subject in SearchSubject.allCases {
            #expect(try subject.ids(Self.query("rick"), among: items) == ["2"])
            #expect(try subject.ids(Self.query(nil, [("id", 2)]), among: items) == ["2"])
        }
        #expect(try SearchSubject.memory.hits(Self.query(), among: items).count == 2)
    }
}
