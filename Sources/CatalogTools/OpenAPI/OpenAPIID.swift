import JSON

/// Tells which property of an item is its id.
struct OpenAPIID {
    private static let texts = [
        "id", "uuid", "guid", "key", "slug", "login", "username", "sha", "code", "identifier", "handle", "sid", "name",
        "number",
    ]
    private static let numbers = ["id", "number", "iid", "key", "code", "index"]
    /// The last words of a parameter that are properties themselves.
    private static let parts = ["id", "uuid", "guid", "key", "slug", "sha", "number", "name", "code", "login", "sid"]

    let schemas: OpenAPISchemas

    /// What is known of a path's last parameter.
    struct Parameter {
        let name: String
        /// `integer`, `number`, `string` or nil.
        let kind: String?
    }

    /// The id of the items of a schema; nil where no property can be it.
    ///
    /// - Parameters:
    ///   - schema: nil where the document does not describe them.
    ///   - parameter: what asks for an item; nil for items that are only listed.
    ///   - word: what an item is called.
    func find(in schema: JSONView?, by parameter: Parameter?, called word: String) -> ResourceDraft.ID? {
        guard let schema else { return parameter.map(unknown) }
        let flat = schemas.widest(schema)
        guard let parameter else { return guess(in: flat, Self.texts, nil) }
        guard !flat.properties.isEmpty else { return unknown(parameter) }
        let (plain, own) = (DraftNames.plain(parameter.name), DraftNames.plain(word))
        let guessed = guess(in: flat, parameter.kind == "integer" ? Self.numbers : Self.texts, parameter)
        // `/charges/{charge}`: not a property of that name, which would be another thing.
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
        guard let found = flat.properties.first(where: { DraftNames.plain($0.name) == plain }),
            let type = type(of: found.view, parameter)
        else { return nil }
        let note = DraftNames.plain(parameter.name) == plain ? nil : "by the parameter '\(parameter.name)'"
        return ResourceDraft.ID(type: type, from: [found.name], note: note)
    }

    /// The first property of such a name that fits.
    private func guess(in flat: OpenAPISchema, _ names: [String], _ parameter: Parameter?) -> ResourceDraft.ID? {
        for name in names {
            guard let found = flat.properties.first(where: { DraftNames.plain($0.name) == name }) else { continue }
            let inner = schemas.flat(found.view)
            guard !inner.isNullable, let type = type(of: found.view, parameter) else { continue }
            if parameter?.kind == "string", type != "string" { continue }
            let isSure = name == "id" || name == "uuid" || name == "guid"
            let why = parameter.map { "a guess: '\($0.name)' is not a property" } ?? "a guess by its name"
            return ResourceDraft.ID(type: type, from: [found.name], note: isSure ? nil : why)
        }
        // A document that is lax about its parameters.
        guard let found = flat.property("id"), parameter?.kind == "string", let type = type(of: found, nil) else {
            return nil
        }
        return ResourceDraft.ID(type: type)
    }

    /// The id of items that the document does not describe.
    private func unknown(_ parameter: Parameter) -> ResourceDraft.ID {
        let plain = DraftNames.plain(parameter.name)
        let name = Self.parts.first { plain.hasSuffix($0) } ?? "id"
        return ResourceDraft.ID(
            type: parameter.kind == "integer" ? "integer" : "string", from: [name],
            note: "a guess by the parameter '\(parameter.name)': the document does not describe the item")
    }

    /// nil for what is no single value.
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
