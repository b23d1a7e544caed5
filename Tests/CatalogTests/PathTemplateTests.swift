import Mocks
import TestSupport
import Testing

@testable import Catalog
@testable import Model

@Suite(.limited) struct PathTemplateTests {
    @Test(arguments: [
        ("7", "/things/7/x"), ("a/b", "/things/a%2Fb/x"), ("v1..2/a.b", "/things/v1..2%2Fa.b/x"),
        ("a%2e%2e", "/things/a%252e%252e/x"), ("a?b#c", "/things/a%3Fb%23c/x"),
        ("a\u{0}\r\nb", "/things/a%00%0D%0Ab/x"),
        ("é\u{1F600}", "/things/%C3%A9%F0%9F%98%80/x"), ("100%", "/things/100%25/x"), ("a b", "/things/a%20b/x"),
        ("a\\b", "/things/a%5Cb/x"), ("a,b", "/things/a%2Cb/x"), ("...", "/things/.../x"),
        ("{id}", "/things/%7Bid%7D/x"),
    ])
    func idIsPercentEncodedInThePath(id: String, path: String) throws {
        #expect(
            try PathTemplate.parse("/things/{id}/x", places: ["id"]).get().path(PlaceholderValues(ids: [id])) == path)
    }

    @Test(
        arguments: [
            "", ".", "..", "../../admin", "a/..", "a/./b", "..\\a", "..;x", "%2e%2e", "%252E./a", "%25252e%2e",
            "a%2F..",
            "..%5Ca",
        ])
    func idThatWouldChangeThePathIsRefused(id: String) throws {
        let template = try PathTemplate.parse("/things/{id}", places: ["id"]).get()
        #expect(throws: TemplateError.self) { try template.path(PlaceholderValues(ids: [id])) }
    }

    @Test func idThatTurnsAPathSegmentIntoADotSegmentIsRefused() throws {
        let template = try PathTemplate.parse("/things/.{id}", places: ["id"]).get()
        #expect(throws: TemplateError.self) { try template.path(PlaceholderValues(ids: ["."])) }
        #expect(throws: TemplateError.self) { try template.path(PlaceholderValues(ids: ["/a"])) }
        #expect(try template.path(PlaceholderValues(ids: ["a"])) == "/things/.a")
    }

    @Test func idsAreJoinedByCommas() throws {
        let template = try PathTemplate.parse("/things/{ids}", places: ["ids"]).get()
        #expect(try template.path(PlaceholderValues(ids: ["1", "2", "a,b"])) == "/things/1,2,a%2Cb")
        #expect(throws: TemplateError.self) { try template.path(PlaceholderValues(ids: ["1", ""])) }
    }

    @Test func pathWithoutPlaceholdersIsUnchanged() throws {
        let template = try PathTemplate.parse("/things", places: []).get()
        #expect(try template.path() == "/things")
        #expect(template.places.isEmpty)
    }

    @Test func parameterIsRepeatedForEachID() throws {
        let many = #"{"getMany": {"path": "/t", "query": {"id": "{ids}", "n": 1}, "join": "repeat"}}"#
        let catalog = try CatalogText.decode(CatalogText.make(rest: many))
        guard case .rest(let operations) = catalog.resources[0].transport, let operation = operations.getMany else {
            throw TemplateError("no getMany")
        }
        let values = PlaceholderValues(ids: ["7", "a b"], join: operation.template.join)
        let request = try operation.template.endpoint(values).request(to: catalog.apis[0])
        #expect(request.url == "https://a.test/t?id=7&id=a%20b&n=1")
    }

    @Test(arguments: [
        #""path": "/t/{ids}""#, #""path": "/t", "query": {"q": "id:{ids}"}"#,
        #""path": "/t", "query": {"q": "{ids}"}, "headers": {"X": "{ids}"}"#,
        #""path": "/t", "method": "POST", "body": {"q": ["id:{ids}"]}"#,
    ])
    func parameterCanBeRepeatedForEachIDOnlyIfTheIDIsItsWholeValue(parts: String) {
        let many = #"{"getMany": {\#(parts), "join": "repeat"}}"#
        let faults = CatalogText.faults(CatalogText.make(rest: many))
        #expect(faults.count == 1 && faults[0].contains("'join' can be \"repeat\" only if"), "\(faults)")
        let joined = #"{"getMany": {\#(parts), "join": "|"}}"#
        #expect(CatalogText.faults(CatalogText.make(rest: joined)).isEmpty)
    }

    @Test(arguments: ["/{{id}", "/{id}{", "/{", "/}{id}", "/{id}}", "/{id", "/{}"])
    func unbalancedBracesInAPathAreRefused(text: String) {
        #expect(throws: CatalogMessage.self) { try PathTemplate.parse(text, places: ["id"]).get() }
    }

    @Test func emptyPathRequestsTheBaseURL() throws {
        #expect(try PathTemplate.parse("", places: ["id"]).get().path() == "")
        #expect(throws: CatalogMessage.self) { try PathTemplate.parse("x", places: []).get() }
    }

    /// A value of `{+name}` can add segments to a path, but cannot end the path (RFC 6570).
    @Test(arguments: [
        ("a/b", "/files/a/b"), ("/a,b;c=d@e:f!$&'()*+", "/files//a,b;c=d@e:f!$&'()*+"), ("a?b#c", "/files/a%3Fb%23c"),
        ("%2e%2ex/x", "/files/%252e%252ex/x"), ("a b\n", "/files/a%20b%0A"),
    ])
    func plusPlaceholderKeepsReservedCharacters(id: String, path: String) throws {
        #expect(try PathTemplate.parse("/files/{+id}", places: ["id"]).get().path(PlaceholderValues(ids: [id])) == path)
    }

    @Test(arguments: ["..", "a/../b", "./a", "a/.."])
    func plusPlaceholderRefusesDotSegments(id: String) throws {
        let template = try PathTemplate.parse("/files/{+id}", places: ["id"]).get()
        #expect(throws: TemplateError.self) { try template.path(PlaceholderValues(ids: [id])) }
    }

    @Test func scopeValuesFillPlaceholders() throws {
        let template = try PathTemplate.parse("/repos/{owner}/{repo}/issues/{id}", places: ["id", "owner", "repo"])
            .get()
        let scope = ResourceScope([("owner", "a/b"), ("repo", .integer(7))])
        #expect(try template.path(PlaceholderValues(ids: ["1"], scope: scope)) == "/repos/a%2Fb/7/issues/1")
        #expect(throws: TemplateError.self) { try template.path(PlaceholderValues(ids: ["1"])) }
        let up = ResourceScope([("owner", ".."), ("repo", "x")])
        #expect(
            throws: TemplateError("'owner' is '..': a segment '.' or '..' would change the path; use another value")
        ) {
            try template.path(PlaceholderValues(ids: ["1"], scope: up))
        }
    }

    @Test func idsAreJoinedByTheDeclaredSeparator() throws {
        let template = try PathTemplate.parse("/questions/{ids}", places: ["ids"]).get()
        #expect(try template.path(PlaceholderValues(ids: ["1", "a;b"], join: ";")) == "/questions/1;a%3Bb")
    }
}
