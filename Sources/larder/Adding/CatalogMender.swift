import Catalog
import JSON
import Model

/// Mends a catalog by the errors of a live check: a type that differs from the value, and a `?` that is missing. The
/// text keeps its comments and layout.
struct CatalogMender {
    /// The largest number of mends in one catalog.
    static let maxMends = 100

    private(set) var bytes: [UInt8]
    /// A description of each mend, such as `thing.price: "integer" is now "number"`.
    private(set) var mends: [String] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Mends what the findings show. Returns whether anything has changed; another check may then find more.
    mutating func mend(_ findings: [LiveFinding]) -> Bool {
        let before = mends.count
        for finding in findings where mends.count < Self.maxMends {
            guard let error = finding.error, error.kind == .decodingFailed, let path = error.path else { continue }
            mend(finding.resource, Self.steps(path), error.message)
        }
        return mends.count > before
    }

    /// Returns the names on the path of a value inside its item: `results[3].owner.names[0]` is `owner`, `names`, `[]`.
    /// The item of a list is the first element on the path.
    static func steps(_ path: String) -> [String] {
        let steps = path.split(separator: ".").map(String.init)
        let item = steps.firstIndex { $0.contains("[") }
        return steps[(item.map { $0 + 1 } ?? 0)...].flatMap { step in
            [String(step.prefix { $0 != "[" })] + (step.contains("[") ? ["[]"] : [])
        }
    }

    /// A replacement of a part of the text.
    private struct Edit {
        let range: Range<Int>
        let text: String
        /// The description of the mend.
        let note: String
    }

    private mutating func mend(_ resource: String, _ steps: [String], _ message: String) {
        guard let document = try? JSONDocument(bytes, as: .jsonc) else { return }
        let edit = document.withRoot { root -> Edit? in
            guard let fields = root["resources"]?[resource]?["fields"] else { return nil }
            return Self.field(at: steps[...], in: fields).flatMap { Self.edit(of: $0, resource, message) }
        }
        // A mend that would be repeated is not certain.
        guard let edit, !mends.contains(edit.note) else { return }
        bytes.replaceSubrange(edit.range, with: Array(edit.text.utf8))
        mends.append(edit.note)
    }

    /// A declared field: its key, its type, and the dotted name for messages.
    private typealias Field = (key: JSONView, type: JSONView, name: String)

    /// Returns the declaration of a field. A step is the name of a field, or the member that its `from` names.
    private static func field(at steps: ArraySlice<String>, in fields: JSONView) -> Field? {
        guard !steps.isEmpty, fields.kind == .object else { return nil }
        for member in fields.members {
            guard let key = member.key.string else { continue }
            let name = key.hasSuffix("?") ? String(key.dropLast()) : key
            // A `from` that differs between operations, or has other steps than names, is not compared.
            let from = member.value["from"]
            let own = from == nil ? [name] : from?.string?.split(separator: ".").map(String.init) ?? []
            guard !own.isEmpty, steps.starts(with: own) else { continue }
            let type = member.value.kind == .object ? member.value["type"] ?? member.value : member.value
            var (rest, inner) = (steps.dropFirst(own.count), type)
            if rest.first == "[]" {
                guard type.kind == .array, let element = type.elements.first(where: { _ in true }) else { return nil }
                (rest, inner) = (rest.dropFirst(), element)
            }
            if rest.isEmpty { return (member.key, inner, name) }
            return field(at: rest, in: inner).map { ($0.key, $0.type, "\(name).\($0.name)") }
        }
        return nil
    }

    private static func edit(of field: Field, _ resource: String, _ message: String) -> Edit? {
        let place = "\(resource).\(field.name)"
        func range(_ view: JSONView) -> Range<Int> { view.offset..<view.offset + view.token.count }
        if message.contains("but is missing") || message.contains("but is null"), field.type.string == nil {
            // A question mark after the name makes a field of any type optional, and keeps its declaration.
            guard let key = field.key.string, !key.hasSuffix("?") else { return nil }
            return Edit(
                range: range(field.key), text: JSONValue.string(key + "?").text, note: "\(place) is now optional")
        }
        let old = String(decoding: field.type.token, as: UTF8.self)
        guard let new = mended(field.type, message), new != old else { return nil }
        let shown = old.utf8.count <= 40 ? old : "its type"
        return Edit(range: range(field.type), text: new, note: "\(place): \(shown) is now \(new)")
    }

    /// Returns the declaration that accepts the value of an error message; nil if that is not certain.
    private static func mended(_ type: JSONView, _ message: String) -> String? {
        let old = type.string
        let isOptional = old?.hasSuffix("?") == true
        if message.contains("but is missing") || message.contains("but is null") {
            return old == nil || old == "any" || isOptional ? nil : old.map { JSONValue.string($0 + "?").text }
        }
        let mark = isOptional ? "?" : ""
        for name in ["string", "integer", "number", "boolean"] where message.contains("declare \"\(name)\"") {
            return "\"\(name)\(mark)\""
        }
        if message.contains("add the value to the type") || message.contains("or \"string\"") {
            return "\"string\(mark)\""
        }
        if message.contains("declare its fields, or \"any\"") || message.contains("declare an array: [type]")
            || message.contains("declare [type]")
        {
            // The fields of an object or the type of an array are worth more than a mend.
            return old == nil ? nil : #""any""#
        }
        return nil
    }
}
