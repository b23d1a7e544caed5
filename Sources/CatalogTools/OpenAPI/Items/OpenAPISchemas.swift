import JSON

/// Converts the schemas of an OpenAPI document to the types of fields.
final class OpenAPISchemas {
    /// The maximum nesting depth of objects. Objects below this depth get the type `any`.
    static let maxDepth = 4
    /// The maximum number of fields in a resource. If a schema has more fields, its deepest objects get the type `any`.
    private static let maxFields = 500
    private static let maxAlternatives = 40
    /// The maximum number of schemas that are read for one type. Several references can have the same target, so a
    /// small document can describe a huge type.
    private static let maxSteps = 20_000
    private static let maxNesting = 64
    /// The maximum number of `allOf` members whose references are checked for one schema. Nested members are included.
    private static let maxParts = 16
    /// The maximum number of schemas and properties that are read from a small document. A larger document has a larger
    /// limit.
    private static let minBudget = 1_000_000
    private static let budgetPerByte = 4

    private let document: OpenAPIDocument
    /// The number of fields read so far for the current type.
    private var count = 0
    private var steps = 0
    /// The number of schemas and properties of the document that may still be read.
    private var budget: Int

    init(_ document: OpenAPIDocument) {
        self.document = document
        budget = Self.minBudget + Self.budgetPerByte * document.root.token.count
    }

    /// Whether the maximum number of schemas and properties has been read. The rest of the document is then not read.
    var isExhausted: Bool { budget <= 0 }

    /// Returns the field type for a schema.
    ///
    /// - Returns: the type, and the number of nested levels of objects that the type describes. Objects at deeper
    ///   levels have the type `any`.
    func type(of schema: JSONView) -> (type: DraftType, depth: Int) {
        var type = DraftType(.any)
        for depth in stride(from: Self.maxDepth, through: 1, by: -1) {
            (count, steps) = (0, 0)
            type = self.type(of: schema, room: depth, within: [], limit: depth == 1 ? .max : Self.maxFields)
            if count <= Self.maxFields || depth == 1 { return (type, depth) }
        }
        return (type, 1)
    }

    /// Returns the reason why a schema, or a schema in its `allOf`, cannot be read; nil if all references can be
    /// followed.
    func fault(of schema: JSONView) -> String? {
        var count = 0
        return fault(of: schema, &count)
    }

    private func fault(of schema: JSONView, _ count: inout Int) -> String? {
        guard let view = document.resolve(schema) else { return document.reason(schema) }
        count += 1
        for part in view["allOf"]?.elements.map({ $0 }) ?? [] where count < Self.maxParts {
            if let fault = fault(of: part, &count) { return fault }
        }
        return nil
    }

    /// Returns a copy of a schema that also contains the members of all schemas in its `allOf`.
    func flat(_ schema: JSONView) -> OpenAPISchema {
        var flat = OpenAPISchema()
        steps = 0
        flatten(schema, into: &flat, [])
        return flat
    }

    private func flatten(_ schema: JSONView, into flat: inout OpenAPISchema, _ within: [Int]) {
        steps += 1
        guard let view = document.resolve(schema), !within.contains(view.offset), within.count < Self.maxNesting,
            steps < Self.maxSteps, !isExhausted
        else { return }
        if schema["nullable"]?.bool == true { flat.isNullable = true }
        let known = flat.properties.count
        flat.read(view)
        budget -= 1 + flat.properties.count - known + view.token.count / 256
        for part in view["allOf"]?.elements.map({ $0 }) ?? [] { flatten(part, into: &flat, within + [view.offset]) }
    }

    private func type(of schema: JSONView, room: Int, within: [Int], limit: Int) -> DraftType {
        guard let view = document.resolve(schema) else {
            return DraftType(.any, note: document.reason(schema))
        }
        steps += 1
        guard !within.contains(view.offset) else {
            return DraftType(.any, note: "not typed, because the schema contains itself")
        }
        guard within.count < Self.maxNesting, steps < Self.maxSteps, !isExhausted else {
            return DraftType(.any, note: "the type is unknown, because the schema is too large; declare it yourself")
        }
        var flat = OpenAPISchema()
        flatten(schema, into: &flat, [])
        // A single alternative is usually a reference in a wrapper that adds `nullable`.
        let alternatives = flat.alternatives.map { parts in
            parts.compactMap { part in isRemnant(part, among: parts) ? nil : meaningful(part, &flat) }
        }
        let inner = within + [view.offset]
        var type = DraftType(shape(of: flat, room: room, within: inner, limit: limit))
        if case .any = type.shape, room == 0, flat.isObject { type.note = "nested too deeply for this draft" }
        for alternatives in alternatives where !alternatives.isEmpty {
            var merged: DraftType? = differing(alternatives)
            for part in merged == nil ? alternatives.prefix(Self.maxAlternatives) : [] {
                let next = self.type(of: part, room: room, within: inner, limit: limit)
                merged = merged.map { $0.merged(with: next) } ?? next
            }
            guard let merged else { continue }
            if flat.isLessSpecific(type) {
                type = merged
            } else if case .object(let own) = type.shape, case .object(let more) = merged.shape {
                let known = Set(own.map(\.name))
                type.shape = .object(own + more.filter { !known.contains($0.name) })
                type.isOptional = type.isOptional || merged.isOptional
            }
        }
        if flat.isNullable { type.isOptional = true }
        switch type.shape {
        case .array(let element), .map(let element): type.note = type.note ?? element.note
        default: break
        }
        return type
    }

    /// Returns the schema itself if it has properties. Otherwise returns the alternative (`anyOf`, `oneOf`) with the
    /// most properties.
    func widest(_ schema: JSONView) -> OpenAPISchema {
        let flat = flat(schema)
        guard flat.properties.isEmpty else { return flat }
        let parts = flat.alternatives.joined().map { self.flat($0) }
        return parts.max { $0.properties.count < $1.properties.count }.flatMap { $0.properties.isEmpty ? nil : $0 }
            ?? flat
    }

    /// Whether an alternative (`anyOf`, `oneOf`) describes a deleted item. True if it has only a few properties and one
    /// of them is `deleted`.
    private func isRemnant(_ part: JSONView, among parts: [JSONView]) -> Bool {
        var flat = OpenAPISchema()
        flatten(part, into: &flat, [])
        return parts.count > 1 && flat.properties.count <= 4 && flat.property("deleted") != nil
    }

    /// Returns the type `any` if the alternatives (`anyOf`, `oneOf`) have different kinds, such as a string and an
    /// object. Returns nil if all alternatives have the same kind.
    private func differing(_ alternatives: [JSONView]) -> DraftType? {
        var kinds: [String] = []
        var isNullable = false
        for part in alternatives.prefix(Self.maxAlternatives) {
            var flat = OpenAPISchema()
            flatten(part, into: &flat, [])
            if flat.isNullable { isNullable = true }
            guard let kind = flat.kind else { continue }
            if !kinds.contains(kind) { kinds.append(kind) }
        }
        guard kinds.count > 1, Set(kinds) != ["integer", "number"] else { return nil }
        return DraftType(.any, isOptional: isNullable, note: "one of: \(kinds.joined(separator: ", "))")
    }

    /// Returns the given alternative (`anyOf`, `oneOf`) of a schema; nil if the alternative describes no type. For
    /// example, it may have only the key `required`, or allow only null. An alternative that allows only null marks the
    /// schema as nullable.
    private func meaningful(_ part: JSONView, _ flat: inout OpenAPISchema) -> JSONView? {
        guard let view = document.resolve(part) else { return part }
        if view["type"]?.isString("null") == true { flat.isNullable = true }
        if let values = view["enum"], values.elements.allSatisfy({ $0.isNull }), values.kind == .array {
            flat.isNullable = true
            return nil
        }
        let keys = ["type", "properties", "allOf", "anyOf", "oneOf", "enum", "const", "items", "additionalProperties"]
        let says = view["type"]?.isString("null") != true && keys.contains { view[$0] != nil }
        return says ? part : nil
    }

    private func shape(of flat: OpenAPISchema, room: Int, within: [Int], limit: Int) -> DraftType.Shape {
        func nested(_ view: JSONView, _ room: Int) -> DraftType {
            type(of: view, room: room, within: within, limit: limit)
        }
        switch flat.kind {
        case "string":
            if flat.format == "date-time" {
                // Many frameworks send dates without an offset, although the format demands an offset.
                let isExact = flat.example.flatMap { $0.string.flatMap { DateText($0) } } != nil
                return isExact ? .date(unit: nil) : .localDate
            }
            let values = flat.values.compactMap { $0.string }
            return values.count >= 2 ? .enumeration(Self.unique(values)) : .string
        case "integer":
            return flat.format == "unix-time" || flat.format == "timestamp" ? .date(unit: "s") : .integer
        case "number": return .number
        case "boolean": return .boolean
        case "array": return .array(flat.items.map { nested($0, room) } ?? DraftType(.any))
        case "object":
            if flat.properties.isEmpty {
                return flat.additional.map { .map(nested($0, max(0, room - 1))) } ?? .any
            }
            guard room > 0, count <= limit else { return .any }
            var fields: [DraftField] = []
            for (name, view) in flat.properties where document.resolve(view)?["writeOnly"]?.bool != true {
                count += 1
                if count > limit { break }
                var type = nested(view, room - 1)
                if !flat.required.contains(name) { type.isOptional = true }
                fields.append(DraftField(name: name, type: type))
            }
            return .object(fields)
        default: return .any
        }
    }

    static func unique(_ values: [String]) -> [String] {
        var seen: Set<String> = []
        return values.filter { seen.insert($0).inserted }
    }
}

/// A schema that also contains the members of all schemas in its `allOf`.
struct OpenAPISchema {
    /// The maximum number of types that are read from one schema. JSON Schema has only seven types, but a document may
    /// list more.
    private static let maxTypes = 16
    private(set) var types: [String] = []
    fileprivate(set) var isNullable = false
    private(set) var format: String?
    private(set) var values: [JSONView] = []
    private(set) var example: JSONView?
    private(set) var properties: [(name: String, view: JSONView)] = []
    private(set) var required: Set<String> = []
    private(set) var items: JSONView?
    private(set) var additional: JSONView?
    /// The alternatives of the schema: one array for `anyOf` and one array for `oneOf`.
    private(set) var alternatives: [[JSONView]] = []
    private var places: [String: Int] = [:]

    /// The type of the values, apart from null. Nil if the schema allows several types or declares none.
    var kind: String? {
        if types.count == 1 { return types[0] }
        if Set(types) == ["integer", "number"] { return "number" }
        if !types.isEmpty { return nil }
        if !properties.isEmpty || (additional != nil && alternatives.isEmpty) { return "object" }
        if items != nil { return "array" }
        let isText = !values.isEmpty && values.allSatisfy { $0.kind == .string || $0.isNull }
        return isText ? "string" : nil
    }

    var isObject: Bool { kind == "object" }

    func property(_ name: String) -> JSONView? { places[name].map { properties[$0].view } }

    /// Whether the alternatives (`anyOf`, `oneOf`) of this schema may describe the values more exactly than the rest of
    /// the schema.
    ///
    /// - Parameter type: the type that the rest of the schema describes.
    fileprivate func isLessSpecific(_ type: DraftType) -> Bool {
        switch type.shape {
        case .any: true
        case .object(let fields): fields.isEmpty
        default: types.isEmpty
        }
    }

    fileprivate mutating func read(_ view: JSONView) {
        for type in view["type"].map({ $0.kind == .array ? Array($0.elements) : [$0] }) ?? [] {
            guard let name = type.string else { continue }
            if name == "null" {
                isNullable = true
            } else if types.count < Self.maxTypes, !types.contains(name) {
                types.append(name)
            }
        }
        if view["nullable"]?.bool == true { isNullable = true }
        format = format ?? view["format"]?.string
        example = example ?? view["example"] ?? view["examples"]?.elements.first { _ in true }
        if values.isEmpty, let given = view["enum"] ?? view["const"] {
            values = given.kind == .array ? Array(given.elements) : [given]
            if values.contains(where: { $0.isNull }) { isNullable = true }
        }
        for member in view["properties"]?.members.map({ $0 }) ?? [] {
            let name = member.key.string ?? ""
            guard places[name] == nil else { continue }
            places[name] = properties.count
            properties.append((name, member.value))
        }
        for name in view["required"]?.elements.map({ $0.string }) ?? [] { if let name { required.insert(name) } }
        items = items ?? view["items"]
        if let more = view["additionalProperties"], more.kind == .object, more.members.contains(where: { _ in true }) {
            additional = additional ?? more
        }
        for key in ["anyOf", "oneOf"] {
            if let parts = view[key], parts.kind == .array { alternatives.append(Array(parts.elements)) }
        }
    }
}
