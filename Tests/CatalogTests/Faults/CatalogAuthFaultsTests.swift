import Mocks
import TestSupport
import Testing

/// Tests that one error in `auth` does not hide another error.
@Suite(.limited) struct CatalogAuthFaultsTests {
    static let cases: [(auth: String, faults: [String])] = [
        (
            #"{"bearer": "${env:NOT_SET}-${env:KEY}-${file:/none}"}"#,
            ["1:78: the environment variable 'NOT_SET' is not set", "1:78: the file '/none' does not exist"]
        ),
        (
            #"{"apiKey": {"in": "body", "value": "v"}}"#,
            ["1:78: 'apiKey' of the API 'a' needs 'name'", "1:85: 'in' must be \"header\" or \"query\""]
        ),
        (
            #"{"apiKey": {"in": "body", "name": [], "value": ""}}"#,
            [
                "1:85: 'in' must be \"header\" or \"query\"", "1:101: 'name' must be a string",
                "1:114: 'value' must be one non-empty line of text",
            ]
        ),
        (
            #"{"apiKey": {"in": "header", "name": "a b"}}"#,
            [
                "1:78: 'apiKey' of the API 'a' needs 'value'",
                "1:103: 'name' must be the name of a header field",
            ]
        ),
        (
            #"{"bearer": {"comand": ["gh"], "for": 0}}"#,
            [
                "1:78: 'bearer' in 'auth' of the API 'a' needs 'command'",
                "1:79: 'bearer' in 'auth' of the API 'a' has no key 'comand'; did you mean 'command'?",
                "1:104: 'for' must be a duration over 0, such as \"50m\"",
            ]
        ),
        (
            #"{"bearer": {"command": "gh auth token"}}"#,
            [
                "1:90: 'command' must be an array of words such as [\"gh\", \"auth\", \"token\"]: the command runs without a"
                    + " shell"
            ]
        ),
        (
            #"{"bearer": {"command": ["", true, "a\u0000", "${env:NOT_SET}"]}}"#,
            [
                "1:95: 'command' must be a string", "1:112: the environment variable 'NOT_SET' is not set",
            ]
        ),
        (#"{"bearer": {"command": [""]}}"#, ["1:91: 'command' must start with the name of a program, such as \"gh\""]),
        (
            #"{"bearer": {"command": ["a", "b\u0000"]}}"#,
            ["1:96: a word of 'command' must not contain a null character"]
        ),
        (
            #"{"oauth2": {"tokenUrl": "x", "clientID": ""}}"#,
            [
                "1:78: 'oauth2' of the API 'a' needs 'tokenURL'", "1:78: 'oauth2' of the API 'a' needs 'clientSecret'",
                "1:79: 'oauth2' of the API 'a' has no key 'tokenUrl'; did you mean 'tokenURL'?",
                "1:108: 'clientID' must not be empty",
            ]
        ),
        (
            #"{"oauth2": {"tokenURL": "ftp://x", "clientID": [], "clientSecret": "", "in": "query"}}"#,
            [
                "1:91: 'tokenURL': the URL must begin with http:// or https://", "1:114: 'clientID' must be a string",
                "1:134: 'clientSecret' must be one non-empty line of text",
                "1:144: 'in' must be \"header\" or \"body\"",
            ]
        ),
        (
            #"{"oauth2": {"tokenURL": "https://x/?a#b", "clientID": "i", "clientSecret": "s", "params": {"scope": "s"}}}"#,
            [
                "1:91: 'tokenURL' must not have spaces, control characters, non-ASCII characters or a fragment",
                "1:167: 'scope' is not allowed in 'params', because Larder sends it itself; remove it",
            ]
        ),
        (#"{}"#, ["1:67: 'auth' must have exactly one of 'bearer', 'basic', 'apiKey' and 'oauth2'"]),
    ]

    @Test(arguments: cases) func allErrorsInAuthOfACatalogAreReported(_ test: (auth: String, faults: [String])) {
        let api = #"{"baseURL": "https://a.test", "auth": \#(test.auth)}"#
        #expect(CatalogText.faults(CatalogText.make(api: api)) == test.faults)
    }
}
