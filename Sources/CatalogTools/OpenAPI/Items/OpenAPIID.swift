import JSON

/// Finds the property of an item that contains the item's id.
struct OpenAPIID {
    /// Names of properties that may contain the id. A property is chosen if the name of the path parameter ends with
    /// the property's name: `uuid` is chosen for `petUuid`.
    private static let parts = ["id", "uuid", "guid", "key", "slug", "sha", "number", "name", "code", "login", "sid"]

    let schemas: OpenAPISchemas

    /// The last parameter in the path of an item.
    struct Parameter {
        let name: String
        /// The type of the parameter: `integer`, `number` or `string`; nil if unknown.
        let kind: String?
        /// Whether the path ends with a slash after this parameter, as in `/pets/{id}/`.
        var hasSlash = false
    }

    /// Returns the declaration of the items' id. Nil if no property can be the id.
    ///
    /// - Parameters:
    ///   - schema: the schema of the items; nil if the document does not describe them.
    ///   - parameter: the parameter that requests an item; nil if the API only lists items.
    ///   - word: the name of a single item, such as `pet`.
    ///   - scope: the names of the path parameters that identify parents of the item. These parameters cannot identify
    ///     the item itself.
    func find(
        in schema: JSONView?, by parameter: Parameter?, called word: String, scope: [String] = []
    ) -> ResourceDraft.ID? {
        guard let schema else { return parameter.map(unknown) }
        let flat = schemas.widest(schema)
        let guess = OpenAPIIDGuess(
            schemas: schemas, flat: flat, word: DraftNames.normalized(word), parameter: parameter,
            scope: Set(scope.map(DraftNames.normalized)))
        guard let parameter else { return guess.find() }
        guard !flat.properties.isEmpty else { return unknown(parameter) }
        let (plain, own) = (DraftNames.normalized(parameter.name), DraftNames.normalized(word))
        // In `/charges/{charge}`, a property `charge` would be a different value.
        if plain == own { return guess.find() ?? exact(plain, in: flat, parameter) }
        // Some items have their own `id` and a `company_id` that another system assigned.
        if plain == own + "id", let id = exact("id", in: flat, parameter) { return id }
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
        return guess.find()
    }

    /// Returns the declaration of an id that is part of the URL of each list item; nil if list items contain no URL.
    /// Drafts use this id if `get` needs a number, but the id in list items is a string.
    ///
    /// - Parameter listed: the id in list items. If it is not a string, the result is nil.
    func number(in element: JSONView, by parameter: Parameter?, instead listed: ResourceDraft.ID) -> ResourceDraft.ID? {
        let flat = schemas.widest(element)
        guard let name = listed.from.first, listed.from.count == 1,
            let property = flat.property(name), schemas.flat(property).kind == "string"
        else { return nil }
        let guess = OpenAPIIDGuess(schemas: schemas, flat: flat, word: "", parameter: parameter, scope: [])
        return guess.link(OpenAPIIDGuess.links + ["url"])
    }

    private func exact(_ plain: String, in flat: OpenAPISchema, _ parameter: Parameter) -> ResourceDraft.ID? {
        guard let found = flat.properties.first(where: { DraftNames.normalized($0.name) == plain }),
            let type = schemas.idType(of: found.view, parameter)
        else { return nil }
        let isPlain = DraftNames.normalized(parameter.name) == plain || found.name == "id"
        return ResourceDraft.ID(
            type: type, from: [found.name], note: isPlain ? nil : "chosen by the parameter '\(parameter.name)'")
    }

    /// Guesses the id from the name of a path parameter. Used if the document does not describe the items.
    private func unknown(_ parameter: Parameter) -> ResourceDraft.ID {
        let plain = DraftNames.normalized(parameter.name)
        let name = Self.parts.first { plain.hasSuffix($0) } ?? "id"
        return ResourceDraft.ID(
            type: parameter.kind == "integer" ? "integer" : "string", from: [name],
            note:
                "a guess based on the parameter '\(parameter.name)': the document does not describe the item; check"
                + " this guess")
    }
}

extension OpenAPISchemas {
    /// Returns the type of an id from its schema; nil if the schema is an object or array.
    func idType(of view: JSONView, _ parameter: OpenAPIID.Parameter?) -> String? {
        let flat = flat(view)
        switch flat.kind {
        case "integer", "number": return "integer"
        case "string": return "string"
        case nil where flat.properties.isEmpty && flat.items == nil:
            let kinds = Set(flat.alternatives.joined().prefix(8).compactMap { self.flat($0).kind })
            if kinds.contains("object") || kinds.contains("array") { return nil }
            return parameter?.kind == "integer" || kinds == ["integer"] ? "integer" : "string"
        default: return nil
        }
    }
}
