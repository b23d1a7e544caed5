import CatalogTools
import JSON
import TestSupport
import Testing

/// Removes each value of a document in turn and compares the added lines of the draft with a golden file.
@Suite(.limited) struct ChangedOpenAPIDocumentsTests {
    @Test(arguments: [("kubernetes", "kubernetes", 1), ("stripe", "stripe", 3), ("swagger/github", "github", 3)])
    func draftsMatchTheRecordingIfTheDocumentLacksOneValue(document: String, recording: String, step: Int)
        async throws
    {
        let document = try JSONDocument(Fixture.read("openapi/\(document).json")).withRoot { JSONValue($0) }
        let lines = await ChangedDrafts.lines(of: document, step: step) { text throws(CatalogDraftError) in
            try CatalogImport.draft(Array(text.utf8))
        }
        try GoldenFile.expect(lines, in: "openapi/changed/\(recording).txt")
    }
}
