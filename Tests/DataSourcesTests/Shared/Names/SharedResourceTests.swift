import Mocks
import System
import TestSupport
import Testing

@testable import Catalog
@testable import DataSources
@testable import Model

@Suite(.limited) struct SharedResourceTests {
    private static let oauth =
        #"{"oauth2": {"tokenURL": "https://id.test", "clientID": "c", "clientSecret": "s"}}"#

    /// Returns an API with an `auth` and further members.
    private static func api(_ auth: String? = nil, _ more: String = "") -> String {
        #"{"baseURL": "https://a.test"\#(auth.map { ", \"auth\": \($0)" } ?? "")\#(more)}"#
    }

    private static func resource(
        _ text: String, environment: [String: String] = [:], toleratesMissing: Bool = false,
        effectiveBaseURL url: String? = nil
    ) throws -> SharedResource? {
        let secrets = SecretSource(environment: { environment[$0] ?? "default-\($0)" }, file: { _ in nil })
        let none = SecretSource(environment: { environment[$0] }, file: { _ in nil })
        var catalog = try CatalogDecoder.decode(
            Array(text.utf8), secrets: toleratesMissing ? none : secrets, toleratesMissing: toleratesMissing)
        if let url { catalog = try catalog.reached(at: [("a", url)]) }
        let (resource, api) = (catalog.resources[0], catalog.apis[0])
        return SharedResource(
            resource, of: api, key: ResourceKey(resource, of: api, key: .random()), secrets: catalog.secrets)
    }

    /// The kinds of credentials, and whether entries are shared by default.
    private static let rules: [(String, Bool)] = [
        (api(), true), (api(#"{"bearer": "${env:KEY}"}"#), true), (api(#"{"bearer": "literally"}"#), true),
        (api(#"{"basic": {"user": "u", "password": "${env:KEY}"}}"#), true),
        (api(#"{"apiKey": {"in": "query", "name": "k", "value": "${env:KEY}"}}"#), true),
        (api(nil, #", "headers": {"X-Key": "${env:KEY}"}"#), true), (api(nil, #", "tls": {"caFile": "/ca"}"#), true),
        (api(nil, #", "tls": {"certFile": "/cert"}"#), false), (api(#"{"bearer": {"command": ["gh"]}}"#), false),
        (api(#"{"basic": {"user": {"command": ["gh"]}, "password": "p"}}"#), false),
        (api(#"{"basic": {"user": "u", "password": {"command": ["gh"]}}}"#), false),
        (api(#"{"apiKey": {"in": "header", "name": "k", "value": {"command": ["gh"]}}}"#), false),
        (api(oauth), false),
    ]

    @Test(arguments: rules)
    func credentialsDecideWhetherAResourceIsShared(api: String, isShared: Bool) throws {
        #expect(try (Self.resource(CatalogText.make(api: api)) != nil) == isShared)
        #expect(try Self.resource(CatalogText.make(api: api, cache: #"{"shared": "everyone"}"#)) != nil)
        #expect(try Self.resource(CatalogText.make(api: api, cache: #"{"shared": "never"}"#)) == nil)
    }

    @Test(arguments: [nil, #"{"shared": "everyone"}"#])
    func resourceWithoutItsSecretIsNotShared(cache: String?) throws {
        let text = CatalogText.make(api: Self.api(#"{"bearer": "${env:KEY}"}"#), cache: cache)
        #expect(try Self.resource(text, environment: ["KEY": "a-token-1"], toleratesMissing: true) != nil)
        #expect(try Self.resource(text, toleratesMissing: true) == nil)
    }

    private static let whole = CatalogText.make(
        api: api(
            #"{"bearer": "${env:TOKEN}"}"#,
            #", "headers": {"X-Key": "${env:KEY}", "X-Lang": "${var:LANGUAGE}", "X-In": "of-${env:PART}-in"}"#),
        rest: #"{"get": {"path": "/things/{id}", "query": {"key": "${env:QUERY}", "v": "${var:VERSION}"}}}"#)
    private static let values = [
        "TOKEN": "a-token-1", "KEY": "a-key-of-one", "PART": "a-part-of-one", "QUERY": "q-of-one",
        "LARDER_VAR_LANGUAGE": "en", "LARDER_VAR_VERSION": "1",
    ]

    @Test(arguments: [
        ("TOKEN", true), ("KEY", true), ("PART", true), ("QUERY", true), ("LARDER_VAR_LANGUAGE", false),
        ("LARDER_VAR_VERSION", false),
    ])
    func secretsAreMaskedOnlyInResourcesSharedWithEveryone(name: String, isSecret: Bool) throws {
        var others = Self.values
        others[name] = "of-the-other"
        for cache in [nil, #", "cache": {"shared": "everyone"}}}}"#] {
            let text = cache.map { Self.whole.dropLast(3) + $0 } ?? Self.whole[...]
            let own = try #require(try Self.resource(String(text), environment: Self.values))
            let same = try #require(try Self.resource(String(text), environment: Self.values))
            let other = try #require(try Self.resource(String(text), environment: others))
            #expect(own.key != same.key)
            #expect(own.identity == same.identity)
            #expect((own.identity == other.identity) == (isSecret && cache != nil), "\(cache ?? "")")
        }
    }

    /// A short secret may occur in a text by chance. Masking it could make different texts equal.
    @Test func shortSecretIsMaskedOnlyIfItIsTheWholeText() throws {
        func identity(_ key: String, _ url: String) throws -> [UInt8]? {
            let text = CatalogText.make(
                api: #"{"baseURL": "\#(url)", "auth": {"bearer": "${env:KEY}"}}"#, cache: #"{"shared": "everyone"}"#)
            return try Self.resource(text, environment: ["KEY": key])?.identity
        }
        #expect(try identity("1", "https://a.test/v1") != identity("2", "https://a.test/v2"))
        #expect(try identity("1", "https://a.test/v") == identity("2", "https://a.test/v"))
    }

    @Test func identityOfAResourceSharedWithEveryoneContainsNoSecret() throws {
        let text = Self.whole.dropLast(3) + #", "cache": {"shared": "everyone"}}}}"#
        let resource = try #require(try Self.resource(String(text), environment: Self.values))
        let identity = String(decoding: resource.identity, as: UTF8.self)
        for name in ["TOKEN", "KEY", "PART", "QUERY"] {
            #expect(!identity.contains(try #require(Self.values[name])), "\(name)")
        }
    }

    @Test(arguments: [nil, #"{"shared": "everyone"}"#])
    func differencesInPublicSettingsChangeTheSharedIdentity(cache: String?) throws {
        let plain = CatalogText.make(fields: #"{"a": "string"}"#, cache: cache)
        let own = try #require(try Self.resource(plain))
        for (old, new) in [
            (#""thing""#, #""thong""#), (#""a": "string""#, #""b": "string""#), ("/things/{id}", "/thing/{id}"),
            ("https://a.test", "https://b.test"), (#""integer""#, #""string""#),
        ] {
            #expect(plain.contains(old))
            let other = try #require(try Self.resource(plain.replacing(old, with: new)))
            #expect(other.identity != own.identity, "\(old)")
        }
        #expect(try Self.resource(plain, effectiveBaseURL: "http://127.0.0.1:1")?.identity != own.identity)
    }

    @Test func settingSharedEveryoneChangesTheIdentityOfAResource() throws {
        let own = try Self.resource(CatalogText.make())
        #expect(try own?.identity != Self.resource(CatalogText.make(cache: #"{"shared": "everyone"}"#))?.identity)
    }

    @Test func resourceUsesTheDeclaredTimeoutAndLifetime() throws {
        let text = CatalogText.make(
            api: #"{"baseURL": "https://a.test", "timeout": "3s"}"#, cache: #"{"freshFor": "1m", "keepFor": "1h"}"#)
        let resource = try #require(try Self.resource(text))
        #expect(resource.maxWait == 1500 && resource.keepFor == 3_600_000)
        #expect(try Self.resource(CatalogText.make())?.keepFor == nil)
    }

    @Test func keyOfAnyScopeFindsItsResource() {
        let key = ResourceKey(name: "issue", fingerprint: .init(high: 7, low: 8))
        let resource = SharedResource(key: key, identity: [1])
        let resources = SharedResources()
        #expect(resources.resource(of: key) == nil)
        resources.declare([resource])
        #expect(resources.resource(of: key) === resource && resources.named("issue") === resource)
        #expect(resources.resource(of: key.scoped(ResourceScope([("repo", .string("a"))]))) === resource)
        #expect(resources.named("thing") == nil)
        for (name, high) in [("issue", 8), ("issues", 7)] as [(String, UInt64)] {
            #expect(resources.resource(of: ResourceKey(name: name, fingerprint: .init(high: high, low: 8))) == nil)
        }
        resources.declare([])
        #expect(resources.resource(of: key) == nil && resources.all.isEmpty)
    }

    @Test func urlAndCredentialsIdentifyTheSharedRateLimit() throws {
        func identity(_ api: String, _ key: String = "one", effectiveBaseURL url: String? = nil) throws -> [UInt8]? {
            let secrets = SecretSource(environment: { _ in key }, file: { _ in nil })
            var catalog = try CatalogDecoder.decode(Array(CatalogText.make(api: api).utf8), secrets: secrets)
            if let url { catalog = try catalog.reached(at: [("a", url)]) }
            return catalog.apis[0].budgetIdentity
        }
        let bearer = Self.api(#"{"bearer": "${env:KEY}"}"#)
        let all = [
            try identity(Self.api()), try identity(bearer), try identity(bearer, "two"),
            try identity(bearer, effectiveBaseURL: "http://127.0.0.1:1"),
        ]
        #expect(Set(all).count == all.count && !all.contains(nil))
        // The owner of such a token is known only after it was issued.
        for auth in [Self.oauth, #"{"bearer": {"command": ["a"]}}"#] {
            #expect(try identity(Self.api(auth)) == nil)
        }
        #expect(try identity(bearer) == identity(Self.api(#"{"bearer": "${env:KEY}"}"#, #", "timeout": "1s""#)))
    }

    @Test(
        arguments: [
            (["owner", "repo"], ["owner", "repo"], true), (["owner", "repo"], ["owner"], false),
            (["owner", "repo"], [], false), (["owner"], ["owner"], true), (["owner"], ["repo"], false),
            ([], [], true),
        ] as [([String], [String], Bool)])
    func onlyACompleteScopeHasASharedKey(scope: [String], given: [String], hasKey: Bool) {
        let key = ResourceKey(name: "issue", fingerprint: .init(high: 1, low: 2))
        let resource = SharedResource(key: key, identity: [], scope: scope)
        let narrowing = ScopeNarrowing(given.map { ($0, "a") })
        let expected = scope.isEmpty ? key : key.scoped(ResourceScope(narrowing.values))
        #expect(resource.key(in: narrowing) == (hasKey ? expected : nil))
        #expect(resource.key(in: nil) == (scope.isEmpty ? key : nil))
    }
}
