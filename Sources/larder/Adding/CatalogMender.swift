import Catalog
import JSON
import Model

/// Corrects a catalog after a live check. Corrects types that differ from the API's values, marks optional fields with
/// `?`, and adds a missing `pagination`. Comments and layout stay unchanged.
struct CatalogMender {
    /// The maximum number of corrections in one catalog.
    static let maxMends = 100

    private(set) var bytes: [UInt8]
    /// The descriptions of the corrections, such as `thing.price: "integer" is now "number"`.
    private(set) var mends: [String] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Corrects the errors that a live check has found. Returns whether the catalog has changed. Another live check may
    /// then find further errors.
    mutating func mend(_ findings: [LiveFinding]) -> Bool {
        let before = mends.count
        for finding in findings where mends.count < Self.maxMends {
            if let pagination = finding.missingPagination { add(pagination, toListOf: finding.resource) }
            guard let error = finding.error, let path = error.path, let found = error.found else { continue }
            mend(finding.resource, Self.steps(path), found)
        }
        return mends.count > before
    }

    /// Returns the field names in a value's path, without the part of the path that leads to the item. For example,
    /// `results[3].owner.names[0]` becomes `owner`, `names`, `[]`, because `results[3]` is the item.
    static func steps(_ path: String) -> [String] {
        let steps = path.split(separator: ".").map(String.init)
        let item = steps.firstIndex { $0.contains("[") }
        return steps[(item.map { $0 + 1 } ?? 0)...].flatMap { step in
            [String(step.prefix { $0 != "[" })] + (step.contains("[") ? ["[]"] : [])
        }
    }

    /// A replacement of a range of bytes in the catalog's text.
    private struct Edit {
        let range: Range<Int>
        let text: String
        /// The description of the correction.
        let note: String
    }

    /// Adds the member `pagination` to the REST list of a resource.
    private mutating func add(_ pagination: String, toListOf resource: String) {
        guard let document = try? JSONDocument(bytes, as: .jsonc) else { return }
        let edit = document.withRoot { root -> Edit? in
            guard let list = root["resources"]?[resource]?["rest"]?["list"], list["pagination"] == nil,
                let last = Array(list.members).last?.value
            else { return nil }
            let end = last.offset + last.token.count
            let brace = list.offset + list.token.count - 1
            let note = "\(resource): the list now has \(pagination)"
            guard let line = bytes[end..<brace].lastIndex(of: UInt8(ascii: "\n")),
                bytes[(line + 1)..<brace].allSatisfy({ $0 == UInt8(ascii: " ") })
            else {
                return Edit(range: end..<end, text: ", \(pagination)", note: note)
            }
            // Comments after the last member stay on its line.
            let rest = String(decoding: bytes[end...line], as: UTF8.self)
            let comma = rest.drop { $0 == " " }.hasPrefix(",") ? "" : ","
            let indent = String(decoding: bytes[(line + 1)..<brace], as: UTF8.self) + "  "
            return Edit(range: end..<(line + 1), text: "\(comma)\(rest)\(indent)\(pagination),\n", note: note)
        }
        apply(edit)
    }

    private mutating func apply(_ edit: Edit?) {
        // Each correction is made only once. If the same correction is needed again, it is probably wrong.
        guard let edit, !mends.contains(edit.note) else { return }
        bytes.replaceSubrange(edit.range, with: Array(edit.text.utf8))
        mends.append(edit.note)
    }

    private mutating func mend(_ resource: String, _ steps: [String], _ found: APIError.FoundValue) {
        guard let document = try? JSONDocument(bytes, as: .jsonc) else { return }
        let edit = document.withRoot { root -> Edit? in
            guard let fields = root["resources"]?[resource]?["fields"] else { return nil }
            return Self.field(at: steps[...], in: fields).flatMap { Self.edit(of: $0, resource, found) }
        }
        apply(edit)
    }

    /// A field in the catalog: its key, its type, and its dotted name for messages.
    private typealias Field = (key: JSONView, type: JSONView, name: String)

    /// Returns the catalog's declaration of the field at a path in the API's answer. A field's `from` is its path in
    /// the answer. If a field has no `from`, its own name is the path.
    private static func field(at steps: ArraySlice<String>, in fields: JSONView) -> Field? {
        guard !steps.isEmpty, fields.kind == .object else { return nil }
        for member in fields.members {
            guard let key = member.key.string else { continue }
            let name = key.hasSuffix("?") ? String(key.dropLast()) : key
            // The function does not compare a `from` that differs between operations or contains more than names.
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

    private static func edit(of field: Field, _ resource: String, _ found: APIError.FoundValue) -> Edit? {
        let place = "\(resource).\(field.name)"
        func range(_ view: JSONView) -> Range<Int> { view.offset..<view.offset + view.token.count }
        if found == .nothing, field.type.string == nil {
            // A question mark after the name makes a field of any type optional, and keeps its declaration.
            guard let key = field.key.string, !key.hasSuffix("?") else { return nil }
            return Edit(
                range: range(field.key), text: JSONValue.string(key + "?").text, note: "\(place) is now optional")
        }
        let old = String(decoding: field.type.token, as: UTF8.self)
        guard let new = mended(field.type, found), new != old else { return nil }
        let shown = old.utf8.count <= 40 ? old : "its type"
        return Edit(range: range(field.type), text: new, note: "\(place): \(shown) is now \(new)")
    }

    /// Returns the corrected type of a field, in the JSON syntax of a catalog. Nil if the right type is uncertain.
    ///
    /// - Parameters:
    ///   - type: the declared type.
    ///   - found: the kind of the API's value, which the declared type does not accept.
    private static func mended(_ type: JSONView, _ found: APIError.FoundValue) -> String? {
        let name = type.string
        let isOptional = name?.hasSuffix("?") == true
        func declared(_ name: String) -> String { "\"\(name)\(isOptional ? "?" : "")\"" }
        switch found {
        case .nothing: return name == "any" || isOptional ? nil : name.map { JSONValue.string($0 + "?").text }
        case .string: return declared("string")
        case .boolean: return declared("boolean")
        case .integer, .number:
            // A number in place of a date could be in seconds or milliseconds.
            if name?.hasPrefix("date") == true { return nil }
            return declared(found == .integer ? "integer" : "number")
        // Replacing an object or an array by `any` would lose its fields or the type of its elements.
        case .object, .array: return name == nil ? nil : #""any""#
        }
    }
}
