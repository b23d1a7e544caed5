import Mocks
import TestSupport
import Testing

/// Tests catalog errors that do not fit into one of the larger tables of errors.
@Suite(.limited) struct RareCatalogFaultsTests {
    private static func api(_ members: String, url: String = "https://a.test") -> String {
        CatalogText.make(api: "{\"baseURL\": \"\(url)\"\(members.isEmpty ? "" : ", \(members)")}")
    }

    private static func list(_ members: String) -> String {
        CatalogText.make(rest: "{\"list\": {\"path\": \"/t\", \(members)}}")
    }

    static let rare: [(String, [String])] = [
        (
            api("", url: "https://a.test:99999"),
            ["1:41: 'baseURL': the port of the URL must be a number from 1 to 65535"]
        ),
        (
            api(#""headers": {"X": "${var:1a}"}"#),
            ["1:76: '1a' is not a valid variable name; use letters, digits and '_', with no digit first"]
        ),
        (
            api(#""auth": {"basic": {"password": "p"}}"#),
            ["1:77: 'basic' of the API 'a' needs 'user'"]
        ),
        (
            api(#""errors": {}"#),
            [
                "1:69: 'errors' of the API 'a' must be an array of rules, such as [{\"status\": 404}]"
            ]
        ),
        (
            api(#""errors": [{}]"#),
            ["1:70: a rule in 'errors' of the API 'a' needs 'status' or 'when'; add one of them"]
        ),
        (
            api(#""errors": [{"status": 99, "is": 1}]"#),
            [
                "1:81: 'status' must be an HTTP status from 100 to 599, or an array of such numbers",
                "1:91: 'is' needs 'when', the selector of the value to compare; add 'when'",
            ]
        ),
        (
            api(#""errors": [{"when": "a", "is": [], "page": "next", "message": "a..b"}]"#),
            [
                "1:90: 'is' must be a string, a number, true, false, or an array of such values",
                "1:102: 'page' must be \"past\"",
                "1:121: 'message' must be a selector such as \"info.pages\"",
            ]
        ),
        (
            api(#""errors": [{"when": "a", "kind": "cancelled"}]"#),
            [
                "1:92: 'kind' must be one of \"invalidRequest\", \"invalidResponse\", \"notFound\", \"serverError\","
                    + " \"decodingFailed\", \"unauthorized\", \"rateLimited\", \"network\", \"timeout\", \"tooLarge\","
                    + " \"busy\""
            ]
        ),
        (
            api(#""errors": [{"status": 400, "page": "past", "kind": "network"}]"#),
            ["1:110: 'kind' must be \"notFound\" in a rule with 'page'; change or remove 'kind'"]
        ),
        (CatalogText.make(id: #""integer", "strictIDs": 1"#), ["1:127: 'strictIDs' must be true or false"]),
        (
            CatalogText.make(id: #""integer", "onMismatch": "drop""#),
            ["1:128: 'onMismatch' must be \"skip\" or \"fail\""]
        ),
        (
            list(#""pagination": {"style": "page", "param": "p", "in": "query"}"#),
            ["1:198: 'in' requires a request with a body; add \"method\": \"POST\", or remove 'in'"]
        ),
        (
            list(#""method": "POST", "pagination": {"style": "page", "param": "p", "in": "header"}"#),
            ["1:216: 'in' must be \"query\" or \"body\""]
        ),
        (
            list(#""filters": []"#),
            [
                "1:157: 'filters' must be an object such as {\"author\": \"author_id\"}; each value is a parameter"
                    + " name or an object"
            ]
        ),
        (list(#""filters": {"a": {"allowEmpty": 1}}"#), ["1:178: 'allowEmpty' must be true or false"]),
        (
            list(#""filters": {"a": {"type": [["string"]]}}"#),
            ["1:173: an array must not contain arrays; use an array of one level, such as [\"string\"]"]
        ),
        (list(#""query": []"#), ["1:155: 'query' must be an object"]),
        (
            list(#""query": {"a": "{id}"}"#),
            ["1:161: the placeholder '{id}' is not allowed here; remove the placeholder"]
        ),
        (
            list(#""pagination": {"style": "nextURL", "next": "n", "take": "all"}"#),
            ["1:202: 'take' must be \"query\""]
        ),
        (
            list(#""pagination": {"style": "relay", "param": "p"}"#),
            ["1:160: 'pagination' in 'list' of the resource 'thing' needs 'pageInfo'"]
        ),
        (
            #"{"larder": 1, "apis": {"a": {"baseURL": "https://a.test"}}, "resources": {"t": {"api": "a", "id": "string", "#
                + #""graphql": {"list": {"query": "{ a }", "pagination": {"style": "link"}}}}}}"#,
            ["1:172: the style \"link\" works only with 'rest': GraphQL answers have no page URLs; use another style"]
        ),
    ]

    @Test(arguments: rare)
    func rareCatalogErrorsAreReported(text: String, faults: [String]) { #expect(CatalogText.faults(text) == faults) }
}
