import Catalog
import DataSources
import HTTP
import Mocks
import Model
import TestSupport
import Testing

@Suite(.limited) struct EndpointTests {
    private func api(_ more: String = "") throws -> APIDefinition {
        try CatalogText.decode(CatalogText.make(api: #"{"baseURL": "https://a.test/v1/"\#(more)}"#)).apis[0]
    }

    @Test func requestWithoutABodyHasTheDeclaredLimitsAndAnAcceptHeader() throws {
        let api = try api(#", "timeout": "3s", "maxBodySize": "1KiB""#)
        let request = Endpoint(path: "/things").request(to: api)
        #expect(
            request
                == HTTPRequest(
                    url: "https://a.test/v1/things", headers: [HTTPHeader("Accept", "application/json")], timeout: 3000,
                    maxBodySize: 1024))
    }

    @Test func queryParametersAreEncodedInOrder() throws {
        let query = [QueryItem("b c", "1&2"), QueryItem("a", "é=+#"), QueryItem("a", "")]
        let request = Endpoint(path: "/things", query: query).request(to: try api())
        #expect(request.url == "https://a.test/v1/things?b%20c=1%262&a=%C3%A9%3D%2B%23&a=")
    }

    @Test func bodyOfAPostRequestIsJSON() throws {
        let request = Endpoint(method: .post, path: "/graphql", body: [0x7B, 0x7D]).request(to: try api())
        #expect(request.method == .post)
        #expect(request.body == [0x7B, 0x7D])
        #expect(request.headers["content-type"] == "application/json")
    }

    @Test func declaredHeadersAreCredentialsAndReplaceDefaults() throws {
        let api = try api(#", "headers": {"accept": "application/vnd.a+json", "X-Key": "k"}"#)
        let request = Endpoint(path: "/", headers: [HTTPHeader("X-More", "m")]).request(to: api)
        #expect(request.headers.isEmpty)
        #expect(request.credentials.map(\.name) == ["accept", "X-Key", "X-More"])
    }

    @Test(arguments: [
        (#"{"bearer": "tok"}"#, "Authorization", "Bearer tok"),
        (
            #"{"basic": {"user": "Aladdin", "password": "open sesame"}}"#, "Authorization",
            "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
        ),
        (#"{"apiKey": {"in": "header", "name": "X-Key", "value": "k v"}}"#, "X-Key", "k v"),
    ])
    func authorizationHeaderIsACredential(auth: String, name: String, value: String) throws {
        let request = Endpoint(path: "/").request(to: try api(#", "auth": \#(auth)"#))
        #expect(request.credentials == [HTTPHeader(name, value)])
        #expect(request.url == "https://a.test/v1/")
    }

    @Test func apiKeyIsTheLastQueryParameter() throws {
        let api = try api(#", "auth": {"apiKey": {"in": "query", "name": "key", "value": "k v&"}}"#)
        let request = Endpoint(path: "/things", query: [QueryItem("page", "1")]).request(to: api)
        #expect(request.url == "https://a.test/v1/things?page=1&key=k%20v%26")
        #expect(request.credentials.isEmpty)
    }

    @Test func requestUsesTheReplacedBaseURL() throws {
        let catalog = try CatalogText.decode(CatalogText.make()).reached(at: [("a", "http://127.0.0.1:1/x")])
        #expect(Endpoint(path: "/things").request(to: catalog.apis[0]).url == "http://127.0.0.1:1/x/things")
    }
}
