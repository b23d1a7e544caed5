import Catalog
import Mocks
import Model
import TestSupport
import Testing

@Suite(.limited) struct ResourceKeyFingerprintTests {
    private static let random = FingerprintKey.random()

    private func key(_ text: String, effectiveBaseURL url: String? = nil) throws -> ResourceKey {
        var catalog = try CatalogText.decode(text)
        if let url { catalog = try catalog.reached(at: [("a", url)]) }
        return ResourceKey(catalog.resources[0], of: catalog.apis[0], key: Self.random)
    }

    private static let api = #"{"baseURL": "https://a.test", "auth": {"bearer": "t"}, "headers": {"X": "1"}}"#
    private static let rest = #"{"get": {"path": "/things/{id}", "query": {"q": "1"}, "headers": {"Y": "1"}}}"#
    private static let same = CatalogText.make(api: api, fields: #"{"a": "string"}"#, rest: rest)

    @Test(arguments: [
        (#""https://a.test""#, #""https://b.test""#), (#""bearer": "t""#, #""bearer": "u""#),
        (#""auth": {"bearer": "t"}, "#, ""), (#"{"X": "1"}"#, #"{"X": "2"}"#), (#"{"X": "1"}"#, #"{"Z": "1"}"#),
        (#"{"a": "string"}"#, #"{"b": "string"}"#), (#"{"a": "string"}"#, #"{"a": "string?"}"#),
        (#""fields": {"a": "string"}, "#, ""), ("/things/{id}", "/thing/{id}"), (#"{"q": "1"}"#, #"{"q": "2"}"#),
        (#"{"Y": "1"}"#, #"{"Y": "2"}"#), (#""thing""#, #""thong""#), (#""integer""#, #""string""#),
        (#"{"q": "1"}"#, #"{"q": "${env:KEY}"}"#), (#"{"bearer": "t"}"#, #"{"basic": {"user": "", "password": "t"}}"#),
    ])
    func fingerprintChangesWithRequestAndFields(old: String, new: String) throws {
        #expect(Self.same.contains(old))
        #expect(try key(Self.same.replacing(old, with: new)) != key(Self.same))
    }

    @Test(arguments: [
        ("{\"larder\"", "// a comment\n{\n  \"larder\""), (#""get": {"#, "\"get\":\t{ /* get */ "),
        (#"{"Y": "1"}}}"#, #"{"Y": "1"}}}, "cache": {"freshFor": "1m", "keepFor": "1h", "shared": "never"}"#),
        (#"{"baseURL""#, #"{"timeout": "1s", "retries": 9, "baseURL""#),
    ])
    func fingerprintIgnoresCommentsLimitsAndCacheRules(old: String, new: String) throws {
        let changed = Self.same.replacing(old, with: new)
        #expect(changed != Self.same)
        #expect(try key(changed) == key(Self.same))
    }

    private static func oauth(_ more: String = "") -> String {
        #"{"oauth2": {"tokenURL": "https://id.test", "clientID": "c", "clientSecret": "s"\#(more)}}"#
    }

    /// The settings of a token are part of the fingerprint. A fetched token is not, because it changes often.
    @Test func fingerprintChangesWithCommandAndOAuthSettings() throws {
        let auths = [
            #"{"bearer": "a"}"#, #"{"bearer": {"command": ["a"]}}"#, #"{"bearer": {"command": ["a", "b"]}}"#,
            Self.oauth(), Self.oauth(#", "scope": "x""#), Self.oauth(#", "refreshToken": "x""#),
            Self.oauth(#", "params": {"audience": "x"}"#),
        ]
        func key(_ auth: String) throws -> ResourceKey {
            try self.key(Self.same.replacing(#"{"bearer": "t"}"#, with: auth))
        }
        #expect(Set(try auths.map { try key($0).fingerprint }).count == auths.count)
        #expect(try key(#"{"bearer": {"command": ["a"], "for": "5m"}}"#) == key(#"{"bearer": {"command": ["a"]}}"#))
    }

    @Test func fingerprintChangesWithTheBaseURL() throws {
        #expect(try key(Self.same, effectiveBaseURL: "http://127.0.0.1:1") != key(Self.same))
        #expect(try key(Self.same, effectiveBaseURL: "https://a.test/") == key(Self.same))
    }

    /// The declaration contains only the name of a secret. The fingerprint must also depend on its value.
    @Test func fingerprintChangesWithTheValueOfASecret() throws {
        let text = CatalogText.make(rest: #"{"get": {"path": "/{id}", "query": {"key": "${env:KEY}"}}}"#)
        func key(_ value: String) throws -> ResourceKey {
            let secrets = SecretSource(environment: { _ in value }, file: { _ in nil })
            let catalog = try CatalogDecoder.decode(Array(text.utf8), secrets: secrets)
            return ResourceKey(catalog.resources[0], of: catalog.apis[0], key: Self.random)
        }
        #expect(try key("one") != key("two"))
        #expect(try key("one") == key("one"))
    }

    /// Without the key, an attacker cannot find a password by comparing fingerprints.
    @Test func fingerprintChangesWithTheFingerprintKey() throws {
        let catalog = try CatalogText.decode(Self.same)
        func key(_ key: FingerprintKey) -> ResourceKey {
            ResourceKey(catalog.resources[0], of: catalog.apis[0], key: key)
        }
        let (one, other) = (FingerprintKey.random(), FingerprintKey.random())
        #expect(one != other)
        #expect(key(one) == key(one) && key(one) != key(other))
    }

    @Test func resourceKeyContainsThePlainResourceName() throws {
        #expect(try key(Self.same).name == "thing")
    }
}
