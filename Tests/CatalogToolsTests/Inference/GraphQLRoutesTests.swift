import CatalogTools
import JSON
import TestSupport
import Testing

/// Tests the routes from the root of a GraphQL schema to the items of a type.
@Suite(.limited) struct GraphQLRoutesTests {
    private static let runs = [
        "type Query: runsOrError(filter RunsFilter,cursor String,limit Int) RunsOrError!; runOrError(runId ID!) RunOrError!",
        "type Run: id ID!; runId String!; status String!", "type Runs: results [Run!]!; count Int",
        "type InvalidRunsFilterError: message String!; stack [String!]", "type PythonError: message String!",
        "type RunNotFoundError: runId String!; message String!",
        "union RunsOrError: Runs, InvalidRunsFilterError, PythonError",
        "union RunOrError: Run, RunNotFoundError, PythonError", "input RunsFilter: status String,ids [ID!]",
    ]

    @Test func resourceIsDraftedFromAGraphQLUnionWithErrors() async throws {
        let resource = try await GraphQLText.resource(Self.runs, "Run")
        let list = resource["graphql"]?["list"]
        #expect(
            list?["query"]
                == "query ($cursor: String, $limit: Int, $filter: RunsFilter) { runsOrError(cursor: $cursor, limit: $limit, filter: $filter) { __typename ... on InvalidRunsFilterError { message } ... on PythonError { message } ... on Runs { results { id runId status } } } }"
        )
        #expect(list?["items"] == "runsOrError.results")
        #expect(
            list?["errors"]?.text
                == #"[{"when":"data.runsOrError.__typename","is":["InvalidRunsFilterError","PythonError"],"message":"data.runsOrError.message"}]"#
        )
        #expect(
            list?["pagination"]?.text
                == #"{"style":"cursor","param":"cursor","next":{"last":"runId"},"size":{"param":"limit","value":50}}"#)
    }

    @Test func resourceIsDraftedFromAGraphQLListInsideAnotherList() async throws {
        let resource = try await GraphQLText.resource(
            [
                "type Query: zoosOrError ZoosOrError; pages(page Int) [Page!]", "union ZoosOrError: Zoos, PythonError",
                "type Zoos: nodes [Zoo!]!", "type Zoo: id ID!; cats [Cat!]!", "type Page: id ID!; cats [Cat]",
                "type Cat: id ID!; name String", "type PythonError: message String!",
            ], "Cat")
        let list = resource["graphql"]?["list"]
        #expect(list?["items"] == "zoosOrError.nodes.*.cats.*")
        #expect(
            list?["query"]
                == "query { zoosOrError { __typename ... on PythonError { message } ... on Zoos { nodes { cats { id name } } } } }"
        )
        #expect(list?["pagination"] == nil)
    }

    @Test func resourceIsDraftedFromAGraphQLListBelowTwoOtherFields() async throws {
        let resource = try await GraphQLText.resource(
            [
                "type Query: zoo(id ID!) Zoo", "type Zoo: id ID!; house House",
                "type House: id ID!; cats(page Int) [Cat!]!",
                "type Cat: id ID!; name String",
            ], "Cat")
        let list = resource["graphql"]?["list"]
        #expect(list?["items"] == "zoo.house.cats")
        #expect(
            list?["query"]
                == "query ($parent_id: ID!, $page: Int) { zoo(id: $parent_id) { house { cats(page: $page) { id name } } } }"
        )
        #expect(list?["pagination"]?.text == #"{"style":"page","param":"page"}"#)
    }

    /// A selection of a union leaves out fields with the same name but different types, because GraphQL does not allow
    /// them.
    @Test func draftedQuerySelectsTheFieldsOfAUnionInAnItem() async throws {
        let resource = try await GraphQLText.resource(
            [
                "type Query: cats [Cat!]!", "type Cat: id ID!; owner Owner; friends [Owner!]!",
                "type Person: id ID!; name String!; title String!; age Int",
                "type Club: id ID!; name String; title Int",
                "type Nobody: reason String", "union Owner: Person, Club, Nobody",
            ], "Cat")
        let owner = "{ __typename ... on Person { id } ... on Club { id } }"
        #expect(
            resource["graphql"]?["list"]?["query"] == .string("query { cats { id owner \(owner) friends \(owner) } }"))
        #expect(
            resource["fields"]?.text
                == #"{"id":"string","owner?":{"__typename":"string","id":"string?"},"friends":[{"__typename":"string","id":"string?"}]}"#
        )
    }

    @Test func unionMemberNamedNotFoundBecomesTheErrorNotFound() async throws {
        let resource = try await GraphQLText.resource(Self.runs, "Run")
        #expect(resource["id"]?["from"] == "runId")
        #expect(
            resource["graphql"]?["get"]?["errors"]?.text
                == #"[{"when":"data.runOrError.__typename","is":["RunNotFoundError"],"kind":"notFound","message":"data.runOrError.message"},{"when":"data.runOrError.__typename","is":["PythonError"],"message":"data.runOrError.message"}]"#
        )
    }

    /// Fields of one name must have one type in all fragments of a selection.
    @Test func draftedQueryOmitsAnErrorMessageOfAnotherType() async throws {
        let resource = try await GraphQLText.resource(
            [
                "type Query: mail(id ID!) MailOrError", "type Mail: id ID!; message String",
                "type NoError: message String!",
                "union MailOrError: Mail, NoError",
            ], "Mail")
        #expect(
            resource["graphql"]?["get"]?["query"]
                == "query ($id: ID!) { mail(id: $id) { __typename ... on Mail { id message } } }")
        #expect(
            resource["graphql"]?["get"]?["errors"]?.text == #"[{"when":"data.mail.__typename","is":["NoError"]}]"#)
    }

    @Test func unionMemberWithMessageAndIDIsNotTakenForAnError() async throws {
        let resource = try await GraphQLText.resource(
            [
                "type Query: git(id ID!) Object", "type Commit: id ID!; message String!", "type Tree: id ID!",
                "union Object: Commit, Tree",
            ], "Tree")
        #expect(resource["graphql"]?["get"]?["errors"] == nil)
    }

    @Test func resourceIsDraftedFromAGraphQLListInsideWrapperObjects() async throws {
        let resource = try await GraphQLText.resource(
            [
                "type Query: cats(page Int) Envelope", "type Envelope: data CatList; ok Boolean",
                "type CatList: items [Cat]; total Int", "type Cat: id ID!",
            ], "Cat")
        #expect(
            resource["graphql"]?["list"]?["query"]
                == "query ($page: Int) { cats(page: $page) { data { total items { id } } } }")
        #expect(resource["graphql"]?["list"]?["items"] == "cats.data.items")
        #expect(
            resource["graphql"]?["list"]?["pagination"]?.text
                == #"{"style":"page","param":"page","count":"cats.data.total"}"#)
    }

    @Test func draftUsesTheCursorInAPageObject() async throws {
        let resource = try await GraphQLText.resource(
            [
                "type Query: cats(cursor String) CatPage",
                "type CatPage: nodes [Cat]; nextCursor String; hasMore Boolean",
                "type Cat: id ID!",
            ], "Cat")
        #expect(
            resource["graphql"]?["list"]?["pagination"]?.text
                == #"{"style":"cursor","param":"cursor","next":"cats.nextCursor","more":"cats.hasMore"}"#)
    }

    @Test func resourceIsDraftedFromAGraphQLInterface() async throws {
        let lines = [
            "type Query: animals [Animal]; animal(id ID!) Animal; node(id ID!) Node; cats [Cat]",
            "interface Animal Cat Dog: id ID!; name String", "interface Node Cat Owner: id ID!",
            "type Cat: id ID!", "type Dog: id ID!", "type Owner: id ID!",
        ]
        let animal = try await GraphQLText.resource(lines, "Animal")
        #expect(animal["graphql"]?["list"]?["query"] == "query { animals { id name } }")
        let owner = try await GraphQLText.resource(lines, "Owner")
        #expect(owner["graphql"]?["get"]?["query"] == "query ($id: ID!) { node(id: $id) { ... on Owner { id } } }")
        let cat = try await GraphQLText.resource(lines, "Cat")
        #expect(cat["graphql"]?["get"]?["query"] == "query ($id: ID!) { animal(id: $id) { ... on Cat { id } } }")
        #expect(cat["graphql"]?["list"]?["items"] == "cats")
    }

    @Test func membersOfTwoInputObjectsGetDifferentNames() async throws {
        let resource = try await GraphQLText.resource(
            [
                "type Query: cats(where A,order B) [Cat]", "type Cat: id ID!", "input A: name String,id ID",
                "input B: name String,id Boolean",
            ], "Cat")
        #expect(
            resource["graphql"]?["list"]?["filters"]?.text
                == #"{"name":"where.name","id":"where.id","order_name":"order.name","order_id":{"param":"order.id","type":"boolean"}}"#
        )
    }

    /// The draft is valid although names in the schema are also names of parents, of variables or of Larder's own
    /// parameters.
    @Test(arguments: [
        "type Query: zoo(name String!) Zoo|type Zoo: cats(name String,first Int) [Cat]|type Cat: id ID!",
        "type Query: zoo(id ID!) Zoo|type Zoo: id ID!; cats(id ID,ids [ID],page Int,filter String) [Cat]|type Cat: id ID!",
        "type Query: cats(id ID,id ID) [Cat]|type Cat: id ID!; id Int; id String",
        "type Query: cat(kind String!,id ID!) Cat; cats(kind String!) [Cat]|type Cat: id ID!",
        "type Query: cats(_id ID,__x Int) [Cat]|type Cat: _id ID!; __x Int",
        "type Query: server [Cat]|type Cat: size Int",
    ])
    func draftIsValidIfNamesInTheGraphQLSchemaCollide(lines: String) async throws {
        let resource = try await GraphQLText.resource(lines.split(separator: "|").map(String.init), "Cat")
        #expect(resource["graphql"]?["list"] != nil)
    }

    @Test func filterWithTheNameOfAParentGetsItsOwnVariable() async throws {
        let resource = try await GraphQLText.resource(
            ["type Query: zoo(name String!) Zoo", "type Zoo: cats(name String) [Cat]", "type Cat: id ID!"], "Cat")
        #expect(
            resource["graphql"]?["list"]?["query"]
                == "query ($name: String!, $nameFilter: String) { zoo(name: $name) { cats(name: $nameFilter) { id } } }"
        )
        #expect(resource["graphql"]?["list"]?["filters"]?.text == #"{"name":"nameFilter"}"#)
    }

    @Test func itemsWithoutAnIDGetAHashAsTheirID() async throws {
        let resource = try await GraphQLText.resource(["type Query: tags [Tag]", "type Tag: text String"], "Tag")
        #expect(resource["id"]?.text == #"{"type":"string","from":"","hash":true}"#)
    }

    @Test func severalTypesAreDraftedIntoOneCatalog() async throws {
        let lines = [
            "type Query: cats [Cat]; dogs [Dog]; others [cat]", "type Cat: id ID!", "type Dog: id ID!",
            "type cat: id ID!",
        ]
        let text = try await GraphQLText.text(lines, .types(["Cat", "dog", "cat", "Cat"]))
        #expect(DraftText.faults(in: text) == [])
        guard case .object(let resources)? = try DraftText.value(text)["resources"] else { return }
        #expect(resources.members.map(\.key) == ["cat", "dog", "cat_2"])
    }

    @Test func tableShowsTypesThatCanBeResources() async throws {
        let table = try await GraphQLText.text(Self.runs, .table)
        #expect(
            table == """
                TYPE  LIST         ITEM        PAGES   ID     SURE
                Run   runsOrError  runOrError  cursor  runId  guess: pages

                """)
    }

    @Test func schemaWithoutResourcesHasNoTable() async throws {
        let error = await #expect(throws: CatalogDraftError.self) {
            try await GraphQLText.text(["type Query: now String"], .table)
        }
        #expect(error?.message == "no type of the schema can be a resource; write the catalog by hand")
    }

    @Test func hostileGraphQLSchemasAreListedOrRefused() async throws {
        let names = (0..<200).map { "T\($0)" }
        let fields = (0..<50).map { "f\($0) [T\($0)]; g\($0) U" }.joined(separator: "; ")
        let wide = names.map { "type \($0): \(fields)" }
        let query = "type Query: " + (0..<200).map { "q\($0) U; r\($0)(id ID!) T\($0)" }.joined(separator: "; ")
        let union = "union U: " + names.joined(separator: ", ")
        #expect(try await GraphQLText.text(wide + [query, union], .table).contains("T1 "))
        let circle = [
            "type Query: data A", "type A: data B; items [C]", "type B: data A", "union C: C, D", "union D: C",
        ]
        await #expect(throws: CatalogDraftError.self) { try await GraphQLText.text(circle, .table) }
    }

    @Test(arguments: [100, 100_000]) func deeplyNestedGraphQLTypesAreRejected(depth: Int) async throws {
        let type = String(repeating: #"{"kind":"LIST","ofType":"#, count: depth)
        let field = #"{"name":"cats","args":[],"type":\#(type)null\#(String(repeating: "}", count: depth))}"#
        let query = #"{"kind":"OBJECT","name":"Query","fields":[\#(field)]}"#
        let answer = #"{"data":{"__schema":{"queryType":{"name":"Query"},"types":[\#(query)]}}}"#
        await #expect(throws: CatalogDraftError.self) { try await GraphQLText.text(answer: answer, .table) }
    }

    @Test func tableOfManyGraphQLTypesIsCutAfter500Types() async throws {
        let names = (0..<600).map { "T\($0)" }
        let query = "type Query: " + names.map { "\($0) [\($0)]" }.joined(separator: "; ")
        let table = try await GraphQLText.text(names.map { "type \($0): id ID!" } + [query], .table)
        #expect(table.split(separator: "\n").count == 502)
        #expect(table.hasSuffix("The schema has more types: name one with --graphql.\n"))
    }

    @Test func invalidGraphQLNamesAreNotInTheDraft() async throws {
        let resource = try await GraphQLText.resource(
            ["type Query: cats(a-b Int) [Cat]; c'd [Cat]", "type Cat: id ID!; x){y String; 0z Int"], "Cat")
        #expect(resource["graphql"]?["list"]?["query"] == "query { cats { id } }")
    }
}
