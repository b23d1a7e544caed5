import JSON

/// The names of the item fields that a result must contain. A dotted name means a field of a nested object.
public struct FieldsParam: Equatable, Sendable {
    /// The field names in the form that the client sent.
    public let names: [String]
    private let root: Level

    /// The selected fields of an object. `inner` contains the selected fields of a nested object; if it is nil, the
    /// whole field is selected.
    private final class Level: Equatable, Sendable {
        let fields: [(name: String, inner: Level?)]

        init(_ paths: [ArraySlice<Substring>]) {
            var order: [Substring] = []
            var rests: [Substring: [ArraySlice<Substring>]] = [:]
            for path in paths {
                guard let first = path.first else { continue }
                if rests[first] == nil { order.append(first) }
                rests[first, default: []].append(path.dropFirst())
            }
            fields = order.map { name in
                let rests = rests[name] ?? []
                return (String(name), rests.contains { $0.isEmpty } ? nil : Level(rests))
            }
        }

        static func == (left: Level, right: Level) -> Bool {
            left.fields.elementsEqual(right.fields) { $0.name == $1.name && $0.inner == $1.inner }
        }
    }

    /// Reads an array of field names. Returns nil for an empty array, for an invalid name such as `a..b`, and for any
    /// other JSON value.
    init?(_ view: JSONView) {
        guard view.kind == .array else { return nil }
        var names: [String] = []
        for element in view.elements {
            guard let name = element.string, !name.isEmpty, !name.hasPrefix("."), !name.hasSuffix("."),
                !name.contains("..")
            else {
                return nil
            }
            names.append(name)
        }
        guard !names.isEmpty else { return nil }
        self.init(names) { _ in false }
    }

    private init(_ names: [String], isWhole: (String) -> Bool) {
        self.names = names
        root = Level(names.map { isWhole($0) ? [Substring($0)] : $0.split(separator: ".")[...] })
    }

    /// Returns a copy of the selection that treats a dotted name such as `a.b` as one field name if a field with this
    /// name exists. Otherwise, `a.b` selects the field `b` of the nested object `a`.
    ///
    /// - Parameter isField: returns whether a field with exactly the given name exists.
    public func taking(whole isField: (String) -> Bool) -> FieldsParam {
        let dotted = names.filter { $0.utf8.contains(UInt8(ascii: ".")) && isField($0) }
        return dotted.isEmpty ? self : FieldsParam(names) { dotted.contains($0) }
    }

    /// Returns an item with only the selected fields, in the item's order. If the item is an array, the function
    /// selects the fields in each element. Any other value stays unchanged.
    public func pick(from item: [UInt8]) -> [UInt8] {
        guard let document = try? JSONDocument(item) else { return item }
        return document.withRoot { view in
            var writer = JSONWriter(capacity: item.count)
            Self.write(view, root, to: &writer)
            return writer.bytes
        }
    }

    /// Returns several items, each with only the selected fields.
    public func pick(from items: [[UInt8]]) -> [[UInt8]] { items.map { pick(from: $0) } }

    /// Returns a list of items with only the selected fields.
    public func pick(from items: JSONTexts) -> JSONTexts { JSONTexts(items.lazy.map { pick(from: $0) }) }

    private static func write(_ view: JSONView, _ level: Level, to writer: inout JSONWriter) {
        switch view.kind {
        case .object:
            writer.beginObject()
            for member in view.members {
                guard let field = level.fields.first(where: { member.key.isString($0.name) }) else { continue }
                // A string or number has no inner fields, so the result omits it. The result contains null, because
                // null means that the object is absent.
                let isShown = field.inner == nil || [.object, .array, .null].contains(member.value.kind)
                guard isShown else { continue }
                writer.key(text: field.name)
                if let inner = field.inner {
                    write(member.value, inner, to: &writer)
                } else {
                    writer.value(member.value)
                }
            }
            writer.endObject()
        case .array:
            writer.beginArray()
            for element in view.elements { write(element, level, to: &writer) }
            writer.endArray()
        default: writer.value(view)
        }
    }
}
