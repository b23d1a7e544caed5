import DataSources
import JSON
import Mocks
import Model
import TestSupport
import Testing

/// Tests the body of a GraphQL request: the document, the operation name and the variables, and nothing else.
@Suite(.limited) struct GraphQLRequestTests {
    private static let get = "query GetCharacter($id: ID!) { character(id: $id) { id } }"
    private static let getMany = "query GetCharacters($ids: [ID!]!) { charactersByIds(ids: $ids) { id } }"
    private static let list =
        "query ListCharacters($page: Int, $name: String) { characters(page: $page) { info { pages } } }"

    /// A read and the operation that is sent for it.
    struct Row: CustomTestStringConvertible, Sendable {
        let question: RemoteQuestion
        let document: String
        let name: String
        let variables: String
        var testDescription: String { "\(name) \(variables)" }
    }

    private static let filters: [PageRequest.Filter] = [
        .init("name", "rick \"é\""), .init("unknown", .bool(true)),
    ]

    static let rows = [
        Row(question: .item("1"), document: get, name: "GetCharacter", variables: #"{"id":1}"#),
        Row(
            question: .item("12345678901234567890"), document: get, name: "GetCharacter",
            variables: #"{"id":12345678901234567890}"#),
        Row(question: .items(["3", "1"]), document: getMany, name: "GetCharacters", variables: #"{"ids":[3,1]}"#),
        Row(question: .page(PageRequest()), document: list, name: "ListCharacters", variables: #"{"page":1}"#),
        Row(
            question: .page(PageRequest(page: .number(2), filters: filters)), document: list, name: "ListCharacters",
            variables: #"{"page":2,"name":"rick \"é\""}"#),
    ]

    private func ask(_ question: RemoteQuestion, _ source: any RemoteDataSourceContract) async {
        _ = await failure { () throws(APIError) in
            switch question {
            case .item(let id): _ = try await source.item(id)
            case .items(let ids): _ = try await source.items(ids)
            case .page(let request): _ = try await source.page(request)
            }
        }
    }

    @Test(arguments: rows) func bodyContainsOperationAndVariables(row: Row) async throws {
        let mock = HTTPClientMock()
        let source = try RemoteSubject.graphql.source(mock)
        await ask(row.question, source)
        let request = try #require(mock.requests.first)
        #expect(mock.requests.count == 1)
        #expect(request.method == .post && request.url == "https://rickandmortyapi.com/graphql")
        let body = try JSONValue(parsing: String(decoding: try #require(request.body), as: UTF8.self))
        #expect(
            body
                == .object(
                    JSONObject([
                        ("query", .string(row.document)), ("operationName", .string(row.name)),
                        ("variables", try JSONValue(parsing: row.variables)),
                    ])))
        let preview = try source.preview(row.question)
        #expect(preview.operation == body && preview.method == .post && preview.wait == 0)
        #expect(preview.url == "https://rickandmortyapi.com/graphql")
    }

    private static let fragment = "fragment F on T { a(x: $owner) }"

    /// The variables of the scope `owner` and `repo` that a document declares, matched by whole names.
    @Test(arguments: [
        ("query ($owner: String!, $id: ID!) { t(o: $owner, id: $id) { id } }", ["owner"]),
        ("query ($ownerID: String, $repo_: Int, $id: ID!) { t(id: $id) { id } }", []),
        (#"query ($repo: String!) { t(r: $repo, s: "$owner") { id } } # $owner"#, ["repo"]),
        ("query ($owner: String!, $repo: String = \"a\") { t { ...F r(x: $repo) } } \(fragment)", ["owner", "repo"]),
        // Syntax that the parser does not know may be valid for the API.
        ("query ($repo: String!) { t(r: $repo, x: $owners) % }", ["repo"]),
    ])
    func onlyScopeVariablesOfTheDocumentAreSent(_ document: String, _ names: [String]) throws {
        let text = """
            {"larder": 1, "apis": {"a": {"baseURL": "https://a.test"}}, "resources": {"thing": {
              "api": "a", "id": "string", "scope": {"owner": "string", "repo": "string"},
              "graphql": {"get": {"query": \(JSONValue.string(document).text), "item": "t"}}}}}
            """
        let catalog = try CatalogText.decode(text)
        guard case .graphql(let path, let operations) = catalog.resources[0].transport else { return }
        let source = GraphQLDataSource(
            resource: catalog.resources[0], path: path, operations: operations, api: catalog.apis[0],
            client: GraphQLClientMock(), redactor: .none
        ).scoped(ResourceScope([(name: "owner", value: "me"), (name: "repo", value: "x")]))
        let variables = try source.preview(.item("1")).operation?["variables"]
        guard case .object(let sent)? = variables else {
            Issue.record("no variables")
            return
        }
        #expect(sent.members.map(\.key) == names + ["id"])
    }

    /// The operations of the built-in catalog, as the client receives them.
    @Test(arguments: RickAndMorty.resources) func operationsOfTheBuiltInCatalogAreSent(name: String) async throws {
        let (catalog, resource) = (try RickAndMorty.graphql.catalog(), try RickAndMorty.graphql.resource(name))
        guard case .graphql(let path, let operations) = resource.transport else {
            Issue.record("\(name) does not use GraphQL")
            return
        }
        let mock = GraphQLClientMock()
        let source = GraphQLDataSource(
            resource: resource, path: path, operations: operations, api: catalog.apis[0], client: mock,
            redactor: .none)
        await ask(.item("7"), source)
        await ask(.items(["7", "8"]), source)
        await ask(.page(PageRequest(page: .number(2), filters: [.init("name", "rick")])), source)
        let expected = [
            (
                operations.get?.template.query, "query ($id: ID!) { \(name)(id: $id) ",
                [("id", GraphQLVariable.number("7"))]
            ),
            (
                operations.getMany?.template.query, "query ($ids: [ID!]!) { \(name)sByIds(ids: $ids) ",
                [("ids", .list([.number("7"), .number("8")]))]
            ),
            (
                operations.list?.template.query, "query ($page: Int, $name: String, ",
                [("page", .int(2)), ("name", .string("rick"))]
            ),
        ]
        #expect(mock.operations.count == expected.count)
        for (sent, (document, head, variables)) in zip(mock.operations, expected) {
            #expect(sent.query == document && sent.query.hasPrefix(head))
            #expect(sent.name == nil)
            #expect(sent.variables == variables.map { GraphQLOperation.Variable($0.0, $0.1) })
        }
    }
}
