import TestSupport
import Testing

@testable import Catalog

/// Tests the search for secrets that are written in a catalog.
@Suite(.limited) struct LiteralSecretsTests {
    /// Returns the error messages for a catalog whose API has the given members.
    private static func messages(_ members: String, headers: String = "{}") -> [String] {
        let text = """
            {
              // A comment.
              "larder": 1,
              "apis": {"hub": {"baseURL": "http://hub.example", "headers": \(headers)\(members)}},
              "resources": {"book": {"api": "hub", "id": "string", "rest": {"get": {"path": "/books/{id}"}}}}
            }
            """
        do throws(CatalogFaults) {
            try LiteralSecrets.check(Array(text.utf8))
            return []
        } catch {
            return error.lines(file: "c.jsonc")
        }
    }

    @Test(arguments: [
        (#""bearer": "s3cr3t""#, "'bearer' of the API 'hub'"), (#""bearer": 7"#, "'bearer'"),
        (#""bearer": "${var:TOKEN:-s3cr3t}""#, "'bearer'"), (#""bearer": "${var:TOKEN}""#, "'bearer'"),
        (#""basic": {"user": "me", "password": "s3cr3t"}"#, "'password' in 'basic' of the API 'hub'"),
        (#""basic": {"user": "${env:ME}", "password": "s3cr3t"}"#, "'password' in 'basic'"),
        (#""apiKey": {"in": "query", "name": "key", "value": "s3cr3t"}"#, "'value' in 'apiKey'"),
        (#""oauth2": {"clientID": "a", "clientSecret": "s3cr3t"}"#, "'clientSecret' in 'oauth2'"),
        (
            #""oauth2": {"clientID": "a", "clientSecret": "${env:S}", "refreshToken": "s3cr3t"}"#,
            "'refreshToken' in 'oauth2'"
        ),
    ])
    func literalCredentialIsReportedWithoutItsValue(auth: String, name: String) throws {
        let messages = Self.messages(", \"auth\": {\(auth)}")
        let message = try #require(messages.first)
        #expect(messages.count == 1 && message.hasPrefix("c.jsonc:4:") && message.contains(name), "\(messages)")
        #expect(message.hasSuffix("use '${env:NAME}' instead") && !message.contains("s3cr3t"))
    }

    @Test(arguments: [
        #""bearer": "${env:TOKEN}""#, #""bearer": "${file:/run/token}""#, #""bearer": "SSWS ${env:TOKEN}""#,
        #""bearer": {"command": ["gh", "auth", "token"]}"#,
        #""basic": {"user": "me", "password": "${env:PASSWORD}"}"#,
        #""apiKey": {"in": "header", "name": "X-Key", "value": "${env:KEY}"}"#,
        #""oauth2": {"clientID": "a", "clientSecret": "${env:S}", "refreshToken": "${env:R}"}"#,
    ])
    func secretReferenceIsNotReportedAsALiteralSecret(auth: String) {
        #expect(Self.messages(", \"auth\": {\(auth)}") == [])
    }

    @Test(arguments: [
        ("http://me:s3cr3t@proxy:80", true), ("http://t0ken@proxy", true), ("http://${env:ME}:s3cr3t@proxy", true),
        ("http://${var:ME:-a}:${var:PW:-s3cr3t}@proxy", true), ("socks5://:s3cr3t@proxy", true),
        ("http://proxy:80", false), ("", false), ("http://me:${env:PW}@proxy", false), ("${env:PROXY}", false),
        ("http://${env:TOKEN}@proxy", false), ("http://me:@proxy", false),
    ])
    func literalPasswordOfAProxyIsReported(url: String, isReported: Bool) {
        let messages = Self.messages(", \"proxy\": \"\(url)\"")
        #expect(messages.count == (isReported ? 1 : 0), "\(messages)")
        #expect(messages.allSatisfy { $0.contains("the password in 'proxy' of the API 'hub'") })
    }

    @Test(arguments: [
        (#"{"authorization": "Bearer s3cr3t"}"#, ["authorization"]), (#"{"Cookie": "a=s3cr3t"}"#, ["Cookie"]),
        (#"{"Proxy-Authorization": "s3cr3t", "Authorization": "s3cr3t"}"#, ["Proxy-Authorization", "Authorization"]),
        (#"{"Authorization": "Bearer ${env:T}", "X-Trace": "on", "Accept": "text/html"}"#, []),
    ])
    func literalCredentialInAHeaderIsReported(headers: String, names: [String]) {
        let messages = Self.messages("", headers: headers)
        #expect(messages.count == names.count)
        for (message, name) in zip(messages, names) {
            #expect(message.contains("the header '\(name)' of the API 'hub'"))
        }
    }

    @Test func everyLiteralSecretOfEveryAPIIsReported() {
        let text = """
            {"larder": 1, "resources": {}, "apis": {
              "a": {"baseURL": "http://a", "auth": {"bearer": "x"}, "proxy": "http://u:p@h"},
              "b": {"baseURL": "http://b", "auth": {"bearer": "y"}}
            }}
            """
        #expect { try LiteralSecrets.check(Array(text.utf8)) } throws: { error in
            (error as? CatalogFaults)?.faults.map(\.position.line) == [2, 2, 3]
        }
    }
}
