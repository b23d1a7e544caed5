import Mocks
import TestSupport
import Testing

@testable import Catalog
@testable import Model

@Suite(.limited) struct CatalogDecoderTests {
    @Test func builtInCatalogIsDecoded() throws {
        let catalog = try ShippedCatalog.builtIn.decode()
        #expect(catalog.apis.map(\.name) == ["rickandmorty"])
        #expect(catalog.resources.map(\.name) == ["character", "location", "episode"])
        #expect(catalog.secrets.isEmpty)
        for resource in catalog.resources {
            #expect(resource.canGet)
            #expect(resource.getMany?.maxIDs == 50)
            #expect(resource.list?.emptyOnNotFound == true)
            #expect(catalog.api(of: resource)?.baseURL == "https://rickandmortyapi.com")
            #expect(resource.cache.freshFor == 3_600_000)
            #expect(resource.cache.keepFor == 2_592_000_000)
        }
    }

    @Test func graphQLCatalogIsDecoded() throws {
        let catalog = try RickAndMorty.graphql.catalog()
        #expect(catalog.resources.map(\.name) == ["character", "location", "episode"])
        for resource in catalog.resources {
            guard case .graphql(let path, let operations) = resource.transport else {
                Issue.record("\(resource.name) is not over GraphQL")
                continue
            }
            #expect(path == "/graphql")
            #expect(operations.get != nil && operations.getMany != nil && operations.list != nil)
        }
    }

    @Test func apiSettingsHaveDefaults() throws {
        let bare = try CatalogText.decode(CatalogText.make()).apis[0]
        #expect((bare.timeout, bare.retries, bare.maxConcurrent, bare.maxBodySize) == (10_000, 2, 8, 16 << 20))
        #expect(bare.headers.isEmpty && bare.auth == nil && bare.rateLimit == nil)
        let text = #"""
            {"baseURL": "HTTPS://a.test:8080/v1//", "timeout": 0.5, "retries": 0, "maxConcurrent": 1,
             "maxBodySize": 1, "rateLimit": {"requests": 100, "per": "1m"}, "headers": {"X": "y"}}
            """#
        let full = try CatalogText.decode(CatalogText.make(api: text)).apis[0]
        #expect(full.baseURL == "HTTPS://a.test:8080/v1")
        #expect(full.effectiveBaseURL == full.baseURL)
        #expect((full.timeout, full.retries, full.maxConcurrent, full.maxBodySize) == (500, 0, 1, 1))
        #expect(full.headers == [HTTPHeader("X", "y")])
        #expect(full.rateLimit?.requests == 100)
        #expect(full.rateLimit?.per == 60_000)
    }

    @Test(
        arguments: [
            (#"{"bearer": "${env:KEY}"}"#, .bearer("k3y"), ["k3y"]),
            (
                #"{"bearer": "x-${env:KEY}-${file:/run/key}"}"#, .bearer("x-k3y-file-key"),
                ["k3y", "file-key", "x-k3y-file-key"]
            ),
            (
                #"{"basic": {"user": "${env:USER}", "password": "${env:PASS}"}}"#,
                .basic(user: "rick", password: "p@ss w/rd"), ["rick", "p@ss w/rd", "rick:p@ss w/rd"]
            ),
            (
                #"{"apiKey": {"in": "header", "name": "X-Key", "value": "plain"}}"#,
                .header(name: "X-Key", value: "plain"), ["plain"]
            ),
            (
                #"{"apiKey": {"in": "query", "name": "k", "value": "plain"}}"#, .query(name: "k", value: "plain"),
                ["plain"]
            ),
            (
                #"{"bearer": {"command": ["gh", "auth", "${env:KEY}"], "for": "50m"}}"#,
                .bearer(.command(TokenCommand(words: ["gh", "auth", "k3y"], lifetime: 3_000_000))), ["k3y"]
            ),
            (
                #"{"basic": {"user": {"command": ["u"]}, "password": "plain"}}"#,
                .basic(user: .command(TokenCommand(words: ["u"])), password: "plain"), ["plain"]
            ),
            (
                #"{"oauth2": {"tokenURL": "https://id.test/t", "clientID": "me", "clientSecret": "${env:KEY}"}}"#,
                .oauth2(OAuthSettings(tokenURL: "https://id.test/t", clientID: "me", clientSecret: "k3y")), ["k3y"]
            ),
        ] as [(String, APIDefinition.Authentication, [String])])
    func everyAuthMethodIsDecodedAndItsSecretsAreRecorded(
        auth: String, expected: APIDefinition.Authentication, secrets: [String]
    ) throws {
        let catalog = try CatalogText.decode(
            CatalogText.make(api: #"{"baseURL": "https://a.test", "auth": \#(auth)}"#))
        #expect(catalog.apis[0].auth == expected)
        #expect(catalog.secrets == secrets)
    }

    @Test func secretsInURLsHeadersAndQueriesAreRecorded() throws {
        let catalog = try CatalogText.decode(
            CatalogText.make(
                api: #"{"baseURL": "https://a.test/${env:USER}", "headers": {"X": "a ${env:KEY} b"}}"#,
                rest:
                    #"{"list": {"path": "/t", "query": {"key": "${file:/run/key}"}, "headers": {"Y": "${env:PASS}"}}}"#)
        )
        #expect(catalog.secrets == ["rick", "k3y", "file-key", "p@ss w/rd"])
        #expect(catalog.apis[0].baseURL == "https://a.test/rick")
        #expect(catalog.apis[0].headers == [HTTPHeader("X", "a k3y b")])
        guard case .rest(let operations) = catalog.resources[0].transport else { return }
        #expect(operations.list?.template.query == [QueryConstant("key", [TextTemplate("file-key")])])
        #expect(operations.list?.template.headers.map(\.value.text) == ["p@ss w/rd"])
        #expect(!String(decoding: catalog.resources[0].declaration, as: UTF8.self).contains("file-key"))
    }

    @Test func secretsThatCannotBeRedactedAreReportedWithTheirOrigin() throws {
        let auth = #"{"basic": {"user": "${env:USER}", "password": "${env:PASS}"}}"#
        let headers = #"{"A": "${file:/run/key}", "B": "${env:KEY}", "C": "x ${env:KEY}"}"#
        let named = try CatalogText.decode(
            CatalogText.make(api: #"{"baseURL": "https://a.test", "auth": \#(auth), "headers": \#(headers)}"#))
        #expect(named.unredactedOrigins == ["the environment variable 'KEY'", "the environment variable 'USER'"])
        let literal = try CatalogText.decode(
            CatalogText.make(api: #"{"baseURL": "https://a.test", "auth": {"bearer": "1234567890"}}"#))
        #expect(literal.unredactedOrigins == ["'bearer' in 'auth' of the API 'a'"])
    }

    @Test(arguments: ["https://a.test:8080", "https://[::1]", "https://[::1]:1/x", "https://a.test:/y"])
    func baseURLCanHaveAPort(url: String) throws {
        #expect(try CatalogText.decode(CatalogText.make(api: #"{"baseURL": "\#(url)"}"#)).apis[0].baseURL == url)
    }

    @Test func byteOrderMarkIsIgnored() throws {
        let text = CatalogText.make()
        #expect(try CatalogText.decode("\u{FEFF}" + text) == CatalogText.decode(text))
    }

    @Test func baseURLCanBeOverridden() throws {
        let catalog = try CatalogText.decode(CatalogText.make())
        let moved = try catalog.reached(at: [("a", "http://127.0.0.1:8080/")])
        #expect(moved.apis[0].effectiveBaseURL == "http://127.0.0.1:8080")
        #expect(moved.apis[0].baseURL == "https://a.test")
        #expect(try catalog.reached(at: []) == catalog)
    }

    @Test(arguments: ["https://${var:HOST}", "${env:NOT_SET}"])
    func variablesOfAnOverriddenBaseURLAreNotNeeded(url: String) throws {
        let api = #"{"headers": {"X": "${env:NOT_SET}"}, "baseURL": "\#(url)"}"#
        let bytes = Array(CatalogText.make(api: api).utf8)
        let read = try CatalogDecoder.decode(bytes, secrets: CatalogText.secrets, toleratesMissing: true)
        #expect(read.apis[0].missingValues.count == 2)
        let moved = try read.reached(at: [("a", "http://127.0.0.1:8080")]).apis[0]
        #expect(moved.effectiveBaseURL == "http://127.0.0.1:8080")
        #expect(moved.missingValues.map(\.message) == ["the environment variable 'NOT_SET' is not set"])
        let parts = [NamedCatalog(name: "c", origin: "c.jsonc", catalog: read)]
        let combined = try Catalog(combining: parts + [NamedCatalog(name: "d", origin: "d.jsonc", catalog: read)])
            .reached(at: [("d.a", "http://127.0.0.1:8080")])
        #expect(combined.apis.map(\.missingValues.count) == [2, 1])
    }

    @Test(arguments: [
        ("b", "http://x", "the catalog has no API 'b'; use one of 'a'"),
        ("a", "http://u:p/w@x", "'http://***@x': the port of the URL must be a number from 1 to 65535"),
        (
            "a", "http://u:p#w@x",
            "'http://***@x': the URL must not have a query or a fragment; remove '?' or '#' and everything after it"
        ),
        ("a", "http://[::1]:0", "'http://[::1]:0': the port of the URL must be a number from 1 to 65535"),
        ("http://u:p", "w@x", "the catalog has no API 'http://***@x'; use one of 'a'"),
        ("a", "file:///x", "'file:///x': the URL must begin with http:// or https://"),
        ("a", "http://u:p@x", "'http://***@x': the URL must not have a user or password; use 'auth' in the catalog"),
    ])
    func invalidBaseURLOverrideIsRefused(api: String, url: String, message: String) throws {
        let catalog = try CatalogText.decode(CatalogText.make())
        #expect(throws: CatalogOverrideError(message: message)) { try catalog.reached(at: [(api, url)]) }
    }

    @Test func catalogErrorHasTheFormatOfACompilerError() {
        do throws(CatalogFaults) {
            _ = try CatalogText.decode("{\n  ?")
        } catch {
            #expect(error.faults.first?.description(file: "c.jsonc").hasPrefix("c.jsonc:2:3: ") == true)
        }
    }
}
