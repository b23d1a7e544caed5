import JSON

/// Adds schemas to answers for which the document contains only examples.
struct ExampleAnswers {
    private let document: OpenAPIDocument
    private let schemas: OpenAPISchemas
    private var writer: JSONWriter

    private init(_ root: JSONView) {
        document = OpenAPIDocument(root)
        schemas = OpenAPISchemas(document)
        writer = JSONWriter()
    }

    /// Adds a schema to each answer that has only examples. Returns the changed document; nil if the document has no
    /// such answers.
    static func added(to root: JSONView) -> [UInt8]? {
        guard let paths = root["paths"], paths.kind == .object else { return nil }
        var answers = ExampleAnswers(root)
        // Most documents need no change, and a copy would take much memory.
        guard [paths, root["components"]?["responses"]].contains(where: { $0.map(answers.lacksSchema) ?? false }) else {
            return nil
        }
        answers.writer.beginObject()
        for member in root.members {
            answers.writer.key(member.key)
            if member.key.isString("paths") {
                answers.write(member.value)
            } else if member.key.isString("components"), member.value.kind == .object {
                answers.writer.beginObject()
                for part in member.value.members {
                    answers.writer.key(part.key)
                    if part.key.isString("responses") {
                        answers.write(part.value)
                    } else {
                        answers.writer.value(part.value)
                    }
                }
                answers.writer.endObject()
            } else {
                answers.writer.value(member.value)
            }
        }
        answers.writer.endObject()
        return answers.writer.bytes
    }

    /// Whether a part of the document describes an answer with an example but without a schema.
    private func lacksSchema(_ view: JSONView) -> Bool {
        guard view.kind == .object else { return false }
        return view.members.contains { member in
            switch member.key.string {
            case "content" where member.value.kind == .object:
                member.value.members.contains { soleExample(of: $0.value, as: $0.key) != nil }
            case "parameters", "requestBody", "schema", "example", "examples": false
            default: lacksSchema(member.value)
            }
        }
    }

    private mutating func write(_ view: JSONView) {
        guard view.kind == .object else { return writer.value(view) }
        writer.beginObject()
        for member in view.members {
            writer.key(member.key)
            switch member.key.string {
            case "content" where member.value.kind == .object: media(member.value)
            case "parameters", "requestBody", "schema", "example", "examples": writer.value(member.value)
            default: write(member.value)
            }
        }
        writer.endObject()
    }

    private mutating func media(_ content: JSONView) {
        writer.beginObject()
        for member in content.members {
            writer.key(member.key)
            guard let example = soleExample(of: member.value, as: member.key) else {
                writer.value(member.value)
                continue
            }
            writer.beginObject()
            writer.key(text: "schema")
            ExampleSchema.write([example], to: &writer)
            writer.endObject()
        }
        writer.endObject()
    }

    /// Returns the example of a JSON answer. Nil if there is no example, or if a schema describes the values of the
    /// answer.
    private func soleExample(of media: JSONView, as type: JSONView) -> JSONView? {
        guard type.string?.lowercased().contains("json") == true, media.kind == .object, isBare(media["schema"]) else {
            return nil
        }
        return example(of: media)
    }

    /// Whether a schema describes neither the properties of objects nor the elements of arrays.
    private func isBare(_ schema: JSONView?) -> Bool {
        guard let schema else { return true }
        guard document.resolve(schema) != nil else { return false }
        let flat = schemas.flat(schema)
        if flat.kind == "array" { return flat.items.map { isBareElement($0) } ?? true }
        return isEmpty(flat)
    }

    private func isBareElement(_ schema: JSONView) -> Bool {
        guard document.resolve(schema) != nil else { return false }
        return isEmpty(schemas.flat(schema))
    }

    private func isEmpty(_ flat: OpenAPISchema) -> Bool {
        (flat.kind == nil || flat.isObject) && flat.properties.isEmpty && flat.additional == nil
            && flat.alternatives.isEmpty && flat.values.isEmpty
    }

    /// Returns the example of an answer. Nil if the example is neither an object nor an array.
    private func example(of media: JSONView) -> JSONView? {
        let named = media["examples"]?.members.lazy.compactMap { document.resolve($0.value)?["value"] }.first { _ in
            true
        }
        let schema = media["schema"].flatMap { document.resolve($0) }
        let found = media["example"] ?? named ?? schema?["example"]
        return found.flatMap { $0.kind == .object || $0.kind == .array ? $0 : nil }
    }
}
