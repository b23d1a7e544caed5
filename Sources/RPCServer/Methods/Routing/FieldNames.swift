import Catalog
import DataSources

/// The names of an item's fields. Nested fields have dotted paths, such as `origin.name`.
package struct FieldNames: Sendable {
    let fields: [FieldDefinition]

    package init(fields: [FieldDefinition]) {
        self.fields = fields
    }

    /// The names of all fields, in the catalog's order.
    package var all: [String] { Self.names(of: fields) }

    /// Whether `name` is the name of a top-level field or the dotted path of a nested field, such as `origin.name`.
    package func contain(_ name: String) -> Bool {
        fields.contains { $0.name == name }
            || Self.lead(name.split(separator: ".", omittingEmptySubsequences: false), into: fields)
    }

    /// Whether a name in the `fields` parameter selects a field. The name may be a path that leads through an array,
    /// such as `labels.name`.
    package func areShown(by name: String) -> Bool {
        fields.contains { $0.name == name }
            || Self.shows(name.split(separator: ".", omittingEmptySubsequences: false)[...], of: fields)
    }

    private static func shows(_ path: ArraySlice<Substring>, of fields: [FieldDefinition]) -> Bool {
        guard let first = path.first, let field = fields.first(where: { $0.name == first }) else { return false }
        return shows(path.dropFirst(), into: field.type)
    }

    private static func shows(_ path: ArraySlice<Substring>, into type: FieldType) -> Bool {
        if path.isEmpty { return true }
        return switch type.shape {
        // A value of type `any` may have any fields.
        case .any: true
        case .object(let fields): shows(path, of: fields)
        case .array(let element): shows(path, into: element)
        case .map(let value): shows(path.dropFirst(), into: value)
        case .string, .integer, .number, .boolean, .date, .enumeration: false
        }
    }

    /// Regular expressions (ECMA-262), one for each top-level field. Each matches the name of the field and the dotted
    /// paths of its nested fields.
    var patterns: [String] { fields.map { "^\(Self.pattern(of: $0))$" } }

    /// A regular expression (ECMA-262) for the names that select a field (see `areShown(by:)`).
    var shownPattern: String { "^(\(fields.map { Self.shownPattern(of: $0) }.joined(separator: "|")))$" }

    private static func shownPattern(of field: FieldDefinition) -> String {
        escaped(field.name) + shownPattern(into: field.type)
    }

    private static func shownPattern(into type: FieldType) -> String {
        switch type.shape {
        case .any: #"(\.[^.]+)*"#
        case .object(let fields): #"(\.(\#(fields.map { shownPattern(of: $0) }.joined(separator: "|"))))?"#
        case .array(let element): shownPattern(into: element)
        case .map(let value): #"(\.[^.]+\#(shownPattern(into: value)))?"#
        case .string, .integer, .number, .boolean, .date, .enumeration: ""
        }
    }

    private static func pattern(of field: FieldDefinition) -> String {
        escaped(field.name) + pattern(into: field.type)
    }

    private static func escaped(_ name: String) -> String {
        let special = #"\^$.|?*+()[]{}/"#
        return name.map { special.contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }

    private static func pattern(into type: FieldType) -> String {
        switch type.shape {
        case .any: #"(\.[^.]+)*"#
        case .object(let fields): #"(\.(\#(fields.map { pattern(of: $0) }.joined(separator: "|"))))?"#
        case .array(let element): #"(\.[+-]?[0-9]+\#(pattern(into: element)))?"#
        case .map(let value): #"(\.[^.]+\#(pattern(into: value)))?"#
        case .string, .integer, .number, .boolean, .date, .enumeration: ""
        }
    }

    private static func names(of fields: [FieldDefinition]) -> [String] {
        fields.flatMap { field in
            guard case .object(let inner) = field.type.shape else { return [field.name] }
            return [field.name] + names(of: inner).map { "\(field.name).\($0)" }
        }
    }

    private static func lead(_ path: [Substring], into fields: [FieldDefinition]) -> Bool {
        guard let first = path.first, let field = fields.first(where: { $0.name == first }) else { return false }
        return lead(path.dropFirst(), into: field.type)
    }

    private static func lead(_ path: ArraySlice<Substring>, into type: FieldType) -> Bool {
        guard let step = path.first else { return true }
        switch type.shape {
        case .any: return !path.contains("")
        case .object(let fields): return lead(Array(path), into: fields)
        case .array(let element): return Int(step) != nil && lead(path.dropFirst(), into: element)
        case .map(let value): return !step.isEmpty && lead(path.dropFirst(), into: value)
        case .string, .integer, .number, .boolean, .date, .enumeration: return false
        }
    }
}
