import Catalog
import Mocks
import TestSupport
import Testing

@testable import CatalogTools

@Suite(.limited) struct SecretDestinationsTests {
    private static let text = """
        {"larder": 1, "apis": {
          "a": {"baseURL": "https://a.test/v1", "headers": {"X": "${env:KEY}", "Y": "${env:KEY} ${env:OTHER}"},
            "auth": {"bearer": "${file:/run/key}"}, "proxy": "http://u:${env:PASS}@proxy:1", "tls": {"caFile": "${env:CA}"}},
          "b": {"baseURL": "http://b.test:8080", "auth": {"oauth2": {
            "tokenURL": "https://login.test/token", "clientID": "x", "clientSecret": "${env:KEY}"}}},
          "c": {"baseURL": "https://a.test/other", "auth": {"bearer": {"command": ["print-token", "x"]}}},
          "d": {"baseURL": "https://d.test"}},
         "resources": {
          "r": {"api": "b", "id": "integer", "rest": {"get": {"path": "/{id}", "headers": {"K": "${env:USER}"}}}},
          "s": {"api": "a", "id": "integer", "rest": {"list": {"path": "/", "query": {"k": ["${env:USER}", 1]}}}}}}
        """
    private static let secrets = SecretSource(
        environment: { ["CA": "/dev/null"][$0] ?? "value-of-\($0)-1" }, file: { _ in "file-key-1" })

    @Test func eachServerIsListedWithItsSecrets() throws {
        let catalog = try CatalogDecoder.decode(Array(Self.text.utf8), secrets: Self.secrets)
        let lines = SecretDestinations.lines(
            of: Array(Self.text.utf8), secrets: Self.secrets, includes: .none, catalog)
        #expect(
            lines == [
                "a.test gets ${env:KEY}, ${env:OTHER}, ${file:/run/key}, the output of the command 'print-token', ${env:USER}",
                "the proxy of the API 'a' gets ${env:PASS}", "login.test gets ${env:KEY}",
                "http://b.test:8080 gets ${env:USER}",
            ])
    }

    @Test func prefixSelectsTheCatalogWhoseServersAreListed() throws {
        let text = CatalogText.make(api: #"{"baseURL": "https://a.test", "headers": {"X": "${env:KEY}"}}"#)
        let catalog = try CatalogDecoder.decode(Array(text.utf8), secrets: Self.secrets)
        let named = Catalog(combining: [
            NamedCatalog(name: "one", origin: "1", catalog: catalog),
            NamedCatalog(name: "two", origin: "2", catalog: catalog),
        ])
        func lines(_ prefix: String) -> [String] {
            SecretDestinations.lines(
                of: Array(text.utf8), secrets: Self.secrets, includes: .none, named, prefix: prefix)
        }
        #expect(lines("two.") == ["a.test gets ${env:KEY}"] && lines("") == [])
    }
}
