import Catalog
import DataSources
import Mocks
import TestSupport
import Testing

/// Documents that contain only queries, which may be retried.
@Suite(.limited) struct GraphQLOperationKindTests {
    @Test(arguments: [
        "{ a }", "query { a }", "query Q($x: In = {y: \"}\"}) @d(a: [1]) { a }", "query mutation { a }",
        "{ mutation }", "{ a(mutation: 1) { subscription } }", "fragment mutation on X { a } query { ...mutation }",
        "# mutation { a }\nquery { a }", "\u{FEFF}query { a }", "query ($t: String = \"mutation {\") { a }",
        "query ($t: String = \"\"\" \\\"\"\" } mutation { \"\"\") { a }",
        "query ($t: String = \"\\\"} mutation\") { a }",
        "query { a } query mutations { b }", "query { mutation { a } }",
        "query Q { a }\r# } mutation\rfragment F on X { a }",
        "", "query { a", "query ($t: String = \"", "}}} {", "query Q @mutation { a }",
    ])
    func documentThatContainsOnlyQueriesIsAQuery(query: String) {
        #expect(GraphQLOperation(query: query).isQuery)
    }

    @Test(arguments: [
        "mutation { a }", "mutation M($x: Int) { a }", "  # a comment\n,mutation{a}", "\u{FEFF}mutation { a }",
        "query { a } mutation { b }", "fragment F on X { a } mutation { ...F }", "subscription { a }",
        "query ($t: String = \"}\") { a } mutation { b }", "query Q { a(t: \"\"\"\\\"\"\"\"\"\") } mutation M { b }",
        "{ a(t: \"\\\\\") } mutation { b }", "# c\rmutation { a }",
    ])
    func documentThatContainsAMutationIsNotAQuery(query: String) {
        #expect(!GraphQLOperation(query: query).isQuery)
    }

    @Test(
        arguments: [
            ("query GetThing { a }", "GetThing"), ("query GetThing($x: In = {y: 1}) @d { a }", "GetThing"),
            ("# query A { a }\nquery B{a}", "B"), ("fragment F on X { a } query Q { ...F }", "Q"),
            ("query Q { a } fragment F on X { a }", "Q"), ("query query { a }", "query"), ("mutation M { a }", "M"),
            ("{ a }", nil), ("query { a }", nil), ("query ($x: Int) { a }", nil), ("query @d { a }", nil),
            ("query A { a } query B { b }", nil), ("{ a } query B { b }", nil), ("fragment F on X { a }", nil),
            ("", nil), ("query", nil),
        ] as [(String, String?)])
    func nameOfASingleOperationIsUsed(query: String, name: String?) {
        #expect(GraphQLOperation(query: query).name == name)
    }

    @Test func operationNameIsSentForSeveralOperations() throws {
        let operation = GraphQLOperation(query: "query A { a } query B { b }", name: "B")
        #expect(operation.name == "B" && GraphQLOutline(operation.query).names == ["A", "B"])
        #expect(String(decoding: operation.body, as: UTF8.self).contains(#""operationName":"B""#))
    }

    @Test(arguments: [("query { a }", true), ("mutation { a }", false)])
    func onlyQueryRequestsAreRepeatable(query: String, isRepeatable: Bool) async throws {
        let mock = HTTPClientMock(.success(.of(200, #"{"data":{}}"#)))
        let api = try CatalogText.decode(CatalogText.make()).apis[0]
        let client = GraphQLClient(client: mock, api: api, path: "/graphql")
        _ = try await client.execute(GraphQLOperation(query: query))
        #expect(mock.requests.map(\.isRepeatable) == [isRepeatable])
    }
}
