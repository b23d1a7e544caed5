import Mocks
import TestSupport
import Testing

@testable import Catalog
@testable import CatalogTools

/// Tests the faults and warnings about requests that `larder check` adds to the decoder's errors.
@Suite(.limited) struct RequestCheckTests {
    /// Checks a catalog with one resource, whose members are on the third line.
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
        (
            #""rest": {"get": {"path": "/x"}}"#,
            ["3:26: 'path' does not contain '{id}': all ids get the same answer; add the placeholder"]
        ),
        (#""rest": {"get": {"path": "/x", "query": {"id": "{id}"}}}"#, []),
        (#""rest": {"get": {"path": "/x", "method": "POST", "body": {"a": [{"b": "{+id}"}]}}}"#, []),
        (
            #""scope": {"owner": "string", "repo": "string"}, "rest": {"get": {"path": "/{owner}/{id}"}}"#,
            ["3:30: the scope 'repo' is used by no operation; use it in an operation, or remove it"]
        ),
        (
            #""scope": {"o": "string"}, "rest": {"get": {"path": "/{o}/{id}"}, "list": {"path": "/x"}}"#,
            ["3:66: 'list' does not use the scope 'o': all scopes get the same answer; use it in the request"]
        ),
        (
            #""scope": {"o": "string"}, "rest": {"list": {"path": "/{o}"}, "#
                + #""sync": {"style": "since", "param": "s", "from": "n", "path": "/x"}}"#,
            ["3:62: 'sync' does not use the scope 'o': all scopes get the same answer; use it in the request"]
        ),
        (
            #""scope": {"o": "string"}, "rest": {"list": {"path": "/x", "query": {"o": "{o}"}}, "#
                + #""sync": {"style": "since", "param": "s", "from": "n", "query": {"sort": "n"}}}"#, []
        ),
        (
            #""rest": {"list": {"path": "/x", "filters": {"a": "q", "b": {"param": "q"}}}}"#,
            [
                "3:55: the filters 'a' and 'b' are both sent as 'q'; to combine both in one text, give each an 'as'"
            ]
        ),
        (
            #""rest": {"list": {"path": "/x", "filters": {"a": {"param": "q", "as": "a:{}"}, "#
                + #""b": {"param": "q", "as": "b:{}"}}}}"#, []
        ),
        (
            #""rest": {"list": {"path": "/x", "items": "$.data.results[*]"}}"#,
            ["3:42: '$.data.results[*]' is not a selector: a selector is a dotted path; write 'data.results.*'"]
        ),
        (
            #""rest": {"list": {"path": "/x", "items": "a.[rel=next].b"}}"#, []
        ),
        (
            #""rest": {"list": {"path": "/x", "items": "a.[0].b"}}"#,
            ["3:42: 'a.[0].b' is not a selector: a selector is a dotted path; write 'a.0.b'"]
        ),
        (
            #""rest": {"list": {"path": "/x", "filters": {"a": {"in": "query"}}}}"#,
            ["3:57: 'in' has no effect: a GET has only a query; add \"method\": \"POST\""]
        ),
        (
            #""rest": {"list": {"path": "/x", "method": "POST", "body": ["f"], "filters": {"a": "f"}}}"#,
            ["3:78: the filter 'a' is never sent: 'body' is not an object; make it an object"]
        ),
        (
            #""rest": {"list": {"path": "/x", "method": "POST", "body": {"f": [1], "g": {}}, "#
                + #""filters": {"a": "f.0.x", "b": "g.x", "c": {"param": "f.x", "in": "query"}, "d": "f"}}}"#,
            [
                "3:92: the filter 'a' is sent as 'f.0.x' and replaces 'f' in 'body', which is not an object;"
                    + " choose another parameter"
            ]
        ),
    ]

    @Test(arguments: rest)
    func checkWarnsAboutDoubtfulRESTRequests(members: String, warnings: [String]) {
        let check = Self.check(members)
        #expect(check.faults == nil && check.catalog != nil)
        #expect(Self.shown(check.warnings) == warnings)
    }

    @Test func filterThatReplacesTheAPIKeyIsReported() {
        let check = Self.check(
            #""rest": {"list": {"path": "/x", "filters": {"a": "key"}}}"#,
            auth: #", "auth": {"apiKey": {"in": "query", "name": "key", "value": "long-enough"}}"#)
        let warning = "the filter 'a' is sent as 'key', the parameter of the API key; choose another parameter"
        #expect(Self.shown(check.warnings) == ["3:45: \(warning)"])
    }

    static let failing: [(String, [String])] = [
        (
            #""get": {"query": "query A($id: ID) { ...F } fragment F on T { x(id: $id) } fragment F on T { y }"}"#,
            ["3:97: the fragment 'F' is declared twice; remove one of them"]
        ),
        // The location is a position in the catalog file, not in the GraphQL document.
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
            ["3:48: '$a' is required, but the catalog gives it no value; remove the '!'"]
        ),
        (#""get": {"query": "query ($id: ID!, $a: Int! = 1) { x(id: $id, a: $a) }"}"#, []),
        (#""get": {"query": "fragment F on T { x }"}"#, ["3:30: 'query' has no operation; add a query"]),
        (
            #""get": {"query": "query A($id: ID) { ...F } fragment G on T { x(id: $id) ...G }"}"#,
            [
                "3:53: there is no fragment 'F'",
                "3:66: the fragment 'G' spreads itself; remove this spread",
            ]
        ),
        (
            #""get": {"query": "query A($id: ID) { x(id: $id) } { x }", "operationName": "A"}"#,
            ["3:63: an operation without a name must be the only one in its document; name each operation"]
        ),
        (
            #""list": {"query": "query ($c: String!) { x(c: $c) { y p } }", "items": "x.y", "#
                + #""pagination": {"style": "relay", "param": "c", "pageInfo": "x.p"}}"#,
            ["3:39: '$c' is required, but the first page is requested without a cursor; remove the '!'"]
        ),
        (
            #""list": {"query": "{ x }"}, "#
                + #""sync": {"style": "since", "param": "s", "from": "n", "query": "query ($s: Int) { x(s: $t) }"}"#,
            [
                "3:128: the variable '$t' is not declared"
            ]
        ),
        (
            #""list": {"query": "{ x }"}, "#
                + #""sync": {"style": "since", "param": "s", "from": "n", "query": "query ($s: Int!) { x(s: $s) }"}"#,
            [
                "3:112: '$s' is required, but a request for the whole list does not send 'param' of 'sync';"
                    + " remove the '!'"
            ]
        ),
        (
            #""list": {"query": "query ($s: Int!) { x(s: $s) }"}, "#
                + #""sync": {"style": "since", "param": "s", "from": "n"}"#,
            [
                "3:39: '$s' is required, but a request for the whole list does not send 'param' of 'sync';"
                    + " remove the '!'"
            ]
        ),
        (
            #""list": {"query": "{ x }"}, "#
                + #""sync": {"style": "since", "param": "s", "from": "n", "query": "query ($s: Int) { x( }"}"#,
            [
                "3:126: 'query' is not GraphQL: expected an argument, found '}'"
            ]
        ),
        (
            #""list": {"query": "{ x( }"}, "sync": {"style": "since", "param": "s", "from": "n"}"#,
            [
                "3:37: 'query' is not GraphQL: expected an argument, found '}'"
            ]
        ),
        (
            #""list": {"query": "query A { x } query B($s: Int!) { x(s: $s) } fragment F on T { y } "#
                + #"fragment F on T { z }", "#
                + #""operationName": "A"}, "#
                + #""sync": {"style": "since", "param": "s", "from": "n", "operationName": "B"}"#,
            [
                "3:54: '$s' is required, but a request for the whole list does not send 'param' of 'sync';"
                    + " remove the '!'",
                "3:108: the fragment 'F' is declared twice; remove one of them",
            ]
        ),
    ]

    @Test(arguments: failing)
    func graphQLOperationThatWouldFailIsACatalogError(operation: String, faults: [String]) {
        let check = Self.check("\"graphql\": {\(operation)}")
        #expect(Self.shown(check.faults?.faults ?? []) == faults)
        #expect((check.catalog == nil) == !faults.isEmpty)
    }

    static let doubtful: [(String, [String])] = [
        (
            #""get": {"query": "{ x }"}"#,
            ["3:30: 'query' does not declare '$id': all ids get the same answer; add the variable"]
        ),
        (
            #""getMany": {"query": "{ x }"}"#,
            ["3:34: 'query' does not declare '$ids': all ids get the same answer; add the variable"]
        ),
        (
            #""get": {"query": "query ($id: ID!, $a: Int) { x(id: $id) }"}"#,
            [
                "3:48: the variable '$a' is not used, and most APIs reject unused variables; remove the variable",
                "3:48: the catalog gives '$a' no value; remove the variable, or declare a filter for it",
            ]
        ),
        (
            #""get": {"query": "mutation ($id: ID!) { x(id: $id) }"}"#,
            ["3:31: the operation is a mutation: Larder only reads; use a query"]
        ),
        (
            #""get": {"query": "query ($id: ID!) { x(id: $id) } fragment F on T { x }"}"#,
            [
                "3:72: no operation uses the fragment 'F', and most APIs reject unused fragments; remove the fragment"
            ]
        ),
        (
            #""list": {"query": "query ($stat: String!, $page: Int) { x(s: $stat, p: $page) }", "#
                + #""filters": {"state": "stat", "kind": "pages.kind"}, "#
                + #""pagination": {"style": "page", "param": "page", "size": {"param": "first", "value": 5}}}"#,
            [
                "3:39: '$stat' is required, but sent only with the filter 'state'; remove the '!'",
                "3:124: the filter 'kind' is sent as '$pages', which 'query' does not declare; did you mean '$page'?",
                "3:214: 'query' does not declare '$first': all pages get the same answer",
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
        (
            #""list": {"query": "{ x }"}, "sync": {"style": "since", "param": "since", "from": "n"}"#,
            [
                "3:77: 'query' does not declare '$since': a request for changes gets the whole list; add the variable"
            ]
        ),
        (
            #""list": {"query": "query ($since: Int) { x(s: $since) }"}, "#
                + #""sync": {"style": "since", "param": "since", "from": "n"}"#,
            []
        ),
        (
            #""list": {"query": "query ($by: T) { x(s: $by) }", "filters": {"a": "by.a"}}, "#
                + #""sync": {"style": "since", "param": "by.since", "from": "n"}"#,
            []
        ),
        (
            #""list": {"query": "query ($k: T!, $since: Int) { x(k: $k, s: $since) }", "#
                + #""filters": {"k": {"required": true}}}, "#
                + #""sync": {"style": "since", "param": "since", "from": "n"}"#,
            [
                "3:125: every request sends the filter 'k', which 'sync' does not name: each sync reads the whole"
                    + " list; name the filter in 'filters' of 'sync', or remove its 'required'"
            ]
        ),
        (
            #""list": {"query": "query ($a: T, $k: T) { x(a: $a, k: $k) }", "#
                + #""filters": {"a": "a", "b": "a.b", "k": {"default": 1}}}, "#
                + #""sync": {"style": "since", "param": "sinse", "from": "n", "filters": ["a"], "query": "query "#
                + #"($since: Int, $v: Int) { x(s: $since) }"}"#,
            [
                "3:132: every request sends the filter 'k', which 'sync' does not name: each sync reads the whole"
                    + " list; name the filter in 'filters' of 'sync', or remove its 'default'",
                "3:168: 'query' does not declare '$sinse': a request for changes gets the whole list; add the"
                    + " variable; did you mean '$since'?",
                "3:202: the filter 'a' is sent as '$a', which 'query' of 'sync' does not declare",
                "3:225: the catalog gives '$since' no value; remove the variable, or declare a filter for it",
                "3:238: the variable '$v' is not used, and most APIs reject unused variables; remove the variable",
                "3:238: the catalog gives '$v' no value; remove the variable, or declare a filter for it",
            ]
        ),
        (
            #""list": {"query": "query ($p: Int) { x(p: $p) }", "pagination": {"style": "page", "param": "p"}}, "#
                + #""sync": {"style": "since", "param": "s", "from": "n", "query": "query ($s: Int) { x(s: $s) }"}"#,
            [
                "3:104: 'query' of 'sync' does not declare '$p': all pages get the same answer"
            ]
        ),
    ]

    @Test(arguments: doubtful)
    func checkWarnsAboutDoubtfulGraphQLOperations(operation: String, warnings: [String]) {
        let check = Self.check("\"graphql\": {\(operation)}")
        #expect(Self.shown(check.warnings) == warnings)
        #expect(check.faults == nil && check.catalog != nil)
    }

    @Test func scopeNamesAreVariablesOverGraphQL() {
        let members =
            #""scope": {"o": "string", "r": "string"}, "graphql": {"get": {"query": "query ($id: ID!, $o: String!)"#
        let check = Self.check(members + #" { x(id: $id, o: $o) }"}}"#)
        #expect(
            Self.shown(check.warnings) == [
                "3:26: the scope 'r' is used by no operation; use it in an operation, or remove it"
            ])
    }

    /// All errors are reported at once, in the order of the text. Errors that only `check` finds do not prevent
    /// decoding.
    @Test func errorsOfDecoderAndCheckAreReportedTogether() {
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
