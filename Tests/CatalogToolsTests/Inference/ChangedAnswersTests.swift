import Catalog
import CatalogTools
import HTTP
import JSON
import Mocks
import Model
import System
import TestSupport
import Testing

/// Removes each value of an answer in turn and compares the drafts with a golden file.
@Suite(.limited) struct ChangedAnswersTests {
    private static let secrets = SecretSource(
        environment: { $0 == "TOKEN" ? "token-of-12345" : nil }, file: { _ in nil })

    @Test(arguments: ["pages", "cursor", "offset", "link", "map", "item"])
    func draftsMatchTheRecordingIfTheAnswerLacksOneValue(name: String) async throws {
        let answers = try JSONDocument(Fixture.read("inference/answers.json")).withRoot { JSONValue($0) }
        let answer = try #require(answers[name])
        guard case .string(let url)? = answer["url"], case .object(let fields)? = answer["headers"],
            let body = answer["body"]
        else { return #expect(Bool(false), "the answer is incomplete") }
        let headers = fields.members.map { HTTPHeader($0.key, $0.value.plainText) }
        let draft = { (text: String) async throws(CatalogDraftError) in
            let response = HTTPResponse(status: 200, headers: headers, body: Array(text.utf8))
            let client = HTTPClientMock(.success(response))
            return try await CatalogInference(client: client, explain: explained, secrets: Self.secrets)
                .draft(url, headers: ["Authorization: Bearer ${env:TOKEN}", "Accept-Language: de"])
        }
        let whole = try await draft(body.text)
        #expect(DraftText.faults(in: whole) == [])
        let lines = whole.split(separator: "\n").map(String.init) + (await ChangedDrafts.lines(of: body, draft))
        try GoldenFile.expect(lines, in: "inference/\(name).txt")
    }

    @Test func draftsMatchTheRecordingIfTheSchemaLacksOneValue() async throws {
        let schema = GraphQLText.schema([
            "type Query: cat(id ID!) Cat; cats(first Int,after String,kind Kind,filter Wanted) CatConnection!; zooOrError(name String!) ZooOrError",
            "type Cat: id ID!; name String!; kind Kind!; born DateTime; owner Person; friends(first Int) CatConnection",
            "type Person: id ID!; name String",
            "type CatConnection: edges [CatEdge]; pageInfo PageInfo!; totalCount Int!",
            "type CatEdge: node Cat; cursor String", "type PageInfo: hasNextPage Boolean!; endCursor String",
            "type Zoo: name String!; cats(page Int) [Cat!]!", "type NotFoundError: message String!",
            "union ZooOrError: Zoo, NotFoundError", "enum Kind: TAME, WILD", "input Wanted: name String,ids [ID!]",
        ])
        let lines = await ChangedDrafts.lines(of: try JSONValue(parsing: schema)) { text throws(CatalogDraftError) in
            let client = HTTPClientMock(.success(HTTPResponse(status: 200, body: Array(text.utf8))))
            return try await CatalogInference(client: client, explain: explained, secrets: .empty)
                .draft("https://api.zoo.test/graphql", graphQL: .types(["Cat"]))
        }
        try GoldenFile.expect(lines, in: "graphql/changed.txt")
    }
}
