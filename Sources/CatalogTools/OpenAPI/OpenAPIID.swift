import JSON

/// Finds the property of an item that contains the item's id.
struct OpenAPIID {
    private static let texts = [
        "id", "uuid", "guid", "key", "slug", "login", "username", "sha", "code", "identifier", "handle", "sid", "name",
        "number",
    ]
    private static let numbers = ["id", "number", "iid", "key", "code", "index"]
    /// Names of properties. If the name of a path parameter ends with one of them, the property with that name may be
    /// the id.
    private static let parts = ["id", "uuid", "guid", "key", "slug", "sha", "number", "name", "code", "login", "sid"]

    let schemas: OpenAPISchemas

    /// The last parameter of a path.
    struct Parameter {
        let name: String
        /// The type of the parameter: `integer`, `number` or `string`; nil if unknown.
        let kind: String?
    }

    /// Returns the declaration of the items' id. Nil if no property can be the id.
    ///
    /// - Parameters:
    ///   - schema: the schema of the items; nil if the document does not describe them.
    ///   - parameter: the parameter that requests an item; nil if items are only listed.
    ///   - word: the name of a single item, such as `pet`.
    func find(in schema: JSONView?, by parameter: Parameter?, called word: String) -> ResourceDraft.ID? {
        guard let schema else { return parameter.map(unknown) }
        let flat = schemas.widest(schema)
        guard let parameter else { return guess(in: flat, Self.texts, nil) }
        guard !flat.properties.isEmpty else { return unknown(parameter) }
        let (plain, own) = (DraftNames.normalized(parameter.name), DraftNames.normalized(word))
        let guessed = guess(in: flat, parameter.kind == "integer" ? Self.numbers : Self.texts, parameter)
        // In `/charges/{charge}`, a property `charge` would be a different value.
        if plain == own { return guessed ?? exact(plain, in: flat, parameter) }
        if let id = exact(plain, in: flat, parameter) { return id }
        if plain.hasSuffix("username") || plain.hasSuffix("login"),
            let id = exact("login", in: flat, parameter) ?? exact("username", in: flat, parameter)
        {
            return id
        }
        if plain.hasPrefix(own), let id = exact(String(plain.dropFirst(own.count)), in: flat, parameter) { return id }
        if let part = Self.parts.first(where: { plain.hasSuffix($0) }), let id = exact(part, in: flat, parameter) {
            return id
        }
        if plain == "name", let metadata = flat.property("metadata"), schemas.flat(metadata).property("name") != nil {
            return ResourceDraft.ID(type: "string", from: ["metadata", "name"])
        }
        return guessed
    }

    private func exact(_ plain: String, in flat: OpenAPISchema, _ parameter: Parameter) -> ResourceDraft.ID? {
        guard let found = flat.properties.first(where: { DraftNames.normalized($0.name) == plain }),
            let type = type(of: found.view, parameter)
        else { return nil }
        let note = DraftNames.normalized(parameter.name) == plain ? nil : "chosen by the parameter '\(parameter.name)'"
        return ResourceDraft.ID(type: type, from: [found.name], note: note)
    }

    /// Returns the first property that has one of these names and a type that fits an id.
    private func guess(in flat: OpenAPISchema, _ names: [String], _ parameter: Parameter?) -> ResourceDraft.ID? {
        for name in names {
            guard let found = flat.properties.first(where: { DraftNames.normalized($0.name) == name }) else { continue }
            let inner = schemas.flat(found.view)
            guard !inner.isNullable, let type = type(of: found.view, parameter) else { continue }
            if parameter?.kind == "string", type != "string" { continue }
            let isSure = name == "id" || name == "uuid" || name == "guid"
            let why = parameter.map { "a guess: the item has no property '\($0.name)'" } ?? "a guess based on the name"
            return ResourceDraft.ID(type: type, from: [found.name], note: isSure ? nil : why)
        }
        // Some documents declare wrong types for parameters.
        guard let found = flat.property("id"), parameter?.kind == "string", let type = type(of: found, nil) else {
            return nil
        }
        return ResourceDraft.ID(type: type)
    }

    /// Guesses the id of items that the document does not describe, from the name of the parameter.
    private func unknown(_ parameter: Parameter) -> ResourceDraft.ID {
        let plain = DraftNames.normalized(parameter.name)
        let name = Self.parts.first { plain.hasSuffix($0) } ?? "id"
        return ResourceDraft.ID(
            type: parameter.kind == "integer" ? "integer" : "string", from: [name],
            note: "a guess based on the parameter '\(parameter.name)': the document does not describe the item")
    }

    /// Returns the type of an id from its schema; nil if the schema is an object or array.
    private func type(of view: JSONView, _ parameter: Parameter?) -> String? {
        let flat = schemas.flat(view)
        switch flat.kind {
        case "integer", "number": return "integer"
        case "string": return "string"
        case nil where flat.properties.isEmpty && flat.items == nil:
            return parameter?.kind == "integer" ? "integer" : "string"
        default: return nil
        }
    }
}
