import JSON
import Mocks
import TestSupport
import Testing

/// Replaces each value of a catalog that has every key by wrong values, and compares the errors with a golden file.
@Suite(.limited) struct WrongCatalogValuesTests {
    private static let wrong: [JSONValue] = [nil, true, .number("1.5"), "", "two words", [], .object(JSONObject())]

    /// Returns the messages without their locations, which depend on the text.
    private static func faults(of catalog: JSONValue?) -> String {
        let faults = CatalogText.faults(catalog?.text ?? "").map { $0.split(separator: " ", maxSplits: 1)[1] }
        return faults.isEmpty ? "no fault" : faults.joined(separator: "; ")
    }

    @Test func everyWrongValueHasTheRecordedErrors() throws {
        let catalog = try JSONDocument(Fixture.read("faults/catalog.json")).withRoot { JSONValue($0) }
        #expect(Self.faults(of: catalog) == "no fault")
        var lines: [String] = []
        for place in JSONPlace.all(in: catalog) {
            var outcomes: [(faults: String, values: [String])] = []
            for new in [nil] + Self.wrong.map(Optional.some) {
                let faults = Self.faults(of: place.replacing(in: catalog, by: new))
                let value = new?.text ?? "removed"
                if let index = outcomes.firstIndex(where: { $0.faults == faults }) {
                    outcomes[index].values.append(value)
                } else {
                    outcomes.append((faults, [value]))
                }
            }
            lines.append("\(place)")
            lines += outcomes.map { "  \($0.values.joined(separator: " ")): \($0.faults)" }
        }
        try GoldenFile.expect(lines, in: "faults/wrong-values.txt")
    }
}
