import Catalog
import Mocks
import TestSupport
import Testing

/// Tests the errors of requests, scopes and connections.
@Suite(.limited) struct CatalogRequestFaultsTests {
    static let requests: [(String, [String])] = [
        (
            #"{"get": {"path": "/t/{id}", "method": "PUT", "body": {}}}"#,
            [
                "1:160: 'method' must be \"GET\", or \"POST\" for a read with a body",
                "1:175: 'body' needs \"method\": \"POST\"",
            ]
        ),
        (
            #"{"getMany": {"path": "/t/{ids}", "join": "repeat"}}"#,
            [
                "1:163: 'join' can be \"repeat\" only if '{ids}' is the whole value of a parameter of 'query'; use a"
                    + " separator such as \",\""
            ]
        ),
        (
            #"{"get": {"path": "/t/{id}", "query": {"a": {"value": 1}, "b": [[1]], "c": "{ids}"}}}"#,
            [
                "1:165: 'a' in 'query' of 'get' of the resource 'thing' needs 'beside'",
                "1:184: 'b' must be a string, a number, a boolean, or an array of such values",
                "1:196: unknown placeholder '{ids}'; did you mean '{id}'?",
            ]
        ),
        (
            #"{"list": {"path": "/t", "query": {"a": {"value": 1, "beside": "x"}}, "filters": {"y": "y"}}}"#,
            ["1:184: 'beside' must be the name of a filter of this list; correct the name or add the filter"]
        ),
        (
            #"{"list": {"path": "/t", "filters": {"a": {"parm": "x"}, "b": {"type": "int"}, "c": {"type": {}}}}}"#,
            [
                "1:164: the filter 'a' has no key 'parm'; did you mean 'param'?",
                "1:192: unknown type 'int'; did you mean 'integer'?",
                "1:214: the type of a parameter must be a name such as \"string\", or an array",
            ]
        ),
        (
            #"{"list": {"path": "/t", "filters": {"a": {"type": "strings"}}}}"#,
            ["1:172: unknown type 'strings'; did you mean 'string'?"]
        ),
        (
            #"{"list": {"path": "/t", "filters": {"a": {"type": "integer", "default": "x", "unit": "s", "quote": "'"}}}}"#,
            [
                "1:194: 'default' must be an integer",
                "1:207: 'unit' is allowed only for the type \"date\"; remove 'unit' or change the type",
                "1:221: 'quote' needs 'as'",
            ]
        ),
        (
            #"{"list": {"path": "/t", "filters": {"a": {"wrap": "({})"}, "b": {"with": "+"}}}}"#,
            ["1:172: 'wrap' needs 'as'", "1:195: 'with' needs 'as'"]
        ),
        (
            #"{"list": {"path": "/t", "filters": {"a": {"as": "x", "in": "header", "default": "x", "required": true}}}}"#,
            [
                "1:170: 'as' must contain '{}', the placeholder for the value",
                "1:181: 'in' must be \"query\" or \"body\"",
                "1:219: 'required' has no effect on a filter with a 'default'; remove one of them",
            ]
        ),
        (
            #"{"list": {"path": "/t", "filters": {"a": {"join": ","}, "b": {"type": "any", "join": ","}}}}"#,
            ["1:172: 'join' needs a type with several values, such as [\"string\"]; change 'type' or remove 'join'"]
        ),
        (
            #"{"list": {"path": "/t", "filters": {"a": {"split": ","}, "b": {"type": "any", "split": ","}}}}"#,
            [
                "1:173: 'split' needs an array type, such as [\"string\"]; change 'type' or remove 'split'",
                "1:209: 'split' needs an array type, such as [\"string\"]; change 'type' or remove 'split'",
            ]
        ),
        (
            #"{"list": {"path": "/t", "filters": {"a": {"type": ["number"], "split": "", "default": "1,2"}}}}"#,
            [
                "1:193: 'split' must be a non-empty string",
                "1:208: 'default' must be an array in which each element is a number",
            ]
        ),
        (
            #"{"list": {"path": "/t", "filters": {"a": {"type": ["number"], "split": ",", "default": "1,x"}}}}"#,
            [
                "1:209: 'default' must be an array in which each element is a number, or a string with such values,"
                    + " separated by ','"
            ]
        ),
        (
            #"{"list": {"path": "/t", "filters": {"a": {"type": "text", "split": 1}, "b": ["text"], "c": ["a", 1]}}}"#,
            [
                "1:172: unknown type 'text'; did you mean 'string'?", "1:189: 'split' must be a non-empty string",
                "1:199: unknown type 'text'; did you mean 'string'?",
                "1:213: an array must contain one type, such as [\"string\"], or the values of an enumeration,"
                    + " such as [\"open\", \"closed\"]",
            ]
        ),
        (
            #"{"list": {"path": "/t", "filters": {"a": {"param": "q", "as": "{}", "with": "+", "wrap": "({})"}, "#
                + #""b": {"param": "q", "as": "{}"}, "c": {"param": "q", "as": "{}", "with": "+", "wrap": "[{}]"}}}}"#,
            [
                "1:225: the filters 'a' and 'b' share the parameter 'q', but have different values of 'with'; use the"
                    + " same value",
                "1:306: the filters 'a' and 'c' share the parameter 'q', but have different values of 'wrap'; use the"
                    + " same value",
            ]
        ),
        (
            #"{"list": {"path": "/t", "filters": {"per": {"param": "n"}, "page": "page", "x": {"type": "integer?"}}, "#
                + #""pagination": {"style": "page", "param": "page", "size": {"param": "n", "value": 9}}}}"#,
            [
                "1:175: the filter 'per' is never sent: 'size' uses the parameter 'n'; remove the filter or 'size', or choose"
                    + " another parameter",
                "1:189: the filter 'page' is never sent: 'pagination' uses the parameter 'page'; remove the filter, or choose"
                    + " another parameter",
                "1:211: the type of a filter or scope cannot end with '?'; write \"integer\" (filters are optional unless \"required\", scopes"
                    + " are optional with a \"default\")",
            ]
        ),
        (
            #"{"list": {"path": "/t", "filters": {"a": {"default": "${env:T}"}}}}"#,
            ["1:175: 'default' must not contain a secret: the value is shown and stored; put the secret into 'query'"]
        ),
    ]

    @Test(arguments: requests)
    func errorsInDeclaredRequestsAreReported(rest: String, faults: [String]) {
        #expect(CatalogText.faults(CatalogText.make(rest: rest)) == faults)
    }

    static let scopes: [(String, [String])] = [
        (#"["owner"]"#, ["1:106: 'scope' of the resource 'thing' must be an object, such as {\"owner\": \"string\"}"]),
        (
            "{" + (0...100).map { "\"n\($0)\": \"string\"" }.joined(separator: ",") + "}",
            ["1:106: 'scope' of the resource 'thing' can have at most 100 names; remove some"]
        ),
        ("{" + (1...100).map { "\"n\($0)\": \"string\"" }.joined(separator: ",") + "}", []),
        (
            #"{"dir": {"type": "string", "default": ""}, "n": {"type": "string", "default": "x"}}"#,
            ["1:144: 'default' of a scope must not be empty; leave it out to require a value"]
        ),
        (
            #"{"id": "string", "a-b": "string", "c": ["string"], "d": "strng"}"#,
            [
                "1:107: 'id' is already a parameter of the resource's methods; choose another name",
                "1:123: a name in 'scope' must start with a letter and contain only letters, digits and '_'",
                "1:145: the type of a scope must be a string, an integer, a number, a boolean or an enumeration",
                "1:162: unknown type 'strng'; did you mean 'string'?",
            ]
        ),
        (
            #"{"n": {"type": "integer", "default": "x", "required": true}}"#,
            [
                "1:143: 'default' must be an integer",
                "1:148: 'n' in 'scope' of the resource 'thing' has no key 'required'",
            ]
        ),
        (
            #"{"n": {"default": "x${file:t}"}}"#,
            ["1:124: 'default' must not contain a secret: the value is shown and stored; put the secret into 'query'"]
        ),
    ]

    @Test(arguments: scopes)
    func errorsInAScopeAreReported(scope: String, faults: [String]) {
        let text = CatalogText.make().replacing(#""id": "integer""#, with: #""scope": \#(scope), "id": "integer""#)
        #expect(CatalogText.faults(text) == faults)
    }

    static let connections: [(String, [String])] = [
        (
            #""tls": {"keyFile": "k", "caFle": "x", "caFile": ""}, "proxy": "ftp://p""#,
            [
                "1:66: 'tls' of the API 'a' has a 'keyFile' but no 'certFile'; add 'certFile'",
                "1:83: 'tls' of the API 'a' has no key 'caFle'; did you mean 'caFile'?",
                "1:107: 'caFile' must be the path of a file",
                "1:121: 'proxy' must be an http, https or socks5 URL, such as \"http://127.0.0.1:3128\", or empty for"
                    + " no proxy",
            ]
        ),
        (
            #""proxy": "http://me:a/b@p:1""#,
            ["1:68: the characters @ / ? # in the user and password of 'proxy' must be percent-encoded"]
        ),
    ]

    @Test(arguments: connections)
    func errorsInConnectionSettingsAreReported(members: String, faults: [String]) {
        #expect(CatalogText.faults(CatalogText.make(api: #"{"baseURL": "https://a.test", \#(members)}"#)) == faults)
    }

    static let malformed: [(members: String, message: String)] = [
        (#""auth": {"bearer": "x${env:LINES}"}"#, "'bearer' must be one non-empty line of text"),
        (
            #""auth": {"apiKey": {"in": "header", "name": "X", "value": "${env:LINES}"}}"#,
            "'value' must be one non-empty line of text"
        ),
        (
            #""headers": {"X": "a ${env:LINES}"}"#,
            "'X' is not a valid header field; use a name without spaces and a value of one line"
        ),
        (
            #""proxy": "http://me:${env:LINES}@p:1""#,
            "'proxy' must be an http, https or socks5 URL, such as \"http://127.0.0.1:3128\", or empty for no proxy"
        ),
    ]

    /// A malformed secret counts as missing, because it can be corrected without a change of the catalog. The message
    /// does not contain the secret.
    @Test(arguments: malformed)
    func malformedSecretDisablesOnlyItsAPI(members: String, message: String) throws {
        let text = CatalogText.make(api: #"{"baseURL": "https://a.test", \#(members)}"#)
        let catalog = try CatalogDecoder.decode(Array(text.utf8), secrets: CatalogText.secrets, toleratesMissing: true)
        let expected = "\(message); fix the value of ${env:LINES}"
        #expect(catalog.apis[0].missingValues.map(\.message) == [expected])
        #expect(CatalogText.faults(text).map { $0.drop { $0 != " " }.dropFirst() } == [expected[...]])
        let plain = text.replacing("${env:LINES}", with: #"a\nb"#)
        #expect(throws: CatalogFaults.self) {
            try CatalogDecoder.decode(Array(plain.utf8), secrets: CatalogText.secrets, toleratesMissing: true)
        }
    }

    @Test func missingValuesDisableOnlyTheirAPI() throws {
        let api = #"{"baseURL": "https://${var:HOST}:${var:PORT}", "auth": {"bearer": "${env:NOT_SET}"}}"#
        let text = CatalogText.make(
            api: api, rest: #"{"get": {"path": "/${var:A:-x}/{id}", "query": {"k": "${env:KEY}"}}}"#)
        let catalog = try CatalogDecoder.decode(
            Array(text.utf8), secrets: CatalogText.secrets, toleratesMissing: true)
        #expect(
            catalog.apis[0].missingValues.map { "\($0.position.line):\($0.position.column): \($0.message)" } == [
                "1:41: the variable 'HOST' has no value; use --var HOST=... or set LARDER_VAR_HOST",
                "1:41: the variable 'PORT' has no value; use --var PORT=... or set LARDER_VAR_PORT",
                "1:95: the environment variable 'NOT_SET' is not set",
            ])
        #expect(catalog.secrets == ["k3y"])
        #expect(CatalogText.faults(text).count == 3)
    }
}
