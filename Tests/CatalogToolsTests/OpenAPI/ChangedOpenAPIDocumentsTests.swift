import CatalogTools
import JSON
import Mocks
import TestSupport
import Testing

/// Removes each value of a document in turn and compares the added lines of the draft with a golden file.
@Suite(.limited) struct ChangedOpenAPIDocumentsTests {
    /// Returns the lines of a draft without indentation, or the error.
    private static func draft(_ document: JSONValue?) -> [String] {
        do throws(CatalogDraftError) {
            let text = try CatalogImport.draft(Array((document?.text ?? "").utf8))
            return text.split(separator: "\n").map { line in String(line.drop { $0 == " " }) }
        } catch {
            return ["refused: \(error.message)"]
        }
    }

    @Test func removalOfAnyValueChangesTheDraftAsRecorded() throws {
        let document = try JSONDocument(Fixture.read("openapi/kubernetes.json")).withRoot { JSONValue($0) }
        let whole = Self.draft(document)
        var lines: [String] = []
        for place in JSONPlace.all(in: document) {
            let changes = Self.draft(place.replacing(in: document, by: nil)).difference(from: whole)
            guard !changes.isEmpty else { continue }
            lines.append("without '\(place)': \(changes.removals.count) lines removed, others added:")
            lines += changes.insertions.map { change in
                if case .insert(_, let line, _) = change { "  + \(line)" } else { "" }
            }
        }
        try GoldenFile.expect(lines, in: "openapi/changed/kubernetes.txt")
    }
}
