import JSON
import Mocks
import TestSupport
import Testing

@testable import Catalog

/// Tests the key `sync` of a resource with the style `token`.
@Suite(.limited) struct TokenDecoderTests {
    private static let list = #""list": {"path": "/t", "filters": {"by": "author"}}"#
    private static let linked = #""list": {"path": "/t", "pagination": {"style": "nextURL", "next": "next"}}"#

    private static func resource(_ sync: String, list: String = list) throws -> ResourceDefinition {
        try CatalogText.decode(CatalogText.make(rest: "{\(list), \"sync\": \(sync)}")).resources[0]
    }

    private static func sync(_ text: String, list: String = list) throws -> SyncDefinition {
        try #require(resource(text, list: list).sync)
    }

    private static func place(_ path: String) throws -> ChangeTokenSource.Place {
        .answer(.body(try #require(JSONSelector(path))))
    }

    @Test func keysOfATokenDeclarationHaveDefaults() throws {
        let resource = try Self.resource(
            #"{"style": "token", "param": "after", "next": "meta.token", "query": {"a": 1}}"#)
        let sync = try #require(resource.sync)
        let token = try #require(sync.token)
        #expect(token.parameter == "after" && !token.beginsWithChanges && token.initialSelector == nil)
        #expect(token.next == ChangeTokenSource(place: try Self.place("meta.token")) && token.initial == token.next)
        #expect(sync.since == nil && sync.elements == ElementRules() && sync.maxWholeAge == 7 * 86_400_000)
        #expect(sync.list.token == token.next && sync.list.filters.map(\.name) == ["by", SyncDefinition.filter])
        // The whole list comes from the requests of the list.
        #expect(sync.sharesPages && sync.wholeList?.token == token.initial && sync.wholeList?.filters.count == 1)
        guard case .rest(let whole) = resource.syncing(.wholeList).transport,
            case .rest(let changes) = resource.syncing(.changes).transport
        else {
            Issue.record("no REST operations")
            return
        }
        #expect(whole.list?.template.query.isEmpty == true && whole.list?.kind == sync.wholeList)
        #expect(changes.list?.template.query.map(\.name) == ["a"] && changes.list?.kind == sync.list)
    }

    @Test func allKeysOfATokenDeclarationAreRead() throws {
        let sync = try Self.sync(
            """
            {"style": "token", "param": "after", "next": {"last": "seq"}, "initial": {"header": "X-Seq"}, "item": "doc",
             "id": "key", "of": "ids", "deleted": {"when": "gone"}, "skip": {"when": "type", "is": "mark"},
             "whole": "3d", "filters": ["by"]}
            """, list: Self.list + #", "get": {"path": "/t/{id}"}"#)
        let token = try #require(sync.token)
        #expect(token.next == ChangeTokenSource(place: .lastElement(try #require(JSONSelector("seq")))))
        #expect(token.initial == ChangeTokenSource(place: .answer(.header("X-Seq"))))
        #expect(sync.elements.item == JSONSelector("doc") && sync.elements.id == JSONSelector("key"))
        #expect(sync.elements.areIDs && !sync.list.isOfIDs && sync.elements.reportsDeletions)
        #expect(sync.elements.deleted?.when == JSONSelector("gone") && sync.elements.skipped?.values == ["mark"])
        #expect(sync.maxWholeAge == 3 * 86_400_000 && sync.filters == ["by"])
        // Only requests for changes contain these elements.
        #expect(sync.elements(ofWholeList: true) == ElementRules())
        #expect(sync.elements(ofWholeList: false) == sync.elements)
    }

    @Test func wholeListIsReadFromTheFeedWithoutAToken() throws {
        let sync = try Self.sync(
            #"{"style": "token", "path": "/d", "begin": "feed", "next": "delta", "deleted": {"when": "gone"}}"#,
            list: Self.linked)
        let token = try #require(sync.token)
        #expect(token.beginsWithChanges && token.parameter == nil && token.next.isURL)
        #expect(sync.wholeList == nil && !sync.sharesPages && sync.list.filters.isEmpty)
        #expect(sync.elements(ofWholeList: true) == sync.elements)
        // The API refuses a token that is too old, so the whole list is not read again without a reason.
        #expect(sync.maxWholeAge == .max)
    }

    @Test func firstTokenCanComeFromASeparateRequest() throws {
        let resource = try Self.resource(
            """
            {"style": "token", "param": "after", "next": "t", "initial": {"path": "/start", "query": {"n": 1}, "from": "a.b"}}
            """)
        guard case .rest(let operations) = resource.transport else {
            Issue.record("no REST operations")
            return
        }
        let initial = try #require(operations.sync?.initial)
        #expect(initial.path.text == "/start" && initial.query.map(\.name) == ["n"])
        let token = try #require(resource.sync?.token)
        #expect(token.initialSelector == .body(try #require(JSONSelector("a.b"))) && token.initial == nil)
        #expect(resource.sync?.wholeList?.token == nil)
    }

    @Test(
        arguments: [
            (#""next": "t""#, true, true, false), (#""next": "t", "begin": "feed""#, true, false, false),
            (#""next": {"first": "id"}"#, false, true, true), (#""next": {"last": "id"}"#, false, false, true),
            (
                #""next": {"first": "id"}, "pagination": {"style": "cursor", "param": "p", "next": {"first": "id"}}"#,
                false, false, true
            ),
        ])
    func safeTokenIsKeptIfASyncReadsSeveralTokens(next: String, isWhole: Bool, keepsFirst: Bool, isList: Bool) throws {
        let sync = try Self.sync(#"{"style": "token", "param": "after", \#(next)}"#)
        let style = sync.list.pagination.style
        #expect(sync.token?.keepsFirstToken(ofWholeList: isWhole, style) == keepsFirst)
        #expect((sync.wholeList == nil) == next.contains("feed"))
    }

    @Test func syncCanRequestChangesWithoutPagination() throws {
        let sync = try Self.sync(
            #"{"style": "token", "param": "after", "next": "t", "pagination": "none"}"#, list: Self.linked)
        #expect(sync.list.pagination.style is SinglePage && sync.wholeList?.pagination.style is NextURLPagination)
    }

    static let faults: [(String, [String])] = [
        (
            #"{"style": "token", "param": "a", "next": "t", "of": "ids"}"#,
            ["1:184: \"of\": \"ids\" needs 'get' or 'getMany' to fetch the changed items; add one of them"]
        ),
        (#"{"style": "token"}"#, ["1:184: 'sync' of the resource 'thing' needs 'next'"]),
        (
            #"{"style": "token", "next": "t"}"#,
            [
                "1:184: without 'param', the token is a URL, so 'pagination' needs the style \"nextURL\" or \"link\";"
                    + " add 'param' or change 'pagination'"
            ]
        ),
        (
            #"{"style": "token", "param": "a", "next": "t", "from": "b", "ascending": true}"#,
            [
                "1:238: 'from' is allowed only with the style \"since\"; remove 'from'",
                "1:256: 'ascending' is allowed only with the style \"since\"; remove 'ascending'",
            ]
        ),
        (
            #"{"style": "token", "param": "a", "next": {"lst": "t"}, "begin": "start"}"#,
            ["1:225: 'next' of 'sync' of the resource 'thing' must have exactly one of 'header', 'first' and 'last'"]
        ),
        (
            #"{"style": "token", "param": "a", "next": "t", "begin": "middle"}"#,
            ["1:239: 'begin' must be \"list\" or \"feed\""]
        ),
        (
            #"{"style": "token", "next": {"first": "t"}}"#,
            [
                "1:184: without 'param', the token is a URL, so 'pagination' needs the style \"nextURL\" or \"link\";"
                    + " add 'param' or change 'pagination'",
                "1:211: 'first' needs 'param': a token from an element of the list is not a URL, so requests must send it"
                    + " as a parameter; add 'param'",
            ]
        ),
        (
            #"{"style": "token", "param": "a", "next": "t", "begin": "feed", "initial": "u"}"#,
            ["1:258: 'initial' has no effect with \"begin\": \"feed\"; remove one of them"]
        ),
        (
            #"{"style": "token", "param": "a", "next": "t", "initial": {"path": "/p"}}"#,
            ["1:241: 'initial' of 'sync' of the resource 'thing' needs 'from'"]
        ),
        (
            #"{"style": "token", "param": "author", "next": "t", "filters": ["by"]}"#,
            ["1:212: the parameter 'author' is already used by the filter 'by'; remove the filter"]
        ),
    ]

    @Test(arguments: faults)
    func faultInATokenDeclarationIsReported(sync: String, faults: [String]) {
        let found = CatalogText.faults(CatalogText.make(rest: "{\(Self.list), \"sync\": \(sync)}"))
        #expect(found == faults)
    }
}
