import DataSources
import JSON
import System
import TestSupport
import Testing

/// Each value of a catalog that has every key is replaced by wrong ones in turn. The faults are compared with
/// `Fixtures/faults/wrong-values.txt`, which `LARDER_GOLDEN=write` in the environment writes.
@Suite(.limited) struct WrongValuesTests {
    private enum Step {
        case key(String)
        case index(Int)
    }

    private static let wrong: [JSONValue] = [nil, true, .number("1.5"), "", "two words", [], .object(JSONObject())]

    private static func places(of value: JSONValue, at place: [Step] = []) -> [[Step]] {
        let inner =
            switch value {
            case .object(let object): object.members.flatMap { places(of: $0.value, at: place + [.key($0.key)]) }
            case .array(let elements):
                elements.enumerated().flatMap { places(of: $0.element, at: place + [.index($0.offset)]) }
            default: [[Step]]()
            }
        return [place] + inner
    }

    /// A copy of a value in which another one is at a place; nil removes a key.
    private static func replace(_ value: JSONValue, at place: ArraySlice<Step>, by new: JSONValue?) -> JSONValue? {
        guard let step = place.first else { return new }
        switch (value, step) {
        case (.object(let object), .key(let key)):
            let members = object.members.compactMap { member in
                let inner = member.key == key ? replace(member.value, at: place.dropFirst(), by: new) : member.value
                return inner.map { (member.key, $0) }
            }
            return .object(JSONObject(members))
        case (.array(var elements), .index(let index)):
            let inner = replace(elements[index], at: place.dropFirst(), by: new)
            elements[index...index] = inner.map { [$0] } ?? []
            return .array(elements)
        default: return value
        }
    }

    private static func text(_ place: [Step]) -> String {
        place.map { step in
            switch step {
            case .key(let key): key
            case .index(let index): String(index)
            }
        }.joined(separator: ".")
    }

    /// The messages without the places, which depend on the text.
    private static func faults(of catalog: JSONValue?) -> String {
        let faults = CatalogText.faults(catalog?.text ?? "")
        return faults.isEmpty
            ? "no fault" : faults.map { $0.split(separator: " ", maxSplits: 1)[1] }.joined(separator: "; ")
    }

    @Test func faultsOfWrongValues() throws {
        let bytes = try Fixture.read("faults/catalog.json")
        let catalog = try JSONDocument(bytes).withRoot { JSONValue($0) }
        #expect(Self.faults(of: catalog) == "no fault")
        var lines: [String] = []
        for place in Self.places(of: catalog) {
            var outcomes: [(faults: String, values: [String])] = []
            for new in [nil] + Self.wrong.map(Optional.some) {
                let faults = Self.faults(of: Self.replace(catalog, at: place[...], by: new))
                let value = new?.text ?? "removed"
                if let index = outcomes.firstIndex(where: { $0.faults == faults }) {
                    outcomes[index].values.append(value)
                } else {
                    outcomes.append((faults, [value]))
                }
            }
            lines.append(Self.text(place))
            lines += outcomes.map { "  \($0.values.joined(separator: " ")): \($0.faults)" }
        }
        let text = lines.joined(separator: "\n") + "\n"
        let file = FilePath(Fixture.path("faults/wrong-values.txt"))
        if getenv("LARDER_GOLDEN") != nil { try Files.writeAtomically(Array(text.utf8), to: file) }
        let expected = String(decoding: try Files.read(file), as: UTF8.self).split(separator: "\n")
        let found = text.split(separator: "\n")
        for (index, line) in found.enumerated() where index >= expected.count || expected[index] != line {
            Issue.record("wrong-values.txt:\(index + 1) should be \(line)")
            break
        }
        #expect(found.count == expected.count)
    }
}
