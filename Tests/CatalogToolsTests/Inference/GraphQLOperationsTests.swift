import CatalogTools
import JSON
import TestSupport
import Testing

/// Tests which fields and arguments of a GraphQL schema become the operations of a resource.
@Suite(.limited) struct GraphQLOperationsTests {
    /// Returns the lines of a schema from its query fields and, after `|`, the lines of its types. The default of the
    /// type `Cat` has only an id.
    private static func lines(_ schema: String) -> [String] {
        let lines = ("type Query: " + schema).split(separator: "|").map(String.init)
        return lines + (lines.contains { $0.hasPrefix("type Cat:") } ? [] : ["type Cat: id ID!"])
    }

    private static func resource(_ schema: String, _ type: String = "Cat") async throws -> JSONValue {
        try await GraphQLText.resource(lines(schema), type)
    }

    /// Returns the selection of a drafted operation: its GraphQL document without the declared variables.
    private static func selection(_ name: String, of resource: JSONValue) -> String? {
        guard case .string(let query)? = resource["graphql"]?[name]?["query"] else { return nil }
        return query.firstIndex(of: "{").map { String(query[$0...]) }
    }

    // MARK: Routes

    private static let zoo = "type Zoo: id ID!; "
    private static let parents = "a(id ID!) A; b(id ID!) B|type B: id ID!; cats [Cat]; cat(id ID!) Cat|type A: id ID!; "
    private static let ofB = ("{ b(id: $parent_id) { cat(id: $id) { id } } }", "{ b(id: $parent_id) { cats { id } } }")
    private static let own = "{ cat(id: $id) { id } }"

    @Test(
        arguments: [
            // Fields of the query root are preferred to fields below them.
            ("cats [Cat]; zoo(id ID!) Zoo|\(zoo)cat(id ID!) Cat; cats(page Int) [Cat]", nil, "{ cats { id } }"),
            ("cat(id ID!) Cat; zoo(id ID!) Zoo|\(zoo)cats [Cat]", own, nil),
            ("cats [Cat]; zoos [Zoo]|\(zoo)cats [Cat]", nil, "{ cats { id } }"),
            ("cat(id ID!) Cat; zoos [Zoo]|\(zoo)cats [Cat]", own, nil),
            (
                "zoo(id ID!) Zoo|\(zoo)house House|type House: id ID!; cat(id ID!) Cat",
                "{ zoo(id: $parent_id) { house { cat(id: $id) { id } } } }", nil
            ),
            // The field `node` is the last resort.
            ("node(id ID!) Node; cat(id ID!) Cat|interface Node Cat: id ID!", own, nil),
            (
                "zoo(id ID!) Zoo; node(id ID!) Node|\(zoo)cats [Cat]|interface Node Cat: id ID!", nil,
                "{ zoo(id: $parent_id) { cats { id } } }"
            ),
            (
                "cats [Cat]; node(id ID!) Node|interface Node Cat: id ID!|type Cat: number Int!", nil,
                "{ cats { number } }"
            ),
            // The first parent with an item and a list is preferred.
            (parents + "cats [Cat]", ofB.0, ofB.1), (parents + "cats [Cat]; cat Cat", ofB.0, ofB.1),
            (parents + "cats [Cat]; pet(id ID!) Pet|interface Pet Cat: id ID!", ofB.0, ofB.1),
            (
                "a(id ID!) A; b(id ID!) B|type A: id ID!; cats [Cat]|type B: id ID!; cats [Cat]", nil,
                "{ a(id: $parent_id) { cats { id } } }"
            ),
            (
                "a(id ID!) A; b(id ID!) B|type A: id ID!; cat(id ID!) Cat|type B: id ID!; cats [Cat]", nil,
                "{ b(id: $parent_id) { cats { id } } }"
            ),
            ("zoo(id ID!) Zoo|\(zoo)cat(id ID!) Cat", "{ zoo(id: $parent_id) { cat(id: $id) { id } } }", nil),
        ] as [(String, String?, String?)])
    func operationsUseTheNearestFields(schema: String, get: String?, list: String?) async throws {
        let resource = try await Self.resource(schema)
        #expect(Self.selection("get", of: resource) == get)
        #expect(Self.selection("list", of: resource) == list)
    }

    @Test(
        arguments: [
            ("best(id ID!) Cat; cat(id ID!) Cat", own), ("cat Cat; other(id ID!) Cat", "{ other(id: $id) { id } }"),
            (
                "best(id ID!) Cat; catOrError(id ID!) Found|union Found: Cat, Failure|type Failure: message String",
                "{ catOrError(id: $id) { __typename ... on Failure { message } ... on Cat { id } } }"
            ),
            // The argument with the id: by name, by the item's id, by type, or the only required one.
            ("cat(name String, id ID) Cat", own),
            ("cat(other ID!, id String!) Cat", "{ cat(id: $id, other: $other) { id } }"),
            (
                "cat(owner String!, number Int!) Cat|type Cat: number Int!",
                "{ cat(number: $id, owner: $owner) { number } }"
            ),
            ("cat(slug String!, other ID!) Cat", "{ cat(other: $id, slug: $slug) { id } }"),
            ("cat(a String!, b String) Cat", "{ cat(a: $id) { id } }"),
            ("cat(id [ID!], name String!) Cat", "{ cat(name: $id) { id } }"),
            ("cat(id ID!, kind String) Cat", own),
            ("cats [Cat]; cat(a String!, b String!) Cat", nil), ("cats [Cat]; cat(a String, b String) Cat", nil),
            ("cats [Cat]; cat(id ID!, where Wanted!) Cat|input Wanted: a String", nil),
            ("cats [Cat]; cat(id ID!, kinds [String!]!) Cat", nil),
        ] as [(String, String?)])
    func getUsesAFieldWithAnArgumentForTheID(schema: String, get: String?) async throws {
        #expect(Self.selection("get", of: try await Self.resource(schema)) == get)
    }

    /// The singular of `lens` would be `len`, but the name of the type decides.
    @Test func fieldWithTheNameOfTheTypeIsPreferred() async throws {
        let resource = try await Self.resource("other(id ID!) Lens; lens(id ID!) Lens|type Lens: id ID!", "Lens")
        #expect(Self.selection("get", of: resource) == "{ lens(id: $id) { id } }")
    }

    private static let page = "|type CatPage: items [Cat]"

    @Test(
        arguments: [
            // No required arguments, then pages, then the name of the type.
            ("cats(kind String!) CatPage; b [Cat]" + page, "{ b { id } }"),
            ("cats [Cat]; pets CatPage" + page, "{ pets { items { id } } }"),
            ("pets [Cat]; cats [Cat]", "{ cats { id } }"),
            // Required arguments must become filters.
            (
                "cats(where Wanted!) [Cat]; pets(kind String!) [Cat]|input Wanted: in Inner!|input Inner: x String",
                "{ pets(kind: $kind) { id } }"
            ),
            ("cats(ids [ID!]!) [Cat]; pets(kind String!) [Cat]", "{ pets(kind: $kind) { id } }"),
            ("cats(ids [ID!]!) CatPage" + page, "{ cats(ids: $ids) { items { id } } }"),
        ])
    func listUsesTheFieldThatNeedsTheLeast(schema: String, list: String) async throws {
        #expect(Self.selection("list", of: try await Self.resource(schema)) == list)
    }

    // MARK: Ids

    @Test(
        arguments: [
            ("ids [ID!]!", "[Cat]", true), ("catIds [Int!]!", "[Cat]", true), ("keys [ID!]!", "[Cat]", true),
            ("ids [ID!]!,kind String", "[Cat]", true), ("ids [ID!]", "[Cat]", false), ("id ID!", "[Cat]", false),
            ("kindIds [Kind!]!", "[Cat]", false), ("keys [String!]!", "[Cat]", false),
            ("ids [ID!]!,kind String!", "[Cat]", false), ("ids [ID!]!", "CatPage", false),
        ])
    func severalItemsAreRequestedThroughARequiredListOfIDs(arguments: String, type: String, isMany: Bool) async throws {
        let schema = "cats [Cat]; pets(\(arguments)) \(type)|enum Kind: TAME, WILD\(Self.page)"
        #expect((try await Self.resource(schema)["graphql"]?["getMany"] != nil) == isMany)
        let below = try await Self.resource(
            "zoo(id ID!) Zoo|\(Self.zoo)cats [Cat]; pets(\(arguments)) [Cat]|enum Kind: A, B")
        #expect(below["graphql"]?["getMany"] == nil)
    }

    @Test func itemsWithoutAnIDCannotBeRequestedByID() async throws {
        let resource = try await Self.resource(
            "tags [Tag]; some(ids [ID!]!) [Tag]; tag(id ID!) Tag|type Tag: text String", "Tag")
        #expect(resource["graphql"]?["getMany"] == nil && resource["graphql"]?["get"] == nil)
    }

    @Test(
        arguments: [
            ("id ID!", "id ID!", #""string""#, nil), ("catId ID!", "id ID!", #""string""#, nil),
            ("tag String!", "id ID!; tag String", #"{"type":"string","from":"tag"}"#, nil),
            ("tag String!", "id ID!; tag Int", #"{"type":"integer","from":"tag"}"#, nil),
            ("the_tag String!", "id ID!; theTag String", #"{"type":"string","from":"theTag"}"#, nil),
            ("tag String!", "id ID!; tag [String]", #""string""#, "id"),
            ("tag String!", "id ID!; tag Tag", #""string""#, "id"),
            ("tag String!", "id ID!; tag(size Int!) String", #""string""#, "id"),
            ("id ID!", "number Int!", #"{"type":"integer","from":"number"}"#, nil),
            ("id ID!", "id(size Int!) ID; number Int!", #"{"type":"integer","from":"number"}"#, nil),
            ("code String!", "number Int!", #"{"type":"integer","from":"number"}"#, "number"),
        ] as [(String, String, String, String?)])
    func argumentOfGetSelectsTheID(argument: String, fields: String, id: String, guess: String?) async throws {
        let lines = Self.lines("cat(\(argument)) Cat|type Cat: \(fields)|type Tag: text String")
        #expect(try await GraphQLText.resource(lines, "Cat")["id"]?.text == id)
        let name = argument.prefix { $0 != " " }
        let text = try await GraphQLText.text(lines, .types(["Cat"]))
        let remark = "a guess: the argument '\(name)' of 'get' expects the item's field"
        #expect(text.contains(remark) == (guess != nil))
        if let guess { #expect(text.contains("\(remark) '\(guess)'; check it")) }
    }

    // MARK: Pages

    private static let relay = "pageInfo PageInfo|type PageInfo: hasNextPage Boolean!; endCursor String"

    @Test(
        arguments: [
            ("after String", relay, #"{"style":"relay","param":"after","pageInfo":"cats.pageInfo"}"#),
            ("page Int", relay, #"{"style":"page","param":"page","more":"cats.pageInfo.hasNextPage"}"#),
            (
                "after String", "pageInfo PageInfo|type PageInfo: hasNextPage Boolean!",
                #"{"style":"cursor","param":"after","next":{"last":"id"}}"#
            ),
            (
                "after String", "pageInfo PageInfo|type PageInfo: endCursor String",
                #"{"style":"cursor","param":"after","next":"cats.pageInfo.endCursor"}"#
            ),
            (
                "page Int", "pages Int; hasMore Boolean; total Int",
                #"{"style":"page","param":"page","pages":"cats.pages","more":"cats.hasMore","count":"cats.total"}"#
            ),
            (
                "page Int", "meta Meta|type Meta: pages Int; total Int",
                #"{"style":"page","param":"page","pages":"cats.meta.pages","count":"cats.meta.total"}"#
            ),
            (
                "page Int", "meta Meta|type Meta: inner Inner|type Inner: pages Int; total Int",
                #"{"style":"page","param":"page"}"#
            ),
            (
                "page Int", "pages String; hasMore Int; total(kind String!) Int; totalCount [Int]",
                #"{"style":"page","param":"page"}"#
            ),
            ("page Int", "total(kind String) Int", #"{"style":"page","param":"page","count":"cats.total"}"#),
            (
                "offset Int,limit Int", "hasMore Boolean",
                #"{"style":"offset","param":"offset","more":"cats.hasMore","size":{"param":"limit","value":50}}"#
            ),
            ("cursor ID", "nextCursor ID", #"{"style":"cursor","param":"cursor","next":"cats.nextCursor"}"#),
            ("page Int,first Int", "x Int", #"{"style":"page","param":"page","size":{"param":"first","value":50}}"#),
            ("page Int,first Float", "x Int", #"{"style":"page","param":"page"}"#),
            ("page Int,first [Int]", "x Int", #"{"style":"page","param":"page"}"#),
            ("page String", "pages Int", nil), ("page [Int]", "pages Int", nil), ("first Int", "pages Int", nil),
            ("after [String]", "nextCursor String", nil), ("after Kind", "nextCursor String|enum Kind: A, B", nil),
        ] as [(String, String, String?)])
    func paginationFollowsTheArgumentsAndThePage(arguments: String, fields: String, pagination: String?) async throws {
        let lines = Self.lines("cats(\(arguments)) CatPage|type CatPage: items [Cat]; \(fields)")
        let list = try await GraphQLText.resource(lines, "Cat")["graphql"]?["list"]
        #expect(list?["pagination"]?.text == pagination)
        let text = try await GraphQLText.text(lines, .types(["Cat"]))
        #expect(text.contains("no argument selects a page") == (pagination == nil))
        #expect(text.contains("a guess: the answer has no cursor") == (pagination?.contains(#""last""#) == true))
    }

    @Test func fieldsOfThePageAreSelectedOnce() async throws {
        let schema = "cats(page Int) CatPage|type CatPage: items [Cat]; hasMore Boolean; meta Meta"
        let resource = try await Self.resource(schema + "|type Meta: pages Int; total Int; size Int")
        #expect(
            Self.selection("list", of: resource)
                == "{ cats(page: $page) { meta { pages total } hasMore items { id } } }")
    }

    @Test func cursorIsAFilterIfTheItemsHaveNoID() async throws {
        let list = try await Self.resource("tags(after String) [Tag]|type Tag: text String", "Tag")["graphql"]?["list"]
        #expect(list?["pagination"] == nil && list?["filters"]?.text == #"{"after":"after"}"#)
    }

    // MARK: Filters

    @Test(
        arguments: [
            ("kind String!", "", #"{"kind":{"type":"string","required":true}}"#, "(kind: $kind)"),
            ("before String,last Int,kind String", "", #"{"kind":"kind"}"#, "(kind: $kind)"),
            ("age Int", "", #"{"age":{"type":"integer"}}"#, "(age: $age)"),
            (
                "where Wanted", "name String!,age Int",
                #"{"name":"where.name","age":{"param":"where.age","type":"integer"}}"#, "(where: $where)"
            ),
            (
                "where Wanted!", "name String!,kind String",
                #"{"name":{"param":"where.name","type":"string","required":true},"kind":"where.kind"}"#,
                "(where: $where)"
            ),
            ("where Wanted", "in Inner,name String", #"{"name":"where.name"}"#, "(where: $where)"),
            ("where Wanted", "in Inner!,name String", nil, ""), ("where [Wanted]", "name String", nil, ""),
            (
                "name String,where_name String,where Wanted", "name String,age Int",
                #"{"name":"name","where_name":"where_name","age":{"param":"where.age","type":"integer"}}"#,
                "(name: $name, where_name: $where_name, where: $where)"
            ),
        ] as [(String, String, String?, String)])
    func argumentsOfAListBecomeFilters(arguments: String, input: String, filters: String?, sent: String) async throws {
        let inner = "|input Inner: x String|input Wanted: \(input.isEmpty ? "x String" : input)"
        let resource = try await Self.resource("cats(\(arguments)) [Cat]\(inner)")
        #expect(resource["graphql"]?["list"]?["filters"]?.text == filters)
        #expect(Self.selection("list", of: resource) == "{ cats\(sent) { id } }")
    }

    /// An argument that `get` also requires is part of the scope, not a filter.
    @Test func argumentOfTheScopeIsNoFilter() async throws {
        let resource = try await Self.resource("cat(kind String!,id ID!) Cat; cats(age Int,kind String!) [Cat]")
        #expect(resource["scope"]?.text == #"{"kind":"string"}"#)
        #expect(resource["graphql"]?["list"]?["filters"]?.text == #"{"age":{"type":"integer"}}"#)
        #expect(Self.selection("list", of: resource) == "{ cats(age: $age, kind: $kind) { id } }")
    }
}
