import JSON
import Mocks
import TestSupport
import Testing

@testable import Catalog

/// Tests the key `sync` of a resource.
@Suite(.limited) struct SyncDecoderTests {
    static let list = #""list": {"path": "/t", "query": {"a": 1, "b": 2}, "filters": {"by": "author", "state": "s"}}"#
    static let pages = #", "pagination": {"style": "page", "param": "p", "more": "more"}}"#

    private static func resource(_ sync: String, list: String = list) throws -> ResourceDefinition {
        try CatalogText.decode(CatalogText.make(rest: "{\(list), \"sync\": \(sync)}")).resources[0]
    }

    private static func sync(_ text: String, list: String = list) throws -> SyncDefinition {
        try #require(resource(text, list: list).sync)
    }

    @Test func keysOfTheSyncDeclarationHaveDefaults() throws {
        let sync = try Self.sync(#"{"style": "since", "param": "since", "from": "updated_at"}"#)
        let since = try #require(sync.since)
        #expect(since.parameter == "since" && since.from == JSONSelector("updated_at") && since.kind == .date(nil))
        #expect(since.overlap == 60_000 && !since.isAscending)
        #expect(sync.elements == ElementRules() && sync.filters == [] && sync.sharesPages)
        #expect(sync.maxWholeAge == 7 * 86_400_000 && !sync.isExpanded)
        #expect(sync.list.filters.map(\.name) == ["by", "state", SyncDefinition.filter])
    }

    @Test func allKeysOfTheSyncDeclarationAreRead() throws {
        let sync = try Self.sync(
            """
            {"style": "since", "param": "_since", "from": "meta.n", "type": "integer", "overlap": 5, "ascending": true,
             "deleted": {"when": "deleted", "is": [true, 1]}, "skip": {"when": "type"}, "whole": "30d",
             "filters": ["by"]}
            """)
        let (since, elements) = (try #require(sync.since), sync.elements)
        #expect(since.kind == .integer && since.overlap == 5 && since.isAscending && sync.token == nil)
        #expect(elements.deleted?.when == JSONSelector("deleted") && elements.deleted?.values == ["true", "1"])
        #expect(elements.skipped?.when == JSONSelector("type") && elements.skipped?.values == nil)
        #expect(sync.maxWholeAge == 30 * 86_400_000 && sync.filters == ["by"])
    }

    @Test(
        arguments: [
            (#""deleted": {"when": "d"}"#, "}", 7 * 86_400_000),
            (#""ascending": true, "deleted": {"when": "d"}"#, pages, 7 * 86_400_000),
            (#""deleted": {"when": "d"}, "whole": 1"#, "}", 1000),
        ] as [(String, String, Int)])
    func listIsReadAgainAfterSevenDaysByDefault(more: String, end: String, age: Int) throws {
        let sync = try Self.sync(
            #"{"style": "since", "param": "since", "from": "n", \#(more)}"#, list: Self.list.dropLast() + end)
        #expect(sync.maxWholeAge == age)
    }

    @Test func syncDeclarationChangesTheRequestsOfTheList() throws {
        let resource = try Self.resource(
            #"{"style": "since", "param": "since", "from": "n", "query": {"b": 3, "c": 4}, "items": "rows"}"#)
        guard case .rest(let operations) = resource.transport, let list = resource.syncing(.changes).list else {
            Issue.record("no REST operations")
            return
        }
        #expect(operations.sync?.template.query.map(\.name) == ["a", "b", "c"])
        #expect(operations.sync?.template.query.flatMap { $0.values.map(\.text) } == ["1", "3", "4"])
        #expect(operations.sync?.template.path == operations.list?.template.path)
        #expect(list.items == JSONSelector("rows") && resource.list?.items == .whole)
        #expect(resource.sync?.sharesPages == false)
    }

    @Test func graphQLListCanDeclareSync() throws {
        let text = """
            {"list": {"query": "{ things { id } }", "items": "things"},
             "sync": {"style": "since", "param": "since", "from": "n", "query": "query($since: String) { t }", "items": "t"}}
            """
        let resource = try CatalogText.decode(
            CatalogText.make(rest: text).replacing(#""rest": "#, with: #""graphql": "#)
        ).resources[0]
        #expect(
            resource.syncing(.changes).list?.items == JSONSelector("t")
                && resource.list?.items == JSONSelector("things"))
    }

    /// Otherwise, a catalog that adds `sync` would lose its cache.
    @Test func cacheKeyDoesNotDependOnSync() throws {
        let plain = try CatalogText.decode(CatalogText.make(rest: "{\(Self.list)}")).resources[0]
        let synced = try Self.resource(#"{"style": "since", "param": "since", "from": "n"}"#)
        #expect(plain.declaration == synced.declaration)
        #expect(try Self.sync(#"{"style": "since", "param": "since", "from": "n"}"#).digest == synced.sync?.digest)
        #expect(try Self.sync(#"{"style": "since", "param": "since", "from": "m"}"#).digest != synced.sync?.digest)
    }

    @Test func filterThatSyncDoesNotListMayHaveTheSameParameterAsSync() throws {
        let list = #""list": {"path": "/t", "filters": {"after": {"param": "since", "type": "date"}}}"#
        let sync = try Self.sync(#"{"style": "since", "param": "since", "from": "n"}"#, list: list)
        #expect(sync.list.filters.map(\.parameter) == ["since", "since"] && sync.filters == [])
    }

    static let faults: [(String, [String])] = [
        (
            #"{"sync": {"style": "since", "param": "a", "from": "b"}, "get": {"path": "/t/{id}"}}"#,
            [
                "1:131: 'sync' needs a list to copy; add 'list'"
            ]
        ),
        (
            #"{"list": {"path": "/t"}, "sync": {"style": "sinse"}}"#,
            ["1:165: 'style' must be \"since\" or \"token\""]
        ),
        (
            #"{"list": {"path": "/t"}, "sync": {"style": "since", "param": "a", "from": "b", "next": "c"}}"#,
            ["1:209: 'next' is allowed only with the style \"token\"; remove 'next'"]
        ),
        (#"{"list": {"path": "/t"}, "sync": {"from": "b"}}"#, ["1:155: 'sync' of the resource 'thing' needs 'style'"]),
        (
            #"{"list": {"path": "/t"}, "sync": {"style": "since"}}"#,
            [
                "1:155: 'sync' of the resource 'thing' needs 'from'",
                "1:155: 'sync' of the resource 'thing' needs 'param'",
            ]
        ),
        (
            #"{"list": {"path": "/t", "of": "ids"}, "sync": {"style": "since", "param": "a", "from": "b", "deleted": {}}}"#,
            [
                "1:168: 'sync' needs a list of items, because ids alone do not show what has changed;"
                    + " remove \"of\": \"ids\" or 'sync'",
                "1:225: 'deleted' of 'sync' of the resource 'thing' needs 'when'",
            ]
        ),
        (
            #"{"list": {"path": "/t"}, "sync": {"style": "since", "param": "a", "from": "b", "of": "ids", "type": "int"}}"#,
            [
                "1:207: 'sync' needs a list of items, because ids alone do not show what has changed;"
                    + " remove \"of\": \"ids\" or 'sync'",
                "1:222: 'type' must be \"date\", \"integer\" or \"number\"",
            ]
        ),
        (
            #"{"list": {"path": "/t", "pagination": {"style": "page", "param": "since"}}, "sync": {"style": "since", "param": "since", "from": "b"}}"#,
            ["1:234: the parameter 'since' is already used by 'pagination'; choose another parameter"]
        ),
        (
            #"{"list": {"path": "/t", "pagination": {"style": "cursor", "param": "after", "next": "n"}}, "sync": {"style": "since", "param": "after", "from": "b"}}"#,
            ["1:249: the parameter 'after' is already used by 'pagination'; choose another parameter"]
        ),
        (
            #"{"list": {"path": "/t", "filters": {"since": "s"}}, "sync": {"style": "since", "param": "s", "from": "b", "filters": ["sinse", 1]}}"#,
            [
                "1:240: 'sinse' is not a filter of the list; did you mean \"since\"?",
                "1:249: '' is not a filter of the list; use names of the list's 'filters'",
            ]
        ),
        (
            #"{"list": {"path": "/t", "filters": {"since": "s"}}, "sync": {"style": "since", "param": "s", "from": "b", "filters": ["since"]}}"#,
            ["1:210: the parameter 's' is already used by the filter 'since'; remove the filter"]
        ),
        (
            #"{"list": {"path": "/t", "filters": {"s": {"required": true}}}, "sync": {"style": "since", "param": "s", "from": "b"}}"#,
            ["1:221: the parameter 's' is already used by the filter 's'; remove the filter"]
        ),
        (
            #"{"list": {"path": "/t"}, "sync": {"style": "since", "param": "s", "from": "b", "filters": {}, "type": "integer", "overlap": "1m", "unit": "s"}}"#,
            [
                "1:212: 'filters' of 'sync' of the resource 'thing' must be an array of filter names;"
                    + " use names of the list's 'filters'",
                "1:246: 'overlap' must be a number from 0",
                "1:260: 'unit' is allowed only for the type \"date\"; remove 'unit' or change the type",
            ]
        ),
        (
            #"{"list": {"path": "/t"}, "sync": {"style": "since", "param": "s", "from": "b", "overlap": -1, "unit": "h", "ascending": 1, "whole": 0, "skip": {"is": 1}}}"#,
            [
                "1:212: 'overlap' must be a duration, such as \"1m\"",
                "1:224: 'unit' must be \"s\" or \"ms\"",
                "1:242: 'ascending' must be true or false",
                "1:254: 'whole' must be a positive duration, such as \"1d\"",
                "1:265: 'skip' of 'sync' of the resource 'thing' needs 'when'",
                "1:272: 'is' needs 'when', the selector of the value to compare; add 'when'",
            ]
        ),
        (
            #"{"list": {"path": "/t"}, "sync": {"style": "since", "param": "s", "from": "b", "then": "c"}}"#,
            ["1:201: 'sync' of the resource 'thing' has no key 'then'"]
        ),
        (
            #"{"list": {"path": "/t/{x"}, "sync": {"style": "since", "param": "s", "from": "b"}}"#,
            ["1:140: 'path': the path must close each '{' with one '}'"]
        ),
    ]

    @Test(arguments: faults)
    func errorsInSyncAreReported(rest: String, faults: [String]) {
        #expect(CatalogText.faults(CatalogText.make(rest: rest)) == faults)
    }
}

/// Tests the values of `from`, and the values that requests ask for.
@Suite(.limited) struct SinceValueTests {
    private static func since(_ kind: SinceDefinition.Kind, _ overlap: Double = 0) -> SinceDefinition {
        var since = SinceDefinition(parameter: "since", from: JSONSelector(field: "n"))
        (since.kind, since.overlap) = (kind, overlap)
        return since
    }

    @Test(
        arguments: [
            (.date(nil), 60_000, "2024-03-01T00:00:30Z", "2024-02-29T23:59:30Z"),
            (.date(nil), 60_000, "2024-03-01T00:00:30.123456Z", "2024-02-29T23:59:30.123456Z"),
            (.date(nil), 60_000, "2024-03-01T00:00:30+02:00", "2024-02-29T23:59:30+02:00"),
            (.date(nil), 1500, "2024-03-01 00:00:30", "2024-03-01 00:00:28"),
            (.date(nil), 0, "2024-03-01T00:00:30z", "2024-03-01T00:00:30z"),
            (.date(.seconds), 60_000, "1700000000", "1699999940"), (.date(.seconds), 1, "1700000000", "1699999999"),
            (.date(.milliseconds), 60_000, "1700000000123", "1699999940123"), (.integer, 0, "17", "17"),
            (.integer, 5, "-17", "-22"), (.integer, 5, "-9223372036854775808", "-9223372036854775808"),
            (.number, 0.5, "17.25", "16.75"), (.number, 0, "1e3", "1e3"),
        ] as [(SinceDefinition.Kind, Double, String, String)])
    func nextSyncRequestsChangesFromTheLargestValueMinusTheOverlap(
        kind: SinceDefinition.Kind, overlap: Double, text: String, bound: String
    ) throws {
        let since = Self.since(kind, overlap)
        let value = try #require(since.value(text))
        #expect(since.bound(after: value).text == bound)
    }

    @Test(
        arguments: [
            (.date(nil), "2024-03-01"), (.date(nil), "1700000000"), (.date(.seconds), "2024-03-01T00:00:30Z"),
            (.integer, "1.5"), (.integer, "x"), (.number, "inf"), (.number, "1e300"), (.number, ""),
        ] as [(SinceDefinition.Kind, String)])
    func valueThatDoesNotMatchTheDeclaredTypeIsIgnored(kind: SinceDefinition.Kind, text: String) {
        #expect(Self.since(kind).value(text) == nil)
    }

    @Test func valuesAreOrderedByTime() throws {
        let since = Self.since(.date(nil))
        let texts = ["2024-03-01T00:00:30+02:00", "2024-02-29T23:00:00Z", "2024-02-29T23:00:00.5Z"]
        let values = try texts.map { try #require(since.value($0)) }
        #expect(values.sorted() == values && values.max() == values[2])
        let numbers = try ["-1.5", "-1.25", "2"].map { try #require(Self.since(.number).value($0)) }
        #expect(numbers.sorted() == numbers)
    }

    @Test func datesAreSentAsStringsAndNumbersAsNumbers() throws {
        for (kind, text, json) in [
            (.date(nil), "2024-03-01T00:00:30Z", "\"2024-03-01T00:00:30Z\""), (.integer, "7", "7"),
            (.date(.seconds), "7", "7"),
        ] as [(SinceDefinition.Kind, String, String)] {
            let since = Self.since(kind)
            #expect(since.sent(try #require(since.value(text))).text == json)
        }
    }
}
