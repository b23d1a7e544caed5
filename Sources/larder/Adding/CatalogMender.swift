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

    /// Returns the names on the path of a value, without indexes: `results[3].owner.name` is `results`, `owner`,
    /// `name`.
    static func steps(_ path: String) -> [String] {
        path.split(separator: ".").map { step in String(step.prefix { $0 != "[" }) }.filter { !$0.isEmpty }
    }

    private mutating func mend(_ resource: String, _ steps: [String], _ message: String) {
        guard let document = try? JSONDocument(bytes, as: .jsonc) else { return }
        let edit = document.withRoot { root -> (range: Range<Int>, old: String, new: String, name: String)? in
            guard let fields = root["resources"]?[resource]?["fields"] else { return nil }
            for start in steps.indices {
                guard let (type, name) = Self.type(of: steps[start...], in: fields) else { continue }
                let old = String(decoding: type.token, as: UTF8.self)
                guard let new = Self.mended(type, message), new != old else { return nil }
                return (type.offset..<type.offset + type.token.count, old, new, name)
            }
            return nil
        }
        guard let edit else { return }
        bytes.replaceSubrange(edit.range, with: Array(edit.new.utf8))
        let old = edit.old.utf8.count <= 40 ? edit.old : "its type"
        mends.append("\(resource).\(edit.name): \(old) is now \(edit.new)")
    }

    /// Returns the declaration of a field's type, and the name of the field. A step is the name of a field, or the
    /// member that its `from` names.
    private static func type(of steps: ArraySlice<String>, in fields: JSONView) -> (JSONView, String)? {
        guard let step = steps.first, fields.kind == .object else { return nil }
        for member in fields.members {
            guard let name = member.key.string else { continue }
            let from = member.value["from"]?.string
            guard from == step || from == nil && name == step else { continue }
            let type = member.value.kind == .object ? member.value["type"] ?? member.value : member.value
            let rest = steps.dropFirst()
            if rest.isEmpty { return (type, name) }
            // An object of fields, or an array of such objects.
            let inner = type.kind == .array ? type.elements.first { _ in true } ?? type : type
            return Self.type(of: rest, in: inner).map { ($0.0, "\(name).\($0.1)") }
        }
        return nil
    }

    /// Returns the declaration that accepts the value of an error message; nil if that is not certain.
    private static func mended(_ type: JSONView, _ message: String) -> String? {
        let old = type.string
        let isOptional = old?.hasSuffix("?") == true
        if message.contains("but is missing") || message.contains("but is null") {
            guard let old else { return #""any""# }
            return old == "any" || isOptional ? nil : JSONValue.string(old + "?").text
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
            return #""any""#
        }
        return nil
    }
}
