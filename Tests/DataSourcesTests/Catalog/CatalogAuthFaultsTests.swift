import DataSources
import TestSupport
import Testing

/// One fault does not hide another in the same value.
@Suite(.limited) struct CatalogAuthFaultsTests {
    static let cases: [(auth: String, faults: [String])] = [
        (
            #"{"bearer": "${env:NOT_SET}-${env:KEY}-${file:/none}"}"#,
            ["1:78: the environment variable 'NOT_SET' is not set", "1:78: the file '/none' is not there"]
        ),
        (
            #"{"apiKey": {"in": "body", "value": "v"}}"#,
            ["1:78: 'apiKey' of the API 'a' needs 'name'", "1:85: 'in' must be \"header\" or \"query\""]
        ),
        (
            #"{"apiKey": {"in": "body", "name": [], "value": ""}}"#,
            [
                "1:85: 'in' must be \"header\" or \"query\"", "1:101: 'name' must be a string",
                "1:114: 'value' must be one line of text that is not empty",
            ]
        ),
        (
            #"{"apiKey": {"in": "header", "name": "a b"}}"#,
            ["1:78: 'apiKey' of the API 'a' needs 'value'", "1:103: 'name' must be the name of a header field"]
        ),
    ]

    @Test(arguments: cases) func allAreTold(_ test: (auth: String, faults: [String])) {
        let api = #"{"baseURL": "https://a.test", "auth": \#(test.auth)}"#
        #expect(CatalogText.faults(CatalogText.make(api: api)) == test.faults)
    }
}
