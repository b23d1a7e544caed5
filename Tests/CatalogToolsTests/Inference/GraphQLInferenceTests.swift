import CatalogTools
import HTTP
import JSON
import Mocks
import TestSupport
import Testing

/// Tests catalogs that are drafted from GraphQL schemas.
@Suite(.limited) struct GraphQLInferenceTests {
    /// Returns an introspection reference for a type such as `[ID!]!`.
    private static func reference(_ text: Substring, _ kinds: [String: String]) -> String {
        if text.hasSuffix("!") {
            return #"{"kind": "NON_NULL", "name": null, "ofType": \#(reference(text.dropLast(), kinds))}"#
        }
        if text.hasPrefix("[") {
            return #"{"kind": "LIST", "name": null, "ofType": \#(reference(text.dropFirst().dropLast(), kinds))}"#
        }
        return #"{"kind": "\#(kinds[String(text)] ?? "SCALAR")", "name": "\#(text)", "ofType": null}"#
    }

    /// Returns an introspection answer for lines such as `type Cat: id ID!, friends(first Int) [Cat]`.
    private static func schema(_ lines: [String]) -> String {
        let words = ["type": "OBJECT", "enum": "ENUM", "input": "INPUT_OBJECT"]
        var kinds: [String: String] = [:]
        for line in lines {
            let head = line.split(separator: ":")[0].split(separator: " ")
            kinds[String(head[1])] = words[String(head[0])]
        }
        func inputs(_ text: Substring) -> String {
            text.split(separator: ",").map { part in
                let words = part.split(separator: " ")
                return #"{"name": "\#(words[0])", "defaultValue": null, "type": \#(reference(words[1], kinds))}"#
            }.joined(separator: ",")
        }
        let types = lines.map { line -> String in
            let parts = line.split(separator: ":", maxSplits: 1)
            let head = parts[0].split(separator: " ")
            let (kind, name) = (words[String(head[0])] ?? "", head[1])
            switch kind {
            case "ENUM":
                let values = parts[1].split(separator: ",").map { #"{"name": "\#($0.split(separator: " ")[0])"}"# }
                return #"{"kind": "ENUM", "name": "\#(name)", "enumValues": [\#(values.joined(separator: ","))]}"#
            case "INPUT_OBJECT":
                return #"{"kind": "INPUT_OBJECT", "name": "\#(name)", "inputFields": [\#(inputs(parts[1]))]}"#
            default:
                let fields = parts[1].split(separator: ";").map { field -> String in
                    let open = field.firstIndex(of: "("), close = field.firstIndex(of: ")")
                    let arguments = open.flatMap { open in close.map { field[field.index(after: open)..<$0] } } ?? ""
                    let name = field.prefix { $0 != "(" }.split(separator: " ")[0]
                    let type = field.split(separator: " ").last ?? ""
                    return #"{"name": "\#(name)", "args": [\#(inputs(arguments))], "type": \#(reference(type, kinds))}"#
                }
                return #"{"kind": "OBJECT", "name": "\#(name)", "fields": [\#(fields.joined(separator: ","))]}"#
            }
        }
        let scalars = ["ID", "String", "Int", "Float", "Boolean", "DateTime"].map {
            #"{"kind": "SCALAR", "name": "\#($0)"}"#
        }
        return
            #"{"data": {"__schema": {"queryType": {"name": "Query"}, "types": [\#((types + scalars).joined(separator: ","))]}}}"#
    }

    private static func resource(_ lines: [String], _ type: String) async throws -> JSONValue {
        let client = HTTPClientMock(.success(HTTPResponse(status: 200, body: Array(schema(lines).utf8))))
        let text = try await CatalogInference(client: client, explain: explained, secrets: .empty)
            .draft("https://api.zoo.test/graphql", graphQL: type)
        #expect(client.requests.first?.method == .post)
        #expect(DraftText.faults(in: text) == [])
        guard case .object(let resources)? = try DraftText.value(text)["resources"] else { return .null }
        return try #require(resources.members.first?.value)
    }

    @Test func connectionIsDrafted() async throws {
        let resource = try await Self.resource(
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

    @Test func operationsBelowAParentFieldAreDrafted() async throws {
        let resource = try await Self.resource(
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

    @Test func plainListIsDrafted() async throws {
        let resource = try await Self.resource(
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
            ("Fox", "no field of the schema's root"),
        ])
    func unusableTypesAreRejected(type: String, reason: String) async throws {
        let lines = [
            "type Query: cat(id ID!) Cat; dog Dog", "type Cat: id ID!", "type Dog: size Int", "type Fox: id ID",
        ]
        let error = await #expect(throws: CatalogDraftError.self) { try await Self.resource(lines, type) }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    /// An invalid type name would become part of the GraphQL document.
    @Test(arguments: [
        "type Query: cat(id ID!) Cat){evil}", "type Query: cat(id ID!) Cat; cats [C-t]",
        "type Query: cat(id ID!) Cat; cats(by 2D) [Cat]",
    ])
    func invalidTypeNamesAreRejected(line: String) async throws {
        let error = await #expect(throws: CatalogDraftError.self) {
            try await Self.resource([line, "type Cat: id ID!"], "Cat")
        }
        #expect(error?.message.contains("the name of a type contains other characters") == true)
    }

    @Test func disabledIntrospectionIsReported() async throws {
        let client = HTTPClientMock(
            .success(HTTPResponse(status: 200, body: Array(#"{"errors": [{"message": "introspection is off"}]}"#.utf8)))
        )
        let error = await #expect(throws: CatalogDraftError.self) {
            try await CatalogInference(client: client, explain: explained, secrets: .empty).draft(
                "https://api.zoo.test/graphql", graphQL: "Cat")
        }
        #expect(error?.message.contains("introspection is off") == true)
    }
}
