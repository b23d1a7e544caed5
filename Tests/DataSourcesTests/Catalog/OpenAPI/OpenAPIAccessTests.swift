import JSON
import TestSupport
import Testing

@testable import DataSources

/// Where an API is and how it is authorised, by its document.
@Suite(.limited) struct OpenAPIAccessTests {
    private static func api(servers: String, more: String = #""x": 0"#) throws -> (name: String, JSONValue) {
        let document = OpenAPIText.document(
            paths: #""/things/{id}": {"get": {"parameters": [\#(OpenAPIText.path("id"))]}}"#, servers: servers,
            more: more)
        guard case .object(let apis)? = try OpenAPIText.catalog(document)["apis"], let api = apis.members.first else {
            throw CatalogDraftError("there is no API")
        }
        return (api.key, api.value)
    }

    @Test(
        arguments: [
            (#"[{"url": "https://api.github.com"}]"#, "github", "https://api.github.com"),
            (#"[{"url": "https://api.shop.co.uk/v2/"}]"#, "shop", "https://api.shop.co.uk/v2"),
            (
                #"[{"url": "https://{tenant}.zoo.test/{v}", "variables": {"tenant": {"default": "acme"}, "v": {"default": "v1"}}}]"#,
                "zoo", "https://${var:TENANT:-acme}.zoo.test/${var:V:-v1}"
            ),
            (#"[{"url": "https://{tenant}.zoo.test"}]"#, "zoo", "https://${var:TENANT}.zoo.test"),
            (#"[{"url": "/api/v3"}]"#, "zoo", "${var:ZOO_URL}/api/v3"),
            (#"[{"url": "../v3/"}]"#, "zoo", "${var:ZOO_URL}/v3"),
            ("[]", "zoo", "${var:ZOO_URL}"), (#"[{"url": "/"}]"#, "zoo", "${var:ZOO_URL}"),
            ("3", "zoo", "${var:ZOO_URL}"),
            (#"[{"url": "https://a:b@x.test"}]"#, "zoo", "${var:ZOO_URL}"),
            (#"[{"url": "//x.test/a"}]"#, "zoo", "${var:ZOO_URL}"),
            (#"[{"url": "https://zoo.test/${env:HOME}"}]"#, "zoo", "${var:ZOO_URL}"),
            (#"[{"url": "http://localhost:8080"}]"#, "zoo", "http://localhost:8080"),
            (
                #"[{"url": "https://{a}.x.test", "variables": {"a": {"default": "}${env:HOME}"}}}]"#, "zoo",
                "${var:ZOO_URL}"
            ),
        ])
    func baseURL(servers: String, name: String, url: String) throws {
        let api = try Self.api(servers: servers)
        #expect(api.name == name)
        #expect(api.1["baseURL"] == .string(url))
    }

    @Test(
        arguments: [
            (#"{"type": "http", "scheme": "Bearer"}"#, #"{"bearer":"${env:ZOO_TOKEN}"}"#),
            (
                #"{"type": "http", "scheme": "basic"}"#,
                #"{"basic":{"user":"${env:ZOO_USER}","password":"${env:ZOO_PASSWORD}"}}"#
            ),
            (
                #"{"type": "apiKey", "in": "header", "name": "X-Key"}"#,
                #"{"apiKey":{"in":"header","name":"X-Key","value":"${env:ZOO_KEY}"}}"#
            ),
            (
                #"{"type": "apiKey", "in": "query", "name": "key"}"#,
                #"{"apiKey":{"in":"query","name":"key","value":"${env:ZOO_KEY}"}}"#
            ),
            (
                #"{"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://zoo.test/token", "scopes": {}}}}"#,
                #"{"oauth2":{"tokenURL":"https://zoo.test/token","clientID":"${env:ZOO_CLIENT_ID}","clientSecret":"${env:ZOO_CLIENT_SECRET}"}}"#
            ),
            (
                #"{"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "/token"}}}"#,
                #"{"bearer":"${env:ZOO_TOKEN}"}"#
            ),
            (
                #"{"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://zoo.test/${env:HOME}"}}}"#,
                #"{"bearer":"${env:ZOO_TOKEN}"}"#
            ),
            (#"{"type": "apiKey", "in": "query", "name": "${env:HOME}"}"#, nil),
            (#"{"type": "oauth2", "flows": {}}"#, #"{"bearer":"${env:ZOO_TOKEN}"}"#),
            (#"{"type": "apiKey", "in": "cookie", "name": "sid"}"#, nil), (#"{"type": "mutualTLS"}"#, nil), ("1", nil),
        ] as [(String, String?)])
    func auth(scheme: String, auth: String?) throws {
        let api = try Self.api(
            servers: #"[{"url": "https://zoo.test"}]"#, more: #""securitySchemes": {"one": \#(scheme)}"#)
        #expect(api.1["auth"]?.text == auth)
    }

    /// Of several ways the plainest is taken, and what the document requires before what it only declares.
    @Test func theWayThatIsRequired() throws {
        let schemes =
            #""securitySchemes": {"a": {"type": "http", "scheme": "bearer"}, "b": {"type": "apiKey", "in": "header", "name": "X-B"}}"#
        let document = OpenAPIText.document(
            paths: #""/things/{id}": {"get": {"parameters": [\#(OpenAPIText.path("id"))], "security": [{"b": []}]}}"#,
            more: schemes)
        #expect(try OpenAPIText.catalog(document)["apis"]?["zoo"]?["auth"]?["apiKey"]?["name"] == "X-B")
    }
}
