import JSON
import System

/// The type of a field in a draft catalog. Parts of the type can be unknown.
struct DraftType: Equatable {
    var shape: Shape
    /// Whether the value may be null or absent.
    var isOptional = false
    /// An explanation of the type, which becomes a comment in the draft.
    var note: String?

    indirect enum Shape: Equatable {
        case string, integer, number, boolean, any
        /// A date: an RFC 3339 string, or a number in the unit `s` or `ms`.
        case date(unit: String?)
        /// A date as a string, possibly without a UTC offset. A date without an offset is read as UTC.
        case localDate
        case enumeration([String])
        case object([DraftField])
        /// A map, such as prices by date: its keys are data, and all of its values have the associated type.
        case map(DraftType)
        case array(DraftType)
    }

    init(_ shape: Shape, isOptional: Bool = false, note: String? = nil) {
        self.shape = shape
        self.isOptional = isOptional
        self.note = note
    }

    /// The fields of an object type; empty for a type that is not an object.
    var fields: [DraftField] { if case .object(let fields) = shape { fields } else { [] } }

    /// Returns a type that accepts the values of this type and of the given type.
    func merged(with other: DraftType) -> DraftType {
        var merged = DraftType(.any, isOptional: isOptional || other.isOptional, note: note ?? other.note)
        switch (shape, other.shape) {
        case (let one, let two) where one == two: merged.shape = one
        case (.any, _), (_, .any): break
        case (.integer, .number), (.number, .integer): merged.shape = .number
        case (.date, .integer), (.integer, .date): merged.shape = .integer
        case (.date(nil), .string), (.string, .date(nil)), (.enumeration, .string), (.string, .enumeration),
            (.enumeration, .date(nil)), (.date(nil), .enumeration):
            merged.shape = .string
        case (.localDate, .date(nil)), (.date(nil), .localDate): merged.shape = .localDate
        case (.localDate, .string), (.string, .localDate), (.localDate, .enumeration), (.enumeration, .localDate):
            merged.shape = .string
        case (.enumeration(let one), .enumeration(let two)):
            let known = Set(one)
            merged.shape = .enumeration(one + two.filter { !known.contains($0) })
        case (.array(let one), .array(let two)): merged.shape = .array(one.merged(with: two))
        case (.map(let one), .map(let two)): merged.shape = .map(one.merged(with: two))
        case (.object(let one), .object(let two)): merged.shape = .object(Self.merged(one, two))
        default: merged.note = "several types"
        }
        return merged
    }

    /// Merges the fields of two object types. A field in only one of the types becomes optional.
    private static func merged(_ one: [DraftField], _ two: [DraftField]) -> [DraftField] {
        let others = Dictionary(two.map { ($0.name, $0.type) }) { first, _ in first }
        let own = Set(one.map(\.name))
        func optional(_ field: DraftField) -> DraftField {
            var field = field
            field.type.isOptional = true
            return field
        }
        return one.map { field in
            guard let other = others[field.name] else { return optional(field) }
            return DraftField(name: field.name, type: field.type.merged(with: other))
        } + two.filter { !own.contains($0.name) }.map(optional)
    }
}

/// A field of a resource in a draft catalog.
struct DraftField: Equatable {
    let name: String
    var type: DraftType
}

extension [DraftField] {
    /// The fields as members of `fields` in the catalog. A field becomes a comment if the catalog does not allow its
    /// name.
    var lines: [DraftLine] {
        map { field in
            guard !field.name.isEmpty, field.name != "*" else {
                return .comment("left out: a catalog cannot declare a field with the name '\(field.name)'")
            }
            let value = field.type.declared
            let mark = field.type.needsMark(named: field.name) ? "?" : ""
            return .member(field.name + mark, value, note: field.type.note)
        }
    }
}

extension DraftType {
    /// Returns whether the declaration of the field needs a `?` after its name, as in `"owner?": {...}`. If the type of
    /// an optional field is a single word, the `?` follows the type instead: `"name": "string?"`.
    fileprivate func needsMark(named name: String) -> Bool {
        // The decoder removes one trailing `?` from a name, so a name that ends with `?` needs a second `?`.
        if name.hasSuffix("?") { return true }
        guard isOptional else { return false }
        switch shape {
        case .enumeration(let values): return Self.isEnumeration(values)
        case .object(let fields): return !fields.lines.isEmpty
        case .array, .map, .localDate: return true
        case .date(let unit): return unit != nil
        case .string, .integer, .number, .boolean, .any: return false
        }
    }

    /// The type as declared for a field. For a type inside another type, such as an array, use `inner`.
    fileprivate var declared: DraftValue {
        switch shape {
        case .enumeration(let values) where Self.isEnumeration(values):
            let other = ["other", "unknown", "unrecognized"].first { !values.contains($0) } ?? "_other"
            let all = values + [other]
            return .object([
                .member("type", .array(all.map { .text($0) })), .text("otherwise", other),
            ])
        case .date(let unit?): return .object([.text("type", "date"), .text("unit", unit)])
        case .localDate: return .object([.text("type", "date"), .text("zone", "UTC")])
        case .array(let element) where element.shape == .localDate && !element.isOptional:
            return .object([.member("type", .array([.text("date")])), .text("zone", "UTC")])
        case .object(let fields):
            let lines = fields.lines
            // An object whose fields include `type`, and no names except keys of the long form, would be read as the
            // long form.
            let keys = lines.compactMap { if case .member(let key, _, _) = $0 { key } else { nil } }
            let isAmbiguous =
                keys.contains("type") && keys.allSatisfy { ["from", "type", "otherwise", "unit", "zone"].contains($0) }
            return isAmbiguous ? .object([.member("type", inner)]) : inner
        default: return inner
        }
    }

    /// The type as declared inside another type, such as an array. There, objects and arrays cannot be optional, and
    /// the long form (an object with the key `type`) is not available.
    private var inner: DraftValue {
        switch shape {
        // A local date becomes a string, because a type inside another type cannot declare the zone.
        case .string, .enumeration, .localDate: return named("string")
        case .integer: return named("integer")
        case .number: return named("number")
        case .boolean: return named("boolean")
        case .any: return named("any")
        case .date(let unit): return named(unit == nil ? "date" : "integer")
        case .object(let fields):
            let lines = fields.lines
            let isNamed = lines.contains { if case .member = $0 { true } else { false } }
            return isNamed ? .object(lines) : named("any")
        case .map(let value): return .object([.member("*", value.inner)])
        case .array(let element): return .array([element.inner])
        }
    }

    private func named(_ name: String) -> DraftValue { .text(isOptional ? name + "?" : name) }

    /// Whether a string type with the given values becomes an enumeration. Larder drafts enumerations of 2 to 40
    /// values.
    private static func isEnumeration(_ values: [String]) -> Bool { (2...40).contains(values.count) }
}
