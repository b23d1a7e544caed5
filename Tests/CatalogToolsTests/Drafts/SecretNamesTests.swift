import TestSupport
import Testing

@testable import CatalogTools

@Suite(.limited) struct SecretNamesTests {
    @Test(
        arguments: [
            ("https://api.github.com/v3", "GITHUB_TOKEN"), ("https://github.com", "GITHUB_TOKEN"),
            ("https://GitLab.com:443", "GITLAB_TOKEN"), ("https://api.stripe.com?x", "STRIPE_TOKEN"),
            ("https://github.com.de", "HOST_GITHUB_COM_DE_TOKEN"), ("https://github.com.", "GITHUB_TOKEN"),
            ("https://api-zoo.test/#a", "HOST_API__ZOO_TEST_TOKEN"),
            ("https://api.zoo.test", "HOST_API_ZOO_TEST_TOKEN"),
            ("http://localhost:80", "API_TOKEN"), ("http://a.localhost", "API_TOKEN"), ("http://zoo", "API_TOKEN"),
            ("http://127.0.0.1", "API_TOKEN"), ("http://0x7f.0.0.0x1", "API_TOKEN"), ("http://[::1]:80", "API_TOKEN"),
            ("https://-a.test", "API_TOKEN"), ("https://a-.test", "API_TOKEN"), ("https://a..test", "API_TOKEN"),
            ("https://a_b.test", "API_TOKEN"), ("https://ä.test", "API_TOKEN"), ("/v1", "API_TOKEN"),
            ("https://${var:X}.test", "API_TOKEN"), ("https://{region}.test", "API_TOKEN"),
            ("https:///v1", "API_TOKEN"),
        ])
    func secretVariablesAreNamedAfterTheWholeHost(url: String, name: String) {
        #expect(SecretNames(url: url).variable("token") == name)
    }

    @Test(
        arguments: [
            ("https://API.zoo.test:8080/v1", "api.zoo.test:8080"), ("http://127.0.0.1", "127.0.0.1"),
            ("/v1", "the host of 'baseURL'"), ("https:///v1", "the host of 'baseURL'"),
            ("https://${var:X}.test", "the host of 'baseURL'"),
        ])
    func draftCommentOnASecretContainsTheHost(url: String, host: String) {
        #expect(SecretNames(url: url).note == "sent to \(host)")
    }

    @Test func secretsOfHostsUpTo253BytesAreNamedAfterTheHost() {
        let label = String(repeating: "a", count: 49) + "."
        func names(_ end: Int) -> SecretNames {
            SecretNames(url: "https://" + String(repeating: label, count: 5) + String(repeating: "b", count: end))
        }
        #expect(names(3).variable("KEY").hasPrefix("HOST_"))
        #expect(names(4).variable("KEY") == "API_KEY")
        #expect(names(3).reference("KEY") == "${env:\(names(3).variable("KEY"))}")
    }
}
