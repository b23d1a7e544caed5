import CatalogTools
import JSON
import Mocks

/// Drafts of a document from which one value was removed.
enum ChangedDrafts {
    /// Drafts a catalog from the text of a document.
    typealias Draft = (String) async throws(CatalogDraftError) -> String

    /// Removes each value of a document in turn, and flips each flag. Returns the lines that the drafts gain.
    ///
    /// - Parameter step: 1 for all values; 3 for every third value, which takes a third of the time.
    static func lines(of document: JSONValue, step: Int = 1, _ draft: @escaping Draft) async -> [String] {
        let whole = await lines(document.text, draft)
        var lines: [String] = []
        for (index, place) in JSONPlace.all(in: document).enumerated() where index % step == 0 {
            for (name, value) in variants(of: place.value(in: document)) {
                let text = place.replacing(in: document, by: value)?.text ?? ""
                let changes = await self.lines(text, draft).difference(from: whole)
                guard !changes.isEmpty else { continue }
                lines.append("\(name) '\(place)': \(changes.removals.count) lines removed, others added:")
                lines += changes.insertions.map { change in
                    if case .insert(_, let line, _) = change { "  + \(line)" } else { "" }
                }
            }
        }
        return lines
    }

    private static func variants(of value: JSONValue?) -> [(name: String, value: JSONValue?)] {
        switch value {
        case true: [("without", nil), ("false in", false)]
        case false: [("without", nil), ("true in", true)]
        default: [("without", nil)]
        }
    }

    /// Returns the lines of a draft without indentation, or the error.
    private static func lines(_ text: String, _ draft: @escaping Draft) async -> [String] {
        do throws(CatalogDraftError) {
            return try await draft(text).split(separator: "\n").map { line in String(line.drop { $0 == " " }) }
        } catch {
            return ["refused: \(error.message)"]
        }
    }
}
