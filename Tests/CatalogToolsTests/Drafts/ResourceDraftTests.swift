import JSON
import TestSupport
import Testing

@testable import CatalogTools

/// Tests the text of whole resources in a draft.
@Suite(.limited) struct ResourceDraftTests {
    private func text(_ draft: ResourceDraft) -> String { DraftPrinter.text(of: draft.lines) }

    @Test func resourceIsWrittenInTheOrderOfTheCatalog() {
        var draft = ResourceDraft(
            name: "thing", api: "a", id: .init(type: "integer", note: "the id"),
            fields: [
                DraftField(name: "id", type: DraftType(.any, isOptional: true)),
                DraftField(name: "name", type: DraftType(.string)),
            ])
        draft.comments = ["first", "second"]
        draft.scope = [.init(name: "owner", type: .text("string"), note: "whose")]
        draft.fieldsNote = "all fields of the answer"
        draft.get = [.text("path", "/things/{id}")]
        draft.many = [.text("path", "/things")]
        draft.list = [.text("path", "/list")]
        draft.remarks = ["no filters"]
        #expect(
            text(draft) == """
                // first
                // second
                "thing": {
                  "api": "a",
                  "scope": {
                    "owner": "string",  // whose
                  },
                  "id": "integer",  // the id
                  "fields": {"id": "integer", "name": "string"},  // all fields of the answer
                  "rest": {
                    "get": {"path": "/things/{id}"},
                    "getMany": {"path": "/things"},
                    "list": {"path": "/list"},
                    // no filters
                  },
                },

                """)
        #expect(!draft.hasReferences)
    }

    @Test func graphQLResourceWithoutFieldsHasAPathAndAComment() {
        var draft = ResourceDraft(name: "thing", api: "a", id: .init(type: "string"), fields: [])
        draft.transport = "graphql"
        draft.path = "/graphql"
        #expect(
            text(draft) == """
                "thing": {
                  "api": "a",
                  "id": "string",
                  // no fields are known: items are returned unchanged
                  "graphql": {"path": "/graphql"},
                },

                """)
        draft.list = [.text("path", "/${env:KEY}")]
        #expect(draft.hasReferences)
        #expect(!text(draft).contains("env:KEY"))
    }

    private static var ids: [(ResourceDraft.ID, String)] {
        [
            (.init(type: "string"), #""string""#),
            (.init(type: "integer", from: ["key"]), #"{"type": "integer", "from": "key"}"#),
            (.init(type: "string", from: ["a", "b.c"]), #"{"type": "string", "from": ["a", "b.c"]}"#),
            (.init(type: "string", from: ["a", ""]), #"{"type": "string", "from": ["a", ""]}"#),
            (
                .init(type: "string", from: ["a", "b"], listed: ["c"]),
                #"{"type": "string", "from": {"get": "a.b", "list": "c"}}"#
            ),
            (.init(type: "string", match: "[0-9]+"), #"{"type": "string", "from": "id", "match": "[0-9]+"}"#),
            (.init(type: "string", from: []), #"{"type": "string", "from": "", "hash": true}"#),
            (
                .init(type: "string", parts: [["a"], ["b", "c"]], join: "/"),
                #"{"type": "string", "from": ["a", "b.c"], "join": "/"}"#
            ),
            (.init(type: "string", parts: [["a"]]), #"{"type": "string", "from": "id"}"#),
            (.init(type: "string", from: ["key"], join: "/"), #"{"type": "string", "from": "key"}"#),
        ]
    }

    @Test func draftedIDHasTheSyntaxOfTheCatalog() {
        for (id, declared) in Self.ids {
            #expect(DraftPrinter.text(of: [.member("id", id.declared)]) == "\"id\": \(declared),\n")
        }
    }

    @Test func fieldNamedIDKeepsItsTypeIfTheIDIsReadElsewhere() {
        for (id, _) in Self.ids.dropFirst() {
            let draft = ResourceDraft(
                name: "t", api: "a", id: id, fields: [DraftField(name: "id", type: DraftType(.boolean))])
            #expect(text(draft).contains(#""fields": {"id": "boolean"}"#))
        }
    }
}
