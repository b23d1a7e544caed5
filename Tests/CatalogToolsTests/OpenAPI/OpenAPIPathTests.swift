import TestSupport
import Testing

@testable import CatalogTools

@Suite(.limited) struct OpenAPIPathTests {
    @Test(
        arguments: [
            ("/users/{id}", "users"), ("/users/{id}/", "users"), ("/a/{b}/c/{d}.json", "a/{}/c"),
            ("/users('{id}')", "users"),
            ("/users", nil), ("/{id}", ""), ("/jobs/{id}:cancel", nil), ("/compare/x-{id}", nil),
        ] as [(String, String?)])
    func collectionPathOfAnItemPathIsFound(path: String, collection: String?) throws {
        #expect(try #require(OpenAPIPath(path)).collection == collection)
    }

    @Test(arguments: ["users", "", "/a b", "/a?b", "/a#b", "/{a}{b}", "/{a", "/a}", "/}{"])
    func pathsThatCatalogsCannotExpressAreRejected(path: String) { #expect(OpenAPIPath(path) == nil) }

    @Test(arguments: ["/a/{b}/c.json", "/a/{b}/", "/", "/a('{b}')"])
    func pathWithoutRenamedParametersIsUnchanged(path: String) throws {
        #expect(try #require(OpenAPIPath(path)).renamed([:]) == path)
    }

    @Test func pathParametersAreRenamed() throws {
        let path = try #require(OpenAPIPath("/a/{id}/b/{b_id}.json"))
        #expect(path.renamed(["id": "a", "b_id": "id"]) == "/a/{a}/b/{id}.json")
        #expect(path.parameters == ["id", "b_id"])
        #expect(path.words == ["b", "a"])
    }
}
