import JSON

/// Writes a schema for the values in an example.
struct ExampleSchema {
    private static let maxDepth = 8
    private static let maxElements = 20

    /// Appends a JSON Schema that accepts all of the given values.
    static func write(_ values: [JSONView], to writer: inout JSONWriter, depth: Int = 0) {
        let present = values.filter { !$0.isNull }
        writer.beginObject()
        defer { writer.endObject() }
        if present.count < values.count {
            writer.key(text: "nullable")
            writer.bool(true)
        }
        guard let first = present.first, depth < maxDepth, Set(present.map(name)).count == 1 else { return }
        writer.key(text: "type")
        writer.string(name(first) == "number" && present.allSatisfy { $0.integer != nil } ? "integer" : name(first))
        switch first.kind {
        case .string: text(present, to: &writer)
        case .array:
            let elements = present.flatMap { Array($0.elements.map { $0 }.prefix(maxElements)) }
            guard !elements.isEmpty else { return }
            writer.key(text: "items")
            write(elements, to: &writer, depth: depth + 1)
        case .object: members(present, to: &writer, depth: depth)
        default: break
        }
    }

    private static func text(_ values: [JSONView], to writer: inout JSONWriter) {
        let texts = values.compactMap { $0.string(atMost: 2_000) }
        if !texts.isEmpty, texts.allSatisfy({ DateText($0, assumingUTC: true) != nil }) {
            writer.key(text: "format")
            writer.string("date-time")
        } else if let link = texts.first, link.hasPrefix("http") || link.hasPrefix("/") {
            writer.key(text: "example")
            writer.string(link)
        }
    }

    private static func members(_ values: [JSONView], to writer: inout JSONWriter, depth: Int) {
        var order: [String] = []
        var members: [String: [JSONView]] = [:]
        for member in values.flatMap({ Array($0.members) }) {
            let name = member.key.string ?? ""
            if members[name] == nil { order.append(name) }
            members[name, default: []].append(member.value)
        }
        writer.key(text: "properties")
        writer.beginObject()
        for name in order {
            writer.key(text: name)
            write(members[name] ?? [], to: &writer, depth: depth + 1)
        }
        writer.endObject()
    }

    private static func name(_ view: JSONView) -> String {
        switch view.kind {
        case .true, .false: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        case .null: "null"
        }
    }
}
