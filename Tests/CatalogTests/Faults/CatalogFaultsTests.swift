import Catalog
import Mocks
import Model
import TestSupport
import Testing

/// Tests the errors of the catalog object and of its APIs: their locations and messages.
@Suite(.limited) struct CatalogFaultsTests {
    /// The text of a catalog and its expected errors.
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let faults: [String]

        init(_ text: String, _ faults: String...) {
            self.text = text
            self.faults = faults
        }

        var testDescription: String { faults.first ?? text }
    }

    static let wholes = [
        Case("", "1:1: expected a value, but the JSON ends"),
        Case("{\n  \"larder\": 1,\n  \"apis\": {]\n}", "3:12: expected a key in quotes, found ']'"),
        Case("[]", "1:1: the catalog must be an object"),
        Case(
            "{}", "1:1: the catalog needs 'larder'", "1:1: the catalog needs 'apis'",
            "1:1: the catalog needs 'resources'"),
        Case(
            "{\"larder\": 2, \"apis\": {}, \"resources\": {}}",
            "1:12: 'larder' must be 1, the version of the catalog format", "1:23: 'apis' must not be empty",
            "1:40: 'resources' must not be empty"),
        Case(
            "{\"larder\": \"1\", \"apis\": [], \"resources\": null}",
            "1:12: 'larder' must be 1, the version of the catalog format", "1:25: 'apis' must be an object",
            "1:42: 'resources' must be an object"),
        Case(
            "{\n  \"larder\": 1, // one\n  \"apis\": {\"é\": 1},\n  \"resource\": {}\n}",
            "1:1: the catalog needs 'resources'", "3:17: the API 'é' must be an object",
            "4:3: the catalog has no key 'resource'; did you mean 'resources'?"),
        Case(
            """
            {
              "larder": 1,
              "apis": {
                "a": {"baseURL": "https://a.test"},
                "a": {"baseURL": "https://b.test"},
              },
              "resources": {
                "thing": {"api": "a", "id": "integer", "rest": {"get": {"path": "/{id}"}}},
                "thing": {"api": "a", "id": "integer", "rest": {"get": {"path": "/{id}"}}},
                "cache": {"api": "a", "id": "integer", "rest": {"get": {"path": "/{id}"}}},
                "rpc": {"api": "a", "id": "integer", "rest": {"get": {"path": "/{id}"}}},
                "1st": {"api": "a", "id": "integer", "rest": {"get": {"path": "/{id}"}}},
                "a/b": {"api": "a", "id": "integer", "rest": {"get": {"path": "/{id}"}}},
                "other": {"api": "b", "id": "uuid"},
                "bare": 7,
                "both": {"api": "a", "id": "string", "rest": {}, "graphql": {}},
                "none": {},
              },
            }
            """, "5:5: 'a' occurs twice in 'apis'; remove one of them",
            "9:5: 'thing' occurs twice in 'resources'; remove one of them",
            "10:5: 'cache' is reserved for Larder's own methods; choose another name",
            "11:5: 'rpc' is reserved for Larder's own methods; choose another name",
            "12:5: a resource name must start with a letter and contain only letters, digits, '_', '-' and '.'",
            "13:5: a resource name must start with a letter and contain only letters, digits, '_', '-' and '.'",
            "14:14: the resource 'other' needs 'rest' or 'graphql'; add one of them",
            "14:22: 'api' must be one of the APIs: 'a'",
            "14:33: 'id' must be \"integer\" or \"string\"", "15:13: the resource 'bare' must be an object",
            "16:65: the resource 'both' has both 'rest' and 'graphql'; remove one of them",
            "17:13: the resource 'none' needs 'api'", "17:13: the resource 'none' needs 'id'",
            "17:13: the resource 'none' needs 'rest' or 'graphql'; add one of them"),
    ]

    @Test(arguments: wholes)
    func errorsInTheCatalogObjectAreReported(_ one: Case) { #expect(CatalogText.faults(one.text) == one.faults) }

    static let apis: [(String, [String])] = [
        ("7", ["1:29: the API 'a' must be an object"]),
        ("{}", ["1:29: the API 'a' needs 'baseURL'"]),
        (
            #"{"baseurl": "https://a.test", "zzz": 1}"#,
            [
                "1:29: the API 'a' needs 'baseURL'", "1:30: the API 'a' has no key 'baseurl'; did you mean 'baseURL'?",
                "1:59: the API 'a' has no key 'zzz'",
            ]
        ),
        (#"{"baseURL": []}"#, ["1:41: 'baseURL' must be a string"]),
        (#"{"baseURL": "ftp://a.test"}"#, ["1:41: 'baseURL': the URL must begin with http:// or https://"]),
        (#"{"baseURL": "https:/a.test"}"#, ["1:41: 'baseURL': the URL must begin with http:// or https://"]),
        (#"{"baseURL": "https://"}"#, ["1:41: 'baseURL': the URL must have a host, such as https://api.example.com"]),
        (
            #"{"baseURL": "https://:80"}"#,
            ["1:41: 'baseURL': the URL must have a host, such as https://api.example.com"]
        ),
        (
            #"{"baseURL": "https://a.test?x=1"}"#,
            ["1:41: 'baseURL': the URL must not have a query or a fragment; remove '?' or '#' and everything after it"]
        ),
        (
            #"{"baseURL": "https://a.test/#x"}"#,
            ["1:41: 'baseURL': the URL must not have a query or a fragment; remove '?' or '#' and everything after it"]
        ),
        (
            #"{"baseURL": "https://u:p@a.test"}"#,
            ["1:41: 'baseURL': the URL must not have a user or password; use 'auth' in the catalog"]
        ),
        (
            #"{"baseURL": "https://a.test/a b"}"#,
            [
                "1:41: 'baseURL': the URL must not have spaces, control characters or non-ASCII characters; percent-encode them"
            ]
        ),
        (
            #"{"baseURL": "https://é.test"}"#,
            [
                "1:41: 'baseURL': the URL must not have spaces, control characters or non-ASCII characters; percent-encode them"
            ]
        ),
        (#"{"baseURL": "${env:NOT_SET}"}"#, ["1:41: the environment variable 'NOT_SET' is not set"]),
        (
            #"{"baseURL": "https://a.test", "baseURL": "https://a.test"}"#,
            ["1:59: 'baseURL' occurs twice in the API 'a'; remove one of them"]
        ),
        (
            #"{"baseURL": "https://a.test", "timeout": "0s", "retries": 11, "maxConcurrent": 0, "maxBodySize": "2GiB"}"#,
            [
                "1:70: 'timeout' must be a duration over 0, such as \"10s\"",
                "1:87: 'retries' must be a number from 0 to 10",
                "1:108: 'maxConcurrent' must be a number from 1 to 1000",
                "1:126: 'maxBodySize' must be a size from 1B to 1GiB, such as \"16MiB\"",
            ]
        ),
        (
            #"{"baseURL": "https://a.test", "timeout": "soon", "retries": "2", "maxConcurrent": 1.5, "maxBodySize": -1}"#,
            [
                "1:70: 'timeout' must be a duration over 0, such as \"10s\"",
                "1:89: 'retries' must be a number from 0 to 10",
                "1:111: 'maxConcurrent' must be a number from 1 to 1000",
                "1:131: 'maxBodySize' must be a size from 1B to 1GiB, such as \"16MiB\"",
            ]
        ),
        (
            #"{"baseURL": "https://a.test", "rateLimit": {"requests": 0, "per": "0s"}}"#,
            ["1:85: 'requests' must be a number over 0", "1:95: 'per' must be a duration over 0, such as \"1m\""]
        ),
        (
            #"{"baseURL": "https://a.test", "rateLimit": {}}"#,
            ["1:72: 'rateLimit' of the API 'a' needs 'requests'", "1:72: 'rateLimit' of the API 'a' needs 'per'"]
        ),
        (
            #"{"baseURL": "https://a.test", "rateLimit": {"reset": true, "pause": ".a", "per": "1h"}}"#,
            [
                "1:72: 'rateLimit' of the API 'a' needs 'requests'",
                "1:82: 'reset' must be a selector such as \"backoff\", {\"header\": \"X-RateLimit-Reset\"}, or a duration"
                    + " such as \"30s\"", "1:97: 'pause' must be a selector such as \"info.pages\"",
            ]
        ),
        (
            #"{"baseURL": "https://a.test", "rateLimit": {"reset": {"heder": "X"}}}"#,
            [
                "1:82: 'reset' of 'rateLimit' of the API 'a' needs 'header'",
                "1:83: 'reset' of 'rateLimit' of the API 'a' has no key 'heder'; did you mean 'header'?",
            ]
        ),
        (#"{"baseURL": "https://a.test", "rateLimit": 5}"#, ["1:72: 'rateLimit' of the API 'a' must be an object"]),
        (
            #"{"baseURL": "https://a.test", "headers": ["X: y"]}"#,
            ["1:70: 'headers' must be an object of strings, such as {\"name\": \"value\"}"]
        ),
        (
            #"{"baseURL": "https://a.test", "headers": {"X Y": "z", "X": true, "Z": "${env:LINES}"}}"#,
            [
                "1:71: 'X Y' is not a valid header field; use a name without spaces and a value of one line",
                "1:88: 'X' must be a string",
                "1:99: 'Z' is not a valid header field; use a name without spaces and a value of one line; fix the value of"
                    + " ${env:LINES}",
            ]
        ),
        (
            #"{"baseURL": "https://a.test", "headers": {"X": "1", "X": "2"}}"#,
            ["1:81: 'X' occurs twice in 'headers'; remove one of them"]
        ),
        (
            #"{"baseURL": "https://a.test", "headers": {"X": "${env:NOT_SET}", "Y": "${file:/none}"}}"#,
            ["1:76: the environment variable 'NOT_SET' is not set", "1:99: the file '/none' does not exist"]
        ),
        (
            #"{"baseURL": "https://a.test", "headers": {"X": "${KEY}", "Y": "${env:KEY", "Z": "${vault:KEY}"}}"#,
            [
                "1:76: '${KEY}' must be '${env:NAME}', '${file:PATH}' or '${var:NAME}'",
                "1:91: '${' in 'Y' is not closed; add '}'",
                "1:109: '${vault:KEY}' must be '${env:NAME}', '${file:PATH}' or '${var:NAME}'",
            ]
        ),
        (
            #"{"baseURL": "https://a.test", "headers": {"X": "${var:A:-${env:B}}"}}"#,
            [
                "1:76: '${var:A:-${env:B}' contains another '${': the default of a variable must be plain text; remove"
                    + " the inner '${'"
            ]
        ),
        (#"{"baseURL": "https://a.test", "auth": "token"}"#, ["1:67: 'auth' of the API 'a' must be an object"]),
        (
            #"{"baseURL": "https://a.test", "auth": {}}"#,
            ["1:67: 'auth' must have exactly one of 'bearer', 'basic', 'apiKey' and 'oauth2'"]
        ),
        (
            #"{"baseURL": "https://a.test", "auth": {"bearer": "x", "basic": {}}}"#,
            ["1:67: 'auth' must have exactly one of 'bearer', 'basic', 'apiKey' and 'oauth2'"]
        ),
        (
            #"{"baseURL": "https://a.test", "auth": {"baerer": "x"}}"#,
            ["1:68: 'auth' of the API 'a' has no key 'baerer'; did you mean 'bearer'?"]
        ),
        (#"{"baseURL": "https://a.test", "auth": {"bearer": []}}"#, ["1:78: 'bearer' must be a string"]),
        (
            #"{"baseURL": "https://a.test", "auth": {"bearer": {}}}"#,
            ["1:78: 'bearer' in 'auth' of the API 'a' needs 'command'"]
        ),
        (
            #"{"baseURL": "https://a.test", "auth": {"bearer": "${env:EMPTY}"}}"#,
            [
                "1:78: 'bearer' must be one non-empty line of text; fix the value of ${env:EMPTY}"
            ]
        ),
        (
            #"{"baseURL": "https://a.test", "auth": {"bearer": "${env:LINES}"}}"#,
            [
                "1:78: 'bearer' must be one non-empty line of text; fix the value of ${env:LINES}"
            ]
        ),
        (
            #"{"baseURL": "https://a.test", "auth": {"bearer": "${env:NOT_SET}"}}"#,
            ["1:78: the environment variable 'NOT_SET' is not set"]
        ),
        (
            #"{"baseURL": "https://a.test", "auth": {"basic": {"user": "u"}}}"#,
            ["1:77: 'basic' of the API 'a' needs 'password'"]
        ),
        (
            #"{"baseURL": "https://a.test", "auth": {"basic": "u:p"}}"#,
            ["1:77: 'basic' of the API 'a' must be an object"]
        ),
        (
            #"{"baseURL": "https://a.test", "auth": {"apiKey": {"in": "cookie", "name": "k", "value": "v"}}}"#,
            ["1:85: 'in' must be \"header\" or \"query\""]
        ),
        (
            #"{"baseURL": "https://a.test", "auth": {"apiKey": {"in": "header", "name": "a b", "value": "v"}}}"#,
            ["1:103: 'name' must be the name of a header field"]
        ),
        (
            #"{"baseURL": "https://a.test", "auth": {"apiKey": {}}}"#,
            [
                "1:78: 'apiKey' of the API 'a' needs 'in'", "1:78: 'apiKey' of the API 'a' needs 'name'",
                "1:78: 'apiKey' of the API 'a' needs 'value'",
            ]
        ),
    ]

    @Test(arguments: apis)
    func errorsInTheDeclarationOfAnAPIAreReported(api: String, faults: [String]) {
        #expect(CatalogText.faults(CatalogText.make(api: api)) == faults)
    }

    /// Programs that read `file:line:column: message` expect one line for each error.
    @Test func catalogErrorIsAlwaysOneLine() {
        let text = #"{"a\nb\r\u0085\u2028\u2029\u001b[31m": 1}"#
        let error = #expect(throws: CatalogFaults.self) { try CatalogText.decode(text) }
        #expect(
            error?.faults.last?.description(file: "c.jsonc")
                == #"c.jsonc:1:2: the catalog has no key 'a\nb\r\u0085\u2028\u2029\u001b[31m'"#)
    }
}
