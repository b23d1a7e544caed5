import Mocks
import TestSupport
import Testing

@testable import Catalog
@testable import CatalogTools

/// What `larder check` says of requests, beyond the faults of the catalog itself.
@Suite(.limited) struct RequestCheckTests {
    /// A catalog of one resource, whose members are given, on the third line.
    private static func check(_ members: String, auth: String = "") -> CatalogCheck {
        let text = """
            {"larder": 1, "apis": {"a": {"baseURL": "https://a.example"\(auth)}},
            "resources": {"x": {"api": "a", "id": "string",
            \(members)}}}
            """
        return CatalogCheck(Array(text.utf8), secrets: .empty)
    }

    private static func shown(_ faults: [CatalogFault]) -> [String] {
        faults.map { "\($0.position.line):\($0.position.column): \($0.message)" }
    }

    static let rest: [(String, [String])] = [
        (#""rest": {"get": {"path": "/x"}}"#, ["3:26: 'path' has no '{id}': every id gets the same answer"]),
        (#""rest": {"get": {"path": "/x", "query": {"id": "{id}"}}}"#, []),
        (#""rest": {"get": {"path": "/x", "method": "POST", "body": {"a": [{"b": "{+id}"}]}}}"#, []),
        (
            #""scope": {"owner": "string", "repo": "string"}, "rest": {"get": {"path": "/{owner}/{id}"}}"#,
            ["3:30: the scope 'repo' is used by no operation"]
        ),
        (
            #""scope": {"o": "string"}, "rest": {"get": {"path": "/{o}/{id}"}, "list": {"path": "/x"}}"#,
            ["3:66: 'list' does not use the scope 'o': for each it gets the same answer"]
        ),
        (
            #""rest": {"list": {"path": "/x", "filters": {"a": "q", "b": {"param": "q"}}}}"#,
            [
                "3:55: the filters 'a' and 'b' are both sent as 'q'; for one text made of both give each an 'as'"
            ]
        ),
        (
            #""rest": {"list": {"path": "/x", "filters": {"a": {"param": "q", "as": "a:{}"}, "#
                + #""b": {"param": "q", "as": "b:{}"}}}}"#, []
        ),
        (
            #""rest": {"list": {"path": "/x", "items": "$.data.results[*]"}}"#,
            ["3:42: a selector is a dotted path: 'data.results.*', not '$.data.results[*]'"]
        ),
        (
            #""rest": {"list": {"path": "/x", "filters": {"a": {"in": "query"}}}}"#,
            ["3:57: 'in' goes with \"method\": \"POST\": a GET has its query alone"]
        ),
        (
            #""rest": {"list": {"path": "/x", "method": "POST", "body": ["f"], "filters": {"a": "f"}}}"#,
            ["3:78: the filter 'a' is never sent: 'body' is no object"]
        ),
        (
            #""rest": {"list": {"path": "/x", "method": "POST", "body": {"f": [1], "g": {}}, "#
                + #""filters": {"a": "f.0.x", "b": "g.x", "c": {"param": "f.x", "in": "query"}, "d": "f"}}}"#,
            [
                "3:92: the filter 'a' is sent as 'f.0.x', and takes the place of 'f' in 'body', which is no object"
            ]
        ),
    ]

    @Test(arguments: rest)
    func overREST(members: String, warnings: [String]) {
        let check = Self.check(members)
        #expect(check.faults == nil && check.catalog != nil)
        #expect(Self.shown(check.warnings) == warnings)
    }

    @Test func aFilterInThePlaceOfTheKey() {
        let check = Self.check(
            #""rest": {"list": {"path": "/x", "filters": {"a": "key"}}}"#,
            auth: #", "auth": {"apiKey": {"in": "query", "name": "key", "value": "long-enough"}}"#)
        #expect(Self.shown(check.warnings) == ["3:45: the filter 'a' is sent as 'key', which is the API's key"])
    }

    static let failing: [(String, [String])] = [
        (
            #""get": {"query": "query A($id: ID) { ...F } fragment F on T { x(id: $id) } fragment F on T { y }"}"#,
            ["3:97: the fragment 'F' stands twice"]
        ),
        // The place is that of the document's byte in the file.
        (#""get": {"query": "{ x( }"}"#, ["3:36: 'query' is not GraphQL: expected an argument, found '}'"]),
        (
            #""get": {"query": "query {\n\té: x }"}"#,
            ["3:42: 'query' is not GraphQL: unexpected character"]
        ),
        (
            #""get": {"query": "query ($id: ID!) { x(id: $ids) }"}"#,
            ["3:56: the variable '$ids' is not declared; did you mean '$id'?"]
        ),
        (
            #""get": {"query": "query ($id: ID!, $a: Int!) { x(id: $id, a: $a) }"}"#,
            ["3:48: '$a' is required, and nothing is sent for it: no id, scope, filter or page"]
        ),
        (#""get": {"query": "query ($id: ID!, $a: Int! = 1) { x(id: $id, a: $a) }"}"#, []),
        (#""get": {"query": "fragment F on T { x }"}"#, ["3:30: 'query' has no operation"]),
        (
            #""get": {"query": "query A($id: ID) { ...F } fragment G on T { x(id: $id) ...G }"}"#,
            [
                "3:53: there is no fragment 'F'; did you mean 'G'?", "3:66: the fragment 'G' spreads itself",
            ]
        ),
        (
            #""get": {"query": "query A($id: ID) { x(id: $id) } { x }", "operationName": "A"}"#,
            ["3:63: an operation without a name must be the only one of its document"]
        ),
        (
            #""list": {"query": "query ($c: String!) { x(c: $c) { y p } }", "items": "x.y", "#
                + #""pagination": {"style": "relay", "param": "c", "pageInfo": "x.p"}}"#,
            ["3:39: '$c' is required, and the first page is asked for without a cursor: leave out its '!'"]
        ),
    ]

    @Test(arguments: failing)
    func overGraphQLWhatSurelyFails(operation: String, faults: [String]) {
        let check = Self.check("\"graphql\": {\(operation)}")
        #expect(Self.shown(check.faults?.faults ?? []) == faults)
        #expect((check.catalog == nil) == !faults.isEmpty)
    }

    static let unmeant: [(String, [String])] = [
        (
            #""get": {"query": "{ x }"}"#,
            ["3:30: 'query' takes no '$id': every id gets the same answer"]
        ),
        (
            #""getMany": {"query": "{ x }"}"#,
            ["3:34: 'query' takes no '$ids': all ids get the same answer"]
        ),
        (
            #""get": {"query": "query ($id: ID!, $a: Int) { x(id: $id) }"}"#,
            [
                "3:48: the variable '$a' is declared and not used; most APIs refuse that",
                "3:48: nothing is sent for '$a': no id, scope, filter or page",
            ]
        ),
        (
            #""get": {"query": "mutation ($id: ID!) { x(id: $id) }"}"#,
            ["3:31: the operation is a mutation: what only reads is a query"]
        ),
        (
            #""get": {"query": "query ($id: ID!) { x(id: $id) } fragment F on T { x }"}"#,
            ["3:72: the fragment 'F' is used by no operation; most APIs refuse that"]
        ),
        (
            #""list": {"query": "query ($stat: String!, $page: Int) { x(s: $stat, p: $page) }", "#
                + #""filters": {"state": "stat", "kind": "pages.kind"}, "#
                + #""pagination": {"style": "page", "param": "page", "size": {"param": "first", "value": 5}}}"#,
            [
                "3:39: '$stat' is required, and sent only where the filter 'state' is given",
                "3:124: the filter 'kind' is sent as '$pages', which 'query' does not take; did you mean '$page'?",
                "3:214: 'query' takes no '$first': every page gets the same answer",
            ]
        ),
        (
            #""list": {"query": "query ($c: String) { x(c: $c) }", "#
                + #""pagination": {"style": "cursor", "next": {"merge": "x.next"}}}"#, []
        ),
        (
            #""list": {"query": "query ($s: String!, $p: Int!, $n: Int!) { x(s: $s, p: $p, n: $n) }", "#
                + #""filters": {"s": {"required": true}}, "#
                + #""pagination": {"style": "page", "param": "p", "size": {"param": "n", "value": 5}}}"#, []
        ),
    ]

    @Test(arguments: unmeant)
    func overGraphQLWhatIsHardlyMeant(operation: String, warnings: [String]) {
        let check = Self.check("\"graphql\": {\(operation)}")
        #expect(Self.shown(check.warnings) == warnings)
        #expect(check.faults == nil && check.catalog != nil)
    }

    @Test func theScopeIsVariablesToo() {
        let members =
            #""scope": {"o": "string", "r": "string"}, "graphql": {"get": {"query": "query ($id: ID!, $o: String!)"#
        let check = Self.check(members + #" { x(id: $id, o: $o) }"}}"#)
        #expect(Self.shown(check.warnings) == ["3:26: the scope 'r' is used by no operation"])
    }

    /// All that is wrong is told at once, in the order of the text; and what only `check` minds stops no process.
    @Test func faultsOfBothKindsComeTogether() {
        let members = #""fields": {"a": "strin"}, "graphql": {"get": {"query": "{ x( }"}}, "zzz": 1"#
        let check = Self.check(members)
        #expect(
            Self.shown(check.faults?.faults ?? []) == [
                "3:17: unknown type 'strin'; did you mean 'string'?",
                "3:62: 'query' is not GraphQL: expected an argument, found '}'",
                "3:68: the resource 'x' has no key 'zzz'",
            ])
        let text = CatalogText.make(rest: "{}").replacing(
            #""rest": {}"#, with: #""graphql": {"get": {"query": "{ x( }"}}"#)
        #expect(CatalogText.faults(text).isEmpty)
    }
}
