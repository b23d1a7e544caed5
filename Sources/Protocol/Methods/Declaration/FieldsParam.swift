import JSON

/// Which fields the items of a result show: names, dotted for those inside others.
public struct FieldsParam: Equatable, Sendable {
    /// The names as they came.
    public let names: [String]
    private let root: Level

    /// The fields to show of an object; nil for all of what a name leads to.
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

    /// Nil for anything but an array of one or more names, none of them with an empty step.
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

    /// The same where these are the names of fields, though they have dots: what stands under one is shown whole.
    public func taking(whole isField: (String) -> Bool) -> FieldsParam {
        let dotted = names.filter { $0.utf8.contains(UInt8(ascii: ".")) && isField($0) }
        return dotted.isEmpty ? self : FieldsParam(names) { dotted.contains($0) }
    }

    /// The item with these fields alone, in its own order. Of an array, each element shows them. What is kept is
    /// spliced, byte by byte; what is no object stays as it is.
    public func pick(from item: [UInt8]) -> [UInt8] {
        guard let document = try? JSONDocument(item) else { return item }
        return document.withRoot { view in
            var writer = JSONWriter(capacity: item.count)
            Self.write(view, root, to: &writer)
            return writer.bytes
        }
    }

    /// The same for several items.
    public func pick(from items: [[UInt8]]) -> [[UInt8]] { items.map { pick(from: $0) } }

    /// The same for several items in one buffer.
    public func pick(from items: JSONTexts) -> JSONTexts { JSONTexts(items.lazy.map { pick(from: $0) }) }

    private static func write(_ view: JSONView, _ level: Level, to writer: inout JSONWriter) {
        switch view.kind {
        case .object:
            writer.beginObject()
            for member in view.members {
                guard let field = level.fields.first(where: { member.key.isString($0.name) }) else { continue }
                // Of a value that has no fields, there is nothing to show; null says that there is none.
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
