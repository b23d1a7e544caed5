import CatalogTools
import HTTP
import JSON
import Mocks
import TestSupport
import Testing

/// Tests catalogs that are drafted from GraphQL schemas.
@Suite(.limited) struct GraphQLInferenceTests {
    @Test func resourceIsDraftedFromAGraphQLConnection() async throws {
        let resource = try await GraphQLText.resource(
            [
                "type Query: cat(id ID!) Cat; cats(first Int,after String,before String,kind Kind) CatConnection!",
                "type Cat: id ID!; name String!; kind Kind!; age Int; born DateTime; owner Person; friends(first Int) CatConnection",
                "type Person: id ID!; name String; cats [Cat]",
                "type CatConnection: edges [CatEdge]; pageInfo PageInfo!; totalCount Int!",
                "type CatEdge: node Cat; cursor String", "type PageInfo: hasNextPage Boolean!; endCursor String",
                "enum Kind: TAME, WILD",
            ], "Cat")
        #expect(
            resource["fields"]?.text
                == #"{"id":"string","name":"string","kind":{"type":["TAME","WILD","other"],"otherwise":"other"},"age":"integer?","born":"date?","owner?":{"id":"string","name":"string?"}}"#
        )
        let graphql = resource["graphql"]
        #expect(
            graphql?["get"]?["query"] == "query ($id: ID!) { cat(id: $id) { id name kind age born owner { id name } } }"
        )
        #expect(graphql?["get"]?["item"] == "cat")
        #expect(
            graphql?["list"]?["query"]
                == "query ($after: String, $first: Int, $kind: Kind) { cats(after: $after, first: $first, kind: $kind) { pageInfo { hasNextPage endCursor } totalCount edges { node { id name kind age born owner { id name } } } } }"
        )
        #expect(graphql?["list"]?["items"] == "cats.edges.*.node")
        #expect(
            graphql?["list"]?["pagination"]?.text
                == #"{"style":"relay","param":"after","pageInfo":"cats.pageInfo","count":"cats.totalCount","size":{"param":"first","value":50}}"#
        )
        #expect(graphql?["list"]?["filters"]?.text == #"{"kind":{"type":["TAME","WILD"]}}"#)
    }

    @Test func operationsAreDraftedFromFieldsBelowAParentField() async throws {
        let resource = try await GraphQLText.resource(
            [
                "type Query: repository(owner String!,name String!) Repository",
                "type Repository: issue(number Int!) Issue; issues(first Int,after String) Issues",
                "type Issue: number Int!; title String!", "type Issues: nodes [Issue]; pageInfo PageInfo!",
                "type PageInfo: hasNextPage Boolean!; endCursor String",
            ], "issue")
        #expect(resource["scope"]?.text == #"{"owner":"string","name":"string"}"#)
        #expect(resource["id"]?.text == #"{"type":"integer","from":"number"}"#)
        #expect(
            resource["graphql"]?["get"]?["query"]
                == "query ($owner: String!, $name: String!, $id: Int!) { repository(owner: $owner, name: $name) { issue(number: $id) { number title } } }"
        )
        #expect(resource["graphql"]?["list"]?["items"] == "repository.issues.nodes")
    }

    @Test func resourceIsDraftedFromAGraphQLListWithoutPages() async throws {
        let resource = try await GraphQLText.resource(
            [
                "type Query: cats(filter Wanted) [Cat!]!; cats_by_id(ids [ID!]!) [Cat]", "type Cat: id ID!",
                "input Wanted: name String,age Int,ids [ID!]",
            ], "Cat")
        let graphql = resource["graphql"]
        #expect(graphql?["list"]?["query"] == "query ($filter: Wanted) { cats(filter: $filter) { id } }")
        #expect(
            graphql?["list"]?["filters"]?.text
                == #"{"name":"filter.name","age":{"param":"filter.age","type":"integer"},"ids":{"param":"filter.ids","type":["string"]}}"#
        )
        #expect(graphql?["getMany"]?["query"] == "query ($ids: [ID!]!) { cats_by_id(ids: $ids) { id } }")
    }

    @Test(
        arguments: [
            ("Cta", "did you mean 'Cat'?"), ("Whatever", "types include Cat"),
            ("Dog", "has no field that can be its id"),
            ("Fox", "no query of the schema returns 'Fox', directly or up to two levels down"),
        ])
    func unusableGraphQLTypesAreRejected(type: String, reason: String) async throws {
        let lines = [
            "type Query: cat(id ID!) Cat; dog Dog", "type Cat: id ID!", "type Dog: size Int", "type Fox: id ID",
        ]
        let error = await #expect(throws: CatalogDraftError.self) { try await GraphQLText.resource(lines, type) }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    /// An invalid type name would become part of the GraphQL document.
    @Test(arguments: [
        "type Query: cat(id ID!) Cat){evil}", "type Query: cat(id ID!) Cat; cats [C-t]",
        "type Query: cat(id ID!) Cat; cats(by 2D) [Cat]",
    ])
    func invalidGraphQLTypeNamesAreRejected(line: String) async throws {
        let error = await #expect(throws: CatalogDraftError.self) {
            try await GraphQLText.resource([line, "type Cat: id ID!"], "Cat")
        }
        #expect(error?.message.contains("a type name has characters other than") == true)
    }

    @Test func disabledIntrospectionIsReported() async throws {
        let client = HTTPClientMock(
            .success(HTTPResponse(status: 200, body: Array(#"{"errors": [{"message": "introspection is off"}]}"#.utf8)))
        )
        let error = await #expect(throws: CatalogDraftError.self) {
            try await CatalogInference(client: client, explain: explained, secrets: .empty).draft(
                "https://api.zoo.test/graphql", graphQL: .types(["Cat"]))
        }
        #expect(error?.message.contains("introspection is off") == true)
    }
}
