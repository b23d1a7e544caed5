import System
import TestSupport
import Testing

@testable import HTTP

@Suite(.limited) struct HTTPEnvironmentTests {
    private static func environment(_ variables: [String: String]) -> HTTPEnvironment {
        HTTPEnvironment { variables[$0].map { Array($0.utf8) } }
    }

    @Test(
        arguments: [
            ([:], nil, nil),
            (["SSL_CERT_FILE": "/f"], "/f", nil),
            (["SSL_CERT_DIR": "/d"], nil, "/d"),
            (["SSL_CERT_FILE": "/f", "SSL_CERT_DIR": "/d"], "/f", "/d"),
            (["SSL_CERT_FILE": "/f", "SSL_CERT_DIR": "/d", "CURL_CA_BUNDLE": "/b"], "/b", nil),
            (["SSL_CERT_FILE": "/f", "CURL_CA_BUNDLE": ""], "/f", nil),
        ] as [([String: String], FilePath?, FilePath?)])
    func certificateVariablesHaveTheSamePrecedenceAsInCurl(
        variables: [String: String], file: FilePath?, folder: FilePath?
    ) {
        #expect(Self.environment(variables).authorities == file)
        #expect(Self.environment(variables).authoritiesFolder == folder)
    }

    @Test(arguments: ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
    func proxyCredentialsAreTreatedAsSecrets(name: String) {
        let environment = Self.environment([name: "http://me:p%40ss@host:1", "no_proxy": "http://a:b@c"])
        #expect(environment.secrets == ["me:p%40ss", "p%40ss", "me:p@ss", "p@ss"])
        #expect(environment.unencodedProxies.isEmpty)
        #expect(environment.redactingProxies(in: "in 'http://me:p%40ss@host:1'") == "in 'http://***@host:1'")
    }

    @Test(arguments: ["http://host:1", "host", ""]) func proxyWithoutUserHasNoSecrets(value: String) {
        #expect(Self.environment(["http_proxy": value]).secrets.isEmpty)
    }

    @Test(arguments: ["http://me:p@ss@host", "me:p/ss@host", "http://me:p?ss@host", "http://me:p#ss@host"])
    func unencodedProxyPasswordsAreDetected(value: String) {
        let environment = Self.environment(["ALL_PROXY": value])
        #expect(environment.unencodedProxies == ["ALL_PROXY"])
        #expect(!environment.redactingProxies(in: value).contains("ss"))
    }
}
