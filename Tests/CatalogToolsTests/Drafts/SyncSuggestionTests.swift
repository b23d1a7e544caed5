import Catalog
import HTTP
import JSON
import Mocks
import TestSupport
import Testing

@testable import CatalogTools

/// Tests the comments of drafts that suggest the key `sync`.
@Suite(.limited) struct SyncSuggestionTests {
    private static let date = #"{"type": "string", "format": "date-time"}"#

    /// Returns the draft of a list with the given parameters, whose items have the given properties.
    private static func draft(_ parameters: String, _ properties: String) throws -> String {
        let thing =
            #"{"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}, \#(properties)}}"#
        let document = OpenAPIText.document(
            paths: """
                "/things": {"get": {"parameters": [\(parameters)], \
                \(OpenAPIText.get(#"{"type": "array", "items": \#(thing)}"#))}}
                """)
        return try CatalogImport.draft(Array(document.utf8))
    }

    private static func suggestion(_ parameters: String, _ properties: String) throws -> String? {
        try SuggestedSync.texts(in: draft(parameters, properties)).first
    }

    /// Checks a draft after its suggestions have replaced their comments. Returns the number of suggestions.
    private static func check(_ draft: String) -> Int {
        let texts = SuggestedSync.texts(in: draft)
        let active = SuggestedSync.activated(draft)
        #expect(DraftText.faults(in: draft) == [] && DraftText.faults(in: active) == [])
        let catalog = try? CatalogDecoder.decode(Array(active.utf8), secrets: .empty, toleratesMissing: true)
        #expect(catalog?.resources.count { $0.sync != nil } == texts.count)
        return texts.count
    }

    static let names: [(String, String, String)] = [
        ("updated_after", "updated_at", "date"), ("updated_since", "updated", "date"),
        ("updatedMin", "updatedAt", "date"), ("updated_at_min", "updated_at", "date"),
        ("updated__gte", "updated", "date"), ("updated[gte]", "updated", "date"),
        ("filter[updated_at][gte]", "updated_at", "date"), ("modified_after", "modified_gmt", "date"),
        ("modifiedSince", "lastModified", "date"), ("changed_since", "changed", "date"),
        ("last_modified_after", "last_modified", "date"), ("since", "updated_at", "date"),
        ("_since", "last_modified", "integer"),
    ]

    @Test(arguments: names)
    func usualNamesOfParameterAndFieldSuggestSync(parameter: String, field: String, type: String) throws {
        let schema = type == "date" ? Self.date : #"{"type": "\#(type)"}"#
        let draft = try Self.draft(OpenAPIText.query(parameter, schema), #""\#(field)": \#(schema)"#)
        let more = type == "date" ? "" : #", "type": "\#(type)""#
        #expect(
            SuggestedSync.texts(in: draft) == [
                #""sync": {"style": "since", "param": "\#(parameter)", "from": "\#(field)"\#(more)}"#
            ])
        #expect(Self.check(draft) == 1)
        // The suggestion is not active.
        #expect(try DraftText.value(draft)["resources"]?["thing"]?["rest"]?["sync"] == nil)
    }

    @Test func activatedSuggestionHasNoFaultAndNoWarning() throws {
        let required = OpenAPIText.query("project", #"{"type": "string"}"#, #""required": true"#)
        let draft = try Self.draft(
            OpenAPIText.query("updated_after", Self.date) + ", " + required, #""updated_at": \#(Self.date)"#)
        let check = CatalogCheck(Array(SuggestedSync.activated(draft).utf8), secrets: .empty)
        #expect(check.faults == nil && check.warnings == [])
        #expect(check.catalog?.resources.first?.sync?.filters == ["project"])
    }

    @Test func clearestParameterAndFieldAreSuggested() throws {
        let parameters = ["since", "updated_after", "modified_after"].map { OpenAPIText.query($0, Self.date) }
        let fields = ["modified", "changed_at", "updated_at"].map { #""\#($0)": \#(Self.date)"# }
        let text = try Self.suggestion(parameters.joined(separator: ", "), fields.joined(separator: ", "))
        #expect(text?.contains(#""param": "updated_after", "from": "updated_at""#) == true)
        let other = try Self.suggestion(OpenAPIText.query("modified_after", Self.date), fields.joined(separator: ", "))
        #expect(other?.contains(#""from": "modified""#) == true)
        let gmt = try Self.suggestion(
            OpenAPIText.query("modified_after", Self.date),
            #""modified": \#(Self.date), "modified_gmt": \#(Self.date)"#)
        #expect(gmt?.contains(#""from": "modified_gmt""#) == true)
    }

    static let unfit: [(String, String)] = [
        // No such parameter, or no such field.
        (OpenAPIText.query("created_after", date), #""updated_at": \#(date)"#),
        (OpenAPIText.query("updated_after", date), #""created_at": \#(date)"#),
        // The types differ: an id, or a string that is not a date.
        (OpenAPIText.query("since", #"{"type": "integer"}"#), #""updated_at": \#(date)"#),
        (OpenAPIText.query("since", date), #""updated": {"type": "integer"}"#),
        (OpenAPIText.query("updated_since", date), #""updated_at": {"type": "string"}"#),
        (OpenAPIText.query("updated_since", #"{"type": "boolean"}"#), #""updated_at": \#(date)"#),
        (OpenAPIText.query("updated_since", #"{"type": "array", "items": \#(date)}"#), #""updated_at": \#(date)"#),
        // Each request sends the parameter.
        (OpenAPIText.query("updated_since", date, #""required": true"#), #""updated_at": \#(date)"#),
        (
            OpenAPIText.query("updated_since", #"{"type": "string", "default": "2020-01-01T00:00:00Z"}"#),
            #""updated_at": \#(date)"#
        ),
    ]

    @Test(arguments: unfit)
    func listWithoutASuitableParameterAndFieldHasNoSuggestion(parameters: String, properties: String) throws {
        #expect(try Self.suggestion(parameters, properties) == nil)
    }

    @Test func suggestionNamesTheDefaultsThatPreventRequestsForChanges() throws {
        let state = OpenAPIText.query("state", #"{"type": "string", "default": "open"}"#)
        let draft = try Self.draft(
            OpenAPIText.query("since", Self.date) + ", " + state, #""updated_at": \#(Self.date)"#)
        #expect(
            SuggestedSync.comments(in: draft).contains { $0.contains("remove 'default' of 'state', and add \"sync\"") })
        let check = CatalogCheck(Array(SuggestedSync.activated(draft).utf8), secrets: .empty)
        #expect(check.faults == nil)
        #expect(check.warnings.map(\.message).contains { $0.contains("every request sends the filter 'state'") })
    }

    @Test func parameterInTheURLOfAnInferredListIsSuggested() async throws {
        let body = #"[{"id": 1, "updated_at": "2026-01-31T09:05:00Z"}]"#
        let client = HTTPClientMock(.success(HTTPResponse(status: 200, body: Array(body.utf8))))
        let inference = CatalogInference(client: client, explain: explained, secrets: .empty)
        let url = "https://api.zoo.test/animals?updated_after="
        let draft = try await inference.draft(url + "2026-01-01T00:00:00Z")
        let comment = SuggestedSync.comments(in: draft).first { $0.contains("\"sync\"") }
        let advice =
            #"remove 'updated_after' from 'query', and add "sync": {"style": "since", "param": "updated_after""#
        #expect(comment?.contains(advice) == true && Self.check(draft) == 1)
        // An id is not a date.
        #expect(try await SuggestedSync.texts(in: inference.draft(url + "17")) == [])
    }

    @Test(arguments: ["updatedAfter String", "filter Filter"])
    func graphQLVariableIsSuggested(argument: String) async throws {
        let draft = try await GraphQLText.text(
            [
                "type Query: cats(first Int,after String,\(argument)) Cats!", "type Cat: id ID!; updatedAt DateTime!",
                "type Cats: nodes [Cat]; pageInfo PageInfo!",
                "type PageInfo: hasNextPage Boolean!; endCursor String",
                "input Filter: name String,updatedSince String",
            ], .types(["Cat"]))
        let parameter = argument.hasPrefix("filter") ? "filter.updatedSince" : "updatedAfter"
        #expect(
            SuggestedSync.texts(in: draft) == [
                #""sync": {"style": "since", "param": "\#(parameter)", "from": "updatedAt"}"#
            ])
        let check = CatalogCheck(Array(SuggestedSync.activated(draft).utf8), secrets: .empty)
        #expect(check.faults == nil && check.warnings == [])
        #expect(check.catalog?.resources.first?.sync != nil)
    }

    @Test(arguments: [("github", 0), ("stripe", 0), ("kubernetes", 0), ("published/harvest_app", 1)])
    func suggestionsInDraftsOfPublishedDocumentsAreValid(name: String, count: Int) throws {
        let draft = try CatalogImport.draft(Fixture.read("openapi/\(name).json"))
        #expect(Self.check(draft) == count)
    }
}

/// Reads the suggestions of `sync` in a draft.
enum SuggestedSync {
    /// Returns the comments of a draft, each on one line.
    static func comments(in draft: String) -> [String] { parts(of: draft).compactMap(\.comment) }

    /// Returns the suggested declarations: `"sync": {...}`.
    static func texts(in draft: String) -> [String] { comments(in: draft).compactMap(declaration) }

    /// Returns the draft with each suggestion instead of its comment.
    static func activated(_ draft: String) -> String {
        parts(of: draft).map { part in
            part.comment.flatMap { declaration(in: $0) }.map { $0 + "," } ?? part.text
        }.joined(separator: "\n")
    }

    /// Divides a draft into comments of several lines and other lines.
    private static func parts(of draft: String) -> [(text: String, comment: String?)] {
        var parts: [(text: String, comment: String?)] = []
        for line in draft.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.drop { $0 == " " }
            guard text.hasPrefix("// ") else {
                parts.append((String(line), nil))
                continue
            }
            // A comment that follows another comment on its own line starts with a suggestion or ends it.
            if let last = parts.last, let comment = last.comment, !text.hasPrefix("// if '") {
                parts[parts.count - 1] = (last.text + "\n" + line, comment + " " + text.dropFirst(3))
            } else {
                parts.append((String(line), String(text.dropFirst(3))))
            }
        }
        return parts
    }

    private static func declaration(in comment: String) -> String? {
        guard let start = comment.firstRange(of: #""sync": {"#) else { return nil }
        var depth = 0
        for index in comment[start.lowerBound...].indices {
            depth += comment[index] == "{" ? 1 : comment[index] == "}" ? -1 : 0
            if depth == 0, comment[index] == "}" { return String(comment[start.lowerBound...index]) }
        }
        return nil
    }
}
