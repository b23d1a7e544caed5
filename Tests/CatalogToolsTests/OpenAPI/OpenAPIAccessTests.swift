import JSON
import TestSupport
import Testing

@testable import CatalogTools

/// Tests how the base URL and the authentication are drafted from an OpenAPI document.
@Suite(.limited) struct OpenAPIAccessTests {
    private static func api(servers: String, more: String = #""x": 0"#) throws -> (name: String, JSONValue) {
        let document = OpenAPIText.document(
            paths: #""/things/{id}": {"get": {"parameters": [\#(OpenAPIText.path("id"))]}}"#, servers: servers,
            more: more)
        guard case .object(let apis)? = try OpenAPIText.catalog(document)["apis"], let api = apis.members.first else {
            throw CatalogDraftError("the draft contains no API")
        }
        return (api.key, api.value)
    }

    @Test(
        arguments: [
            (#"[{"url": "https://api.github.com"}]"#, "github", "https://api.github.com"),
            (#"[{"url": "https://api.shop.co.uk/v2/"}]"#, "api_shop_co_uk", "https://api.shop.co.uk/v2"),
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
    func baseURLIsDraftedFromTheDocument(servers: String, name: String, url: String) throws {
        let api = try Self.api(servers: servers)
        #expect(api.name == name)
        #expect(api.1["baseURL"] == .string(url))
    }

    @Test(
        arguments: [
            (#"{"type": "http", "scheme": "Bearer"}"#, #"{"bearer":"${env:HOST_ZOO_TEST_TOKEN}"}"#),
            (
                #"{"type": "http", "scheme": "basic"}"#,
                #"{"basic":{"user":"${env:HOST_ZOO_TEST_USER}","password":"${env:HOST_ZOO_TEST_PASSWORD}"}}"#
            ),
            (
                #"{"type": "apiKey", "in": "header", "name": "X-Key"}"#,
                #"{"apiKey":{"in":"header","name":"X-Key","value":"${env:HOST_ZOO_TEST_KEY}"}}"#
            ),
            (
                #"{"type": "apiKey", "in": "query", "name": "key"}"#,
                #"{"apiKey":{"in":"query","name":"key","value":"${env:HOST_ZOO_TEST_KEY}"}}"#
            ),
            (
                #"{"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://zoo.test/token", "scopes": {}}}}"#,
                #"{"oauth2":{"tokenURL":"https://zoo.test/token","clientID":"${env:HOST_ZOO_TEST_CLIENT_ID}","clientSecret":"${env:HOST_ZOO_TEST_CLIENT_SECRET}"}}"#
            ),
            (
                #"{"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "/token"}}}"#,
                #"{"oauth2":{"tokenURL":"https://zoo.test/token","clientID":"${env:HOST_ZOO_TEST_CLIENT_ID}","clientSecret":"${env:HOST_ZOO_TEST_CLIENT_SECRET}"}}"#
            ),
            (
                #"{"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://zoo.test/${env:HOME}"}}}"#,
                #"{"bearer":"${env:HOST_ZOO_TEST_TOKEN}"}"#
            ),
            (
                #"{"type": "apiKey", "in": "header", "name": "Authorization", "description": "`SSWS` and a token"}"#,
                #"{"apiKey":{"in":"header","name":"Authorization","value":"SSWS ${env:HOST_ZOO_TEST_KEY}"}}"#
            ),
            (
                #"{"type": "apiKey", "in": "header", "name": "Authorization", "description": "Send `Authorization: Token abc`"}"#,
                #"{"apiKey":{"in":"header","name":"Authorization","value":"Token ${env:HOST_ZOO_TEST_KEY}"}}"#
            ),
            (
                #"{"type": "apiKey", "in": "header", "name": "Authorization", "description": "Authorization: Token token=abc"}"#,
                #"{"apiKey":{"in":"header","name":"Authorization","value":"Token token=${env:HOST_ZOO_TEST_KEY}"}}"#
            ),
            (
                #"{"type": "apiKey", "in": "header", "name": "Authorization", "description": "Authorization: Bearer x"}"#,
                #"{"bearer":"${env:HOST_ZOO_TEST_TOKEN}"}"#
            ),
            (
                #"{"type": "apiKey", "in": "header", "name": "Authorization", "description": "The token; no robots"}"#,
                #"{"apiKey":{"in":"header","name":"Authorization","value":"${env:HOST_ZOO_TEST_KEY}"}}"#
            ),
            (
                #"{"type": "http", "scheme": "Bot"}"#,
                #"{"apiKey":{"in":"header","name":"Authorization","value":"Bot ${env:HOST_ZOO_TEST_KEY}"}}"#
            ),
            (#"{"type": "http", "scheme": "${env:HOME}"}"#, nil),
            (#"{"type": "apiKey", "in": "query", "name": "${env:HOME}"}"#, nil),
            (#"{"type": "oauth2", "flows": {}}"#, #"{"bearer":"${env:HOST_ZOO_TEST_TOKEN}"}"#),
            (#"{"type": "apiKey", "in": "header", "name": "X-Key: a"}"#, nil),
            (#"{"type": "apiKey", "in": "header", "name": "X Key"}"#, nil),
            (#"{"type": "apiKey", "in": "header", "name": "X-Key\r\nX-Other"}"#, nil),
            (#"{"type": "apiKey", "in": "header", "name": ""}"#, nil),
            (
                #"{"type": "apiKey", "in": "query", "name": "a key"}"#,
                #"{"apiKey":{"in":"query","name":"a key","value":"${env:HOST_ZOO_TEST_KEY}"}}"#
            ),
            (#"{"type": "apiKey", "in": "cookie", "name": "sid"}"#, nil), (#"{"type": "mutualTLS"}"#, nil), ("1", nil),
        ] as [(String, String?)])
    func authenticationIsDraftedFromTheDocument(scheme: String, auth: String?) throws {
        let api = try Self.api(
            servers: #"[{"url": "https://zoo.test"}]"#, more: #""securitySchemes": {"one": \#(scheme)}"#)
        #expect(api.1["auth"]?.text == auth)
    }

    /// Security schemes that the document requires are preferred to schemes that it only declares, and simple schemes
    /// to complex ones.
    @Test func requiredSecuritySchemeIsPreferredToAnUnusedOne() throws {
        let schemes =
            #""securitySchemes": {"a": {"type": "http", "scheme": "bearer"}, "b": {"type": "apiKey", "in": "header", "name": "X-B"}}"#
        let document = OpenAPIText.document(
            paths: #""/things/{id}": {"get": {"parameters": [\#(OpenAPIText.path("id"))], "security": [{"b": []}]}}"#,
            more: schemes)
        #expect(try OpenAPIText.catalog(document)["apis"]?["zoo"]?["auth"]?["apiKey"]?["name"] == "X-B")
        let open = #""/open": {"get": {}}, "/free": {"get": {"security": [{}]}}, "#
        let later = document.replacing(#""/things/{id}":"#, with: open + #""/things/{id}":"#)
        #expect(try OpenAPIText.catalog(later)["apis"]?["zoo"]?["auth"]?["apiKey"]?["name"] == "X-B")
    }

    @Test func bothRequiredSecuritySchemesAreSent() throws {
        let document = OpenAPIText.document(
            paths:
                #""/things/{id}": {"get": {"parameters": [\#(OpenAPIText.path("id"))], "security": [{"a": [], "b": []}]}}"#,
            more:
                #""securitySchemes": {"a": {"type": "http", "scheme": "bearer"}, "b": {"type": "apiKey", "in": "header", "name": "X-Account"}}"#
        )
        let api = try OpenAPIText.catalog(document)["apis"]?["zoo"]
        #expect(api?["auth"]?.text == #"{"bearer":"${env:HOST_API_ZOO_TEST_TOKEN}"}"#)
        #expect(api?["headers"]?.text == #"{"X-Account":"${env:HOST_API_ZOO_TEST_X_ACCOUNT}"}"#)
    }

    /// Some documents declare the two keys of Trello together, and others as alternatives with required parameters.
    @Test(
        arguments: [
            (#"[{"a": [], "b": []}]"#, "true", true), (#"[{"a": []}, {"b": []}]"#, "true", true),
            (#"[{"a": []}, {"b": []}]"#, "false", false),
        ])
    func secondKeyInTheQueryIsSentByEachOperation(security: String, required: String, isSent: Bool) throws {
        let parameters = ["key", "token"].map {
            #"{"name": "\#($0)", "in": "query", "required": \#(required), "schema": {"type": "string"}}"#
        }
        let things = OpenAPIText.things(parameters: parameters.joined(separator: ", ")).replacing(
            #""x": 0"#,
            with: """
                "securitySchemes": {"a": {"type": "apiKey", "in": "query", "name": "key"}, \
                "b": {"type": "apiKey", "in": "query", "name": "token"}}
                """
        ).replacing(#""openapi""#, with: #""security": \#(security), "openapi""#)
            .replacing(#"[{"name": "id""#, with: "[\(parameters.joined(separator: ", ")), {\"name\": \"id\"")
        let catalog = try OpenAPIText.catalog(things)
        let rest = catalog["resources"]?["thing"]?["rest"]
        let query: JSONValue? = isSent ? ["token": "${env:HOST_API_ZOO_TEST_TOKEN}"] : nil
        #expect(catalog["apis"]?["zoo"]?["auth"]?["apiKey"]?["value"] == "${env:HOST_API_ZOO_TEST_KEY}")
        #expect(rest?["list"]?["query"] == query && rest?["get"]?["query"] == query)
        #expect(rest?["list"]?["filters"]?["token"] == (isSent ? nil : "token"))
        #expect(catalog["resources"]?["thing"]?["scope"] == nil)
    }

    /// Django REST framework declares sessions, passwords and no credentials as alternatives.
    @Test(arguments: [#""security": [{"a": []}, {}], "openapi""#, #""openapi""#])
    func optionalAuthenticationIsDraftedOnlyAsAComment(start: String) throws {
        let own = start.contains("security") ? "" : #""security": [{"a": []}, {}]"#
        let document = OpenAPIText.things(extra: own)
            .replacing(#""x": 0"#, with: #""securitySchemes": {"a": {"type": "http", "scheme": "basic"}}"#)
            .replacing(#""openapi""#, with: start)
        let text = try CatalogImport.draft(Array(document.utf8))
        #expect(try DraftText.value(text)["apis"]?["zoo"]?["auth"] == nil)
        #expect(text.contains("// authentication is optional; to use it, add \"auth\": {\"basic\":"), "\(text)")
    }

    @Test(arguments: ["header", "query"]) func optionalPairOfSecuritySchemesIsDraftedOnlyAsAComment(place: String)
        throws
    {
        let schemes =
            #""securitySchemes": {"a": {"type": "http", "scheme": "bearer"}, "b": {"type": "apiKey", "in": "\#(place)", "name": "X-B"}}"#
        let document = OpenAPIText.things(extra: #""security": [{"a": [], "b": []}, {}]"#)
            .replacing(#""x": 0"#, with: schemes)
        let text = try CatalogImport.draft(Array(document.utf8))
        let catalog = try DraftText.value(text)
        #expect(catalog["apis"]?["zoo"]?["auth"] == nil && catalog["apis"]?["zoo"]?["headers"] == nil)
        #expect(catalog["resources"]?["thing"]?["rest"]?["list"]?["query"] == nil)
        #expect(text.contains("// authentication is optional; to use it, add \""))
        #expect(text.contains(#""X-B": "${env:HOST_API_ZOO_TEST_X_B}"}"#), "\(text)")
    }

    @Test func twoRequiredOAuthFlowsUseOneToken() throws {
        let document = OpenAPIText.document(
            paths:
                #""/things/{id}": {"get": {"parameters": [\#(OpenAPIText.path("id"))], "security": [{"a": [], "b": []}]}}"#,
            more: #""securitySchemes": {"a": {"type": "oauth2", "flows": {}}, "b": {"type": "oauth2", "flows": {}}}"#)
        #expect(try OpenAPIText.catalog(document)["apis"]?["zoo"]?["auth"]?["bearer"] != nil)
    }

    @Test func apiKeyInTheQueryIsNotAScopeParameter() throws {
        let key = #"{"name": "key", "in": "query", "required": true, "schema": {"type": "string"}}"#
        let document = OpenAPIText.document(
            paths: #""/things/{id}": {"get": {"parameters": [\#(OpenAPIText.path("id")), \#(key)]}}"#,
            more: #""securitySchemes": {"a": {"type": "apiKey", "in": "query", "name": "key"}}"#)
        #expect(try OpenAPIText.resource(of: document)["scope"] == nil)
    }

    @Test func requiredHeaderGetsItsValueFromOtherOperations() throws {
        func header(_ standard: String) -> String {
            #"{"name": "revision", "in": "header", "required": true, "schema": {"type": "string"\#(standard)}}"#
        }
        let document = OpenAPIText.document(
            paths: """
                "/things/{id}": {"get": {"parameters": [\(OpenAPIText.path("id")), \(header(""))]}}, \
                "/others/{id}": {"get": {"parameters": [\(OpenAPIText.path("id")), \(header(#", "default": "7""#))]}}
                """)
        #expect(try OpenAPIText.resource(of: document)["rest"]?["get"]?["headers"]?.text == #"{"revision":"7"}"#)
    }

    /// Keys in a URL appear in server logs. Keys in headers do not.
    @Test(arguments: [["query", "header"], ["header", "query"]])
    func apiKeyInAHeaderIsPreferredToOneInTheQuery(places: [String]) throws {
        let schemes = places.map { #""in_\#($0)": {"type": "apiKey", "in": "\#($0)", "name": "X-Key"}"# }
        let api = try Self.api(
            servers: #"[{"url": "https://zoo.test"}]"#,
            more: #""securitySchemes": {\#(schemes.joined(separator: ", "))}"#)
        #expect(api.1["auth"]?["apiKey"]?["in"] == "header")
    }

    /// The title of every document is "GitHub", but only the host may determine the name of the secret.
    @Test(
        arguments: [
            ("https://evil.test", "HOST_EVIL_TEST_TOKEN"), ("https://api.github.com/v3", "GITHUB_TOKEN"),
            ("https://API.GitHub.com:443", "GITHUB_TOKEN"), ("https://api.github.com./", "GITHUB_TOKEN"),
            ("https://github.com.de", "HOST_GITHUB_COM_DE_TOKEN"), ("https://github.io", "HOST_GITHUB_IO_TOKEN"),
            ("https://github.evil.com", "HOST_GITHUB_EVIL_COM_TOKEN"),
            ("https://github.co.uk", "HOST_GITHUB_CO_UK_TOKEN"),
            ("https://slack.bot", "HOST_SLACK_BOT_TOKEN"), ("https://api-github.com", "HOST_API__GITHUB_COM_TOKEN"),
            ("https://xn--gthub-n4a.com", "HOST_XN____GTHUB__N4A_COM_TOKEN"),
            ("https://api.github.com@evil.test", "API_TOKEN"), ("https://api.github.com\\\\.evil.test", "API_TOKEN"),
            ("https://api.github.com%2eevil.test", "API_TOKEN"), ("https://{region}.evil.test", "API_TOKEN"),
            ("https://{github}/x", "API_TOKEN"), ("https://api.github.com{x}", "API_TOKEN"),
            ("https://{x}.evil.test", "API_TOKEN"), ("https://api.github.com/{x}", "GITHUB_TOKEN"),
            ("https://127.0.0.1:8080", "API_TOKEN"), ("https://127.1", "API_TOKEN"), ("https://[::1]", "API_TOKEN"),
            ("https://localhost", "API_TOKEN"), ("https://github.localhost", "API_TOKEN"),
            ("https://github", "API_TOKEN"),
            ("/v3", "API_TOKEN"), ("", "API_TOKEN"), ("//api.github.com/v3", "API_TOKEN"),
        ])
    func draftedSecretsAreNamedAfterTheHostOnly(url: String, name: String) throws {
        let server =
            #"[{"url": "\#(url)", "variables": {"x": {"default": ".evil.test"}, "github": {"default": "api.github.com"}}}]"#
        for more in [#""securitySchemes": {"one": {"type": "http", "scheme": "bearer"}}"#, #""x": 0"#] {
            let document = OpenAPIText.document(
                paths: #""/things/{id}": {"get": {"parameters": [\#(OpenAPIText.path("id"))]}}"#, servers: server,
                more: more
            ).replacing("The Zoo API", with: "GitHub")
            // Long comments may be wrapped, so the spaces do not count.
            let text = try CatalogImport.draft(Array(document.utf8)).replacing("\n      // ", with: " ")
            #expect(text.contains("{\"bearer\": \"${env:\(name)}\"}") && text.contains("sent to "), "\(text)")
        }
    }

    /// A document may name the token endpoint of any host, so that host must not receive the API's credentials.
    @Test func credentialsOfTheTokenEndpointAreNamedAfterItsHost() throws {
        let scheme = #"{"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://evil.test/token"}}}"#
        let document = OpenAPIText.document(
            paths: #""/things/{id}": {"get": {"parameters": [\#(OpenAPIText.path("id"))]}}"#,
            servers: #"[{"url": "https://api.github.com"}]"#, more: #""securitySchemes": {"one": \#(scheme)}"#)
        let text = try CatalogImport.draft(Array(document.utf8))
        #expect(text.contains("${env:HOST_EVIL_TEST_CLIENT_SECRET}") && text.contains("sent to evil.test"))
        #expect(!text.contains("GITHUB_CLIENT"))
    }

    @Test(
        arguments: [
            ("/oauth/token", "https://zoo.test/oauth/token"), ("token", "https://zoo.test/v1/token"),
            ("https://id.test/token", "https://id.test/token"),
        ])
    func tokenURLIsRelativeToTheServer(written: String, url: String) throws {
        let scheme = #"{"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "\#(written)"}}}"#
        let api = try Self.api(
            servers: #"[{"url": "https://zoo.test/v1/"}]"#, more: #""securitySchemes": {"one": \#(scheme)}"#)
        #expect(api.1["auth"]?["oauth2"]?["tokenURL"] == .string(url))
    }

    /// Larder looks for error messages at the usual paths by itself, so a rule is needed only for an unusual path.
    @Test(
        arguments: [
            (#"{"properties": {"message": {"type": "string"}}}"#, nil),
            (
                #"{"properties": {"errors": {"type": "array", "items": {"properties": {"detail": {"type": "string"}}}}}}"#,
                nil
            ),
            (#"{"properties": {"size": {"type": "integer"}}}"#, nil),
            (#"{"properties": {"fault": {"properties": {"reason": {"type": "string"}}}}}"#, "fault.reason"),
            (
                #"{"properties": {"errors": {"type": "array", "items": {"properties": {"msg": {"type": "string"}}}}}}"#,
                "errors.0.msg"
            ),
        ] as [(String, String?)])
    func errorRuleIsDraftedFromAnswersWithStatus4xx(schema: String, path: String?) throws {
        let answer = #"{"content": {"application/json": {"schema": \#(schema)}}}"#
        let document = OpenAPIText.document(
            paths: """
                "/things/{id}": {"get": {"parameters": [\(OpenAPIText.path("id"))], \
                "responses": {"200": {"description": ""}, "404": \(answer), "422": \(answer), "500": \(answer)}}}
                """)
        let rule = path.map { #"[{"status":[404,422],"when":"\#($0)","message":"\#($0)"}]"# }
        #expect(try OpenAPIText.catalog(document)["apis"]?["zoo"]?["errors"]?.text == rule)
    }
}
